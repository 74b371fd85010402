import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyPlan } from "../../src/operations/apply.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import type { Result } from "../../src/model/result.ts";
import { seedTerm } from "../diff/support/content.ts";
import { apply, diff, stage, type Stage } from "../diff/support/run.ts";
import type { PlanChanges } from "../support/world.ts";

const kinds: PlanChanges = { select: { kinds: ["terms"] } };
const never: PlanChanges = { ...kinds, policy: { adopt: "never" } };

/** The same plan, whose target is called otherwise. */
function renamed({ world }: Stage, changes: PlanChanges): ReturnType<typeof world.migration> {
  const plan = world.plan(changes);
  return world.migration(changes, { plan: { ...plan, target: { ...plan.target, name: "live" } } });
}

async function applyRenamed(at: Stage, changes: PlanChanges): Promise<Result> {
  return applyPlan(renamed(at, changes), { confirm: async () => true });
}

async function moved(changes: PlanChanges): Promise<Stage> {
  const at = await stage({ kept: "files" });
  for (const name of ["One", "Two"]) seedTerm(at.source, name);
  await apply(at, changes);
  expect(at.target.tenant.terms.size).toBe(2);
  return at;
}

test("where an environment got another name, nothing is made once more: what was known under the old one is named", async () => {
  const at = await moved(never);
  const refused = {
    name: "StoreError",
    message: expect.stringContaining("holds that of the same two environments under other names"),
    suggestion: expect.stringContaining("rename that folder"),
  };
  await expect(applyRenamed(at, never)).rejects.toMatchObject(refused);
  await expect(diffPlan(renamed(at, never), {})).rejects.toMatchObject(refused);
  expect(at.target.tenant.terms.size).toBe(2);

  const mappings = join(at.world.folder, "mappings");
  await rm(join(mappings, "dev--live"), { recursive: true, force: true });
  await rename(join(mappings, "dev--prod"), join(mappings, "dev--live"));
  expect(await applyRenamed(at, never)).toMatchObject({
    exitCode: 0,
    summary: { create: 0, unchanged: 2 },
  });
  expect(at.target.tenant.terms.size).toBe(2);
});

test("what is equal is adopted under the new name, as the plan says", async () => {
  const at = await moved(kinds);
  expect(await applyRenamed(at, kinds)).toMatchObject({ exitCode: 0, summary: { create: 0, adopt: 2 } });
});

test("a mapping of other environments keeps nobody from beginning", async () => {
  const at = await moved(never);
  const mappings = join(at.world.folder, "mappings");
  await rename(join(mappings, "dev--prod"), join(mappings, "test--live"));
  const plan = at.world.plan(never);
  const other = {
    ...plan,
    target: { ...plan.target, name: "other" },
    source: { ...plan.source, name: "begin" },
  };
  // The source of that mapping is the target here, and the target its source.
  const turned = {
    ...other,
    source: { ...plan.target, name: "begin" },
    target: { ...plan.source, name: "other" },
  };
  expect(await diffPlan(at.world.migration(never, { plan: turned }), {})).toMatchObject({
    summary: { create: 2 },
  });
  expect((await diff(at, { ...never, policy: { adopt: "identical" } })).summary).toMatchObject({ create: 0 });
});
