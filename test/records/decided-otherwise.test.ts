import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { isUnasked } from "../../src/engine/records/unasked.ts";
import type { Policy } from "../../src/model/plan.ts";
import { partWritten } from "../../src/model/row-print.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Stage } from "./masters-stage.ts";
import { author, authored, crmProd, party, put, segment, stage as mastersStage } from "./masters-stage.ts";
import type { RowsStage } from "./support.ts";
import { countsOf, diesAt, recordOf, rowsStage } from "./support.ts";

/** A run is killed while it writes over what somebody has said, as its plan had it; the plan of the next one leaves that to them. */

const contested: readonly (readonly ["drift" | "conflict" | "missingTarget", Partial<Policy>])[] = [
  ["drift", { drift: "overwrite" }],
  ["conflict", { conflict: "source-wins" }],
  ["missingTarget", { missingTarget: "recreate" }],
];

function edit({ source, target }: RowsStage, side: "source" | "target", name: string): void {
  const table = side === "source" ? source : target;
  const found = recordOf(table, "DE");
  if (found === undefined) throw new Error("it is not there");
  seed.editRecord(table, found, { name });
}

/** A row that was moved, and that somebody has changed or removed since; the source, too, where both have. */
async function touched(what: string, offered: "absent" | "offered"): Promise<RowsStage> {
  const stage = await rowsStage({ source: [{ code: "DE", name: "ours" }] });
  stage.prod.quirks.draftFilter = offered;
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  const there = recordOf(stage.target, "DE");
  if (what === "missingTarget" && there !== undefined) seed.removeRecord(stage.target, there);
  else edit(stage, "target", "theirs");
  if (what === "conflict") edit(stage, "source", "new");
  return stage;
}

const offers = ["absent", "offered"] as const;

test.each(contested.flatMap((one) => offers.map((offered) => [...one, offered] as const)))(
  "what was not sent yet is left to them (%s, %j, a filter of drafts is %s)",
  async (what, policy, offered) => {
    const stage = await touched(what, offered);
    const kept = stage.changes;
    stage.changes = { ...kept, policy };
    const dies = diesAt("intent:after", 1, async (hooks) => stage.apply({ verify: false }, { hooks }));
    expect(await dies).toBe(true);
    stage.changes = kept;
    const [foreseen] = (await stage.diff()).changes;
    expect(foreseen?.diagnostics.map(({ summary }) => summary)).toContain(
      "the row DE: an interrupted run has begun to write it, and by now the plan leaves it to whoever has changed or removed it at the target (policy): an apply sees to that first",
    );
    const left = what === "conflict" ? { conflict: 1 } : { drift: 1 };
    for (let run = 1; run <= 2; run += 1) {
      const result = await stage.apply();
      expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, left]);
      expect(stage.published()["DE"]?.["name"]).toBe(what === "missingTarget" ? undefined : "theirs");
      expect(recordOf(stage.target, "DE")?.draft["name"]).toBe(
        what === "missingTarget" ? undefined : "theirs",
      );
    }
    stage.changes = { ...kept, policy };
    expect((await stage.apply()).exitCode).toBe(exitCodes.done);
    expect(stage.published()["DE"]?.["name"]).toBe(what === "conflict" ? "new" : "ours");
    expect(stage.target.records()).toHaveLength(1);
  },
);

test.each(offers)(
  "what stands in the draft is brought to its end (a filter of drafts is %s)",
  async (offered) => {
    const stage = await touched("drift", offered);
    const kept = stage.changes;
    stage.changes = { ...kept, policy: { drift: "overwrite" } };
    const dies = diesAt("send:after", 1, async (hooks) => stage.apply({ verify: false }, { hooks }));
    expect(await dies).toBe(true);
    stage.changes = kept;
    const result = await stage.apply();
    expect(result.exitCode).toBe(exitCodes.done);
    expect(result.headline).toContain("what people set in 1 object was overwritten");
    expect(stage.published()["DE"]?.["name"]).toBe("ours");
  },
);

async function killed(here: Stage, policy: Partial<Policy>): Promise<void> {
  const { plan } = here;
  here.plan = { ...plan, policy: { ...plan.policy, ...policy } };
  expect(await diesAt("intent:after", 1, async (hooks) => here.apply({ verify: false }, { hooks }))).toBe(
    true,
  );
  here.plan = plan;
}

test.each(contested.slice(0, 2))("nor is an instance written over (%s)", async (what, policy) => {
  const here = await mastersStage([party]);
  put(here.dev, "1", { src_name: "ours" });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  put(here.prod, "1", { src_name: "theirs" });
  if (what === "conflict") put(here.dev, "1", { src_name: "new" });
  await killed(here, policy);
  const result = await here.apply();
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { [what]: 1 }]);
  expect(here.prod.byKey("party", crmProd, "1")?.source).toMatchObject({ src_name: "theirs" });
});

test("nor is a master made again that somebody has removed", async () => {
  const here = await mastersStage([segment]);
  author(here.dev, { cmo_code: "1", cmo_name: "ours" });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  const masters = here.prod.masters("segment");
  const [row] = masters?.rows ?? [];
  if (row !== undefined) masters?.delete(row);
  await killed(here, { missingTarget: "recreate" });
  const result = await here.apply();
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { drift: 1 }]);
  expect(authored(here.prod)).toEqual({});
});

test("what a killed run was to write, and nobody has said anything in, is written under any policy", async () => {
  const stage = await rowsStage({ source: [{ code: "DE", name: "ours" }] });
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  edit(stage, "source", "new");
  const dies = diesAt("intent:after", 1, async (hooks) => stage.apply({ verify: false }, { hooks }));
  expect(await dies).toBe(true);
  stage.world.emulator.log.clear();
  const result = await stage.apply();
  expect(result.exitCode).toBe(exitCodes.done);
  expect(result.headline).toContain("1 change made");
  expect(stage.published()["DE"]?.["name"]).toBe("new");
});

const [all, none] = [
  { drift: "overwrite", conflict: "source-wins", missingTarget: "recreate" },
  { drift: "report", conflict: "report", missingTarget: "report" },
] as const;
const [update, create] = [{ action: "update" }, { action: "create" }] as const;

test.each([
  ["of what nothing was known", { ...update, print: ["a", "t"] }, none, false],
  ["of what stood as it was left", { ...update, print: ["b", "k"], was: ["a", "k"] }, none, false],
  ["of what they alone had changed", { ...update, print: ["a", "t"], was: ["a", "k"] }, none, true],
  ["the same", { ...update, print: ["a", "t"], was: ["a", "k"] }, { ...all, drift: "report" }, true],
  ["the same", { ...update, print: ["a", "t"], was: ["a", "k"] }, { ...none, drift: "overwrite" }, false],
  ["of what both had changed", { ...update, print: ["b", "t"], was: ["a", "k"] }, all, false],
  ["the same", { ...update, print: ["b", "t"], was: ["a", "k"] }, { ...all, conflict: "merge" }, true],
  ["the same", { ...update, print: ["b", "t"], was: ["a", "k"] }, { ...all, drift: "report" }, false],
  ["of a first part", { ...update, print: [partWritten, "t"], was: ["a", "k"] }, all, false],
  ["the same", { ...update, print: [partWritten, "t"], was: ["a", "k"] }, { ...all, drift: "report" }, true],
  [
    "the same",
    { ...update, print: [partWritten, "t"], was: ["a", "k"] },
    { ...all, conflict: "merge" },
    true,
  ],
  ["of what they had removed", { ...create, print: ["a", "a"], was: ["a", "k"] }, all, false],
  ["the same", { ...create, print: ["a", "a"], was: ["a", "k"] }, none, true],
  ["of what was never there", { ...create, print: ["a", "a"] }, none, false],
  ["of a deletion", { action: "delete", was: ["a", "k"] }, none, false],
  ["of what takes a row back", { ...update, print: ["a", "t"], was: ["a", "k"], back: true }, none, false],
] as const)("%s: %j under %j", (_what, intent, policy, expected) => {
  expect(isUnasked({ key: "k", name: "n", ...intent }, policy)).toBe(expected);
});
