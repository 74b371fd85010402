interface Run {
  readonly began: number;
  readonly at: number;
  /** It did not come to the end of it. */
  readonly isPart?: true;
}

interface Move {
  readonly at: number;
  /** Content in one text; undefined where it is not there. */
  readonly from: string | undefined;
  readonly into: string | undefined;
}

/**
 * When each target object was brought to its source. A rollback goes back to the state before the run, and with that
 * to what the source was when that state was brought: the source may differ from it though nobody has touched it since.
 */
export class Brought {
  /** By target, a run each, the newest last. */
  readonly #runs = new Map<string, Run[]>();
  /** Those that a rollback wrote to last. */
  readonly #back = new Set<string>();
  /** Those of which a rollback has written a draft, and perhaps no more. */
  readonly #halfBack = new Set<string>();
  /** When the content of a source object changed, from what and into what. */
  readonly #changes = new Map<string, Move[]>();

  /** A run that began then wrote to it, or found that it is as it should be. */
  by(began: number, urn: string, at: number): void {
    const others = (this.#runs.get(urn) ?? []).filter((run) => run.began !== began);
    this.#runs.set(urn, [...others, { began, at }]);
    this.#back.delete(urn);
    this.#halfBack.delete(urn);
  }

  /** A run that began then found that it is as it was brought: a rollback goes by the run that wrote. */
  found(began: number, urn: string, at: number): void {
    const runs = this.#runs.get(urn) ?? [];
    if (runs.length === 0) this.by(began, urn, at);
    else this.#runs.set(urn, [...runs.slice(0, -1), { began, at }]);
    this.#back.delete(urn);
    this.#halfBack.delete(urn);
  }

  /** Those that a run which began then has written to, and not as far as it was to. */
  inPart(began: number, isPart: (urn: string) => boolean): void {
    for (const [urn, runs] of this.#runs) {
      const last = runs.at(-1);
      if (last?.began !== began || !isPart(urn)) continue;
      this.#runs.set(urn, [...runs.slice(0, -1), { ...last, isPart: true }]);
    }
  }

  takenBack(urn: string): void {
    this.#runs.get(urn)?.pop();
    this.#back.add(urn);
  }

  begunBack(urn: string): void {
    this.#halfBack.add(urn);
  }

  /** A rollback came to no end: whether what it took back counts as taken back, only the tool knows. */
  interrupted(): void {
    for (const urn of this.#back) this.#halfBack.add(urn);
  }

  sourceChanged(source: string, move: Move): void {
    this.#changes.set(source, [...(this.#changes.get(source) ?? []), move]);
  }

  lastChange(source: string): number {
    return this.#changes.get(source)?.at(-1)?.at ?? 0;
  }

  /**
   * Whether the source differs from what the target was last brought to, for a run that began then. What moved while
   * that run, or the one that brought it, was at work may have been read before or after: it is in its right with either.
   */
  moved(urn: string, source: string, began: number): "no" | "perhaps" | "yes" {
    const last = this.#runs.get(urn)?.at(-1);
    if (this.#halfBack.has(urn)) return "perhaps";
    // The state that came back was never brought from anywhere: it is people's.
    if (last === undefined && this.#back.has(urn)) return "yes";
    const moves = this.#changes.get(source) ?? [];
    const brought = during(moves, last?.began ?? 0, last?.at ?? 0);
    const now = during(moves, began, Infinity);
    // What was never wholly brought there differs as well, and who says what came first?
    if (last?.isPart !== true && now.every((content) => brought.every((other) => other === content)))
      return "no";
    return brought.some((content) => now.includes(content)) ? "perhaps" : "yes";
  }
}

/** What it may have been read as from one moment to another; undefined before it ever changed. */
function during(moves: readonly Move[], from: number, to: number): readonly (string | undefined)[] {
  const before = moves.findLast(({ at }) => at <= from);
  const first = before === undefined ? moves[0]?.from : before.into;
  return [first, ...moves.filter(({ at }) => at > from && at <= to).map(({ into }) => into)];
}
