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
