import { expect, test } from "vitest";
import { deletionMayStand, LostRows } from "../../src/engine/records/lost-rows.ts";
import { keyDigest } from "../../src/engine/records/prints.ts";
import type { Lost } from "../../src/engine/records/write-options.ts";
import { Outcomes } from "../../src/engine/records/written.ts";
import type { FoundCreate, Row, RowTask } from "../../src/kinds/kind.ts";
import type { RowOutcome } from "../../src/model/journal.ts";
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

interface Drafts {
  /** What is found of it in the drafts; undefined: nothing. */
  readonly draft?: FoundCreate;
  readonly there?: readonly Shown[];
  readonly release?: object;
  readonly writer?: object;
  readonly down?: Error;
}

const made: Sent = { action: "create", values: { name: "b" } };
const outage = new ServiceError("down", { kind: "server", arrived: "maybe", method: "GET", path: "/" });
const drafted = { fromDraft: true };

/** What becomes of what was made and had no answer. */
async function lookedFor({
  draft,
  there = [],
  release = drafted,
  writer = {},
  down,
}: Drafts): Promise<string> {
  const said: string[] = [];
  const outcomes = new Outcomes();
  const rows = new LostRows({
    writer: {
      release,
      find: async () => new Map(draft === undefined ? [] : [[keyDigest("A"), draft]]),
      ...writer,
    } as never,
    open: {
      perLookUp: 10,
      text: (_: string, value: unknown) => JSON.stringify(value),
      lookUp: async () => {
        if (down !== undefined) throw down;
        return there.map((row) => ({ key: "A", address: "1", ...row }));
      },
    } as never,
    log: {
      outcome: async (_op: string, [row]: readonly RowOutcome[]) => {
        if (row?.result === "doubt" && row.looked === true) return;
        said.push(`${row?.result}${row !== undefined && "told" in row && row.told ? " told" : ""}`);
      },
    } as never,
    outcomes,
    later: () => void said.push("later"),
    found: async (_row, address) => void said.push(`released at ${address}`),
    shown: (_row, address) => void said.push(`shows at ${address}`),
    others: async () => undefined,
  });
  if ((await rows.absent([lostOf(made)])).length > 0) said.push("sent again");
  said.push(...outcomes.unclear.map(({ reason }) => reason));
  return said.join("; ");
}

const ours = { state: "ours", address: "7" } as const;
const says = { values: { name: "b" } };

test("what was made, and had no answer, is sent again where it stands in no draft and shows nowhere", async () => {
  expect(await lookedFor({})).toBe("sent again");
  expect(await lookedFor({ draft: ours })).toBe("sent; released at 7");
});

test("what shows is nobody's to publish, where it went through a draft", async () => {
  expect(await lookedFor({ there: [says] })).toBe("sent; shows at 1");
  expect(await lookedFor({ there: [says], release: {} })).toBe("sent; released at 1");
});

test("a person is asked, and it is on record, where nobody knows which is ours", async () => {
  const unclear = { state: "unclear", reason: "two drafts" } as const;
  expect(await lookedFor({ draft: unclear })).toBe("doubt told; two drafts");
  expect(await lookedFor({ there: [says, says] })).toMatch(/^doubt told; 2 rows at the target have its key/);
  const theirs = { values: { name: "theirs" } };
  expect(await lookedFor({ there: [theirs] })).toMatch(/^doubt told; a row .* says something else$/);
  expect(await lookedFor({ writer: { find: undefined } })).toMatch(/^doubt told; nothing can tell/);
  const notKnown = async (): Promise<object> => ({ notKnown: "drafts cannot be read" });
  expect(await lookedFor({ writer: { find: notKnown } })).toBe("doubt told; drafts cannot be read");
});

test("what stands in a draft is not released beside a row of its key that shows by now", async () => {
  expect(await lookedFor({ draft: ours, there: [says] })).toMatch(/^sent told; a row of its key/);
  expect(await lookedFor({ draft: ours, there: [{ ...says, address: "7" }] })).toBe("sent; released at 7");
  // What counts at once has no draft that could stand beside it.
  expect(await lookedFor({ draft: ours, there: [says], release: {} })).toBe("sent; released at 7");
});

test("what was made is neither sent again nor released while it cannot be looked at; a defect is thrown", async () => {
  expect(await lookedFor({ down: outage })).toBe("later");
  expect(await lookedFor({ draft: ours, down: outage })).toBe("later");
  const fails = async (): Promise<never> => {
    throw outage;
  };
  expect(await lookedFor({ writer: { find: fails } })).toBe("later");
  await expect(lookedFor({ down: new TypeError("a defect") })).rejects.toThrow("a defect");
});

interface Begun {
  readonly atSource: () => Promise<ReadonlySet<string>>;
  readonly isBack?: true;
  readonly isLeft?: true;
  readonly sent?: Sent;
}

/** Whether what an earlier run was to make is made; and how many are left to the comparison. */
async function asked({ atSource, isBack, isLeft = true, sent = made }: Begun) {
  const outcomes = new Outcomes();
  const { planned, ...row } = lostOf(sent);
  const lost: Lost = {
    ...row,
    planned: { ...planned, ...(isBack === undefined ? {} : { isBack }) },
    isLeft,
  };
  const rows = new LostRows({
    writer: {} as never,
    open: { perLookUp: 10, atSource } as never,
    log: { outcome: async () => undefined } as never,
    outcomes,
    later: () => undefined,
    found: async () => undefined,
    shown: () => undefined,
    others: async () => undefined,
  });
  const { length } = await rows.stillAtSource([lost]);
  return { length, touched: outcomes.touched, fatal: outcomes.fatal?.fatal };
}

test("what an earlier run was to make is made where the source has it still", async () => {
  const none = async (): Promise<ReadonlySet<string>> => new Set();
  expect(await asked({ atSource: async () => new Set(["A"]) })).toMatchObject({ length: 1, touched: 0 });
  expect(await asked({ atSource: none })).toMatchObject({ length: 0, touched: 1 });
  // What takes a row back nobody's source asks for; and of a change the comparison tells.
  expect(await asked({ atSource: none, isBack: true })).toMatchObject({ length: 1, touched: 0 });
  expect(await asked({ atSource: none, sent: change })).toMatchObject({ length: 1, touched: 0 });
});

test("where the source cannot be looked at it is left to the comparison", async () => {
  const failing = async (error: Error) =>
    asked({
      atSource: async () => {
        throw error;
      },
    });
  expect(await failing(outage)).toEqual({ length: 0, touched: 1, fatal: undefined });
  const refused = { kind: "permission", arrived: "no", method: "GET", path: "/" } as const;
  expect(await failing(new ServiceError("no", refused))).toEqual({
    length: 0,
    touched: 1,
    fatal: "permission",
  });
  await expect(failing(new TypeError("a defect"))).rejects.toThrow("a defect");
});

/** A deletion that had no answer, of a row that shows so; `standing`: whether it may stand in the draft. */
async function spared(there: readonly Shown[], standing: boolean, more: object = {}): Promise<string> {
  const said: string[] = [];
  const outcomes = new Outcomes();
  const rows = new LostRows({
    writer: {
      withdraw: async (tasks: readonly RowTask[]) => {
        said.push(...tasks.map(({ before }) => `taken out of the draft, as ${JSON.stringify(before)}`));
        return new Map(standing ? tasks.map((task) => [task, "why"]) : []);
      },
      ...more,
    } as never,
    open: {
      perLookUp: 10,
      text: (_: string, value: unknown) => JSON.stringify(value),
      lookUp: async () => there.map((row) => ({ key: "A", address: "1", ...row })),
    } as never,
    log: {
      outcome: async (_op: string, [row]: readonly RowOutcome[]) => void said.push(row?.result ?? ""),
    } as never,
    outcomes,
    later: () => void said.push("later"),
    found: async () => undefined,
    shown: () => undefined,
    others: async () => void said.push("left"),
  });
  const gone: Sent = { action: "delete", values: {}, before: { name: "a" }, address: "1" };
  if ((await rows.stillToGo([lostOf(gone)])).length > 0) said.push("sent again");
  said.push(...outcomes.unclear.map(({ reason }) => reason));
  return said.join("; ");
}

test("a deletion of what somebody has changed is taken out of the draft, and a person is asked where it may stand there", async () => {
  const theirs = { values: { name: "theirs" } };
  const out = 'taken out of the draft, as {"name":"theirs"}';
  expect(await spared([theirs], false)).toBe(`${out}; not-done; left`);
  expect(await spared([theirs], true)).toBe(`${out}; doubt; ${deletionMayStand}`);
  // Of what another row stands in the place of, or what is as it was, nothing is taken out.
  expect(await spared([{ ...theirs, address: "2" }], true)).toBe("not-done; left");
  expect(await spared([{ values: { name: "a" } }], true)).toBe("sent again");
  expect(await spared([theirs], false, { withdraw: undefined })).toBe("not-done; left");
  const withdraw = async (): Promise<never> => {
    throw outage;
  };
  expect(await spared([theirs], false, { withdraw })).toBe("later");
});
