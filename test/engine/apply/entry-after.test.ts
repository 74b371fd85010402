import { expect, test } from "vitest";
import {
  allDone,
  driftOf,
  entryAfter,
  formerOf,
  keysWith,
  knownOf,
  ofTwin,
  overOf,
} from "../../../src/engine/apply/entry-after.ts";
import { newTask } from "../../../src/engine/apply/task.ts";
import type { MovedKind, Step } from "../../../src/kinds/kind.ts";
import type { IntentItem } from "../../../src/model/journal.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";

const create = { name: "create", effect: "creates" } as Step;
const patch = { name: "patch", effect: "changes" } as Step;
const publish = { name: "publish", effect: "releases" } as Step;
const remove = { name: "delete", effect: "removes" } as Step;

const row = (more: Partial<MappingEntry> = {}): MappingEntry => ({
  name: "A",
  target: "twin",
  origin: "adopted",
  run: "before",
  ...more,
});

interface Done {
  readonly steps: readonly Step[];
  readonly at?: number;
  readonly item?: Partial<IntentItem>;
  readonly answer?: { readonly target?: string; readonly keys?: Readonly<Record<string, string>> };
  readonly before?: MappingEntry;
  readonly action?: string;
  readonly keys?: Readonly<Record<string, string>>;
}

function after({
  steps,
  at = 0,
  item = {},
  answer = {},
  before,
  action = "update",
  keys,
}: Done): MappingEntry | null {
  const kind = { name: "things", mode: "entity" } as unknown as MovedKind;
  const change = { id: "A", action, ...(keys === undefined ? {} : { work: { keys } }) } as never;
  const task = newTask(change, kind, "main", steps, []);
  task.at = at;
  const intent = { source: "A", name: "A", fingerprint: "sent", ...item };
  return entryAfter({ task, intent, answer: { state: "done", ...answer } as never, before, run: "now" });
}

test("what was created has nothing of what it takes the place of but that it does", () => {
  const before = row({ target: "old", keys: { one: "1" }, left: ["/note"] });
  const answer = { target: "fresh", keys: { two: "2" } };
  expect(
    after({ steps: [create, publish], before, answer, item: { sourceFingerprint: "said" } }),
  ).toStrictEqual({
    name: "A",
    target: "fresh",
    origin: "created",
    sourceFingerprint: "said",
    targetFingerprint: "sent",
    keys: { two: "2" },
    former: { target: "old", keys: { one: "1" } },
    unfinished: "publish",
    run: "now",
  });
  expect(after({ steps: [create], answer: { target: "fresh" } })).toStrictEqual({
    name: "A",
    target: "fresh",
    origin: "created",
    targetFingerprint: "sent",
    run: "now",
  });
  // What a rollback makes again was known by another row.
  const again = { steps: [create], answer: { target: "fresh" }, item: { former: "gone" } };
  expect(after(again)).toMatchObject({ former: { target: "gone" } });
  expect(after({ ...again, before })?.former).toStrictEqual({ target: "gone" });
});

test("a change keeps what is known of the same twin, and nothing of another one", () => {
  const before = row({ keys: { one: "1" }, origin: "created" });
  const changed = {
    steps: [patch, publish],
    answer: { keys: { three: "3" } },
    keys: { two: "2" },
    item: { target: "twin", over: "under", drifted: "theirs" },
  };
  expect(after({ ...changed, before })).toStrictEqual({
    name: "A",
    target: "twin",
    origin: "created",
    targetFingerprint: "sent",
    keys: { one: "1", two: "2", three: "3" },
    unfinished: "publish",
    over: "under",
    drifted: "theirs",
    run: "now",
  });
  const other = after({
    ...changed,
    steps: [patch],
    before: row({ target: "old", keys: { one: "1" }, origin: "created" }),
  });
  expect(other).toMatchObject({
    origin: "explicit",
    keys: { two: "2", three: "3" },
    former: { target: "old" },
  });
  // No step is left.
  expect([other?.targetFingerprint, other?.drifted, other?.over]).toStrictEqual([
    "theirs",
    undefined,
    undefined,
  ]);
  expect(after({ ...changed, action: "adopt" })).toMatchObject({ origin: "adopted" });
});

test("what was created as this run went on has its URN from its row", () => {
  expect(after({ steps: [patch], before: row() })).toMatchObject({ target: "twin", origin: "adopted" });
});

test("a publish leaves nothing to be done, and gives nothing a row that has none", () => {
  const before = row({ unfinished: "publish", over: "under", drifted: "theirs", targetFingerprint: "sent" });
  expect(after({ steps: [patch, publish], at: 1, before })).toStrictEqual(
    row({ targetFingerprint: "theirs", run: "now" }),
  );
  const more = { ...publish, name: "more" } as Step;
  expect(after({ steps: [publish, more], before })).toStrictEqual({
    ...before,
    unfinished: "more",
    run: "now",
  });
  expect(after({ steps: [publish] })).toBeNull();
  expect(after({ steps: [remove], before })).toBeNull();
});

test("what a step makes known is said, and nothing else", () => {
  expect(knownOf()).toStrictEqual({});
  expect(knownOf({ ownFingerprint: "own" })).toStrictEqual({});
  expect(knownOf({ sourceFingerprint: "said" })).toStrictEqual({ sourceFingerprint: "said" });
  const whole = { sourceFingerprint: "said", ownFingerprint: "own", left: ["/a"], kept: { "/b": "x" } };
  expect(knownOf(whole)).toStrictEqual(whole);
  expect(knownOf({ left: [], kept: {} })).toStrictEqual({});
});

test("a row is of one twin, remembers the one before, and knows parts as far as they are twins", () => {
  const before = row({ former: { target: "first" } });
  expect(ofTwin(before, "twin")).toBe(before);
  expect(ofTwin(before, "other")).toBeUndefined();
  expect(formerOf(undefined, "twin")).toStrictEqual({});
  expect(formerOf(before, "twin")).toStrictEqual({ former: { target: "first" } });
  expect(formerOf(row(), "twin")).toStrictEqual({});
  expect(formerOf(before, "other")).toStrictEqual({ former: { target: "twin" } });
  expect(keysWith({ one: "1", two: "2" }, { paired: { three: "3" }, parted: ["two"] })).toStrictEqual({
    one: "1",
    three: "3",
  });
  expect(keysWith(undefined, {})).toStrictEqual({});
});

test("what comes back though somebody had changed it, and what lies under a draft, is remembered until no step is left", () => {
  const item = { source: "A", name: "A" };
  expect([driftOf(item, "publish"), driftOf({ ...item, drifted: "theirs" }, "publish")]).toStrictEqual([
    {},
    { drifted: "theirs" },
  ]);
  expect(driftOf({ ...item, drifted: "theirs" }, undefined)).toStrictEqual({ targetFingerprint: "theirs" });
  expect([
    overOf(item, "publish"),
    overOf({ ...item, over: "x" }, "publish"),
    overOf({ ...item, over: "x" }, undefined),
  ]).toStrictEqual([{}, { over: "x" }, {}]);
  expect(allDone(row({ unfinished: "publish", over: "x", targetFingerprint: "sent" }))).toStrictEqual(
    row({ targetFingerprint: "sent" }),
  );
});
