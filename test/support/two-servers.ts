import { onTestFinished } from "vitest";
import { prepareDemo } from "../../src/emulator/scenarios/demo/index.ts";
import { prepareEmpty } from "../../src/emulator/scenarios/empty.ts";
import type { Tenant } from "../../src/emulator/index.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Migration } from "../../src/operations/migration.ts";
import { planOf, type PlanChanges } from "./plan.ts";
import { world } from "./world.ts";

/** Two servers, each with one tenant, and both tenants have one name: what a URN says of its tenant tells nobody apart. */
export interface TwoServers {
  readonly source: Tenant;
  readonly target: Tenant;
  readonly plan: (changes?: PlanChanges) => Plan;
  readonly migration: (changes?: PlanChanges) => Migration;
}

export async function twoServers(scenario: "demo" | "empty"): Promise<TwoServers> {
  const [one, other] = await Promise.all([
    world("", { kept: "memory" }),
    world("", { kept: "memory", seed: 77 }),
  ]);
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()]);
  });
  const [source, target] = [one.emulator.tenant("dev"), other.emulator.tenant("dev")];
  (scenario === "demo" ? prepareDemo : prepareEmpty)(source, target);
  const at = { ...one.plan().source };
  const there = {
    ...at,
    name: "prod",
    baseUrl: other.emulator.baseUrl("dev"),
    authUrl: other.emulator.baseUrl("dev"),
  };
  const plan = (changes: PlanChanges = {}): Plan => ({ ...planOf(changes, () => at), target: there });
  return { source, target, plan, migration: (changes) => one.migration({}, { plan: plan(changes) }) };
}
