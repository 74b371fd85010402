import { setTimeout as delay } from "node:timers/promises";

/** Rejections that nobody takes while this is done and a moment after: each of them would end a process. */
export async function untakenDuring(work: () => Promise<unknown>): Promise<readonly unknown[]> {
  const untaken: unknown[] = [];
  const take = (error: unknown): void => void untaken.push(error);
  process.on("unhandledRejection", take);
  try {
    await work();
    await delay(50);
  } finally {
    process.off("unhandledRejection", take);
  }
  return untaken;
}
