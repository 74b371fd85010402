import type { TreeToKeep, Lease } from "../store/index.ts";
import { StoreError } from "../store/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Migration } from "./migration.ts";

/** So many are held at most. */
const most = 500;

/** Keeps what was brought to the target while the run goes on: for people, so that trouble with it stops nothing. */
export class KeptTrees {
  readonly #migration: Migration;
  readonly #lease: Lease;
  #held: TreeToKeep[] = [];
  #written: Promise<void> = Promise.resolve();
  #trouble: StoreError | undefined;

  constructor(migration: Migration, lease: Lease) {
    this.#migration = migration;
    this.#lease = lease;
  }

  readonly take = (tree: TreeToKeep): void => {
    this.#held.push(tree);
    if (this.#held.length >= most) this.#write();
  };

  /** What is left is written; what a person should know of it. */
  async end(): Promise<readonly Diagnostic[]> {
    this.#write();
    await this.#written;
    if (this.#trouble === undefined) return [];
    const summary = `what was applied could not be kept: ${this.#trouble.message}`;
    const detail = "A later conflict is told without what was applied last, and is not merged.";
    return [{ severity: "warning", code: "applied-not-kept", summary, detail }];
  }

  #write(): void {
    const trees = this.#held;
    if (trees.length === 0) return;
    this.#held = [];
    this.#written = this.#append(this.#written, trees);
    this.#written.catch(() => undefined); // Told at the end.
  }

  async #append(before: Promise<void>, trees: readonly TreeToKeep[]): Promise<void> {
    await before;
    if (this.#trouble !== undefined) return;
    try {
      await this.#migration.store.state.appendApplied(this.#lease, trees);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#trouble = error;
    }
  }
}
