import { expect, test } from "vitest";
import { rollbackRun } from "../../../src/operations/rollback.ts";
import type { Result } from "../../../src/model/result.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { killedAt } from "../../doubts/support.ts";
import { seedMonitor, seedRule, seedTerm } from "../../diff/support/content.ts";
import type { Stage } from "../../diff/support/run.ts";
import { apply, stage, twinOf } from "../../diff/support/run.ts";
import { editRule, editTerm, removeTerm } from "../../diff/support/web.ts";
import { rollback, terms } from "./support.ts";

const plan = { select: { kinds: ["rules", "monitors"] } };
const deletion = { tenant: "prod", route: "DELETE /api/data-quality/v1/rules/:urn" } as const;

async function back({ world }: Stage): Promise<Result> {
  return rollbackRun(world.migration(plan), { allowDelete: true, confirm: async () => true });
}

/** A run whose deletion does not arrive, and is refused when it is sent again. */
async function deletesInVain(here: Stage): Promise<void> {
  const { faults } = here.world.emulator;
  faults.add({ match: deletion, when: { times: 1 }, effect: { type: "drop-before-commit" } });
  faults.add({ match: deletion, effect: { type: "status", code: 400 } });
  await apply(here, plan, { allowDelete: true });
  faults.clear();
}

test("what leads to something whose deletion never arrived comes back, since that is there", async () => {
  const here = await stage();
  const rule = seedRule(here.source, "Email");
  const monitor = seedMonitor(here.source, rule, "Customers");
  await apply(here, plan);
  here.source.tenant.monitors.delete(monitor);
  here.source.tenant.rules.delete(rule);
  await deletesInVain(here);
  expect([here.target.tenant.rules.size, here.target.tenant.monitors.has(monitor)]).toEqual([1, false]);
  const result = await back(here);
  expect([result.exitCode, result.summary.manual]).toEqual([0, 0]);
  expect(here.target.monitor("Customers")).toBeDefined();
  expect(here.target.tenant.rules.size).toBe(1);
});

test("what a run changed, and whose deletion never arrived then, is changed back", async () => {
  const here = await stage();
  const rule = seedRule(here.source, "Email");
  await apply(here, plan);
  editRule(here.source, rule, { description: "Changed." });
  // It is gone at the source as the run that goes on with this one reads it.
  let outcomes = 0;
  const reached = (at: string): void => {
    if (at === "outcome:after" && (outcomes += 1) === 2) throw new Error("killed");
  };
  const { applyPlan } = await import("../../../src/operations/apply.ts");
  const killed = applyPlan(here.world.migration(plan, { hooks: { reached } }), { confirm: async () => true });
  await expect(killed).rejects.toThrow("killed");
  here.source.tenant.rules.delete(rule);
  await deletesInVain(here);
  expect(here.target.body(here.target.rule("Email"))["description"]).toBe("Changed.");
  expect((await back(here)).exitCode).toBe(0);
  expect(here.target.body(here.target.rule("Email"))["description"]).not.toBe("Changed.");
});

test("what runs that went on with each other have changed before and after such a deletion is changed back to the first", async () => {
  const here = await stage();
  seedTerm(here.source, "Stays");
  const term = seedTerm(here.source, "Term", { description: "first" });
  await apply(here, terms);
  const twin = (await twinOf(here, term)) as Urn;
  editTerm(here.source, term, { description: "second" });
  await killedAt(here, terms, "outcome:after");
  const there = here.source.tenant.terms.get(term);
  removeTerm(here.source, term);
  await killedAt(here, terms, "intent:after", 1, { allowDelete: true });
  // Somebody has brought it back at the source.
  if (there !== undefined) here.source.tenant.terms.put(there);
  editTerm(here.source, term, { description: "third" });
  expect((await apply(here, terms)).summary).toMatchObject({ update: 1 });
  expect(await rollback(here, terms)).toMatchObject({ exitCode: 0, summary: { update: 1 } });
  expect(here.target.body(twin)["description"]).toBe("first");
});
