import { expect, onTestFinished, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import type { World } from "../support/world.ts";
import { world } from "../support/world.ts";
import { seedTerm } from "../diff/support/content.ts";
import { Side } from "../diff/support/side.ts";
import { writes } from "./support.ts";

// Document 1 says that the realm is the tenant's name, and not that URNs spell it alike.

async function spelt(scenario: string): Promise<{ readonly made: World; readonly plan: Plan }> {
  const made = await world(scenario, { kept: "memory" });
  onTestFinished(() => made.close());
  const plan = made.plan();
  for (const side of ["source", "target"] as const)
    made.emulator.tenant(plan[side].name).quirks.realm = plan[side].realm.toUpperCase();
  const upper = <T extends Plan["source"]>(side: T): T => ({ ...side, realm: side.realm.toUpperCase() });
  return { made, plan: { ...plan, source: upper(plan.source), target: upper(plan.target) } };
}

test("where realms are not spelt as the tenants of URNs are, all that can travel arrives, and the second run writes nothing", async () => {
  const { made, plan } = await spelt("demo");
  const run = async (): ReturnType<typeof applyPlan> =>
    applyPlan(made.migration({}, { plan }), { confirm: async () => true, verify: true });
  const first = await run();
  expect(first.summary).toMatchObject({ failed: 0, blocked: 0 });
  const monitors = first.changes.filter(({ kind }) => kind === "monitors");
  expect(monitors.length).toBeGreaterThan(30);
  expect(new Set(monitors.map(({ outcome }) => outcome))).toEqual(new Set(["done"]));
  made.emulator.log.clear();
  // Two rules of the demo cannot be read whole, and are a person's.
  expect((await run()).summary).toMatchObject({ create: 0, update: 0, failed: 0, manual: 2 });
  expect(writes(made.emulator, "prod")).toEqual([]);
});

test("a URN of the source's tenant in a text is told as one all the same", async () => {
  const { made, plan } = await spelt("empty");
  const nobody = "urn:data:dev:catalog:term:00000000-0000-4000-8000-000000000000";
  seedTerm(new Side(made.emulator.tenant("dev")), "User", { description: encodeURIComponent(nobody) });
  const { changes } = await diffPlan(made.migration({ select: { kinds: ["terms"] } }, { plan }));
  expect(changes.flatMap(({ diagnostics }) => diagnostics)).toMatchObject([{ code: "loose-id" }]);
});
