import { expect, test } from "vitest";
import { keyDigest, printOf } from "../../../src/engine/records/prints.ts";
import type { Compared } from "../../../src/engine/records/taken.ts";
import { takenBy } from "../../../src/engine/records/taken.ts";
import type { Loser, Meant, Row } from "../../../src/kinds/kind.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";

const reading = { isOurs: () => true, text: (_name: string, value: Json) => JSON.stringify(value) };
const loses = "(parent P)";
const loser: Loser = { what: "it moves B away from P", values: { code: "B" }, loses };
/** What the other row says as long as nobody has taken that from it. */
const other = { code: "B", [loses]: true };

interface There {
  readonly losers?: readonly Loser[];
  readonly found?: readonly Partial<Row>[];
  /** What the other row was left as by the last run; undefined: no run has written it. */
  readonly left?: JsonObject;
}

const compared = (line: Partial<Compared["line"]>): Compared => ({
  line: { action: "update", name: "A", fields: [{ name: "name", from: "a", to: "b" }], ...line },
  row: { key: "A", name: "A", values: { code: "A", name: "b" } },
  there: undefined,
});

async function taken(rows: readonly Compared[], { losers = [loser], found = [], left }: There = {}) {
  const meant: Meant[] = [];
  const lookedUp: JsonObject[] = [];
  const lines = await takenBy(rows, {
    open: {
      ...reading,
      perLookUp: 10,
      losers: async (all: readonly Meant[]) => {
        meant.push(...all);
        return all.map(() => losers);
      },
      lookUp: async (all: readonly { readonly values: JsonObject }[]) => {
        lookedUp.push(...all.map(({ values }) => values));
        return found.map((row) => ({ key: "B", name: "B", values: {}, ...row }));
      },
    } as never,
    known: {
      get: (key: string) =>
        left === undefined || key !== keyDigest("B")
          ? undefined
          : { source: "?", target: printOf(left, reading) },
    } as never,
  });
  return { takes: lines.map((line) => line.takes), meant, lookedUp };
}

const told = [[loser.what]];
const nothing = [undefined];

test("what a row takes away from another one is told where somebody has given it that", async () => {
  const row = compared({});
  expect((await taken([row], { found: [{ values: other }] })).takes).toEqual(told);
  // As the last run left it, which had it.
  expect((await taken([row], { found: [{ values: other }], left: other })).takes).toEqual(nothing);
  const beside = { values: { ...other, name: "theirs" }, aside: [other] };
  expect((await taken([row], { found: [beside], left: other })).takes).toEqual(nothing);
  // The last run left it without that.
  const without = { values: other, aside: [{ code: "B" }] };
  expect((await taken([row], { found: [without], left: { code: "B" } })).takes).toEqual(told);
  expect(
    (await taken([row], { found: [{ values: other }], left: { code: "B", name: "old" } })).takes,
  ).toEqual(told);
  // What has no key was written by no run.
  expect((await taken([row], { found: [{ values: other, key: undefined }], left: other })).takes).toEqual(
    told,
  );
});

test("nothing is taken from what has lost it already, or from another row", async () => {
  expect((await taken([compared({})])).takes).toEqual(nothing);
  expect((await taken([compared({})], { found: [{ values: { code: "B" } }] })).takes).toEqual(nothing);
  const another = { code: "C", [loses]: true };
  expect((await taken([compared({})], { found: [{ values: another }] })).takes).toEqual(nothing);
});

test("whether a run has made what a row loses is taken from whoever knows, before what is known of the row", async () => {
  const found = [{ values: other }];
  const losers = (isMade: boolean): readonly Loser[] => [{ ...loser, isMade }];
  expect((await taken([compared({})], { losers: losers(true), found })).takes).toEqual(nothing);
  expect((await taken([compared({})], { losers: losers(false), found, left: other })).takes).toEqual(told);
});

test("only what is written takes anything, and only what it is given by that; the rows stay in their order", async () => {
  const found = [{ values: other }];
  const fields = [
    { name: "name", from: "a", to: "b" },
    { name: "note", from: "n", to: "n" },
  ];
  const lines = ["unchanged", "create", "drift", "update", "delete", "conflict"] as const;
  const { takes, meant } = await taken(
    lines.map((action) => compared({ action, fields })),
    { found },
  );
  expect(takes).toEqual([undefined, ...told, undefined, ...told, undefined, undefined]);
  expect(meant.map(({ given }) => given)).toEqual([["name"], ["name"]]);
  const none = await taken([compared({ action: "unchanged" })], { found });
  expect([none.takes, none.meant, none.lookedUp]).toEqual([nothing, [], []]);
  // A line without fields gives nothing.
  const { fields: _fields, ...bare } = compared({}).line;
  expect((await taken([{ ...compared({}), line: bare }], { losers: [] })).meant).toMatchObject([
    { given: [] },
  ]);
});

test("of a row that loses several things it is asked once, for all of them", async () => {
  const second: Loser = { ...loser, what: "it moves B away from Q", loses: "(parent Q)" };
  const { takes, lookedUp } = await taken([compared({})], {
    losers: [loser, second],
    found: [{ values: { ...other, "(parent Q)": true } }],
  });
  expect(takes).toEqual([[loser.what, second.what]]);
  expect(lookedUp).toEqual([{ code: "B", "(parent P)": true, "(parent Q)": true }]);
});
