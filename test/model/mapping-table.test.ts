import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MappingEntry } from "../../src/model/mapping.ts";
import { MappingTable } from "../../src/model/mapping-table.ts";
import { PackedRows } from "../../src/model/packed/rows.ts";
import { sourceKey, targetKey, urn, uuid } from "./ids.ts";

const source = (number: number): string => urn("dev", "catalog:term", number);
const target = (number: number): string => urn("prod", "catalog:term", number);
const entry = (number: number, more: Partial<MappingEntry> = {}): MappingEntry => ({
  name: `term ${number}`,
  target: target(number),
  origin: "created",
  ...more,
});

describe("the mapping", () => {
  it("is empty at first", () => {
    const mapping = new MappingTable();
    expect(mapping.kinds()).toEqual([]);
    expect(mapping.entries("terms").size).toBe(0);
    expect([mapping.get("terms", source(1)), mapping.named(source(1)), mapping.claimedBy(target(1))]).toEqual(
      [undefined, undefined, undefined],
    );
    expect([mapping.uuid(uuid("a", 1)), mapping.key(sourceKey(1))]).toEqual([undefined, undefined]);
  });

  it("finds an entry by source, by target, by UUID and by the keys of its parts", () => {
    const mapping = new MappingTable();
    const first = entry(1, { keys: { [sourceKey(1)]: targetKey(1) } });
    mapping.set("terms", source(1), first);
    mapping.set("rules", source(2), entry(2));
    expect(mapping.kinds()).toEqual(["terms", "rules"]);
    expect([...mapping.entries("terms")]).toEqual([[source(1), first]]);
    expect(mapping.get("terms", source(1))).toEqual(first);
    expect(mapping.get("rules", source(1))).toBeUndefined();
    expect(mapping.named(source(2))).toEqual({ kind: "rules", source: source(2), entry: entry(2) });
    expect(mapping.claimedBy(target(2))).toEqual({ kind: "rules", source: source(2), entry: entry(2) });
    expect([mapping.claim("rules", target(2)), mapping.claim("terms", target(2))]).toEqual([
      source(2),
      undefined,
    ]);
    expect(mapping.uuid(uuid("a", 1))).toBe(uuid("b", 1));
    expect(mapping.key(sourceKey(1))).toBe(targetKey(1));
  });

  it("forgets all of an entry that is replaced or removed", () => {
    const mapping = new MappingTable();
    mapping.set("terms", source(1), entry(1, { keys: { [sourceKey(1)]: targetKey(1) } }));
    mapping.set("rules", source(1), entry(2));
    expect(mapping.entries("terms").size).toBe(0);
    expect([mapping.named(source(1))?.kind, mapping.claimedBy(target(1)), mapping.key(sourceKey(1))]).toEqual(
      ["rules", undefined, undefined],
    );
    expect(mapping.uuid(uuid("a", 1))).toBe(uuid("b", 2));
    mapping.set("rules", source(1), null);
    expect([mapping.named(source(1)), mapping.claimedBy(target(2)), mapping.uuid(uuid("a", 1))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    mapping.set("rules", source(1), null);
    expect(mapping.entries("rules").size).toBe(0);
  });

  it("keeps a claim that another source has taken over", () => {
    const mapping = new MappingTable();
    mapping.set("terms", source(1), entry(1));
    mapping.set("terms", source(2), entry(1));
    mapping.set("terms", source(1), null);
    expect(mapping.claimedBy(target(1))).toEqual({ kind: "terms", source: source(2), entry: entry(1) });
  });

  it("gives a claim back to whoever had it before, and keeps it for whom it is put down again", () => {
    const mapping = new MappingTable();
    mapping.set("terms", source(1), entry(1));
    mapping.set("terms", source(2), entry(1));
    mapping.set("terms", source(2), null);
    expect(mapping.claim("terms", target(1))).toBe(source(1));
    mapping.set("terms", source(2), entry(1));
    mapping.set("terms", source(1), entry(1));
    expect(mapping.claim("terms", target(1))).toBe(source(1));
    mapping.set("terms", source(2), entry(2));
    expect(mapping.claimedBy(target(1))?.source).toBe(source(1));
  });

  it("claims what some row says is its twin, and nothing else, whatever is put down and taken away", () => {
    const act = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.option(fc.integer({ min: 1, max: 3 })));
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        const mapping = new MappingTable();
        const rows = new Map<number, number>();
        for (const [from, to] of acts) {
          mapping.set("terms", source(from), to === null ? null : entry(to));
          if (to === null) rows.delete(from);
          else rows.set(from, to);
          for (const one of [1, 2, 3]) {
            const having = [...rows].flatMap(([row, twin]) => (twin === one ? [source(row)] : []));
            const claim = mapping.claim("terms", target(one));
            if (one === to) expect(claim).toBe(source(from));
            else if (having.length === 0) expect(claim).toBeUndefined();
            else expect(having).toContain(claim);
          }
        }
      }),
    );
  });

  it("keeps apart what is laid over one thing, and lets none of it stand for the thing", () => {
    const mapping = new MappingTable((kind) => kind === "terms");
    const [assigned, described] = [entry(1, { origin: "paired" }), entry(2, { origin: "paired" })];
    mapping.set("term-assignments", source(1), assigned);
    mapping.set("descriptions", source(1), described);
    expect(mapping.get("term-assignments", source(1))).toEqual(assigned);
    expect(mapping.get("descriptions", source(1))).toEqual(described);
    expect([mapping.named(source(1)), mapping.claimedBy(target(1)), mapping.uuid(uuid("a", 1))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    mapping.set("terms", source(1), entry(3));
    mapping.set("descriptions", source(1), null);
    expect(mapping.all(source(1)).map(({ kind }) => kind)).toEqual(["term-assignments", "terms"]);
    expect(mapping.named(source(1))?.kind).toBe("terms");
    expect([mapping.claim("term-assignments", target(1)), mapping.claim("descriptions", target(2))]).toEqual([
      source(1),
      undefined,
    ]);
  });

  it("takes over rows that were read just as if each had been set, whatever comes behind", () => {
    const kinds = ["terms", "rules", "words"];
    const fields = fc.record(
      {
        keys: fc.dictionary(
          fc.constantFrom(...[1, 2, 3].map((number) => sourceKey(number)), "by name"),
          fc.constantFrom(targetKey(1), targetKey(2)),
        ),
        run: fc.constantFrom("r1", "r2"),
        unfinished: fc.constant("publish"),
      },
      { requiredKeys: [] },
    );
    const from = fc.integer({ min: 1, max: 4 });
    const to = fc.integer({ min: 1, max: 3 });
    const stored = fc.array(fc.tuple(fc.constantFrom(...kinds), from, to, fields), { maxLength: 12 });
    const later = fc.array(fc.tuple(fc.constantFrom(...kinds), from, fc.option(to), fields), {
      maxLength: 12,
    });
    const owns = (kind: string): boolean => kind !== "words";
    const [sources, targets] = [[1, 2, 3, 4].map(id), [1, 2, 3].map(target)];
    const keys = [...[1, 2, 3].map(sourceKey), "by name"];
    const questions: readonly ((mapping: MappingTable) => unknown)[] = [
      (mapping) => kinds.map((kind) => [...mapping.entries(kind)]),
      (mapping) => sources.map((urn) => [mapping.named(urn), mapping.twin(urn)]),
      (mapping) => sources.map((urn) => mapping.uuid(urn.slice(-36))),
      (mapping) => kinds.map((kind) => targets.map((urn) => mapping.claim(kind, urn))),
      (mapping) => targets.map((urn) => mapping.claimedBy(urn)),
      (mapping) => kinds.map((kind) => targets.map((urn) => mapping.takenBy(kind, urn))),
      (mapping) => keys.map((key) => mapping.key(key)),
      (mapping) => mapping.kinds(),
    ];
    fc.assert(
      fc.property(stored, later, (rows, acts) => {
        const ofKinds = kinds.map((kind) => {
          const ofKind = rows.filter(([other]) => other === kind);
          return [
            kind,
            () => PackedRows.of(ofKind.map(([, one, two, more]) => [id(one), entry(two, more)])),
          ] as const;
        });
        const adopted = (): MappingTable => {
          const mapping = new MappingTable(owns);
          for (const [kind, ofKind] of ofKinds) mapping.adopt(kind, ofKind());
          return mapping;
        };
        const [set, one] = [new MappingTable(owns), new MappingTable(owns)];
        for (const [kind, ofKind] of ofKinds) {
          for (const [source, row] of ofKind()) set.set(kind, source, row);
          one.adopt(kind, ofKind());
          expect(told(one)).toEqual(told(set));
        }
        // Whichever is asked first.
        for (const question of questions) expect(question(adopted())).toEqual(question(set));
        const unasked = adopted();
        for (const [kind, source, two, more] of acts) {
          for (const mapping of [set, one, unasked])
            mapping.set(kind, id(source), two === null ? null : entry(two, more));
          expect(told(one)).toEqual(told(set));
        }
        expect(told(unasked)).toEqual(told(set));
      }),
    );

    /** One of them has no URN. */
    function id(number: number): string {
      return number === 4 ? "by name" : source(number);
    }

    function told(mapping: MappingTable): unknown {
      return questions.map((question) => question(mapping));
    }
  });

  it("takes over rows of a kind once", () => {
    const mapping = new MappingTable();
    mapping.set("terms", source(1), entry(1));
    expect(() => mapping.adopt("terms", new PackedRows())).toThrow("there are rows of terms already");
  });
});
