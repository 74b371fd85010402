import { expect, test } from "vitest";
import { finishUnfinished } from "../../../src/engine/settle/leftovers.ts";
import type { PublishInDoubt, Verdict } from "../../../src/engine/settle/settler.ts";
import type { MovedKind, Probed, StepAnswer } from "../../../src/kinds/kind.ts";
import { fingerprint } from "../../../src/model/canonical.ts";
import type { IntentItem, OutcomeItem } from "../../../src/model/journal.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import { ServiceError } from "../../../src/service/index.ts";

const shape = { known: ["name"], serverOwned: ["/draftType"] };
const [was, ours, theirs] = ["was", "ours", "theirs"].map((name): JsonObject => ({ name })) as [
  JsonObject,
  JsonObject,
  JsonObject,
];
const printOf = (body: JsonObject): string => fingerprint(body, shape);

const row: MappingEntry = {
  name: "A",
  target: "urn:twin",
  origin: "created",
  targetFingerprint: printOf(ours),
  over: printOf(was),
  unfinished: "publish",
  run: "before",
};
const ended = { ...row, run: "now" };
const { unfinished: _unfinished, over: _over, ...done } = ended;

interface Scene {
  /** What the publish is answered with, one time after the other. */
  readonly answers?: readonly (StepAnswer | Error | "nothing")[];
  /** What the service says of what it has accepted. */
  readonly polls?: readonly (StepAnswer | Error)[];
  /** What each look at what became of it says. */
  readonly verdicts?: readonly Verdict[];
  readonly draft?: Probed;
  readonly published?: JsonObject;
  readonly entry?: Partial<MappingEntry>;
  readonly addressedBy?: readonly string[];
  readonly kinds?: readonly string[];
  readonly abandoned?: boolean;
}

async function finished(scene: Scene = {}) {
  const { answers = [{ state: "done" }], polls = [], verdicts = [], published = was } = scene;
  const { draft = { state: "shown", draft: ours }, kinds = ["things"], abandoned = false } = scene;
  const next = <T>(all: readonly T[], at: number): T => {
    const one = all[Math.min(at, all.length - 1)];
    if (one instanceof Error) throw one;
    return one as T;
  };
  let [sent, polled, looked] = [0, 0, 0];
  const publish = {
    name: "publish",
    effect: "releases",
    settle: "repeat",
    probe: async () => draft,
    send: async () => {
      const answer = next(answers, sent++);
      return answer === "nothing" ? [] : [answer];
    },
    poll: async () => next(polls, polled++),
  };
  const kind = {
    name: "things",
    mode: "entity",
    shape,
    create: [],
    update: [{ name: "patch", effect: "changes" }, publish],
    addressedBy: scene.addressedBy,
    isChangeDraft: (body: JsonObject) => body["draftType"] !== "DELETE",
  } as unknown as MovedKind;
  const mapping = new MappingTable();
  mapping.set("things", "A", { ...row, ...scene.entry });
  const intents: IntentItem[] = [];
  const outcomes: OutcomeItem[] = [];
  const asked: PublishInDoubt[] = [];
  const result = await finishUnfinished({
    client: {},
    registry: { moved: () => [kind] },
    mapping,
    recorder: {
      run: "now",
      intent: async (_kind: string, { name: step, effect }: typeof publish, items: readonly IntentItem[]) => {
        intents.push(...items);
        return { type: "intent", run: "now", op: "now/1", kind: "things", step, effect, items };
      },
      outcome: async (_kind: string, _op: string, items: readonly OutcomeItem[]) =>
        void outcomes.push(...items),
    },
    settler: {
      now: () => 0,
      sleep: async () => undefined,
      publish: async (options: PublishInDoubt) => {
        asked.push(options);
        return next(verdicts, looked++);
      },
    },
    target: { snapshot: { kinds: () => kinds, has: () => true, body: () => published } },
    report: () => undefined,
    rollbacks: new Set(),
    abandoned: { has: () => abandoned },
  } as never);
  const failed = result.failed.map(({ state, reason }) => `${state}: ${reason}`);
  const told = outcomes.map(({ result: what }) => what);
  return { ...result, failed, outcomes, told, intents, asked, sent };
}

const again: Verdict = { state: "again" };
const lost = new ServiceError("lost", { kind: "server", arrived: "maybe", method: "POST", path: "/" });
const refused = { state: "refused", reason: "locked" } as const;
const accepted = { state: "accepted", handle: "task/1", waitMs: 0 } as const;

test("what an interrupted run has drafted is published, with its intent before and its row after", async () => {
  const found = await finished();
  expect(found).toMatchObject({ done: ['things "A"'], failed: [], ask: [], sent: 1, told: ["done"] });
  expect(found.intents).toEqual([
    { source: "A", name: "A", target: "urn:twin", fingerprint: printOf(ours), over: printOf(was) },
  ]);
  expect(found.outcomes).toEqual([{ source: "A", result: "done", target: "urn:twin", entry: done }]);
  const drifted = await finished({ entry: { drifted: "theirs" } });
  expect(drifted.outcomes).toMatchObject([{ entry: { ...done, targetFingerprint: "theirs" } }]);
});

test("of kinds that this run has not read, and of what a person has left, nothing is published", async () => {
  for (const scene of [{ kinds: [] }, { abandoned: true }])
    expect(await finished(scene)).toMatchObject({ sent: 0, done: [], failed: [], told: [] });
});

test("a draft that says what is published is nobody's work, unless it was opened to delete", async () => {
  expect((await finished({ draft: { state: "shown", draft: was } })).sent).toBe(1);
  // A draft that was opened to delete is never that.
  const deletion = { ...was, draftType: "DELETE" };
  expect((await finished({ draft: { state: "shown", draft: deletion } })).sent).toBe(0);
});

test.each([
  ["holds somebody else's changes", { draft: { state: "shown", draft: theirs } }, /somebody else changed/],
  ["is to delete", { draft: { state: "shown", draft: { ...ours, draftType: "DELETE" } } }, /somebody else/],
  ["is behind what somebody has published", { published: theirs }, /published another version/],
  ["cannot be seen", { draft: { state: "refused", reason: "locked" } }, /could not be seen: locked/],
  ["cannot be asked for", { draft: { state: "absent", reason: "unknown" } }, /could not be seen: unknown/],
  ["is gone", { draft: { state: "gone" } }, /gone at the target \(urn:twin\).*remove A/],
  ["is of what nobody can name", { addressedBy: ["place"] }, /gone at the target \(urn:twin\).*remove A/],
] as const)("a draft that %s is held, and nothing is sent", async (_how, scene, why) => {
  const found = await finished(scene);
  expect(found).toMatchObject({ sent: 0, told: [], done: [], ask: [] });
  expect(found.failed).toEqual([expect.stringMatching(/^held: /)]);
  expect(found.failed[0]).toMatch(why);
});

test("what is refused stays to be published, and why is told", async () => {
  const said = await finished({ answers: [refused] });
  expect(said).toMatchObject({ failed: ["refused: locked"], told: ["not-done"], done: [], ask: [] });
  const thrown = new ServiceError("no", { kind: "refused", arrived: "no", method: "POST", path: "/" });
  expect(await finished({ answers: [thrown] })).toMatchObject({
    failed: ["refused: no"],
    told: ["not-done"],
  });
});

test("an answer that is lost, that has no result, or that is about something else is looked into before it is sent again", async () => {
  const other = { state: "done", target: "urn:other" } as const;
  for (const answer of [lost, "nothing", other] as const) {
    const twice = await finished({ answers: [answer, { state: "done" }], verdicts: [again] });
    expect(twice).toMatchObject({ sent: 2, told: ["done"], ask: [] });
    expect([...(twice.asked[0]?.prints ?? [])]).toEqual([printOf(ours)]);
    expect(twice.asked[0]).toMatchObject({ target: "urn:twin", doubt: { op: "now/1", step: "publish" } });
    const found = await finished({ answers: [answer], verdicts: [{ state: "done", target: "urn:twin" }] });
    expect(found).toMatchObject({ sent: 1, told: ["done"], done: ['things "A"'] });
  }
  // Nothing is known by a row without a print: it is known by nothing else either.
  const blank = await finished({
    answers: [lost],
    verdicts: [refused],
    draft: { state: "shown", draft: was },
    entry: { targetFingerprint: undefined } as never,
  });
  expect(blank.asked[0]?.prints.size).toBe(0);
});

test("what is not known in the end is in doubt for the next run; what is known not to be is told", async () => {
  const often = await finished({ answers: [lost], verdicts: [again] });
  expect(often).toMatchObject({ sent: 5, told: ["doubt"], done: [], failed: [] });
  expect(often.ask).toMatchObject([{ op: "now/1", kind: "things", step: "publish", item: { source: "A" } }]);
  for (const state of ["unknown", "later"] as const)
    expect(await finished({ answers: [lost], verdicts: [{ state, reason: "who knows" }] })).toMatchObject({
      sent: 1,
      told: ["doubt"],
      ask: [{ reason: "who knows" }],
      failed: [],
    });
  expect(await finished({ answers: [lost], verdicts: [refused] })).toMatchObject({
    sent: 1,
    told: ["not-done"],
    failed: ["refused: locked"],
    ask: [],
  });
});

test("what ends the run ends this, with the intent left in doubt", async () => {
  const stopped = new ServiceError("stop", { kind: "aborted", arrived: "no", method: "POST", path: "/" });
  await expect(finished({ answers: [stopped] })).rejects.toBe(stopped);
  const defect = new Error("a defect");
  await expect(finished({ answers: [defect] })).rejects.toBe(defect);
});

test("what the service has accepted is asked about and never sent again; what it calls it is on record", async () => {
  const renamed = { ...accepted, handle: "task/2" };
  const found = await finished({ answers: [accepted], polls: [renamed, { state: "done" }] });
  expect(found).toMatchObject({ sent: 1, told: ["accepted", "accepted", "done"], done: ['things "A"'] });
  expect(found.outcomes.slice(0, 2)).toMatchObject([{ handle: "task/1" }, { handle: "task/2" }]);
  expect(await finished({ answers: [accepted], polls: [refused] })).toMatchObject({
    sent: 1,
    told: ["accepted", "not-done"],
    failed: ["refused: locked"],
  });
  const denied = new ServiceError("no", { kind: "refused", arrived: "no", method: "GET", path: "/" });
  const silent = await finished({ answers: [accepted], polls: [denied] });
  expect(silent).toMatchObject({ sent: 1, told: ["accepted", "doubt"], failed: [] });
  expect(silent.ask[0]?.reason).toContain("it will not say more (task/1): no");
  const stopped = new ServiceError("stop", { kind: "aborted", arrived: "no", method: "GET", path: "/" });
  expect(await finished({ answers: [accepted], polls: [stopped] })).toMatchObject({
    sent: 1,
    told: ["accepted", "doubt"],
    ask: [{ reason: "accepted by the service, not finished" }],
  });
});

test("an end that is about something else is not believed: it is asked for again", async () => {
  const polls = [{ state: "done", target: "urn:other" }, refused] as const;
  expect(await finished({ answers: [accepted], polls })).toMatchObject({ told: ["accepted", "not-done"] });
});
