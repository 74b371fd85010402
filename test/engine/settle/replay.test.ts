import { expect, it } from "vitest";
import { Replay } from "../../../src/engine/settle/replay.ts";
import type { RunRecord } from "../../../src/model/journal.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";

const run = "2026-03-01T00-00-00-000Z-aaaaaa";
const later = "2026-04-01T00-00-00-000Z-bbbbbb";
const earlier = "2026-02-01T00-00-00-000Z-cccccc";
const row = (target: string, by: string | undefined): MappingEntry => ({
  name: "Email",
  target,
  origin: "created",
  ...(by === undefined ? {} : { run: by }),
});

/** The run of the journal, upon a mapping of this digest. */
function began(mapping: string | undefined): RunRecord {
  const parties = {
    source: { name: "dev", baseUrl: "https://dev", tenant: "dev" },
    target: { name: "prod", baseUrl: "https://prod", tenant: "prod" },
  };
  const at = "2026-03-01T00:00:00.000Z";
  const was = mapping === undefined ? {} : { mapping };
  return { type: "run", run, at, command: "apply", plan: "move", tool: "test", parties, ...was };
}

interface Found {
  readonly begun?: string;
  /** The run that the row was of when the run began to change it. */
  readonly by?: string;
}

/** What is left of a row that is stored where the journal has another one for the same object. */
function after(
  stored: MappingEntry,
  { begun, by, now }: Found & { readonly now: string },
): string | undefined {
  const mapping = new MappingTable();
  mapping.set("rules", "email", stored);
  const replay = new Replay(mapping, now);
  replay.feed(began(begun));
  const of = by === undefined ? {} : { by };
  replay.feed({
    type: "entry",
    run,
    kind: "rules",
    source: "email",
    entry: row("of the journal", run),
    ...of,
  });
  return mapping.get("rules", "email")?.target;
}

it.each([
  { of: "a later run, which the journal does not know", stored: later, begun: "a", left: "stored" },
  { of: "an earlier run", stored: earlier, begun: "a", left: "of the journal" },
  { of: "the same run", stored: run, begun: "a", left: "of the journal" },
  { of: "no run that is known", stored: undefined, begun: "a", left: "of the journal" },
  {
    of: "a run of a clock that was ahead, and all is as it was",
    stored: later,
    begun: "b",
    left: "of the journal",
  },
  {
    of: "a run of a clock that was ahead, as it was of when it was changed, and the file of another kind is written",
    stored: later,
    begun: "a",
    by: later,
    left: "of the journal",
  },
  { of: "a later run, beside a journal that does not say", stored: later, left: "of the journal" },
])("where a row is of $of, what counts is $left", ({ stored, begun, by, left }) => {
  const was = { ...(begun === undefined ? {} : { begun }), ...(by === undefined ? {} : { by }) };
  expect(after(row("stored", stored), { ...was, now: "b" })).toBe(left);
});

it.each([
  { what: "set, where there was none, and one of another run is there", stored: earlier, left: "stored" },
  { what: "set, and nothing has been stored since", stored: undefined, left: "of the journal" },
  { what: "taken away, as it was of when that was done", stored: earlier, by: earlier, isGone: true },
  {
    what: "taken away, and a later run has made one",
    stored: later,
    by: earlier,
    isGone: true,
    left: "stored",
  },
  {
    what: "taken away by a clock that is ahead, and one came after it",
    stored: earlier,
    by: "2026-01",
    isGone: true,
    left: "stored",
  },
])("what a person has $what is $left", ({ stored, by, isGone = false, left }) => {
  const mapping = new MappingTable();
  if (stored !== undefined) mapping.set("rules", "email", row("stored", stored));
  const replay = new Replay(mapping, "b");
  const entry = isGone ? null : row("of the journal", run);
  replay.feed({
    type: "entry",
    run,
    kind: "rules",
    source: "email",
    entry,
    ...(by === undefined ? {} : { by }),
  });
  expect(mapping.get("rules", "email")?.target).toBe(left);
});

interface Request {
  readonly step: "create" | "patch" | "publish";
  readonly was: boolean;
  readonly kind?: string;
  readonly source?: string;
}

const effects = { create: "creates", patch: "changes", publish: "releases" } as const;

/** Which of these requests are in doubt. */
function inDoubt(requests: readonly Request[], replay = new Replay(new MappingTable())): readonly string[] {
  for (const [index, { step, was, kind = "primary-monitors", source = "email" }] of requests.entries())
    replay.feed({
      type: "intent",
      run,
      op: `${run}/${index}`,
      at: "2026-03-01T00:00:00.000Z",
      kind,
      step,
      effect: effects[step],
      items: [{ source, name: "Email", target: "twin", ...(was ? { was: {} } : {}) }],
    });
  return replay.result().doubts.map((doubt) => doubt.step);
}

it("what had a row that was taken away elsewhere is in doubt no more", () => {
  const requests = [
    { step: "patch", was: true },
    { step: "publish", was: true },
  ] as const;
  expect(inDoubt(requests)).toEqual([]);
});

it.each(["kind", "source"])(
  "nor is it where a request for what has another %s, and no row, is in doubt",
  (other) => {
    const another = { step: "patch", was: false, [other]: "another" } as const;
    expect(inDoubt([another, { step: "publish", was: true }])).toEqual(["patch"]);
  },
);

it("what has its row of a request before, of which no outcome is recorded, is in doubt with that", () => {
  const requests = [
    { step: "patch", was: false },
    { step: "publish", was: true },
  ] as const;
  expect(inDoubt(requests)).toEqual(["patch", "publish"]);
});

it("what was to be made again is in doubt, though its row was taken away elsewhere", () => {
  expect(inDoubt([{ step: "create", was: true }])).toEqual(["create"]);
});

it.each([
  { what: "to be made is in doubt", step: "create", left: ["create"] },
  { what: "to be changed is not", step: "patch", left: [] },
] as const)(
  "beside a row of a later run, which the journal does not know, what was $what",
  ({ step, left }) => {
    const mapping = new MappingTable();
    mapping.set("primary-monitors", "email", row("stored", later));
    const replay = new Replay(mapping, "b");
    replay.feed(began("a"));
    expect(inDoubt([{ step, was: true }], replay)).toEqual(left);
  },
);

it.each([
  { whose: "a run elsewhere, is asked about", isHere: false, left: ["create"] },
  { whose: "a later run of this journal, which replaced it, is not", isHere: true, left: [] },
])("what was made, and has its outcome on record, beside another twin of $whose", ({ isHere, left }) => {
  const mapping = new MappingTable();
  mapping.set("primary-monitors", "email", row("stored", later));
  const replay = new Replay(mapping, "b");
  replay.feed(began("a"));
  inDoubt([{ step: "create", was: false }], replay);
  const at = "2026-03-01T00:00:01.000Z";
  const entry = row("first", run);
  replay.feed({
    type: "outcome",
    op: `${run}/0`,
    at,
    items: [{ source: "email", result: "done", entry }],
  });
  if (isHere) replay.feed({ ...began("b"), run: later });
  expect(replay.result().doubts.map(({ step }) => step)).toEqual(left);
  expect(mapping.get("primary-monitors", "email")?.target).toBe("stored");
});

it("keeps what was found out about rows until a run has come to its end", () => {
  const at = "2026-03-01T00:00:00.000Z";
  const about = { run, at, kind: "reference-data", table: "countries", name: "Countries" };
  const note = { type: "note", ...about, severity: "warning", text: "the row DE: it may stand" } as const;
  const replay = new Replay(new MappingTable());
  replay.feed(began(undefined));
  replay.feed(note);
  expect(replay.result().untold).toEqual([note]);
  // A command that starts something tells of no rows.
  replay.feed({ ...began(undefined), run: earlier, command: "flow" });
  replay.feed({ type: "end", run: earlier, at, exitCode: 0 });
  expect(replay.result().untold).toEqual([note]);
  replay.feed({ type: "end", run: later, at, exitCode: 0 });
  expect(replay.result().untold).toEqual([]);
});

const [first, second] = [1, 2].map(
  (digit) => `urn:data:prod:data-quality:rule:00000000-0000-4000-8000-00000000000${digit}`,
) as [string, string];

/** What stood there when it was begun, of these rules, is what a creation may have taken the place of. */
function displacing({
  stood = [first],
  of = "rules",
  by = run,
  row: stored,
}: {
  readonly stood?: readonly string[];
  readonly of?: string;
  readonly by?: string;
  readonly row: MappingEntry | undefined;
}): Replay {
  const mapping = new MappingTable();
  if (stored !== undefined) mapping.set("rules", "email", stored);
  const replay = new Replay(mapping);
  replay.feed(began(undefined));
  const uuids = stood.map((urn) => urn.slice(-36));
  // It comes in pieces.
  replay.feed({ type: "baseline", run: by, kind: of, uuids: [] });
  replay.feed({ type: "baseline", run: by, kind: of, uuids });
  replay.feed({
    type: "intent",
    run,
    op: `${run}/1`,
    at: "2026-03-01T00:00:00.000Z",
    kind: "rules",
    step: "create",
    items: [
      { source: "new", name: "New" },
      { source: "email", name: "Email", was: { sourceFingerprint: "said" } },
    ],
  });
  return replay;
}

it("what a creation may have taken the place of is what was its twin, and stood there when that was begun", () => {
  const was = row(first, earlier);
  expect(displacing({ row: was }).result().displaced).toEqual([
    { kind: "rules", source: "email", entry: was },
  ]);
  for (const other of [
    { row: undefined },
    { row: was, stood: [second] },
    { row: was, stood: [] },
    // Of another kind, or of another run, nothing follows.
    { row: was, of: "monitors" },
    { row: was, by: earlier },
  ])
    expect(displacing(other).result().displaced).toEqual([]);
});

it("the row that is stored with what was made in it tells of the former twin", () => {
  const made: MappingEntry = { ...row(second, run), former: { target: first } };
  const before = { name: "Email", origin: "created", target: first, sourceFingerprint: "said" };
  expect(displacing({ row: made }).result().displaced).toEqual([
    { kind: "rules", source: "email", entry: before },
  ]);
  // Of a pair that was not made, the former one is what somebody has left.
  expect(displacing({ row: { ...made, origin: "explicit" } }).result().displaced).toEqual([]);
});

it("what a request has deleted since was displaced by nobody, and what was not deleted was", () => {
  for (const [result, left] of [
    [{ result: "done", entry: null }, 0],
    [{ result: "not-done", reason: "refused" }, 1],
  ] as const) {
    const replay = displacing({ row: row(first, earlier) });
    const at = "2026-03-01T00:00:00.000Z";
    // What another one has taken the place of is deleted under its own URN.
    const items = [{ source: first, name: "Email", target: first }];
    replay.feed({ type: "intent", run, op: `${run}/2`, at, kind: "rules", step: "delete", items });
    replay.feed({ type: "outcome", op: `${run}/2`, at, items: [{ source: first, ...result }] });
    expect(replay.result().displaced).toHaveLength(left);
  }
});

/** A run that has started runs of the service under these keys, or written something. */
class Begins {
  readonly replay = new Replay(new MappingTable());
  #count = 0;

  intent(effect: "starts" | "changes", ...sources: readonly string[]): string {
    const op = `${run}/${(this.#count += 1)}`;
    const items = sources.map((source) => ({ source, name: source }));
    const at = "2026-03-01T00:00:00.000Z";
    this.replay.feed({ type: "intent", run, op, at, kind: "flows", step: effect, effect, items });
    return op;
  }

  came(op: string, source: string, result: "done" | "not-done" | "doubt"): void {
    const item = result === "done" ? { source, result, entry: null } : { source, result, reason: "so" };
    this.replay.feed({ type: "outcome", op, at: "2026-03-01T00:00:01.000Z", items: [item] });
  }

  get begun(): readonly [writes: boolean | undefined, ...starts: string[]] {
    const begun = this.replay.result().begun.get(run);
    return [begun?.writes, ...(begun?.starts ?? [])];
  }
}

it("what a run has started follows upon what it wrote before, and no more upon what it writes then", () => {
  const begins = new Begins();
  expect(begins.begun).toEqual([undefined]);
  begins.intent("starts", "one");
  begins.intent("starts", "two");
  expect(begins.begun).toEqual([false, "one", "two"]);
  begins.intent("changes", "A");
  expect(begins.begun).toEqual([true]);
  begins.intent("starts", "three");
  expect(begins.begun).toEqual([true, "three"]);
  const at = "2026-03-01T00:00:02.000Z";
  begins.replay.feed({
    type: "table",
    run,
    at,
    kind: "reference-data",
    table: "countries",
    name: "Countries",
  });
  expect(begins.begun).toEqual([true]);
});

it("what was started is known by its outcome: not at all where it has come to nothing, and in doubt until there is one", () => {
  const begins = new Begins();
  const op = begins.intent("starts", "one", "two", "three");
  begins.came(op, "one", "not-done");
  begins.came(op, "two", "done");
  begins.came(op, "three", "doubt");
  expect(begins.begun).toEqual([false, "two", "three"]);
  const { starts, doubts } = begins.replay.result();
  expect([starts.map(({ item }) => item.source), doubts]).toEqual([["three"], []]);
});

it("what was to follow upon a run is owed until it has run, whoever started it", () => {
  const begins = new Begins();
  const end = { type: "end", at: "2026-03-01T00:00:00.000Z", exitCode: 0 } as const;
  begins.replay.feed({ ...began(undefined), run: earlier, plan: "other" });
  begins.replay.feed({ ...end, run: earlier, owes: ["one", "two"] });
  begins.replay.feed({ ...end, run: later, owes: ["two"] });
  const owed = (): unknown => begins.replay.result().owed.map(({ plan, owes }) => [plan, owes]);
  const op = begins.intent("starts", "one", "two");
  begins.came(op, "one", "not-done");
  begins.came(op, "two", "doubt");
  expect(owed()).toEqual([
    ["other", ["one", "two"]],
    ["", ["two"]],
  ]);
  begins.came(op, "two", "done");
  expect(owed()).toEqual([["other", ["one"]]]);
});
