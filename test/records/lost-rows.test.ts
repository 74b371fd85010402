import { expect, test } from "vitest";
import { LostRows } from "../../src/engine/records/lost-rows.ts";
import { keyDigest } from "../../src/engine/records/prints.ts";
import type { Lost } from "../../src/engine/records/write-options.ts";
import { Outcomes } from "../../src/engine/records/written.ts";
import type { Row, RowTask } from "../../src/kinds/kind.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { ServiceError } from "../../src/service/index.ts";

type Shown = Pick<Row, "values"> & Partial<Row>;

interface Way {
  readonly lookUp: () => Promise<readonly Shown[]>;
  readonly open?: object;
  readonly release?: object;
  readonly said: string[];
}

function lostRows({ lookUp, open = {}, release = {}, said }: Way): LostRows {
  return new LostRows({
    writer: { release } as never,
    open: {
      perLookUp: 10,
      text: (_: string, value: unknown) => JSON.stringify(value),
      lookUp: async () => (await lookUp()).map((row) => ({ key: "A", address: "1", ...row })),
      ...open,
    } as never,
    log: { outcome: async () => undefined } as never,
    outcomes: new Outcomes(),
    later: () => void said.push("later"),
    found: async () => void said.push("done"),
    shown: () => void said.push("shown"),
    others: async () => void said.push("left"),
  });
}

type Sent = Pick<RowTask, "action" | "values"> & Partial<RowTask>;

function lostOf(task: Sent): Lost {
  const planned = { task: { key: keyDigest("A"), name: "A", ...task }, print: undefined, was: undefined };
  return { planned, op: "run/1", at: 0 };
}

const change: Sent = { action: "update", values: { name: "b" }, before: { name: "a", note: "n" } };

/** What becomes of what was sent and had no answer, where the target shows this by now. */
async function settledOf(sent: Sent, there: readonly Shown[]): Promise<string> {
  const said: string[] = [];
  const rows = lostRows({ lookUp: async () => there, said });
  if ((await rows.untouched([lostOf(sent)])).length > 0) said.push("sent again");
  return said.join();
}

const settled = async (there: JsonObject | undefined): Promise<string> =>
  settledOf(change, there === undefined ? [] : [{ values: there }]);

test("a change whose answer was lost is sent again where nobody else has been since, and nowhere else", async () => {
  expect(await settled({ name: "a", note: "n" })).toBe("sent again");
  expect(await settled({ name: "a", note: "a colleague's" })).toBe("sent again");
  expect(await settled({ name: "b", note: "n" })).toBe("done");
  expect(await settled({ name: "a colleague's", note: "n" })).toBe("left");
  expect(await settled(undefined)).toBe("left");
});

test("nor where its key occurs several times, or under another id, by now", async () => {
  const values = { name: "a", note: "n" };
  expect(await settledOf(change, [{ values }, { values, address: "2" }])).toBe("left");
  expect(await settledOf({ ...change, address: "1" }, [{ values }])).toBe("sent again");
  expect(await settledOf({ ...change, address: "1" }, [{ values, address: "2" }])).toBe("left");
  expect(await settledOf({ ...change, address: "1" }, [{ values: { name: "b" }, address: "2" }])).toBe(
    "left",
  );
});

test("what goes through a draft is not released where it shows already, and is sent again as a whole", async () => {
  const sent = { ...change, values: { name: "b", note: "m" } };
  const drafted = async (values: JsonObject): Promise<string> => {
    const said: string[] = [];
    const rows = lostRows({ lookUp: async () => [{ values }], release: { fromDraft: true }, said });
    for (const { planned } of await rows.untouched([lostOf(sent)]))
      said.push(planned.partAt === undefined ? "sent again" : "the rest of it sent");
    return said.join();
  };
  expect(await drafted({ name: "a", note: "n" })).toBe("sent again");
  expect(await drafted({ name: "b", note: "n" })).toBe("sent again");
  expect(await drafted({ name: "b", note: "m" })).toBe("shown");
  expect(await drafted({ name: "b", note: "a colleague's" })).toBe("left");
});

test("what is to count again is not done where it says so and does not count", async () => {
  const again: Sent = { action: "create", values: { name: "b" }, before: { name: "b" }, address: "1" };
  expect(await settledOf(again, [{ values: { name: "b" }, isGone: true }])).toBe("sent again");
  expect(await settledOf(again, [{ values: { name: "b" } }])).toBe("done");
  // Nobody had seen one there: somebody has made it, and switched it off.
  const { address: _address, ...anew } = again;
  expect(await settledOf(anew, [{ values: { name: "b" }, isGone: true }])).toBe("left");
});

/** The same of a deletion; `by`: who leads to it at the target. */
async function goes(there: readonly Shown[], by?: string): Promise<string> {
  const said: string[] = [];
  const ledHere = async (): Promise<ReadonlyMap<string, string>> =>
    new Map(by === undefined ? [] : [["1", by]]);
  const rows = lostRows({ lookUp: async () => there, open: { ledHere }, said });
  const gone: Sent = { action: "delete", values: {}, before: { name: "a" }, address: "1" };
  if ((await rows.stillToGo([lostOf(gone)])).length > 0) said.push("sent again");
  return said.join();
}

test("a deletion whose answer was lost is sent again of what is as it was, and of nothing else", async () => {
  const values = { name: "a" };
  expect(await goes([])).toBe("sent again");
  expect(await goes([{ values }])).toBe("sent again");
  expect(await goes([{ values, address: "2" }])).toBe("left");
  expect(await goes([{ values }, { values, address: "2" }])).toBe("left");
  expect(await goes([{ values: { name: "a colleague's" } }])).toBe("left");
  expect(await goes([{ values: { name: "a colleague's" }, isGone: true }])).toBe("sent again");
  expect(await goes([{ values }], "the row B")).toBe("left");
});

test("a change that nobody asks for by now is not sent again where nothing of it is there, and a part of it is brought to its end", async () => {
  const asked = async (unsent: boolean, more: Partial<Lost["planned"]>): Promise<string> => {
    const said: string[] = [];
    const rows = new LostRows({
      writer: { unsent: async (tasks: readonly RowTask[]) => new Set(unsent ? tasks : []) } as never,
      open: { perLookUp: 10 } as never,
      log: { outcome: async () => void said.push("left") } as never,
      outcomes: new Outcomes(),
      later: () => undefined,
      found: async () => undefined,
      shown: () => undefined,
      others: async () => undefined,
    });
    const { planned, ...row } = lostOf(change);
    const again = await rows.stillAsked([{ ...row, planned: { ...planned, ...more }, isUnasked: true }]);
    if (again.length > 0) said.push("sent again");
    return said.join();
  };
  expect(await asked(true, {})).toBe("left");
  expect(await asked(false, {})).toBe("sent again");
  expect(await asked(true, { partAt: "1" })).toBe("sent again");
});

test("what cannot be looked at now is looked for later, and not sent", async () => {
  const said: string[] = [];
  const lookUp = async (): Promise<never> => {
    throw new ServiceError("down", { kind: "server", arrived: "maybe", method: "GET", path: "/" });
  };
  const rows = lostRows({ lookUp, said });
  expect(await rows.untouched([lostOf(change)])).toEqual([]);
  expect(await rows.stillToGo([lostOf({ action: "delete", values: {}, address: "1" })])).toEqual([]);
  expect(said).toEqual(["later", "later"]);
});
