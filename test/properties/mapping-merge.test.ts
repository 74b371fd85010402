import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MappingEntry } from "../../src/model/mapping.ts";
import type { Entries, Merged } from "../../src/model/mapping-merge.ts";
import { mergeEntries } from "../../src/model/mapping-merge.ts";
import { runs } from "./runs.ts";

/** A mapping as the store lets one be: no two sources have one target. */
const entry = fc.record(
  {
    name: fc.constantFrom("Email", "Phone"),
    target: fc.constantFrom("t1", "t2", "t3", "t4", "t5"),
    origin: fc.constantFrom("created" as const, "adopted" as const),
    sourceFingerprint: fc.constantFrom("f1", "f2"),
    run: fc.constantFrom("r1", "r2", "r3"),
  },
  { requiredKeys: ["name", "target", "origin"] },
) as fc.Arbitrary<MappingEntry>;
const mapping = fc
  .dictionary(fc.constantFrom("s1", "s2", "s3", "s4", "__proto__"), entry, { maxKeys: 5 })
  .map((rows) => {
    const taken = new Set<string>();
    return new Map(
      Object.entries(rows).filter(([, { target }]) => !taken.has(target) && taken.add(target) !== undefined),
    );
  });

type Row = readonly [source: string, entry: MappingEntry | null];

/** What becomes of it in a branch: rows come, change and go. */
const changes = fc.array(
  fc.tuple(fc.constantFrom("s1", "s2", "s3", "s4", "s5"), fc.option(entry)) as fc.Arbitrary<Row>,
  { maxLength: 4 },
);
const branches = fc.tuple(mapping, changes, changes).map(([base, one, other]) => ({
  base,
  ours: changed(base, one),
  theirs: changed(base, other),
}));

function changed(base: Entries, rows: readonly Row[]): Entries {
  const result = new Map(base);
  for (const [source, row] of rows) {
    if (row === null) result.delete(source);
    else if (![...result].some(([other, { target }]) => other !== source && target === row.target))
      result.set(source, row);
  }
  return result;
}

const text = (value: MappingEntry | undefined): string => {
  const { run: _run, ...rest } = value ?? {};
  return JSON.stringify(rest, Object.keys(rest).sort());
};
const same = (one: MappingEntry | undefined, other: MappingEntry | undefined): boolean =>
  text(one) === text(other);
const mirrored = ({ entries, conflicts }: Merged): unknown => ({
  entries: [...entries],
  conflicts: conflicts.map(({ about, ours, theirs }) => ({ about, ours: theirs, theirs: ours })),
});
const plain = ({ entries, conflicts }: Merged): unknown => ({
  entries: [...entries],
  conflicts: conflicts.map(({ about, ours, theirs }) => ({ about, ours, theirs })),
});

describe("merging two branches' mappings", () => {
  test("the branches are not at random", () => {
    const samples = fc
      .sample(branches, 500)
      .map(({ base, ours, theirs }) => mergeEntries(base, ours, theirs));
    const about = (kind: string): number =>
      samples.filter(({ conflicts }) => conflicts.some((conflict) => conflict.about === kind)).length;
    expect(about("row")).toBeGreaterThan(10);
    expect(about("target")).toBeGreaterThan(10);
    expect(samples.filter(({ conflicts }) => conflicts.length === 0).length).toBeGreaterThan(50);
  });

  test("it is the same whichever of them is ours", () => {
    fc.assert(
      fc.property(branches, ({ base, ours, theirs }) => {
        expect(mirrored(mergeEntries(base, theirs, ours))).toEqual(plain(mergeEntries(base, ours, theirs)));
      }),
      runs(2_000),
    );
  });

  test("no row is lost, and none is made up", () => {
    fc.assert(
      fc.property(branches, ({ base, ours, theirs }) => {
        const { entries, conflicts } = mergeEntries(base, ours, theirs);
        for (const [side, other] of [
          [ours, theirs],
          [theirs, ours],
        ] as const)
          for (const [source, row] of side) {
            const told = conflicts.some((conflict) =>
              [conflict.ours, conflict.theirs].some((one) => one?.source === source),
            );
            const takenOut = base.has(source) && !other.has(source) && same(row, base.get(source));
            const changedThere = base.has(source) && same(row, base.get(source)) && other.has(source);
            // What one branch has made, and the other has found there.
            const made = entries.get(source);
            const found =
              row.origin === "adopted" &&
              made?.origin === "created" &&
              same({ ...row, origin: "created" }, made);
            expect(
              told || takenOut || found || same(entries.get(source), changedThere ? other.get(source) : row),
            ).toBe(true);
          }
        for (const [source, row] of entries)
          expect([ours.get(source), theirs.get(source)]).toContainEqual(row);
      }),
      runs(2_000),
    );
  });

  test("a conflict is a row that both changed differently, or one target for two sources; nothing else", () => {
    fc.assert(
      fc.property(branches, ({ base, ours, theirs }) => {
        const { entries, conflicts } = mergeEntries(base, ours, theirs);
        for (const { about, ours: mine, theirs: other } of conflicts) {
          if (about === "row") {
            const source = mine?.source ?? other?.source ?? "";
            const sides = [base.get(source), ours.get(source), theirs.get(source)];
            expect(new Set(sides.map(text)).size).toBe(3);
            expect([mine?.entry, other?.entry]).toEqual(sides.slice(1));
          } else {
            expect(mine?.source).not.toBe(other?.source);
            expect(mine?.entry.target).toBe(other?.entry.target);
            expect(ours.get(mine?.source ?? "")).toEqual(mine?.entry);
            expect(theirs.get(other?.source ?? "")).toEqual(other?.entry);
          }
        }
        const targets = [...entries.values()].map(({ target }) => target);
        expect(new Set(targets).size).toBe(targets.length);
      }),
      runs(2_000),
    );
  });

  test("what one branch alone changed is taken; the same change twice is one", () => {
    fc.assert(
      fc.property(branches, ({ base, ours }) => {
        for (const merged of [
          mergeEntries(base, ours, base),
          mergeEntries(base, base, ours),
          mergeEntries(base, ours, ours),
          mergeEntries(new Map(), ours, ours),
        ]) {
          expect(merged.conflicts).toEqual([]);
          expect(new Map([...merged.entries].map(([source, row]) => [source, text(row)]))).toEqual(
            new Map([...ours].map(([source, row]) => [source, text(row)])),
          );
        }
      }),
      runs(500),
    );
  });
});
