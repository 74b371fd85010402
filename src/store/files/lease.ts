import type { Holder, Lease, LockResult } from "../store.ts";
import { StoreError } from "../store-error.ts";
import type { Disk } from "./disk.ts";
import { acquireLock } from "./lock.ts";
import type { Lock } from "./lock.ts";

/** Rises with every lease of this process; between processes the operating system sees to it that there is one holder. */
let last = 0;

/**
 * Takes the locks in the order in which they are named, or none of them. Every run takes them in one order and waits for
 * none, so none waits for ever.
 */
export function takeLocks(disk: Disk, paths: readonly string[], holder: Holder): LockResult {
  const locks: Lock[] = [];
  const release = (): void => {
    for (let lock = locks.pop(); lock !== undefined; lock = locks.pop()) lock.release();
  };
  try {
    for (const path of paths) {
      const result = acquireLock(path, holder, disk);
      if (!result.ok) {
        release();
        return result;
      }
      locks.push(result.lock);
    }
  } catch (error) {
    release();
    throw error;
  }
  last = Math.max(last + 1, Date.now());
  const lease = new FileLease(last, release);
  return { ok: true, lease };
}

class FileLease implements Lease {
  readonly token: number;
  readonly #release: () => void;
  isHeld = true;

  constructor(token: number, release: () => void) {
    this.token = token;
    this.#release = release;
  }

  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.#release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }
}

/** What is written without the right to it could mix with what another run writes. */
export function refuseLost(lease: Lease, path: string): void {
  if (lease instanceof FileLease && lease.isHeld) return;
  throw new StoreError(
    "lease-lost",
    path,
    "this run does not hold the target any more: another one may be at work on it",
    "Run it again.",
  );
}
