import type { MovedKind } from "../../kinds/kind.ts";
import type { AppliedChange } from "../../model/change.ts";
import { Changes } from "../../model/packed/changes.ts";
import type { Scratch } from "../../model/packed/spool.ts";
import { KeptValues } from "./kept-values.ts";
import type { Planned, Reverse } from "./plan.ts";

/** Fewer than of a diff: of what comes or goes as a whole each shows all that it says. */
const mostHeld = 256;

/** What is planned of many objects, of which each has a change to show and mostly a body to send: both are on disk where there is much of them. */
export class KeptPlans {
  readonly #changes: Changes;
  readonly #values: KeptValues;
  /** Reverses that are kept already. */
  readonly #kept = new WeakSet<Reverse>();
  /** By kind: that of one deletion is that of all. */
  readonly #deletes = new Map<MovedKind, Reverse>();

  constructor(scratch?: () => Scratch) {
    this.#changes = new Changes(scratch, mostHeld);
    this.#values = new KeptValues(scratch);
  }

  /** The same plan; itself where it was kept before. */
  readonly keep = (planned: Planned): Planned => {
    const change = this.#changes.keep<AppliedChange>(planned.change);
    const reverse = planned.reverse === undefined ? undefined : this.#reverse(planned.kind, planned.reverse);
    if (change === planned.change && reverse === planned.reverse) return planned;
    return { ...planned, change, ...(reverse === undefined ? {} : { reverse }) };
  };

  #reverse(kind: MovedKind, reverse: Reverse): Reverse {
    if (this.#kept.has(reverse)) return reverse;
    const kept = this.#written(kind, reverse);
    this.#kept.add(kept);
    return kept;
  }

  #written(kind: MovedKind, reverse: Reverse): Reverse {
    switch (reverse.what) {
      case "create":
        return { ...reverse, body: this.#values.keep(reverse.body) };
      case "patch":
        return { ...reverse, patch: this.#values.keep(reverse.patch) };
      case "delete": {
        const known = this.#deletes.get(kind) ?? reverse;
        this.#deletes.set(kind, known);
        return known;
      }
    }
  }
}
