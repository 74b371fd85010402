import type { Foreseen, Found } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { urnType } from "../../model/urn.ts";
import type { ReadClient } from "../../service/index.ts";
import { isGiven } from "../facets/standing.ts";

/** Given kinds whose reading at one side was begun; what is not in it is read as ever. */
export type Early = ReadonlyMap<string, Foreseen>;

export const nothingEarly: Early = new Map();

/**
 * Has given things read at both sides while the source is still listed: only what is as good as sure to be asked for in
 * the end, so that it costs no request more. What it begins the readers take over.
 */
export class Foresight {
  readonly source: Early;
  readonly target: Early;
  readonly #registry: Registry;
  readonly #hasTwin: (urn: string) => boolean;
  readonly #wanted = new Set<string>();
  /** Of the source, by kind: how many were read, and how many of these are surely there at the target. */
  readonly #read = new Map<string, { all: number; paired: number }>();
  #isListing = true;

  constructor(options: {
    readonly source: ReadClient;
    readonly target: ReadClient;
    /** Given kinds are the same in every environment. */
    readonly registry: Registry;
    readonly rename: (text: string) => string;
    /** Given kinds that a listing shows: nothing of them is begun beside it. */
    readonly shown: ReadonlySet<string>;
    /** Whether the mapping knows the twin of something given. */
    readonly hasTwin: (urn: string) => boolean;
    readonly stop: AbortSignal;
  }) {
    const { registry, rename, stop } = options;
    const begun = (client: ReadClient): Early =>
      new Map(
        registry.given().flatMap((kind) => {
          const foreseen = options.shown.has(kind.name)
            ? undefined
            : kind.foresee?.({ client, rename, stop });
          return foreseen === undefined ? [] : [[kind.name, foreseen] as const];
        }),
      );
    this.source = begun(options.source);
    this.target = begun(options.target);
    this.#registry = registry;
    this.#hasTwin = options.hasTwin;
  }

  /** An object that the plan itself selects refers to these. */
  refers(references: readonly string[]): void {
    for (const reference of references) {
      const kind = this.#registry.givenOf(urnType(reference) ?? "");
      if (kind === undefined || this.#wanted.has(kind.name)) continue;
      this.#wanted.add(kind.name);
      this.#tell(kind.name);
    }
  }

  /** Given things of the source that were read while it was listed. */
  records(kindName: string, records: readonly Found[]): void {
    if (!this.#isListing || records.length === 0) return;
    const kind = this.#registry.get(kindName);
    if (!isGiven(kind)) return;
    const read = this.#read.get(kindName) ?? { all: 0, paired: 0 };
    read.all += records.length;
    read.paired += records.filter(({ urn }) => this.#hasTwin(urn)).length;
    this.#read.set(kindName, read);
    this.target.get(kindName)?.certain({ isWanted: true, records, holders: 0 });
    for (const other of this.#registry.given())
      if (other.after.includes(kindName) && this.#wanted.has(other.name)) this.#tell(other.name);
    const holder = records.map((record) => kind.partOf?.(record)).find((urn) => urn !== undefined);
    if (holder !== undefined && kind.after.length > 0) this.refers([holder]);
  }

  /** From here on everything is asked for by itself. */
  listed(): void {
    this.#isListing = false;
  }

  #tell(name: string): void {
    const kind = this.#registry.get(name);
    if (!this.#isListing || !isGiven(kind)) return;
    const held = kind.after.map((other) => this.#read.get(other) ?? { all: 0, paired: 0 });
    const most = (of: (counts: { all: number; paired: number }) => number): number =>
      Math.max(0, ...held.map(of));
    const now = { isWanted: true, records: [] };
    this.source.get(name)?.certain({ ...now, holders: most(({ all }) => all) });
    this.target.get(name)?.certain({ ...now, holders: most(({ paired }) => paired) });
  }
}
