import { describe, expect, onTestFinished, test } from "vitest";
import { diffPlan } from "../../src/operations/diff.ts";
import { doctorPlan } from "../../src/operations/doctor/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { PlanChanges, World } from "../support/world.ts";
import { world } from "../support/world.ts";
import { refusal } from "./support.ts";

const flow = { configuration: "Import", connection: "prod-wh", run: "always" } as const;

async function demo(): Promise<World> {
  const made = await world("demo", { kept: "memory" });
  onTestFinished(() => made.close());
  return made;
}

describe("what no other command goes on with fails a check of the doctor", () => {
  test.each<readonly [string, PlanChanges, string]>([
    [
      "an entity type that the source does not have",
      { select: { kinds: ["entities"], entityTypes: ["nope"] } },
      'dev: entity types: "select.entityTypes[0]": the source\'s metadata model has no such type',
    ],
    [
      "one that the service makes itself",
      { select: { kinds: ["entities"], entityTypes: ["source"] } },
      'dev: entity types: "select.entityTypes[0]": the service makes things of this type itself: they cannot be written',
    ],
    [
      "a flow that the target does not have",
      { select: { kinds: ["rules"] }, flows: { before: [{ ...flow, configuration: "Imprt" }], after: [] } },
      'prod: documentation flows: the target has no documentation flow "Imprt" (Did you mean Import?)',
    ],
    [
      "a connection that a flow is to run on",
      { select: { kinds: ["rules"] }, flows: { before: [], after: [{ ...flow, connection: "dev-wh" }] } },
      'prod: documentation flows: the target has no connection "dev-wh"',
    ],
  ])("%s", async (_what, changes, summary) => {
    const made = await demo();
    await refusal(diffPlan(made.migration(changes)));
    const found = await doctorPlan(made.migration(changes));
    expect(found).toMatchObject({ exitCode: exitCodes.usage, headline: "1 check failed." });
    expect(found.diagnostics.filter(({ severity }) => severity === "error")).toEqual([
      expect.objectContaining({ summary: expect.stringContaining(summary), suggestion: expect.any(String) }),
    ]);
  });

  test.each(["dev", "prod"])(
    "folders that %s does not let us list, where the plan needs them",
    async (tenant) => {
      const made = await demo();
      made.emulator.faults.add({
        match: { tenant, route: "GET /api/catalog/v1/folders" },
        effect: { type: "status", code: 403 },
      });
      const changes = { select: { kinds: ["sql-items"] } };
      await refusal(diffPlan(made.migration(changes)));
      const found = await doctorPlan(made.migration(changes));
      expect(found).toMatchObject({ exitCode: exitCodes.permission, headline: "1 check failed." });
      // Who moves none needs no permission for them.
      expect((await doctorPlan(made.migration({ select: { kinds: ["rules"] } }))).exitCode).toBe(
        exitCodes.done,
      );
    },
  );
});

test("what the plan names and is there is told", async () => {
  const made = await demo();
  const select = { kinds: ["entities", "rules"], entityTypes: ["dataProduct"] };
  const found = await doctorPlan(made.migration({ select, flows: { before: [flow], after: [flow] } }));
  expect(found.exitCode).toBe(exitCodes.done);
  expect(found.details).toMatchObject({
    checks: expect.arrayContaining([
      expect.objectContaining({ side: "dev", name: "entity types", state: "ok" }),
      expect.objectContaining({ side: "prod", name: "documentation flows", state: "ok" }),
      expect.objectContaining({ side: "prod", name: "folders", state: "ok" }),
    ]),
  });
});

test("URNs of another tenant than the realm are told: groups and parts are named with the realm", async () => {
  const made = await demo();
  made.emulator.tenant("prod").quirks.realm = "Prod";
  const plan = made.plan();
  const spelt = { ...plan, target: { ...plan.target, realm: "Prod" } };
  const told = async (wanted: typeof plan): Promise<readonly string[]> =>
    (await doctorPlan(made.migration({}, { plan: wanted }))).diagnostics
      .filter(({ code }) => code === "tenant-not-the-realm")
      .map(({ summary }) => summary);
  expect(await told(spelt)).toEqual([
    expect.stringContaining('of the tenant "prod", and the plan\'s realm is "Prod"'),
  ]);
  made.emulator.tenant("prod").quirks.realm = undefined;
  expect(await told(plan)).toEqual([]);
});
