import { expect, test } from "vitest";
import { settleLeftovers } from "../../../src/engine/settle/leftovers.ts";
import type { ChangeInDoubt, PublishInDoubt, Verdict } from "../../../src/engine/settle/settler.ts";
import type { Doubt } from "../../../src/engine/settle/subtraction.ts";
import type { MovedKind } from "../../../src/kinds/kind.ts";
import { ServiceError } from "../../../src/service/index.ts";
import type { OutcomeItem } from "../../../src/model/journal.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";

const shape = { known: ["name"], serverOwned: [] };
const readBack = async (): Promise<JsonObject> => ({});
const steps = {
  create: [{ name: "create", effect: "creates", settle: "by-listing" }],
  update: [
    { name: "patch", effect: "changes", settle: "by-reading", readBack },
    { name: "publish", effect: "releases", settle: "repeat", readBack },
    { name: "assign", effect: "changes", settle: "repeat" },
  ],
  remove: { name: "delete", effect: "removes", settle: "repeat" },
} as const;
const readOne = async (): Promise<JsonObject> => ({ name: "by itself" });
const stopped = new ServiceError("stopped", { kind: "aborted", arrived: "no", method: "GET", path: "/" });
const poll = async (): Promise<never> => {
  throw stopped;
};
const [things, drafted, askable, queued] = [
  { name: "things", mode: "entity", shape, ...steps },
  { name: "drafted", mode: "entity", shape, ...steps, draft: async () => undefined },
  { name: "askable", mode: "entity", shape, ...steps, one: readOne },
  { name: "queued", mode: "entity", shape, ...steps, update: [{ ...steps.update[2], poll }] },
] as unknown as [MovedKind, MovedKind, MovedKind, MovedKind];

const known = ["things", "drafted", "askable"];

const doubt = (source: string, more: Partial<Doubt> = {}): Doubt => ({
  op: `run/${source}`,
  run: "run",
  kind: "things",
  step: "patch",
  item: { source, name: source, fingerprint: "sent", target: `twin of ${source}` },
  at: 0,
  reason: "no answer",
  ...more,
});
const creation = (source: string, more: Partial<Doubt> = {}): Doubt =>
  doubt(source, { step: "create", item: { source, name: source, fingerprint: "sent" }, ...more });
const row = (target: string, more: Partial<MappingEntry> = {}): MappingEntry => ({
  name: "A",
  target,
  origin: "created",
  run: "before",
  ...more,
});
const done = (target: string): Verdict => ({ state: "done", target });
const unknown: Verdict = { state: "unknown", reason: "somebody" };
const later: Verdict = { state: "later", reason: "not now" };
const again: Verdict = { state: "again" };

interface Scene {
  /** What each look at the lists says of creations, by their sources; what it says nothing of is sent again. */
  readonly looks?: readonly Readonly<Record<string, Verdict>>[];
  /** What each look at a change says. */
  readonly changes?: readonly Verdict[];
  readonly rows?: Readonly<Record<string, MappingEntry>>;
  readonly there?: readonly string[];
  readonly rollbacks?: readonly string[];
  /** The kinds that the run has listed at the target. */
  readonly kinds?: readonly string[];
}

async function settled(doubts: readonly Doubt[], scene: Scene = {}) {
  const { looks = [], changes = [], rows = {}, there = [], rollbacks = [], kinds = known } = scene;
  const mapping = new MappingTable();
  for (const [source, entry] of Object.entries(rows)) mapping.set("things", source, entry);
  const outcomes: OutcomeItem[] = [];
  const entries: MappingEntry[] = [];
  const asked: string[] = [];
  const printed: string[][] = [];
  const befores: JsonObject[] = [];
  let [quiet, changed] = [0, 0];
  const result = await settleLeftovers(doubts, {
    client: {},
    registry: {
      movedKind: (name: string) => [things, drafted, askable, queued].find((kind) => kind.name === name),
    },
    mapping,
    recorder: {
      run: "now",
      outcome: async (_kind: string, _op: string, items: readonly OutcomeItem[]) =>
        void outcomes.push(...items),
      entry: async (_kind: string, _source: string, entry: MappingEntry) => void entries.push(entry),
    },
    settler: {
      creates: async (_kind: MovedKind, run: string, all: readonly Doubt[]) => {
        const look = looks[Math.min(asked.length, looks.length - 1)] ?? {};
        asked.push(`${run}: ${all.map(({ item }) => item.source).join("+")}`);
        return new Map(all.map((one) => [one, look[one.item.source] ?? again]));
      },
      change: async ({ before }: ChangeInDoubt) => {
        befores.push(before);
        return changes[Math.min(changed++, changes.length - 1)] ?? again;
      },
      publish: async ({ prints, target }: PublishInDoubt) => {
        printed.push([...prints]);
        return done(target);
      },
      quiet: async () => void (quiet += 1),
    },
    target: {
      snapshot: {
        kinds: () => kinds,
        has: (_kind: string, urn: string) => there.includes(urn),
        body: () => ({ name: "listed" }),
      },
    },
    report: () => undefined,
    rollbacks: new Set(rollbacks),
  } as never);
  const told = outcomes.map(({ source, result: what }) => `${source} ${what}`);
  return { ...result, outcomes, told, entries, asked, quiet, printed, befores };
}

test("creations are looked for run by run, and what is found is in the mapping", async () => {
  const all = [creation("A"), creation("B", { run: "other" }), creation("C")];
  const { asked, told, ask, moved, outcomes } = await settled(all, {
    looks: [{ A: done("a"), C: done("c") }, { B: done("b") }],
  });
  expect(asked).toEqual(["run: A+C", "other: B"]);
  expect([told, ask, moved]).toEqual([["A done", "C done", "B done"], [], true]);
  expect(outcomes[0]).toMatchObject({ entry: { target: "a", origin: "created", run: "now" } });
});

test("what a person would be asked is looked at once more when others were settled after it, and asked once", async () => {
  const all = [creation("A"), creation("B")];
  const found = await settled(all, { looks: [{ A: unknown, B: done("b") }, { A: done("a") }] });
  expect([found.asked, found.ask]).toEqual([["run: A+B", "run: A"], []]);
  const left = await settled(all, { looks: [{ A: unknown, B: done("b") }, { A: unknown }] });
  expect(left.asked).toEqual(["run: A+B", "run: A"]);
  expect(left.ask).toMatchObject([{ item: { source: "A" }, asks: true, reason: "somebody" }]);
  expect(left.told).toEqual(["B done", "A doubt"]);
  // That a person has to decide goes on record once.
  const known = await settled([creation("A", { asks: true })], { looks: [{ A: unknown }] });
  expect([known.told, known.ask.length]).toEqual([[], 1]);
});

test("what cannot be told now is not looked at again and again, and no person is asked", async () => {
  const { asked, ask, told } = await settled([creation("A"), creation("B", { asks: true })], {
    looks: [{ A: later, B: later }],
  });
  expect([asked.length, told]).toEqual([1, []]);
  expect(ask.map(({ asks, reason }) => [asks, reason])).toEqual([
    [undefined, "not now"],
    [undefined, "not now"],
  ]);
  const some = await settled([creation("A"), creation("B")], { looks: [{ A: later, B: done("b") }] });
  expect(some.asked).toHaveLength(1);
});

test("what is of no kind that is known is left to a person", async () => {
  const { ask, told } = await settled([doubt("A", { kind: "gone" })]);
  expect([ask.map(({ asks }) => asks), told]).toEqual([[true], []]);
});

test("a creation under a step that no version of now knows is not taken for one that has come to nothing", async () => {
  const { ask, told } = await settled([creation("A", { step: "createAll", effect: "creates" })]);
  expect([ask.map(({ asks }) => asks), told]).toEqual([[true], ["A doubt"]]);
});

test("what was accepted is asked about; while it is open no other creation of its kind is looked for", async () => {
  // No step of now can ask.
  const accepted = creation("A", { handle: "task/1" });
  const { ask, asked, told } = await settled([accepted, creation("B"), doubt("C")], { changes: [done("c")] });
  expect(asked).toEqual([]);
  expect(told).toEqual(["A doubt", "C done"]);
  expect(ask.map(({ item, reason }) => [item.source, reason])).toEqual([
    ["A", expect.stringContaining("cannot ask")],
    ["B", expect.stringContaining("it is settled after them")],
  ]);
});

test("what was accepted is not given up where the run is stopped while it is asked about", async () => {
  const accepted = doubt("A", { kind: "queued", step: "assign", handle: "task/1" });
  const { ask, told } = await settled([accepted]);
  expect([ask.map(({ asks, handle }) => [asks, handle]), told]).toEqual([[[undefined, "task/1"]], []]);
});

test("a second one does not take the place of a twin that a run elsewhere has given since", async () => {
  const scene = { looks: [{ A: done("first") }], rows: { A: row("second") } };
  const { ask, told } = await settled([creation("A", { isOvertaken: true })], scene);
  expect([ask.length, told]).toEqual([1, ["A doubt"]]);
  expect((await settled([creation("A")], scene)).told).toEqual(["A done"]);
  const same = { ...scene, rows: { A: row("first") } };
  expect((await settled([creation("A", { isOvertaken: true })], same)).told).toEqual(["A done"]);
  const none = { ...scene, rows: {} };
  expect((await settled([creation("A", { isOvertaken: true })], none)).told).toEqual(["A done"]);
});

test("a change that may still arrive where there are no drafts is waited for, and what stands there then is nobody's to write over", async () => {
  const own = { rows: { A: row("twin of A") } };
  const came = await settled([doubt("A")], { ...own, changes: [unknown, done("twin of A")] });
  expect([came.quiet, came.told, came.entries]).toEqual([1, ["A done"], []]);
  const other = await settled([doubt("A")], { ...own, changes: [unknown] });
  expect([other.quiet, other.told]).toEqual([1, ["A not-done"]]);
  expect(other.entries).toMatchObject([{ target: "twin of A", targetFingerprint: "sent", run: "now" }]);
  // What a rollback has sent is what neither side says.
  const back = await settled([doubt("A")], { ...own, changes: [unknown], rollbacks: ["run"] });
  expect(back.entries[0]?.targetFingerprint).toMatch(/^[0-9a-f]{16,}$/);
  // Of what was met first there is no row: what was sent is all there is to go by.
  const first = await settled([doubt("A")], { changes: [unknown] });
  expect([first.told, first.entries]).toEqual([["A done"], []]);
  const unprinted = doubt("A", { item: { source: "A", name: "A", target: "twin of A" } });
  expect((await settled([unprinted], { ...own, changes: [unknown] })).entries).toEqual([]);
});

test("where there are drafts a person decides at once", async () => {
  const { quiet, ask } = await settled([doubt("A", { kind: "drafted" })], { changes: [unknown] });
  expect([quiet, ask.map(({ asks }) => asks)]).toEqual([0, [true]]);
});

test("a deletion that may still come is waited for where its object is there, and nothing else of what no read shows is", async () => {
  const deletion = doubt("A", { step: "delete" });
  expect(await settled([deletion], { there: ["twin of A"] })).toMatchObject({
    quiet: 1,
    told: ["A not-done"],
  });
  expect(await settled([deletion])).toMatchObject({ quiet: 0, told: ["A not-done"] });
  // What no list shows is there all the same where it is shown by itself.
  expect(await settled([{ ...deletion, kind: "askable" }])).toMatchObject({ quiet: 1, told: ["A not-done"] });
  const assigned = doubt("A", { step: "assign" });
  expect(await settled([assigned], { there: ["twin of A"] })).toMatchObject({
    quiet: 0,
    told: ["A not-done"],
  });
});

test("a publish is known by what was sent and by what the row of its twin says, not by that of another twin", async () => {
  const publish = doubt("A", { step: "publish" });
  const says = { targetFingerprint: "by the row" };
  const own = await settled([publish], { rows: { A: row("twin of A", says) } });
  expect([own.printed, own.told]).toEqual([[["sent", "by the row"]], ["A done"]]);
  const other = await settled([publish], { rows: { A: row("another", says) } });
  expect(other.printed).toEqual([["sent"]]);
  expect((await settled([publish])).printed).toEqual([["sent"]]);
});

test("what is gone by the time that a change is waited for gets no row", async () => {
  const gone = { state: "refused", reason: "gone" } as const;
  const { told, quiet } = await settled([doubt("A")], { changes: [unknown, gone] });
  expect([told, quiet]).toEqual([["A not-done"], 1]);
  const known = await settled([doubt("A")], { changes: [unknown, gone], rows: { A: row("twin of A") } });
  expect([known.told, known.entries]).toEqual([["A not-done"], []]);
});

test("what a change has found there is what was listed; what this run lists nothing of is read by itself", async () => {
  const change = doubt("A", { kind: "askable" });
  const listed = await settled([change], { there: ["twin of A"], changes: [again] });
  expect(listed.befores).toEqual([{ name: "listed" }]);
  expect((await settled([change], { changes: [again] })).befores).toEqual([{}]);
  const narrowed = await settled([change], { kinds: ["things"], changes: [again] });
  expect(narrowed.befores).toEqual([{ name: "by itself" }]);
});
