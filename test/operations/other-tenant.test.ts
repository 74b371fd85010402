import { expect, onTestFinished, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { setMappings } from "../../src/operations/mappings.ts";
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

test("a pair the wrong way round is refused by what is mapped, where realms say nothing of it", async () => {
  const { made, plan } = await spelt("empty");
  const [dev, prod] = ["dev", "prod"].map((tenant) => new Side(made.emulator.tenant(tenant)));
  if (dev === undefined || prod === undefined) throw new Error("a side is missing");
  seedTerm(dev, "Mapped");
  const terms = { select: { kinds: ["terms"] } };
  const wanted = { ...plan, select: { ...plan.select, ...terms.select } };
  await applyPlan(made.migration(terms, { plan: wanted }), { confirm: async () => true });
  const [source, target] = [seedTerm(dev, "Other"), seedTerm(prod, "Another")];
  const set = async (one: string, other: string): Promise<unknown> =>
    setMappings(made.migration(terms, { plan: wanted }), [{ source: one, target: other }], { check: true });
  await expect(set(target, source)).rejects.toThrow("stands where one of dev belongs");
  await set(source, target);
});
