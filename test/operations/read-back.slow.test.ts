import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { applyPlan } from "../../src/operations/apply.ts";
import { verifyPlan } from "../../src/operations/verify.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedDashboard, seedMonitor, seedRule, seedTerm } from "../diff/support/content.ts";
import { apply, type Stage, stage } from "../diff/support/run.ts";
import { editRule } from "../diff/support/web.ts";
import type { PlanChanges } from "../support/world.ts";
import { isToken } from "./support.ts";

const createRules = "POST /api/data-quality/v1/rules/batch/create";
const publishDashboard = "POST /api/data-quality/v1/dq-dashboards/:urn/publish";
const listRules = "GET /api/data-quality/v1/rules";
const rulesOnly: PlanChanges = { select: { kinds: ["rules"] } };

/** Something of every kind. */
async function filled(): Promise<Stage> {
  const at = await stage({ kept: "files" });
  for (const name of ["Email", "Phone", "Name"]) seedTerm(at.source, name);
  const rules = ["Email is set", "Phone is set"].map((name) => seedRule(at.source, name));
  for (const rule of rules) seedMonitor(at.source, rule, `Monitor of ${rule}`);
  for (const name of ["One", "Two"]) seedDashboard(at.source, name);
  return at;
}

/** Questions to the target, each with how often it was asked. */
function asked({ world }: Stage): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const entry of world.emulator.log.entries) {
    const isQuestion = entry.method === "GET" || entry.path.endsWith("/filter");
    if (entry.tenant !== "prod" || !isQuestion || isToken(entry)) continue;
    counts[entry.route] = (counts[entry.route] ?? 0) + 1;
  }
  return counts;
}

/** Does something once, when a request to the target has come so far for the nth time. */
function on(
  { world }: Stage,
  phase: "after-commit" | "answered",
  route: string,
  act: () => void,
  nth = 1,
): void {
  let count = 0;
  const off = world.emulator.on((event) => {
    if (event.phase !== phase || event.entry.route !== route || event.entry.tenant !== "prod") return;
    count += 1;
    if (count < nth) return;
    off();
    act();
  });
}

/** A colleague changes a rule that the run has just created. */
function colleague({ target }: Stage): void {
  const [rule] = target.tenant.rules.values();
  editRule(target, rule?.urn as Urn, { description: "edited by a colleague" });
}

describe("the proof of a run", () => {
  test("reads back once what was written, and no given thing again", async () => {
    const [at, plain] = [await filled(), await filled()];
    await apply(plain);
    const result = await apply(at, {}, { verify: true });
    expect(result.headline).toContain("Verified: the target is as it should be.");
    const before = asked(plain);
    const more = Object.entries(asked(at)).map(([route, count]) => [route, count - (before[route] ?? 0)]);
    expect(Object.fromEntries(more.filter(([, count]) => count !== 0))).toEqual({
      // For the names of extra properties: one that was added meanwhile is seen.
      "GET /api/catalog/v1/metadata-model/entities": 1,
      "GET /api/catalog/v1/terms": 1,
      [listRules]: 1,
      "GET /api/data-quality/v1/dq-monitors": 1,
      "GET /api/data-quality/v1/dq-dashboards": 1,
    });
  });

  test("reads back a kind while others are still written", async () => {
    const at = await filled();
    await apply(at, {}, { verify: true });
    const { entries } = at.world.emulator.log;
    const written = entries.findIndex(({ route }) => route === createRules);
    const back = entries.findLastIndex(({ route, tenant }) => tenant === "prod" && route === listRules);
    const last = entries.findLastIndex(({ route }) => route === publishDashboard);
    expect(written).toBeGreaterThan(0);
    expect(back).toBeGreaterThan(written);
    expect(back).toBeLessThan(last);
  });

  test("does not read what it did not write", async () => {
    const at = await filled();
    await apply(at);
    seedRule(at.source, "Later");
    const result = await apply(at, {}, { verify: true });
    expect(result.headline).toBe("1 change made. Verified: the target is as it should be.");
    expect(asked(at)).toMatchObject({
      "GET /api/catalog/v1/terms": 1,
      [listRules]: 2,
      "GET /api/data-quality/v1/dq-monitors": 1,
    });
  });

  test("of one that wrote nothing is its own diff", async () => {
    const at = await filled();
    await apply(at);
    const again = await apply(at, {}, { verify: true });
    expect(again.headline).toBe("Nothing to do. Verified: the target is as it should be.");
    expect(asked(at)).toMatchObject({
      "GET /api/catalog/v1/terms": 1,
      [listRules]: 1,
      "GET /api/data-quality/v1/dq-monitors": 1,
      "GET /api/data-quality/v1/dq-dashboards": 1,
    });
  });

  test("of one that only adopted is its own diff, too", async () => {
    const at = await filled();
    await apply(at, rulesOnly);
    rmSync(at.world.places().mapping, { recursive: true });
    const again = await apply(at, rulesOnly, { verify: true });
    expect(again.summary.adopt).toBe(2);
    expect(again.headline).toBe("2 changes made. Verified: the target is as it should be.");
    expect(asked(at)[listRules]).toBe(1);
  });

  test("finds what a colleague edits between the write and the reading back", async () => {
    const at = await filled();
    on(at, "after-commit", createRules, () => colleague(at));
    const result = await apply(at, rulesOnly, { verify: true });
    expect(result.exitCode).toBe(7);
    const found = result.diagnostics.filter(({ code }) => code === "verify-difference");
    expect(found.map(({ summary }) => summary)).toEqual([
      expect.stringContaining("drift (it was changed at the target since the last apply) at /description"),
    ]);
    // Before, read back, and once more: the whole comparison tells why a print is not as sent.
    expect(asked(at)[listRules]).toBe(3);
    expect((await verifyPlan(at.world.migration(rulesOnly))).exitCode).toBe(7);
  });

  test("leaves what is edited after the reading back to `ferry verify`", async () => {
    const at = await filled();
    on(at, "answered", listRules, () => colleague(at), 2);
    expect((await apply(at, rulesOnly, { verify: true })).exitCode).toBe(0);
    expect((await verifyPlan(at.world.migration(rulesOnly))).exitCode).toBe(7);
  });

  test("finds that a deleted object is there again", async () => {
    const at = await filled();
    await apply(at, rulesOnly);
    const [gone] = at.source.tenant.rules.values();
    at.source.tenant.rules.delete(gone?.urn as Urn);
    const twin = [...at.target.tenant.rules.values()].find(
      ({ published }) => published?.name === "Email is set",
    );
    on(at, "after-commit", "DELETE /api/data-quality/v1/rules/:urn", () => {
      if (twin !== undefined) at.target.tenant.rules.put(twin);
    });
    const result = await apply(at, rulesOnly, { verify: true, allowDelete: true });
    expect(result.summary.delete).toBe(1);
    // Read back, found otherwise, and compared as a whole.
    expect(asked(at)[listRules]).toBeGreaterThanOrEqual(3);
    expect(result.exitCode).toBe(7);
    expect(result.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "verify-difference",
        coordinate: expect.objectContaining({ name: "Email is set" }),
        summary: "the target is not as it should be: this run has deleted it, and it is there",
      }),
    );
  });

  test("is the whole comparison where the reading back fails", async () => {
    const at = await filled();
    at.world.emulator.faults.add({
      match: { tenant: "prod", route: listRules },
      when: { skip: 1, times: 1 },
      effect: { type: "status", code: 400 },
    });
    const result = await apply(at, rulesOnly, { verify: true });
    expect(result.exitCode).toBe(0);
    expect(result.headline).toContain("Verified: the target is as it should be.");
    expect(asked(at)[listRules]).toBe(3);
  });

  test("is none where neither can be read", async () => {
    const at = await filled();
    at.world.emulator.faults.add({
      match: { tenant: "prod", route: listRules },
      when: { skip: 1 },
      effect: { type: "status", code: 400 },
    });
    const result = await apply(at, rulesOnly, { verify: true });
    expect([result.exitCode, result.changes.length > 0]).toEqual([1, true]);
    expect(result.diagnostics.map(({ summary }) => summary).join("\n")).toContain("400");
  });

  test("is not given for a run that is interrupted, and nothing is read after its end", async () => {
    const at = await filled();
    const stop = new AbortController();
    const migration = at.world.migration({}, { stop: stop.signal });
    on(at, "after-commit", createRules, () => stop.abort());
    const result = await applyPlan(migration, { confirm: async () => true, verify: true });
    expect(result.exitCode).toBe(5);
    const { length } = at.world.emulator.log.entries;
    await migration.close();
    expect(at.world.emulator.log.entries).toHaveLength(length);
  });
});
