import { ServiceError } from "../../service/index.ts";

/** Nothing stands at the address that was asked. */
export function isAbsent(error: unknown): boolean {
  return error instanceof ServiceError && [404, 405, 501].includes(error.status ?? 0);
}

/** This request was refused, and the next one may be taken. */
export function isRefused(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.arrived === "no" &&
    (error.kind === "refused" || error.kind === "not-found")
  );
}

/** It may have happened. */
export function isLost(error: unknown): boolean {
  return error instanceof ServiceError && error.arrived !== "no" && error.kind !== "aborted";
}

/** For what does no harm when it is done twice. */
export async function twiceAtMost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isLost(error)) throw error;
    return work();
  }
}
