import { ServiceError } from "../../service/index.ts";
import type { RowAnswer, RowTask } from "../kind.ts";

/** Nothing stands at the address that was asked. */
export function isAbsent(error: unknown): error is ServiceError {
  return error instanceof ServiceError && [404, 405, 501].includes(error.status ?? 0);
}

/** The same, where it is no gateway's or framework's word: what those do not find (404) is an address. */
export function isSurelyAbsent(error: unknown): error is ServiceError {
  return isAbsent(error) && (error.status !== 404 || error.kind === "not-found");
}

/** This request was refused, and the next one may be taken. */
export function isRefused(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.arrived === "no" &&
    (error.kind === "refused" || error.kind === "not-found")
  );
}

/** The question is refused, and not the address: what a gateway does not find (404) says nothing of how it was asked. */
export function isNotTaken(error: unknown): error is ServiceError {
  return isRefused(error) && [400, 413, 414, 422].includes(error.status ?? 0);
}

/** The server's own word on what it was asked: it does not take it, does not know it, or does not allow it. */
export function isAnswered(error: unknown): error is ServiceError {
  return (
    isRefused(error) || isAbsent(error) || (error instanceof ServiceError && error.kind === "permission")
  );
}

/** Undefined where the server does not tell: of words beside what is moved. */
export async function told<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isAnswered(error)) return undefined;
    throw error;
  }
}

/** It may have happened. */
export function isLost(error: unknown): boolean {
  return error instanceof ServiceError && error.arrived !== "no" && error.kind !== "aborted";
}

/** An answer for each of these, whose requests are their own: one that fails leaves the others on their way. */
export async function answerEach(
  tasks: readonly RowTask[],
  one: (task: RowTask) => Promise<RowAnswer>,
): Promise<readonly RowAnswer[]> {
  const settled = await Promise.allSettled(tasks.map(one));
  return settled.map((ended) => (ended.status === "fulfilled" ? ended.value : failed(ended.reason)));
}

/**
 * Of a row that takes several requests, where one came to nothing after another was done: that stays, and a rollback has to know of it.
 * Throws what is no trouble of the service.
 */
export function inPart(error: unknown, address: string): RowAnswer {
  if (!(error instanceof ServiceError)) throw error;
  if (error.arrived !== "no") return { state: "unknown", reason: error.message };
  return { state: "done", address, short: error.message, ...(isRefused(error) ? {} : { error }) };
}

/** Throws what is no trouble of the service. */
export function failed(error: unknown): Extract<RowAnswer, { readonly state: "failed" }> {
  if (error instanceof ServiceError) return { state: "failed", error };
  throw error;
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
