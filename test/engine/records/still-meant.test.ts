import { expect, test } from "vitest";
import type { PlannedRow } from "../../../src/engine/records/line.ts";
import { stillMeant } from "../../../src/engine/records/still-meant.ts";
import { keyDigest, printOf } from "../../../src/engine/records/prints.ts";
import type { OpenTable, Row, RowTask } from "../../../src/kinds/kind.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";

const key = "A";

/** Of what is in its key's row by now, what is written of a row whose part `values` is wanted; null when it is left alone. */
async function meant(there: JsonObject, isPart: boolean): Promise<string> {
  const open: Pick<OpenTable, "lookUp" | "text" | "perLookUp"> = {
    perLookUp: 10,
    text: (_name: string, value: unknown) => JSON.stringify(value),
    lookUp: async () => [{ key, values: there, address: "1" }],
  } as never;
  const planned: PlannedRow = {
    line: 0,
    task: {
      key: keyDigest(key),
      name: "A",
      action: "update",
      address: "1",
      values: { parent: "P" },
      before: { name: "as it was sent " },
    },
  } as never;
  const said: string[] = [];
  const found = {
    done: async (): Promise<void> => void said.push("done"),
    touched: (): void => void said.push("touched"),
    held: (): void => void said.push("held"),
  };
  const rows = (async function* () {
    yield [planned];
  })();
  for await (const page of stillMeant(rows, open as OpenTable, found, { isPart }))
    for (const _ of page) said.push("meant");
  return said.join();
}

test("what leads to other rows is written also where the service shows the rest in its own form", async () => {
  expect(await meant({ name: "as it was sent" }, true)).toBe("meant");
  expect(await meant({ name: "as it was sent" }, false)).toBe("touched");
});
test("and not where somebody has led it elsewhere meanwhile", async () => {
  expect(await meant({ name: "as it was sent", parent: "Q" }, true)).toBe("touched");
  expect(await meant({ name: "as it was sent", parent: "P" }, true)).toBe("done");
});

test("what a killed run has seen the service show in its own form is done, and anything else is somebody's word", async () => {
  const values = { name: "as it was sent " };
  const open = { isOurs: () => true, text: (_name: string, value: Json) => JSON.stringify(value) };
  const shown = new Map([[keyDigest(key), printOf({ name: "as it was sent" }, open)]]);
  const task = { action: "update", values, before: { name: "old" } } as const;
  const [own, theirs] = ["as it was sent", "theirs"].map((name) => [{ values: { name } }]);
  expect(await meantOf(task, own ?? [], { shown })).toBe("done");
  expect(await meantOf(task, theirs ?? [], { shown })).toBe("touched");
  expect(await meantOf(task, own ?? [])).toBe("touched");
});

type Shown = Partial<Row>;

/** The same of a row whose whole is written; `by`: who leads at the target to what is to go. */
async function meantOf(
  task: Pick<RowTask, "action" | "values"> & Partial<RowTask>,
  there: readonly Shown[],
  {
    by,
    isBegun = false,
    shown,
  }: {
    readonly by?: string;
    readonly isBegun?: boolean;
    readonly shown?: ReadonlyMap<string, string>;
  } = {},
): Promise<string> {
  const open = {
    perLookUp: 10,
    isOurs: () => true,
    text: (_name: string, value: unknown) => JSON.stringify(value),
    lookUp: async () => there.map((row) => ({ key, address: "1", ...row })),
    ledHere: async () => new Map(by === undefined ? [] : [["1", by]]),
  };
  const planned: PlannedRow = {
    task: { key: keyDigest(key), name: "A", address: "1", ...task },
    print: undefined,
    was: undefined,
  };
  const said: string[] = [];
  const found = {
    done: async (): Promise<void> => void said.push("done"),
    touched: (): void => void said.push("touched"),
    held: (_planned: PlannedRow, who: string): void => void said.push(`held by ${who}`),
  };
  const rows = (async function* () {
    yield [planned];
  })();
  const ended = { has: () => false, hasPart: () => isBegun };
  for await (const page of stillMeant(rows, open as never, found, { ended, shown }))
    for (const _ of page) said.push("meant");
  return said.join();
}

const change = {
  action: "update",
  values: { name: "b", note: "m" },
  before: { name: "a", note: "n" },
} as const;
const deletion = { action: "delete", values: {}, before: { name: "a" } } as const;

test("of two rows of one key nobody says which it is: neither is written", async () => {
  for (const [task, values] of [
    [change, change.before],
    [deletion, deletion.before],
  ] as const) {
    expect(await meantOf(task, [{ values }])).toBe("meant");
    expect(await meantOf(task, [{ values }, { values, address: "2" }])).toBe("touched");
    expect(await meantOf(task, [{ values, address: "2" }])).toBe("touched");
  }
});

test("what somebody leads to by now is not deleted", async () => {
  expect(await meantOf(deletion, [{ values: { name: "a" } }], { by: "the row B" })).toBe("held by the row B");
  expect(await meantOf(change, [{ values: change.before }], { by: "the row B" })).toBe("meant");
});

test("what does not count any more is gone, whatever it says", async () => {
  expect(await meantOf(deletion, [{ values: { name: "c" }, isGone: true }])).toBe("done");
  expect(await meantOf(deletion, [{ values: { name: "c" } }])).toBe("touched");
});

test("what a run had begun is brought to its end where each value is as it was, or as it was sent", async () => {
  const half = { name: "b", note: "n" };
  expect(await meantOf(change, [{ values: half }], { isBegun: true })).toBe("meant");
  expect(await meantOf(change, [{ values: half }])).toBe("touched");
  expect(await meantOf(change, [{ values: { name: "b", note: "theirs" } }], { isBegun: true })).toBe(
    "touched",
  );
});
