interface Run {
  readonly began: number;
  /** When it began to read the source: before it began, where it goes by a diff that somebody approved. */
  readonly readSource: number;
  readonly at: number;
  /** It did not come to the end of it. */
  readonly isPart?: true;
}

/** How an object stands to its source. */
interface Standing {
  readonly last: Run | undefined;
  readonly isBack: boolean;
  readonly isHalfBack: boolean;
}

interface Move {
  readonly at: number;
  /** Content in one text; undefined where it is not there. */
  readonly from: string | undefined;
  readonly into: string | undefined;
  /** Whether anybody sees it is not certain: the model is another one, and what is there may be shown as it was. */
  readonly isPerhaps?: true;
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
  /** What such a draft says, in one text. */
  readonly #meant = new Map<string, string>();
  /** How each stood before the run that wrote to it last. */
  readonly #before = new Map<string, Standing & { readonly began: number; readonly at: number }>();
  /** Runs that came to an end of which nobody knows how far they were: what they sent may still arrive. */
  readonly #over = new Set<number>();
  /** When the content of a source object changed, from what and into what. */
  readonly #changes = new Map<string, Move[]>();

  /** A run that began then wrote to it, or found that it is as it should be. */
  by({ began, readSource }: Pick<Run, "began" | "readSource">, urn: string, at: number): void {
    const runs = this.#runs.get(urn) ?? [];
    if (runs.at(-1)?.began !== began) this.#before.set(urn, { ...this.#standing(urn), began, at });
    const isPart = this.#over.has(began) ? ({ isPart: true } as const) : {};
    this.#runs.set(urn, [...runs.filter((run) => run.began !== began), { began, readSource, at, ...isPart }]);
    this.#goneOn(urn);
  }

  /** A run that began then found that it is as it was brought: a rollback goes by the run that wrote. */
  found(run: Pick<Run, "began" | "readSource" | "isPart">, urn: string, at: number): void {
    const runs = this.#runs.get(urn) ?? [];
    if (runs.length === 0) this.by(run, urn, at);
    else this.#runs.set(urn, [...runs.slice(0, -1), { ...run, at }]);
    this.#goneOn(urn);
  }

  #goneOn(urn: string): void {
    this.#back.delete(urn);
    this.#halfBack.delete(urn);
    this.#meant.delete(urn);
  }

  #standing(urn: string): Standing {
    const last = this.#runs.get(urn)?.at(-1);
    return { last, isBack: this.#back.has(urn), isHalfBack: this.#halfBack.has(urn) };
  }

  /** Those that a run which began then has written to, and not as far as it was to. */
  inPart(began: number, isPart: (urn: string) => boolean): void {
    this.#over.add(began);
    for (const [urn, runs] of this.#runs) {
      const last = runs.at(-1);
      if (last?.began !== began || !isPart(urn)) continue;
      this.#runs.set(urn, [...runs.slice(0, -1), { ...last, isPart: true }]);
    }
  }

  isPart(urn: string): boolean {
    return this.#runs.get(urn)?.at(-1)?.isPart === true;
  }

  /** Nothing was brought there, or all that was is taken back. */
  isNever(urn: string): boolean {
    return (this.#runs.get(urn) ?? []).length === 0;
  }

  takenBack(urn: string): void {
    this.#runs.get(urn)?.pop();
    this.#back.add(urn);
    this.#meant.delete(urn);
  }

  /** A rollback has written a draft that says this. */
  begunBack(urn: string, meant: string): void {
    this.#halfBack.add(urn);
    this.#meant.set(urn, meant);
  }

  /** What a rollback has drafted and nothing else; whoever published it. */
  isMeantBack(urn: string, said: string): boolean {
    return this.#meant.get(urn) === said;
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
   * One that writes twice to an object, its query and then what is said of it, goes by what it was before the first time,
   * but for what a colleague touched in between.
   */
  moved(
    urn: string,
    source: string,
    run: { readonly began: number; readonly readSource: number },
    touched: number,
  ): "no" | "perhaps" | "yes" {
    const before = this.#before.get(urn);
    const isWithin = before !== undefined && before.began === run.began && touched < before.at;
    const { last, isBack, isHalfBack } = isWithin ? before : this.#standing(urn);
    if (isHalfBack) return "perhaps";
    // The state that came back was never brought from anywhere: it is people's.
    if (last === undefined && isBack) return "yes";
    const moves = this.#changes.get(source) ?? [];
    const brought = during(moves, last?.readSource ?? 0, last?.at ?? 0);
    const now = during(moves, run.readSource, Infinity);
    // What was never wholly brought there differs as well, and who says what came first?
    if (last?.isPart !== true && now.every((content) => brought.every((other) => other === content)))
      return "no";
    return brought.some((content) => now.includes(content)) ? "perhaps" : "yes";
  }
}

/** What it may have been read as from one moment to another; undefined before it ever changed. */
function during(moves: readonly Move[], from: number, to: number): readonly (string | undefined)[] {
  const before = moves.findLast(({ at }) => at <= from);
  const first = before === undefined ? [moves[0]?.from] : contents(before);
  return [...first, ...moves.filter(({ at }) => at > from && at <= to).flatMap(contents)];
}

function contents({ from, into, isPerhaps }: Move): readonly (string | undefined)[] {
  return isPerhaps === true ? [from, into] : [into];
}
