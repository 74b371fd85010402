import { expect, test } from "vitest";
import { keyDigest } from "../../../src/engine/records/prints.ts";
import type { SentRow } from "../../../src/engine/records/releases.ts";
import { Releases } from "../../../src/engine/records/releases.ts";
import { Outcomes } from "../../../src/engine/records/written.ts";
import type { Released, Releasing, Row, RowTask } from "../../../src/kinds/kind.ts";
import type { RowOutcome } from "../../../src/model/journal.ts";
import { ServiceError } from "../../../src/service/index.ts";

type Task = Partial<RowTask> & Pick<RowTask, "action">;

const sent = (key: string, task: Task, more: Partial<SentRow> = {}): SentRow => ({
  planned: {
    task: { key: keyDigest(key), name: key, values: { name: "b" }, ...task },
    print: undefined,
    was: undefined,
  },
  address: key,
  op: "run/1",
  ...more,
});
const made = (key: string, more: Partial<SentRow> = {}): SentRow => sent(key, { action: "create" }, more);
const changed = (more: Partial<SentRow> = {}): SentRow =>
  sent("A", { action: "update", before: { name: "a" }, address: "A" }, more);
const deleted = (more: Partial<SentRow> = {}): SentRow =>
  sent("A", { action: "delete", values: {}, before: { name: "a" }, address: "A" }, more);

interface Service {
  /** What the target shows; as often as it is looked at, one after the other, and the last one from then on. */
  readonly there?: readonly (readonly Partial<Row>[] | Error)[];
  readonly send?: (addresses: readonly string[], how: Releasing) => Released;
  readonly approve?: () => void;
  readonly patienceMs?: number;
  readonly fromDraft?: true;
  readonly open?: object;
  readonly perRelease?: number;
  readonly isStopped?: boolean;
}

function stage({ there = [[]], send = () => ({ state: "accepted" }), approve, ...more }: Service) {
  const { patienceMs = 0, fromDraft, open = {}, perRelease = 10, isStopped = false } = more;
  const outcomes = new Outcomes();
  const asked: string[] = [];
  const logged: RowOutcome[] = [];
  const shown: unknown[] = [];
  const slept: number[] = [];
  let looks = 0;
  const releases = new Releases({
    release: {
      perRelease,
      patienceMs,
      ...(fromDraft === undefined ? {} : { fromDraft }),
      async send(addresses, how) {
        asked.push(`${addresses.join("+")} after ${how.after}`);
        return send(addresses, how);
      },
      ...(approve === undefined ? {} : { approve: async () => approve() }),
      review: async () => "approved",
    },
    open: {
      perLookUp: 10,
      isOurs: () => true,
      text: (_name: string, value: unknown) => JSON.stringify(value),
      lookUp: async () => {
        const now = there[Math.min(looks, there.length - 1)] ?? [];
        looks += 1;
        if (now instanceof Error) throw now;
        return now.map((row) => ({ key: "A", address: "A", values: {}, ...row }));
      },
      ...open,
    } as never,
    log: {
      outcome: async (_op: string, rows: readonly RowOutcome[]) => void logged.push(...rows),
      held: async () => undefined,
    } as never,
    outcomes,
    title: "Countries",
    sleep: async (ms) => {
      slept.push(ms);
      if (isStopped) throw new Error("stopped");
    },
    shown: (_row, values) => void shown.push(values),
  });
  return { releases, outcomes, asked, logged, shown, slept, looks: () => looks };
}

async function released(rows: readonly SentRow[], service: Service) {
  const all = stage(service);
  await all.releases.add(rows);
  await all.releases.finish();
  return all;
}

const trouble = (kind: "refused" | "server" | "permission"): ServiceError =>
  new ServiceError(kind, { kind, arrived: kind === "server" ? "maybe" : "no", method: "POST", path: "/" });
const throwing = (error: Error) => (): never => {
  throw error;
};
const reasons = ({ outcomes }: { readonly outcomes: Outcomes }): readonly string[] =>
  outcomes.refusals.map(({ name, reason }) => `${name}: ${reason}`);

test("one that is refused does not take the others along, and none is told twice", async () => {
  const refusing = (addresses: readonly string[]): Released => {
    if (addresses.includes("B")) throw trouble("refused");
    return { state: "accepted" };
  };
  const done = await released(
    ["A", "B", "C"].map((key) => made(key)),
    { send: refusing, there: [[{ key: "A" }, { key: "C", address: "C" }]] },
  );
  expect(done.asked.map((one) => one.split(" ")[0])).toEqual(["A+B+C", "A+B", "A", "B", "C"]);
  expect(reasons(done)).toEqual(["B: it is in the draft and could not be released: refused"]);
  expect([done.outcomes.done.create, done.outcomes.late]).toEqual([2, 0]);
});

test("what has no answer is looked for; what nothing else would get past either ends it; a defect is thrown", async () => {
  const lost = await released([made("A")], { send: throwing(trouble("server")), there: [[{}]] });
  expect([lost.outcomes.done.create, lost.outcomes.refused]).toEqual([1, 0]);
  const ended = await released([made("A"), made("B")], {
    send: throwing(trouble("permission")),
    fromDraft: true,
    perRelease: 1,
    there: [[{}]],
  });
  expect(ended.asked).toHaveLength(1);
  expect([ended.outcomes.fatal?.fatal, ended.outcomes.refused, ended.looks()]).toEqual(["permission", 0, 0]);
  await expect(released([made("A")], { send: throwing(new TypeError("a defect")) })).rejects.toThrow(
    "a defect",
  );
});

test("what counts at once is looked at by whoever may not write; a draft is not released then", async () => {
  for (const [fromDraft, looks] of [
    [undefined, 1],
    [true, 0],
  ] as const) {
    const { releases, outcomes, asked, ...all } = stage({
      there: [[{}]],
      ...(fromDraft === undefined ? {} : { fromDraft }),
    });
    outcomes.fatal = { state: "refused", fatal: "permission" } as never;
    await releases.add([made("A")]);
    await releases.finish();
    expect([asked.length, all.looks()]).toEqual([looks, looks]);
  }
  const { releases, outcomes, asked } = stage({});
  outcomes.fatal = { state: "refused", fatal: "sign-in" } as never;
  await releases.add([made("A")]);
  await releases.finish();
  expect(asked).toEqual([]);
});

const review = { urn: "urn:review", name: "a review" };
const holding =
  (urn: string) =>
  (_: readonly string[], how: Releasing): Released =>
    how.after === "approval" ? { state: "accepted" } : { state: "held", review: { ...review, urn } };

test("a review waits for a person, and one that nobody can name does so also where the run may approve", async () => {
  const waits = await released([made("A")], { send: holding("urn:review"), there: [[{}]] });
  expect([waits.outcomes.held.get("urn:review")?.rows, waits.looks()]).toEqual([1, 0]);
  let approved = 0;
  const approve = (): void => void (approved += 1);
  const unnamed = await released([made("A")], { send: holding(""), approve });
  expect([unnamed.outcomes.held.get("")?.rows, approved, unnamed.looks()]).toEqual([1, 0, 0]);
  const itself = await released([made("A")], { send: holding("urn:review"), approve, there: [[{}]] });
  expect(itself.asked).toEqual(["A after draft", "A after approval"]);
  expect([itself.outcomes.held.size, approved, itself.outcomes.done.create]).toEqual([0, 1, 1]);
});

test("what is in a review whose approval is refused is told with that, and asked about no more", async () => {
  const done = await released([made("A"), made("B")], {
    send: holding("urn:review"),
    approve: throwing(trouble("refused")),
  });
  expect(done.asked).toEqual(["A+B after draft"]);
  expect(reasons(done)).toEqual([
    expect.stringMatching(/^A: .*"a review" \(urn:review\), which could not be approved: refused/),
    expect.stringMatching(/^B: .*could not be approved/),
  ]);
  const refused = await released([made("A")], { send: () => ({ state: "refused", reason: "not now" }) });
  expect(reasons(refused)).toEqual(["A: it is in the draft and could not be released: not now"]);
});

test("deletions are released apart from all else where a person may be asked, and with it after that", async () => {
  const rows = [made("A"), deleted()];
  expect((await released(rows, { fromDraft: true })).asked).toHaveLength(2);
  expect((await released(rows, {})).asked).toHaveLength(1);
  const { releases, asked } = stage({ fromDraft: true });
  await releases.approved(rows);
  expect(asked).toEqual(["A+A after approval"]);
});

test("it is looked at until it shows, no longer than the plan says, and is on record as sent where it does not", async () => {
  const done = await released([made("A")], { there: [[], trouble("server"), [{}]], patienceMs: 60_000 });
  expect([done.outcomes.done.create, done.outcomes.late, done.slept.length]).toEqual([1, 0, 2]);
  const late = await released([made("A")], {});
  expect([late.outcomes.late, late.slept.length, late.logged]).toEqual([
    1,
    0,
    [{ key: keyDigest("A"), result: "sent", target: "A" }],
  ]);
  const stopped = await released([made("A")], { patienceMs: 60_000, isStopped: true });
  expect([stopped.outcomes.late, stopped.slept.length]).toEqual([1, 1]);
  const fatal = await released([made("A")], { there: [trouble("permission")], patienceMs: 60_000 });
  expect([fatal.outcomes.late, fatal.slept.length, fatal.outcomes.fatal?.fatal]).toEqual([
    1,
    0,
    "permission",
  ]);
  await expect(released([made("A")], { there: [new TypeError("a defect")] })).rejects.toThrow("a defect");
});

/** Whether one shows that the target has so. */
async function shows(row: SentRow, there: readonly Partial<Row>[], open: object = {}): Promise<boolean> {
  const { outcomes, shown } = await released([row], { there: [there], open });
  expect([0, 1]).toContain(shown.length);
  expect(outcomes.late).toBe(1 - shown.length);
  return shown.length === 1;
}

test("a change shows where it is not any more as it was; what is kept as it was shows at once", async () => {
  expect(await shows(changed(), [{ values: { name: "a" } }])).toBe(false);
  expect(await shows(changed(), [{ values: { name: "b" } }])).toBe(true);
  expect(await shows(changed(), [{ values: {} }])).toBe(true);
  expect(await shows(changed(), [])).toBe(false);
  expect(await shows(changed(), [{ values: { name: "b" }, address: "B" }])).toBe(false);
  const asBefore = { asBefore: true } as const;
  expect(await shows(changed(asBefore), [{ values: { name: "a" } }])).toBe(true);
  expect(await shows(changed(asBefore), [])).toBe(false);
  // What had no value, and what was emptied.
  const filled = sent("A", { action: "update", address: "A" });
  expect(await shows(filled, [{ values: {} }])).toBe(false);
  expect(await shows(filled, [{ values: { name: null } }])).toBe(false);
  expect(await shows(filled, [{ values: { name: "b" } }])).toBe(true);
});

test("a deletion shows where nothing does, or what does not count any more", async () => {
  expect(await shows(deleted(), [])).toBe(true);
  expect(await shows(deleted(), [{ values: { name: "a" } }])).toBe(false);
  expect(await shows(deleted(), [{ values: { name: "a" }, isGone: true }])).toBe(true);
});

test("what was made may go by another name once it is published, where it says what was sent", async () => {
  const says = { values: { name: "b" } };
  expect(await shows(made("A"), [says])).toBe(true);
  expect(await shows(made("A"), [{ ...says, address: "B" }])).toBe(true);
  expect(await shows(made("A"), [{ values: { name: "theirs" }, address: "B" }])).toBe(false);
  expect(await shows(made("A"), [{ values: { name: "theirs" } }])).toBe(true);
  // Of two nobody knows which it is.
  const two = [
    { ...says, address: "B" },
    { ...says, address: "C" },
  ];
  expect(await shows(made("A"), two)).toBe(false);
  expect(await shows(made("A"), [...two, says])).toBe(true);
  expect(await shows(made("A"), [])).toBe(false);
  // Where no address was told it is by its key.
  expect(await shows(made("A", { address: "" }), [{ values: { name: "theirs" }, address: "B" }])).toBe(true);
});

test("what is made again in the place of what does not count shows when it counts", async () => {
  const again = sent("A", { action: "create", address: "A" });
  expect(await shows(again, [{ isGone: true }])).toBe(false);
  expect(await shows(again, [{}])).toBe(true);
  expect(await shows(made("A"), [{ isGone: true }])).toBe(true);
  const { planned } = again;
  expect(await shows({ ...again, planned: { ...planned, isNew: true } }, [{ isGone: true }])).toBe(true);
  expect(await shows(again, [{ isGone: true }], { isActivityMoved: true })).toBe(true);
});

test("where somebody has removed what an earlier run had sent, and made another one, it is waited for no more", async () => {
  const theirs = [{ values: { name: "theirs" }, address: "B" }];
  const left = await released([changed({ isLeft: true })], { there: [theirs] });
  // What stands there is compared with what was sent.
  expect([left.outcomes.done.update, left.outcomes.late, left.shown]).toEqual([1, 0, [{ name: "b" }]]);
  expect(left.logged).toEqual([{ key: keyDigest("A"), result: "done", target: "A" }]);
  expect((await released([changed()], { there: [theirs] })).outcomes.late).toBe(1);
  const gone = await released([deleted({ isLeft: true })], { there: [theirs] });
  expect([gone.outcomes.done.delete, gone.shown]).toEqual([1, [undefined]]);
});

test("of what was made it is on record what it has in attributes that are not moved, where that is sure to be ours", async () => {
  const on = async (more: Partial<SentRow>, unmoved: Row["values"] | undefined): Promise<unknown> => {
    const there = [[unmoved === undefined ? {} : { unmoved: () => unmoved }]];
    const { logged } = await released([made("A", more)], { there });
    return logged.map((one) => ("unmoved" in one ? one.unmoved : undefined))[0];
  };
  const [empty, filled] = [{}, { note: "n" }];
  const print = await on({}, empty);
  expect(print).toMatch(/^[0-9a-f]{16}$/);
  expect(await on({}, filled)).not.toBe(print);
  expect(await on({}, undefined)).toBeUndefined();
  // Of what an earlier run has made somebody may have filled it since.
  expect(await on({ isLeft: true }, empty)).toBe(print);
  expect(await on({ isLeft: true }, filled)).toBe("?");
  expect(await on({ wasLost: true }, empty)).toBe(print);
  expect(await on({ wasLost: true }, filled)).toBe("?");
  // What was sent of it is no more than that.
  const { planned } = made("A");
  const given = {
    wasLost: true,
    planned: { ...planned, task: { ...planned.task, unmoved: filled } },
  } as const;
  expect(await on(given, filled)).toBe(await on({}, filled));
  expect(await on(given, { note: "theirs" })).toBe("?");
});
