import { expect, test } from "vitest";
import { asSent, keyIsTaken, notShown } from "../../../src/engine/records/as-sent.ts";
import { keyDigest } from "../../../src/engine/records/prints.ts";
import type { SentRow } from "../../../src/engine/records/releases.ts";
import { Outcomes } from "../../../src/engine/records/written.ts";
import type { Row, RowTask, SentAfter } from "../../../src/kinds/kind.ts";
import { ServiceError } from "../../../src/service/index.ts";

type Sent = Pick<RowTask, "action" | "values"> & Partial<RowTask> & Pick<SentRow, "asBefore">;

interface Target {
  readonly there?: readonly Partial<Row>[];
  /** Of what stands in the draft, how that is otherwise than it was sent. */
  readonly draft?: "changed" | "gone" | "hidden";
  readonly after?: SentAfter;
  /** What shows under the key of what was made is another row: the draft of ours was never published. */
  readonly isUnpublished?: boolean;
  readonly down?: Error;
  readonly writer?: object;
}

const rowOf = ({ asBefore, ...task }: Sent): SentRow => ({
  planned: { task: { key: keyDigest("A"), name: "A", ...task }, print: undefined, was: undefined },
  address: "1",
  op: "run/1",
  asBefore,
});

/** What the look at one that was sent has come to, in words, and what was asked of its draft. */
function stage({ there = [], draft, after = "draft", isUnpublished = false, down, writer = {} }: Target) {
  const said: string[] = [];
  const asked: RowTask[] = [];
  const outcomes = new Outcomes();
  const options = {
    writer: {
      strayed: async (tasks: readonly RowTask[]) => {
        asked.push(...tasks);
        return new Map(draft === undefined ? [] : tasks.map((task) => [task, draft]));
      },
      unpublished: async (tasks: readonly RowTask[]) => new Set(isUnpublished ? tasks : []),
      ...writer,
    } as never,
    open: {
      perLookUp: 10,
      text: (_name: string, value: unknown) => JSON.stringify(value),
      lookUp: async () => {
        if (down !== undefined) throw down;
        return there.map((row) => ({ key: "A", address: "1", values: {}, ...row }));
      },
    } as never,
    log: {
      outcome: async (_op: string, [row]: readonly { readonly told?: true; readonly reason?: string }[]) =>
        void said.push(`on record${row?.told === true ? " as told" : ""}`),
    } as never,
    outcomes,
    after,
    removed: async (rows: readonly SentRow[]) => void said.push(...rows.map(() => "removed")),
    shown: (rows: readonly SentRow[]) => void said.push(...rows.map(() => "shown")),
  };
  const told = (kept: readonly SentRow[]): string => {
    said.push(...kept.map(({ isHidden }) => (isHidden === true ? "released unseen" : "released")));
    said.push(...outcomes.unclear.map(({ reason }) => reason));
    if (outcomes.late > 0) said.push(`${outcomes.late} late`);
    return said.join("; ");
  };
  return { options, outcomes, asked, told };
}

async function released(sent: Sent, target: Target): Promise<string> {
  const { options, told } = stage(target);
  return told(await asSent([rowOf(sent)], options));
}

const made: Sent = { action: "create", values: { name: "a" } };
const change: Sent = { action: "update", values: { name: "b" }, before: { name: "a" }, address: "1" };
const deletion: Sent = { action: "delete", values: {}, before: { name: "a" }, address: "1" };
const was = [{ values: { name: "a" } }];
const theirsIsTold = /^on record as told; somebody has changed its draft/;

test("of what a run has sent that which does not show, and stands in its draft as it was sent, is released", async () => {
  expect(await released(made, {})).toBe("released");
  expect(await released(change, { there: was })).toBe("released");
  expect(await released(deletion, { there: was })).toBe("released");
});

test("what shows is released already: its draft is somebody's next word, and is not looked at", async () => {
  for (const [sent, there] of [
    [made, was],
    [change, [{ values: { name: "b" } }]],
    [deletion, []],
    [deletion, [{ values: { name: "a" }, isGone: true }]],
  ] as const) {
    const { options, asked, told } = stage({ there, draft: "changed" });
    expect(told(await asSent([rowOf(sent)], options))).toBe("shown");
    expect(asked).toEqual([]);
  }
  // Of two one counts still.
  const two = [{ values: { name: "a" }, isGone: true }, { values: { name: "a" } }] as const;
  expect(await released(deletion, { there: two })).toBe("released");
});

test("into whose draft somebody has written, or whose draft is gone, is told by what became of it, and not released", async () => {
  for (const [sent, there] of [
    [made, []],
    [change, was],
    [deletion, was],
  ] as const)
    expect(await released(sent, { there, draft: "changed" })).toMatch(theirsIsTold);
  expect(await released(made, { draft: "gone" })).toMatch(
    /^on record as told; the draft of it .* is not there/,
  );
  expect(await released(made, { draft: "gone", after: "lost-review" })).toMatch(
    /a review that nobody can name/,
  );
  expect(await released(made, { draft: "changed", after: "lost-review" })).toMatch(theirsIsTold);
});

test("of what shows no draft the release tells whether it is under review", async () => {
  expect(await released(change, { there: was, draft: "hidden" })).toBe("released unseen");
});

test("what was changed, and is there no more, is not released; nor is its draft asked about where that is somebody's", async () => {
  expect(await released(change, { there: [] })).toBe("removed");
  expect(await released(change, { there: [], draft: "hidden" })).toBe("removed");
  // Nor where somebody has made another one in its place.
  expect(await released(change, { there: [{ values: { name: "a" }, address: "2" }] })).toBe("removed");
  expect(await released(change, { there: [], draft: "changed" })).toMatch(theirsIsTold);
});

test("what was made beside a row that shows under its key by now is not released, where that is known to be another one", async () => {
  const theirs = { values: { name: "theirs" }, address: "2" };
  const alike = { values: { name: "a" }, address: "2" };
  const taken = `on record as told; ${keyIsTaken}`;
  expect(await released(made, { there: [theirs] })).toBe(taken);
  expect(await released(made, { there: [alike], isUnpublished: true })).toBe(taken);
  // A service may call what is published otherwise than its draft.
  expect(await released(made, { there: [alike] })).toBe("shown");
  expect(await released(made, { there: [alike], writer: { unpublished: undefined } })).toBe("shown");
  expect(await released(made, { there: [{ ...theirs, address: "1" }] })).toBe("shown");
});

test("what the service keeps as it was before stands in its draft so", async () => {
  for (const [asBefore, values] of [
    [true, { name: "a", note: null }],
    [undefined, { name: "b", note: "n" }],
  ] as const) {
    const { options, asked } = stage({ there: was });
    await asSent([rowOf({ ...change, values: { name: "b", note: "n" }, asBefore })], options);
    expect(asked.map((task) => task.values)).toEqual([values]);
  }
});

test("where nobody can look at drafts all is released", async () => {
  const none = { writer: { strayed: undefined } };
  expect(await released(change, { there: [], ...none })).toBe("released");
});

test("what cannot be looked at now is neither released nor asked about, and a defect is thrown", async () => {
  const down = new ServiceError("down", { kind: "server", arrived: "maybe", method: "GET", path: "/" });
  const away = stage({ down });
  expect(away.told(await asSent([rowOf(made)], away.options))).toBe("1 late");
  expect(away.outcomes.fatal).toBeUndefined();
  const forbidden = new ServiceError("no", { kind: "permission", arrived: "no", method: "GET", path: "/" });
  const { options, outcomes, told } = stage({ down: forbidden });
  expect(told(await asSent([rowOf(made)], options))).toBe("1 late");
  expect(outcomes.fatal).toBeDefined();
  await expect(released(made, { down: new TypeError("a defect") })).rejects.toThrow("a defect");
});

/** What of one that a review holds waits on, in words, where nobody can tell what became of that review. */
async function waiting(sent: Sent, target: Target): Promise<string> {
  const { options, told } = stage(target);
  return told(await notShown([rowOf(sent)], options));
}

test("of what a review has held that which shows is at its end, and the rest waits", async () => {
  expect(await waiting(made, {})).toBe("released");
  expect(await waiting(made, { there: was })).toBe("shown");
  expect(await waiting(change, { there: was })).toBe("released");
  expect(await waiting(change, { there: [{ values: { name: "b" } }] })).toBe("shown");
  expect(await waiting(deletion, { there: was })).toBe("released");
  // Another row shows under its key.
  expect(await waiting(made, { there: [{ values: { name: "theirs" }, address: "2" }] })).toBe("released");
});

test("what the service keeps as it was before shows as well as it ever will, where it stands so", async () => {
  const kept: Sent = { ...change, asBefore: true };
  expect(await waiting(kept, { there: was })).toBe("shown");
  expect(await waiting(kept, { there: [{ values: { name: "theirs" } }] })).toBe("released");
  expect(await waiting(kept, { there: [] })).toBe("released");
});

test("what cannot be looked at now waits, and is told as late", async () => {
  const down = new ServiceError("down", { kind: "server", arrived: "maybe", method: "GET", path: "/" });
  expect(await waiting(made, { down })).toBe("1 late");
  await expect(waiting(made, { down: new TypeError("a defect") })).rejects.toThrow("a defect");
});
