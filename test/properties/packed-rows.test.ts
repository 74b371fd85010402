import * as fc from "fast-check";
import { expect, it } from "vitest";
import { FoundTable } from "../../src/model/packed/found-table.ts";
import type { Found } from "../../src/kinds/kind.ts";
import { parseJson } from "../../src/model/json-text.ts";
import type { MappingEntry } from "../../src/model/mapping.ts";
import { TextNumbers, TextPairs } from "../../src/model/packed/numbers.ts";
import { PackedRows } from "../../src/model/packed/rows.ts";
import { TextSet } from "../../src/model/packed/text-set.ts";
import { Texts } from "../../src/model/packed/texts.ts";
import { UuidPool } from "../../src/model/packed/uuid-pool.ts";
import { runs } from "./runs.ts";

/** Few different ones, so that they meet: UUIDs that differ in one digit, in case, in what stands before them. */
const uuid = fc.oneof(
  fc.constantFrom(
    "00000000-0000-4000-8000-000000000001",
    "10000000-0000-4000-8000-000000000000",
    "ffffffff-ffff-4fff-bfff-ffffffffffff",
    "FFFFFFFF-ffff-4fff-bfff-ffffffffffff",
    "ffffffff-ffff-4fff-bfff-fffffffffffg",
    "ffffffff4ffff-4fff-bfff-ffffffffffff",
  ),
  fc.uuid(),
);
const before = fc.constantFrom(
  "",
  "urn:x:dev:catalog:term:",
  "urn:x:prod:catalog:term:",
  "urn:x:dév:a:b:",
  "\uE000",
);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(before, uuid).map(([prefix, id]) => prefix + id) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 50 }) },
);
const keys = fc.oneof(
  fc.dictionary(uuid, uuid, { maxKeys: 4 }),
  fc.dictionary(fc.constantFrom("__proto__", "constructor", "1", "a"), text, { maxKeys: 3 }),
);
const print = fc.oneof(
  fc.string({ unit: fc.constantFrom("0", "1", "7", "9", "a", "c", "f"), minLength: 32, maxLength: 32 }),
  fc.constantFrom("", "A0000000000000000000000000000000", "x"),
);
const entry = fc.record(
  {
    name: fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.constant("\uD800")),
    target: text,
    origin: fc.constantFrom("created", "adopted", "explicit", "paired", "of a later version"),
    sourceFingerprint: print,
    ownFingerprint: print,
    targetFingerprint: print,
    keys,
    left: fc.array(text, { maxLength: 2 }),
    kept: fc.dictionary(fc.string({ maxLength: 4 }), print, { maxKeys: 2 }),
    former: fc.record({ target: text, keys }, { requiredKeys: ["target"] }),
    unfinished: fc.constantFrom("publish", ""),
    drifted: print,
    run: fc.constantFrom("2026-01-01", "2026-01-02", "\uDC00"),
    later: fc.constantFrom<unknown>(null, 1, { a: [] }),
  },
  { requiredKeys: ["name", "target", "origin"] },
) as fc.Arbitrary<MappingEntry>;

/** As it is written to a file: what `undefined` says is not said. */
const said = (row: MappingEntry | undefined): unknown => row && (JSON.parse(JSON.stringify(row)) as unknown);
const spelled = (row: MappingEntry | undefined): string => JSON.stringify(said(row));
type Command =
  | { readonly set: string; readonly to: MappingEntry }
  | { readonly drop: string }
  | { readonly again: number; readonly to: MappingEntry };

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ set: text, to: entry }) },
  { weight: 1, arbitrary: fc.record({ drop: text }) },
  { weight: 1, arbitrary: fc.record({ again: fc.nat(), to: entry }) },
);

it("rows come back as they were set, whatever is in them and however often", () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      const rows = new PackedRows();
      const plain = new Map<string, MappingEntry>();
      for (const one of commands) {
        if ("drop" in one) expect(rows.delete(one.drop)).toBe(plain.delete(one.drop));
        else {
          const source = "set" in one ? one.set : ([...plain.keys()][one.again % (plain.size || 1)] ?? "");
          const isHeld = plain.has(source) && spelled(plain.get(source)) === spelled(one.to);
          expect(rows.holds(source, one.to)).toBe(isHeld);
          const { revision } = rows;
          rows.set(source, one.to);
          plain.set(source, one.to);
          expect(rows.revision).not.toBe(revision);
          expect(rows.holds(source, one.to)).toBe(true);
        }
        expect(rows.size).toBe(plain.size);
      }
      for (const [source, row] of plain) {
        expect(said(rows.get(source))).toEqual(said(row));
        expect(Object.getPrototypeOf(rows.get(source)?.keys ?? {})).toBe(Object.prototype);
        const number = rows.number(source);
        expect(rows.source(number)).toBe(source);
        for (const [key, to] of Object.entries(row.keys ?? {})) expect(rows.key(number, key)).toBe(to);
        expect([rows.target(source), rows.name(source)]).toEqual([row.target, row.name]);
        for (const key of ["toString", "__proto__", "00000000-0000-4000-8000-000000000000"])
          if (!Object.hasOwn(row.keys ?? {}, key)) expect(rows.key(number, key)).toBeUndefined();
      }
      expect(new Set(rows.keys())).toEqual(new Set(plain.keys()));
      expect([...rows.values()].map(said)).toEqual([...rows].map(([, row]) => said(row)));
      expect([...rows.targets()]).toEqual([...rows.values()].map(({ target }) => target));
      const unusual = new Map(rows.unusual());
      for (const [source, row] of unusual) expect(said(row)).toEqual(said(plain.get(source)));
      for (const [source, { unfinished }] of plain)
        if (unfinished !== undefined) expect(unusual.has(source)).toBe(true);
      const sorted = rows.sorted();
      expect([...sorted.keys()]).toEqual([...plain.keys()].sort(byUnits));
      expect([...rows.inOrder()]).toEqual([...sorted]);
      for (const [source, row] of sorted) expect(said(row)).toEqual(said(plain.get(source)));
    }),
    runs(200),
  );
});

it("rows that were frozen are what they were, whatever happens to the table until they are released", () => {
  fc.assert(
    fc.property(
      fc.array(command, { maxLength: 30 }),
      fc.array(command, { maxLength: 30 }),
      (before, after) => {
        const rows = new PackedRows();
        for (const one of before) obey(rows, one);
        const then = [...rows.inOrder()];
        const [frozen, other] = [rows.frozen(), rows.frozen()];
        for (const one of after) obey(rows, one);
        other.release();
        for (const one of after) obey(rows, one);
        expect(frozen.size).toBe(then.length);
        expect([...frozen].map(([source, row]) => [source, said(row)])).toEqual(
          then.map(([source, row]) => [source, said(row)]),
        );
        expect([...frozen.targets()]).toEqual(then.map(([, { target }]) => target));
        frozen.release();
      },
    ),
    runs(200),
  );
});

function obey(rows: PackedRows, one: Command): void {
  if ("drop" in one) rows.delete(one.drop);
  else if ("set" in one) rows.set(one.set, one.to);
  else rows.set([...rows.keys()][one.again % (rows.size || 1)] ?? "", one.to);
}

it("a row that differs in anything is not taken for the one that is held", () => {
  fc.assert(
    fc.property(text, entry, entry, (source, one, other) => {
      const rows = PackedRows.of([[source, one]]);
      if (spelled(one) !== spelled(other)) expect(rows.holds(source, other)).toBe(false);
      expect(rows.holds(source, one)).toBe(true);
      expect(new PackedRows().holds(source, one)).toBe(false);
    }),
    runs(300),
  );
});

it("texts have a number each, and are found and told apart by every character", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 120 }), fc.array(text, { maxLength: 20 }), (all, others) => {
      const texts = new Texts();
      const plain: string[] = [];
      const numbers = new TextNumbers();
      const pairs = new TextPairs();
      for (const [at, one] of all.entries()) {
        if (!plain.includes(one)) plain.push(one);
        expect(texts.add(one)).toBe(plain.indexOf(one));
        numbers.set(one, at);
        pairs.set(one, all[at - 1] ?? "");
      }
      expect([...texts]).toEqual(plain);
      for (const one of [...all, ...others]) {
        expect(texts.find(one)).toBe(plain.indexOf(one));
        const last = all.lastIndexOf(one);
        expect(numbers.get(one)).toBe(last < 0 ? undefined : last);
        expect(pairs.get(one)).toBe(last < 0 ? undefined : (all[last - 1] ?? ""));
        expect(pairs.has(one)).toBe(last >= 0);
      }
      const paired = new Map(plain.map((one) => [one, all[all.lastIndexOf(one) - 1] ?? ""]));
      expect([...pairs]).toEqual([...paired]);
      expect([[...pairs.keys()], [...pairs.values()], pairs.size]).toEqual([
        plain,
        [...paired.values()],
        plain.length,
      ]);
      for (const one of others) {
        numbers.delete(one);
        pairs.delete(one);
        expect([numbers.get(one), pairs.get(one)]).toEqual([undefined, undefined]);
      }
      expect([...pairs.keys()]).toEqual(plain.filter((one) => !others.includes(one)));
      expect(pairs.size).toBe(plain.filter((one) => !others.includes(one)).length);
      const set = new TextSet();
      expect(all.map((one) => set.add(one))).toEqual(all.map((one, at) => all.indexOf(one) === at));
      expect([[...set], [...set.values()], set.size]).toEqual([plain, plain, plain.length]);
      expect([...set.entries()]).toEqual([...new Set(all).entries()]);
      for (const one of others) expect(set.has(one)).toBe(all.includes(one));
      const order = plain.map((_, number) => number).sort((one, other) => texts.compare(one, other));
      expect(order.map((number) => texts.at(number))).toEqual([...plain].sort(byUnits));
    }),
    runs(200),
  );
});

it("given things come back as they were found, small or large, the last word of each", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          urn: text,
          name: fc.string({ unit: "binary", maxLength: 20 }),
          body: fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 })),
          more: fc.constantFrom(0, 1_000),
        }),
        { maxLength: 30 },
      ),
      (all) => {
        const table = new FoundTable();
        const plain = new Map<string, Found>();
        for (const { urn, name, body, more } of all) {
          // Bodies come from JSON: there is no zero below zero in them that is not written so.
          const parsed = parseJson(JSON.stringify({ ...body, more: "x".repeat(more) })) as Found["body"];
          table.set({ urn, name, body: parsed });
          plain.set(urn, { urn, name, body: parsed });
        }
        expect([...table]).toEqual([...plain]);
        expect([[...table.keys()], [...table.values()], table.size]).toEqual([
          [...plain.keys()],
          [...plain.values()],
          plain.size,
        ]);
        for (const [urn, found] of plain) expect([table.has(urn), table.get(urn)]).toEqual([true, found]);
        expect(table.get("nobody")).toBeUndefined();
        // What looks its fields up says the same, also where somebody copies it.
        expect(table.all().map((found) => ({ ...found }))).toEqual([...plain.values()]);
        const isShort = ({ name }: Found): boolean => name.length < 10;
        expect(table.all(isShort).map(({ urn }) => urn)).toEqual(
          [...plain.values()].filter(isShort).map(({ urn }) => urn),
        );
      },
    ),
    runs(200),
  );
});

const record = fc
  .record({
    // Few, so that they meet.
    urn: fc.constantFrom("a", "b", "urn:x:dev:catalog:term:00000000-0000-4000-8000-000000000001"),
    name: fc.string({ unit: "binary", maxLength: 20 }),
    body: fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(fc.jsonValue({ maxDepth: 1 }), text)),
    more: fc.constantFrom(0, 1_000),
  })
  .map(({ urn, name, body, more }): Found => {
    const parsed = parseJson(JSON.stringify({ ...body, more: "x".repeat(more) })) as Found["body"];
    return { urn, name, body: parsed };
  });

it("given things that one table has from another stay as they were taken, whatever is set in either", () => {
  const move = fc.oneof(
    fc.record({ set: record, in: fc.nat(2) }),
    fc.record({ from: fc.nat(2), to: fc.nat(2), shortest: fc.nat(20), meanwhile: fc.option(record) }),
  );
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      const tables = [0, 1, 2].map(() => ({ table: new FoundTable(), plain: new Map<string, Found>() }));
      for (const one of moves) {
        if ("set" in one) {
          tables[one.in]?.table.set(one.set);
          tables[one.in]?.plain.set(one.set.urn, one.set);
          continue;
        }
        const [from, to] = [tables[one.from], tables[one.to]];
        const all = from?.table.all(({ name }) => name.length >= one.shortest) ?? [];
        if (one.meanwhile !== null) {
          from?.table.set(one.meanwhile);
          from?.plain.set(one.meanwhile.urn, one.meanwhile);
        }
        for (const found of all) {
          to?.plain.set(found.urn, { ...found });
          to?.table.set(found);
        }
        for (const { table, plain } of tables) expect([...table]).toEqual([...plain]);
      }
      for (const { table, plain } of tables) {
        expect([...table]).toEqual([...plain]);
        expect(table.all().map((found) => ({ ...found }))).toEqual([...plain.values()]);
      }
    }),
    runs(300),
  );
});

it("thousands of texts find their places as the tables grow", () => {
  const made = (number: number): string =>
    `urn:x:dev:catalog:catalog-attribute:00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
  const texts = new Texts();
  const rows = new PackedRows();
  for (let number = 0; number < 20_000; number += 1) {
    texts.add(made(number));
    rows.set(made(number), { name: `${number}`, target: made(number + 1), origin: "paired" });
  }
  for (let number = 0; number < 20_000; number += 7) {
    expect(texts.find(made(number))).toBe(number);
    expect(rows.get(made(number))).toEqual({ name: `${number}`, target: made(number + 1), origin: "paired" });
  }
  expect(texts.has(made(20_000))).toBe(false);
});

it("tables that share a pool know nothing of each other, and write down a UUID once", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), text), { maxLength: 200 }), (all) => {
      const pool = new UuidPool();
      const tables = [new Texts(pool), new Texts(pool), new Texts(pool)];
      const plain = tables.map((): string[] => []);
      for (const [which, one] of all) {
        const [mine, texts] = [plain[which] ?? [], tables[which]];
        if (!mine.includes(one)) mine.push(one);
        expect(texts?.add(one)).toBe(mine.indexOf(one));
        for (const [at, other] of tables.entries())
          expect(other.find(one)).toBe((plain[at] ?? []).indexOf(one));
      }
      expect(tables.map((texts) => [...texts])).toEqual(plain);
      // Any other is kept as it is.
      const uuids = all.flatMap(
        ([, one]) => /^[\0-\x7f]*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/u.exec(one)?.[1] ?? [],
      );
      expect(pool.size).toBe(new Set(uuids).size);
    }),
    runs(300),
  );
});

function byUnits(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
