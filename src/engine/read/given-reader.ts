import type { FeedContext, Found, GivenKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { ReadClient } from "../../service/index.ts";
import { together } from "../together.ts";
import { isGiven } from "../facets/standing.ts";
import type { Early } from "./foresight.ts";
import { nothingEarly } from "./foresight.ts";
import { FoundTable } from "../../model/packed/found-table.ts";
import { TextSet } from "../../model/packed/text-set.ts";

/** Reads given records by URN, each one once, and keeps them for the run. */
export class GivenReader implements Pick<FeedContext, "given"> {
  readonly #client: ReadClient;
  readonly #registry: Registry;
  readonly #known = new Map<string, FoundTable>();
  readonly #notKnown = new Map<string, string>();
  readonly #asked = new Map<string, TextSet>();

  readonly #early: Early;
  readonly #onRecords: ((kind: string, records: readonly Found[]) => void) | undefined;

  constructor(
    client: ReadClient,
    registry: Registry,
    {
      early = nothingEarly,
      onRecords,
    }: {
      readonly early?: Early;
      readonly onRecords?: (kind: string, records: readonly Found[]) => void;
    } = {},
  ) {
    this.#client = client;
    this.#registry = registry;
    this.#early = early;
    this.#onRecords = onRecords;
  }

  records(kind: string): ReadonlyMap<string, Found> {
    return this.#known.get(kind) ?? new Map<string, Found>();
  }

  /** Why nobody knows what there is of a kind; undefined when it could be read, or was not asked for. */
  notKnown(kind: string): string | undefined {
    return this.#notKnown.get(kind);
  }

  readonly find = (kind: string, urn: string): Found | undefined => this.#known.get(kind)?.get(urn);

  add(kind: string, records: readonly Found[]): void {
    let known = this.#known.get(kind);
    if (known === undefined) {
      known = new FoundTable();
      this.#known.set(kind, known);
    }
    for (const record of records) known.set(record);
  }

  async given(kindName: string, urns: Iterable<string>): Promise<ReadonlyMap<string, Found>> {
    const kind = this.#registry.get(kindName);
    if (!isGiven(kind)) throw new Error(`${kindName} is not a given kind`);
    const asked = this.#asked.get(kindName) ?? new TextSet();
    this.#asked.set(kindName, asked);
    const known = this.records(kindName);
    const fresh = new TextSet();
    for (const urn of urns) if (!known.has(urn) && asked.add(urn)) fresh.add(urn);
    if (fresh.size > 0) {
      const reader = this.#early.get(kindName) ?? kind;
      const found = await reader.read(this.#client, fresh, (name) => new TextSet(this.records(name).keys()));
      if ("notKnown" in found) this.#notKnown.set(kindName, found.notKnown);
      else {
        this.add(kindName, found);
        this.#onRecords?.(kindName, found);
      }
      this.#forgetAsked(kindName);
    }
    return this.records(kindName);
  }

  /** Whom the table has need not be kept among those that were asked for as well: there may be a million. */
  #forgetAsked(kind: string): void {
    const known = this.records(kind);
    const left = new TextSet();
    for (const urn of this.#asked.get(kind) ?? []) if (!known.has(urn)) left.add(urn);
    this.#asked.set(kind, left);
  }
}

/** Reads all kinds at once, but each after those that it comes after: items before their attributes. */
export async function readTogether(
  kinds: readonly GivenKind[],
  read: (kind: GivenKind) => Promise<void>,
): Promise<void> {
  const begun = new Map<GivenKind, Promise<void>>();
  const begin = (kind: GivenKind): Promise<void> => {
    const known = begun.get(kind);
    if (known !== undefined) return known;
    const before = kinds.filter((other) => kind.after.includes(other.name)).map(begin);
    const reading = Promise.all(before).then(async () => read(kind));
    begun.set(kind, reading);
    return reading;
  };
  await together(kinds.map(begin));
}
