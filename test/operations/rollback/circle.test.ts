import { expect, test } from "vitest";
import { removeEntity } from "../../../src/emulator/catalog/entities.ts";
import { seedEntity, seedMetadataProperty, seedMetadataType } from "../../../src/emulator/seed.ts";
import type { PlanChanges } from "../../support/world.ts";
import { apply, stage } from "../../diff/support/run.ts";
import { ended, rollback } from "./support.ts";

const plan: PlanChanges = { select: { kinds: ["entities"], entityTypes: ["report"] } };

test("what refers to itself, or to each other, comes back by its name: only the reference that closes the circle follows", async () => {
  const at = await stage();
  for (const { tenant } of [at.source, at.target]) {
    seedMetadataType(tenant, { name: "report" });
    for (const name of ["name", "note"]) seedMetadataProperty(tenant, "report", { name });
    seedMetadataProperty(tenant, "report", { name: "after", type: "ARRAY_REFERENCE", entityName: "report" });
  }
  const { tenant } = at.source;
  const made = ["Month", "Quarter"].map((name) =>
    seedEntity(tenant, {
      concreteType: "report",
      parentProperty: "reports",
      properties: { name, note: `of a ${name}` },
    }),
  );
  const urns = made.map(({ urn }) => urn);
  for (const row of made) tenant.entities.put({ ...row, properties: { ...row.properties, after: urns } });
  await apply(at, plan);
  for (const urn of urns) removeEntity(tenant, urn);
  await apply(at, plan, { allowDelete: true });
  expect(ended(await rollback(at, plan))).toEqual(["create entities done", "create entities done"]);

  const created = at.world.emulator.log.entries
    .filter(({ tenant: side, path }) => side === "prod" && path.endsWith("/entities/batch/create"))
    .flatMap(({ body }) => (body as { data: { properties: object }[] }).data);
  expect(created).toHaveLength(2);
  expect(created.map(({ properties }) => properties)).toEqual(
    expect.arrayContaining(["Month", "Quarter"].map((name) => ({ name, note: `of a ${name}` }))),
  );
  const back = [...at.target.tenant.entities.values()].filter(
    ({ concreteType }) => concreteType === "report",
  );
  const fresh = back.map(({ urn }) => urn);
  for (const { properties } of back) expect(new Set(properties["after"] as string[])).toEqual(new Set(fresh));
});
