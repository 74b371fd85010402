import type { Progress } from "../engine/progress.ts";

type Applied = Extract<Progress, { readonly type: "applied" }>;

/**
 * Lines for what became of objects. A lost answer may be that of a batch of a hundred: the first object in doubt is
 * told in full, and the others are counted. Everything else is told of each: a person may have to look for it.
 */
export class AppliedLog {
  readonly #counts = new Map<string, { more: number; readonly kind: string }>();

  /** Undefined for one that is only counted. */
  line({ kind, name, step, state, reason }: Applied): string | undefined {
    if (state === "in doubt") {
      const key = JSON.stringify([kind, step, reason]);
      const known = this.#counts.get(key);
      if (known !== undefined) {
        known.more += 1;
        return undefined;
      }
      this.#counts.set(key, { more: 0, kind });
    }
    return `${kind} "${name}" ${step} ${state}${reason === undefined ? "" : `: ${reason}`}`;
  }

  /** What was only counted so far; then counting begins anew. */
  rest(): readonly string[] {
    const lines = [...this.#counts.values()].flatMap(({ more, kind }) =>
      more === 0 ? [] : [`... and ${more} more ${kind} in doubt, for the same reason`],
    );
    this.#counts.clear();
    return lines;
  }
}
