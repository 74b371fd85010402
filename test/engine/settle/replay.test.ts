import { expect, it } from "vitest";
import { Replay } from "../../../src/engine/settle/replay.ts";
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

/** What is left of a row that is stored where the journal has another one for the same object. */
function after(stored: MappingEntry, { begun, now }: { begun?: string; now: string }): string | undefined {
  const mapping = new MappingTable();
  mapping.set("rules", "email", stored);
  const replay = new Replay(mapping, now);
  const parties = {
    source: { name: "dev", baseUrl: "https://dev", tenant: "dev" },
    target: { name: "prod", baseUrl: "https://prod", tenant: "prod" },
  };
  const at = "2026-03-01T00:00:00.000Z";
  const mappingWas = begun === undefined ? {} : { mapping: begun };
  replay.feed({ type: "run", run, at, command: "apply", plan: "move", tool: "test", parties, ...mappingWas });
  replay.feed({ type: "entry", run, kind: "rules", source: "email", entry: row("of the journal", run) });
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
  { of: "a later run, beside a journal that does not say", stored: later, left: "of the journal" },
])("where a row is of $of, what counts is $left", ({ stored, begun, left }) => {
  const was = begun === undefined ? {} : { begun };
  expect(after(row("stored", stored), { ...was, now: "b" })).toBe(left);
});

/** Which requests for an object are in doubt that is paired nowhere. */
function inDoubt(...requests: readonly { readonly step: "patch" | "publish"; readonly was: boolean }[]) {
  const replay = new Replay(new MappingTable());
  for (const [index, { step, was }] of requests.entries())
    replay.feed({
      type: "intent",
      run,
      op: `${run}/${index}`,
      at: "2026-03-01T00:00:00.000Z",
      kind: "primary-monitors",
      step,
      effect: step === "patch" ? "changes" : "releases",
      items: [{ source: "email", name: "Email", target: "twin", ...(was ? { was: {} } : {}) }],
    });
  return replay.result().doubts.map(({ step }) => step);
}

it("what had a row that was taken away elsewhere is in doubt no more", () => {
  expect(inDoubt({ step: "patch", was: true }, { step: "publish", was: true })).toEqual([]);
});

it("what has its row of a request before, of which no outcome is recorded, is in doubt with that", () => {
  expect(inDoubt({ step: "patch", was: false }, { step: "publish", was: true })).toEqual([
    "patch",
    "publish",
  ]);
});
