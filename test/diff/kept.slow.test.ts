import { expect, test } from "vitest";
import { child, type JsonObject } from "../../src/emulator/json.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { PlanChanges } from "../support/world.ts";
import { configurePrimary, seedDashboard, seedRule, seedTerm } from "./support/content.ts";
import { writes } from "./support/log.ts";
import {
  apply,
  changeOf,
  decideOne,
  entryOf,
  expectAtRest,
  expectChange,
  keepTarget,
  stage,
  twinOf,
} from "./support/run.ts";
import type { Stage } from "./support/run.ts";
import { editDashboard, editMonitor, editRule, editTerm, removeTerm } from "./support/web.ts";
import { killedAt } from "../doubts/support.ts";

const terms: PlanChanges = { select: { kinds: ["terms"] } };

/** A term is moved, and somebody's description at the target is to stay: a person says so, or it is merged. */
async function kept(how: "decided" | "merged"): Promise<{
  readonly at: Stage;
  readonly plan: PlanChanges;
  readonly here: Urn;
  readonly there: Urn;
}> {
  const at = await stage({ kept: "files" });
  const plan: PlanChanges = { ...terms, ...(how === "merged" ? { policy: { conflict: "merge" } } : {}) };
  const here = seedTerm(at.source, "Customer");
  seedTerm(at.source, "Order");
  await apply(at, plan);
  const there = at.target.term("Customer");
  editTerm(at.target, there, { description: "theirs" });
  if (how === "decided") await keepTarget(at, plan);
  else editTerm(at.source, here, { abbreviation: "C" });
  await apply(at, plan);
  return { at, plan, here, there };
}

test.each(["decided", "merged"] as const)(
  "what the target was to keep (%s) is not overwritten when the source changes that very field: it is asked about",
  async (how) => {
    const { at, plan, here, there } = await kept(how);
    expect(at.target.body(there)).toMatchObject({ description: "theirs" });
    await expectAtRest(at, plan);

    editTerm(at.source, here, { description: "ours, too" });
    const result = await apply(at, plan);
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(changeOf(result, here)).toMatchObject({ action: "conflict" });
    expect(at.target.body(there)).toMatchObject({ description: "theirs" });
    // Whoever says that the source wins is not asked, and is told.
    const { headline } = await apply(at, { ...plan, policy: { conflict: "source-wins" } });
    expect(headline).toContain("what people set in 1 object was overwritten");
    expect(at.target.body(there)).toMatchObject({ description: "ours, too" });
  },
);

test("what a kept field refers to is made anew, and the source says what it said: it stays as it is", async () => {
  const at = await stage({ kept: "files" });
  const plan: PlanChanges = { ...terms, policy: { missingTarget: "recreate" } };
  const other = seedTerm(at.source, "Other");
  const link = (urn: string): string =>
    JSON.stringify([{ type: "entityReference", gid: urn.slice(-36), entityName: "a term" }]);
  const here = seedTerm(at.source, "Customer", { description: link(other) });
  await apply(at, plan);
  const there = at.target.term("Customer");
  editTerm(at.target, there, { description: "theirs" });
  await keepTarget(at, plan);
  await apply(at, plan);
  removeTerm(at.target, at.target.term("Other"));
  const result = await apply(at, plan);
  expect(changeOf(result, other)).toMatchObject({ action: "create", outcome: "done" });
  expect(changeOf(result, here)?.action ?? "unchanged").toBe("unchanged");
  expect(at.target.body(there)).toMatchObject({ description: "theirs" });
  await expectAtRest(at, plan);
});

test("what stands at the target in something of which the source says nothing is kept, whatever is removed otherwise", async () => {
  const at = await stage({ kept: "files" });
  const plan: PlanChanges = {
    select: { kinds: ["monitors"] },
    policy: { targetOnly: "remove" },
  };
  const samples = { invalidSamplesConfiguration: { enabled: true, sampleSize: 7 } };
  configurePrimary(at.source, "CUSTOMER", samples);
  await apply(at, plan);
  const there = at.target.primary("CUSTOMER");
  editMonitor(at.target, there, { overallDqThresholds: { theirs: { value: 48, severity: "WARNING" } } });
  await keepTarget(at, plan);
  for (let run = 0; run < 2; run += 1) {
    await apply(at, plan);
    const thresholds = Object.values(at.target.body(there)["overallDqThresholds"] ?? {});
    expect(thresholds).toMatchObject([{ value: 48, severity: "WARNING" }]);
  }
  await expectAtRest(at, plan);
});

test("what somebody has taken away at the target stays away, with what was around it", async () => {
  const at = await stage({ kept: "files" });
  const plan: PlanChanges = { select: { kinds: ["monitors"] }, policy: { targetOnly: "remove" } };
  configurePrimary(at.source, "CUSTOMER", {
    overallDqThresholds: { ours: { value: 48, severity: "WARNING" } },
  });
  await apply(at, plan);
  const there = at.target.primary("CUSTOMER");
  editMonitor(at.target, there, { overallDqThresholds: null });
  await keepTarget(at, plan);
  await apply(at, plan);
  await expectAtRest(at, plan);
  expect(at.target.body(there)["overallDqThresholds"] ?? {}).toEqual({});
});

test("what a killed run may have sent, and somebody may have taken back, is not merged over what was applied before", async () => {
  const at = await stage({ kept: "files" });
  const plan: PlanChanges = { ...terms, policy: { conflict: "merge" } };
  const here = seedTerm(at.source, "Customer", { description: "as it was" });
  await apply(at, plan);
  const there = at.target.term("Customer");
  editTerm(at.source, here, { description: "ours" });
  await killedAt(at, plan, "send:after");
  expect(at.target.body(there)).toMatchObject({ description: "ours" });
  // Back to what it was, and something else besides.
  editTerm(at.target, there, { description: "as it was", abbreviation: "T" });
  for (const run of ["the one that settles it", "any other"]) {
    const result = await apply(at, plan);
    expect(changeOf(result, here), run).toMatchObject({ action: "conflict" });
    expect(at.target.body(there)).toMatchObject({ description: "as it was", abbreviation: "T" });
  }
  await keepTarget(at, plan);
  await apply(at, plan);
  await expectAtRest(at, plan);
});

test.each(["decided", "merged"] as const)(
  "what the target was to keep (%s) is not deleted with what is gone at the source: it is left to a person",
  async (how) => {
    const { at, plan, here, there } = await kept(how);
    removeTerm(at.source, here);
    const result = await apply(at, plan, { allowDelete: true });
    expect(result.exitCode).toBe(exitCodes.partial);
    expectChange(result, here, "manual", "was to stay there");
    expect(at.target.body(there)).toMatchObject({ description: "theirs" });
  },
);

test.each(["decided", "merged"] as const)(
  "what the target was to keep (%s) is not lost with a new one in its place: it is asked about, and a person's word is enough",
  async (how) => {
    const at = await stage({ kept: "files" });
    const conflict = how === "merged" ? "merge" : "report";
    const plan: PlanChanges = {
      select: { kinds: ["dashboards"] },
      policy: { replace: "allow", conflict },
    };
    const here = seedDashboard(at.source, "Overview", { dqMonitorUrns: [at.source.primary("SALES_ORDER")] });
    await apply(at, plan);
    const there = at.target.dashboard("Overview");
    editDashboard(at.target, there, { name: "Theirs" });
    if (how === "decided") {
      await keepTarget(at, plan);
      await apply(at, plan);
    }
    editDashboard(at.source, here, {
      dqMonitorUrns: [at.source.primary("SALES_ORDER"), at.source.primary("CUSTOMER")],
    });
    const result = await apply(at, plan);
    expect(changeOf(result, here)).toMatchObject({ action: "conflict" });
    expect(writes(at.world)).toEqual([]);
    await decideOne(at, plan, "take-source");
    expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "replace", outcome: "done" });
    await expectAtRest(at, plan);
  },
);

/** Somebody has added a word to a part at the target, which is to stay, and the source has that part no more. */
async function partGone(how: "decided" | "merged", kind: "rules" | "monitors") {
  const at = await stage({ kept: "files" });
  const policy: PlanChanges["policy"] = how === "merged" ? { conflict: "merge" } : {};
  const plan: PlanChanges = { select: { kinds: [kind] }, policy };
  const [map, edit] =
    kind === "rules" ? (["parameters", editRule] as const) : (["overallDqThresholds", editMonitor] as const);
  const thresholds = {
    overallDqThresholds: { one: { value: 48, severity: "WARNING" }, two: { value: 50, severity: "ERROR" } },
  };
  const parameters = {
    parameters: { one: { name: "one", dataType: "STRING" }, two: { name: "two", dataType: "STRING" } },
  };
  const here = kind === "rules" ? seedRule(at.source, "Email", parameters) : at.source.primary("CUSTOMER");
  if (kind === "monitors") configurePrimary(at.source, "CUSTOMER", thresholds);
  expect((await apply(at, plan)).exitCode).toBe(exitCodes.done);
  const there = (await twinOf(at, here)) as Urn;
  const partsThere = (): JsonObject => child(at.target.body(there), map) ?? {};
  const [key = ""] = Object.keys(partsThere());
  edit(at.target, there, { [map]: { [key]: { description: "theirs" } } });
  if (how === "decided") await keepTarget(at, plan);
  else edit(at.source, here, { description: "ours" });
  expect((await apply(at, plan)).exitCode).toBe(exitCodes.done);
  expect(partsThere()).toMatchObject({ [key]: { description: "theirs" } });
  await expectAtRest(at, plan);
  const [gone = ""] = Object.keys(child(at.source.body(here), map) ?? {});
  edit(at.source, here, { [map]: { [gone]: null } });
  return { at, plan, here, key, partsThere };
}

test.each([
  ["decided", "rules"],
  ["merged", "rules"],
  ["decided", "monitors"],
  ["merged", "monitors"],
] as const)(
  "a part in which something was to be kept (%s) goes as a whole once the source has it no more, and a person is asked: %s",
  async (how, kind) => {
    const { at, plan, here, key, partsThere } = await partGone(how, kind);
    expectChange(
      await apply(at, plan),
      here,
      "conflict",
      "the source has changed what the target was to keep",
    );
    expect(writes(at.world)).toEqual([]);
    await decideOne(at, plan, "take-source");
    const done = await apply(at, plan);
    expect(changeOf(done, here)).toMatchObject({ action: "update", outcome: "done" });
    expect(Object.keys(partsThere())).not.toContain(key);
    expect(Object.keys(partsThere())).toHaveLength(1);
    await expectAtRest(at, plan);
  },
);

test("what both sides say by now is kept by nobody: the source changes it again, and takes it along when it goes", async () => {
  const { at, plan, here, there } = await kept("decided");
  editTerm(at.target, there, { description: at.source.body(here)["description"] ?? null });
  await expectAtRest(at, plan);
  expect((await entryOf(at, here))?.kept).toBeUndefined();
  editTerm(at.source, here, { description: "another" });
  expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "update", outcome: "done" });
  removeTerm(at.source, here);
  const gone = await apply(at, plan, { allowDelete: true });
  expect(gone.changes).toMatchObject([{ action: "delete", outcome: "done", target: { urn: there } }]);
});
