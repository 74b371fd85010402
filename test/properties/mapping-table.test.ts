import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { MappingEntry } from "../../src/model/mapping.ts";
import { MappingTable } from "../../src/model/mapping-table.ts";
import { uuidOf } from "../../src/model/urn.ts";
import { patience, runs } from "./runs.ts";
import { uuidFor } from "./sketch.ts";

const kinds = ["rules", "monitors", "laid-over"] as const;
const owns = (kind: string): boolean => kind !== "laid-over";
const source = (number: number): string => `urn:ata:dev:data-quality:rule:${uuidFor("a", number)}`;
const target = (number: number): string => `urn:ata:prod:data-quality:rule:${uuidFor("b", number)}`;
const [sources, targets] = [[0, 1, 2].map(source), [0, 1, 2].map(target)];
const parts = [uuidFor("c", 0), uuidFor("c", 1), "no UUID", "__proto__"];

interface Act {
  readonly kind: string;
  readonly source: string;
  readonly entry: MappingEntry | null;
}

const entry: fc.Arbitrary<MappingEntry> = fc
  .record({
    target: fc.constantFrom(...targets),
    keys: fc.uniqueArray(fc.tuple(fc.constantFrom(...parts), fc.nat({ max: 9 })), {
      selector: ([key]) => key,
      maxLength: 3,
    }),
    isUnfinished: fc.boolean(),
  })
  .map(({ target: twin, keys, isUnfinished }) => ({
    name: "A",
    target: twin,
    origin: "created" as const,
    ...(keys.length === 0
      ? {}
      : { keys: Object.fromEntries(keys.map(([key, to]): [string, string] => [key, uuidFor("d", to)])) }),
    ...(isUnfinished ? { unfinished: "publish" } : {}),
  }));

const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    source: fc.constantFrom(...sources),
    entry: fc.option(entry, { freq: 3 }),
  }),
  { maxLength: 40 },
);

/** The same without any index: rows in the order in which they were put down last. */
class Plain {
  #rows: (Act & { readonly entry: MappingEntry })[] = [];

  set({ kind, source: urn, entry: row }: Act): void {
    const isSame = (one: Act): boolean => one.kind === kind && one.source === urn;
    const isNew = !this.#rows.some(isSame);
    this.#rows = this.#rows.filter(
      (one) => !isSame(one) && !(row !== null && isNew && owns(kind) && owns(one.kind) && one.source === urn),
    );
    if (row !== null) this.#rows.push({ kind, source: urn, entry: row });
  }

  get rows(): readonly (Act & { readonly entry: MappingEntry })[] {
    return this.#rows;
  }
}

/** What leads to a row is one of those that say so, the one that was put down last where that is among them; and nothing where none does. */
function expectOneOf<T>(found: T | undefined, saying: readonly T[]): void {
  if (saying.length === 0) expect(found).toBeUndefined();
  else expect(saying).toContainEqual(found);
}

function expectAlike(mapping: MappingTable, { rows }: Plain): void {
  for (const kind of kinds) {
    const own = rows.filter((row) => row.kind === kind);
    expect(new Map(mapping.entries(kind))).toEqual(new Map(own.map((row) => [row.source, row.entry])));
    const unfinished = own.filter((row) => row.entry.unfinished !== undefined).map((row) => row.source);
    expect(Array.from(mapping.unfinished(kind), ([urn]) => urn).sort()).toEqual(unfinished.sort());
    for (const twin of targets)
      expectOneOf(
        mapping.claim(kind, twin),
        own.filter((row) => row.entry.target === twin).map((row) => row.source),
      );
  }
  const owned = rows.filter(({ kind }) => owns(kind));
  for (const twin of targets)
    expectOneOf(
      mapping.claimedBy(twin),
      owned.filter((row) => row.entry.target === twin),
    );
  for (const urn of sources) {
    const row = owned.find((one) => one.source === urn);
    expect(mapping.named(urn)).toEqual(row);
    expect(mapping.twin(urn)).toEqual(row?.entry.target);
    expect(mapping.uuid(uuidOf(urn))).toEqual(row && uuidOf(row.entry.target));
  }
  for (const key of parts) {
    const saying = owned.flatMap(({ entry: { keys = {} } }) =>
      Object.hasOwn(keys, key) ? [keys[key] ?? ""] : [],
    );
    expectOneOf(mapping.key(key), saying);
    if (saying.length > 0) expect(mapping.key(key)).toBe(saying.at(-1));
  }
}

function putDown(act: Act, mapping: MappingTable, plain: Plain): void {
  mapping.set(act.kind, act.source, act.entry);
  plain.set(act);
}

it(
  "what leads to rows leads to those that say so, whatever is put down, replaced and taken away",
  () => {
    fc.assert(
      fc.property(acts, (all) => {
        const [mapping, plain] = [new MappingTable(owns), new Plain()];
        for (const act of all) {
          putDown(act, mapping, plain);
          expectAlike(mapping, plain);
        }
      }),
      runs(600),
    );
  },
  patience(),
);

it(
  "and where a journal is gone through that is older than the files",
  () => {
    fc.assert(
      fc.property(acts, fc.nat(), (all, cut) => {
        const [first, plain] = [new MappingTable(owns), new Plain()];
        for (const act of all.slice(0, cut % (all.length + 1))) first.set(act.kind, act.source, act.entry);
        const mapping = new MappingTable(owns);
        for (const kind of first.kinds())
          for (const [urn, row] of first.entries(kind)) {
            mapping.set(kind, urn, row);
            plain.set({ kind, source: urn, entry: row });
          }
        for (const act of all) {
          putDown(act, mapping, plain);
        }
        expectAlike(mapping, plain);
      }),
      runs(600),
    );
  },
  patience(),
);
