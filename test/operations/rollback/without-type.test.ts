import { expect, test } from "vitest";
import {
  changeMetadataType,
  removeMetadataType,
  seedEntity,
  seedMetadataProperty,
  seedMetadataType,
} from "../../../src/emulator/seed.ts";
import type { PlanChanges } from "../../support/world.ts";
import { apply, entryOf, stage } from "../../diff/support/run.ts";
import { ended, rollback } from "./support.ts";

const plan: PlanChanges = {
  select: { kinds: ["entities"], entityTypes: ["report"] },
  policy: { adopt: "never" },
};

test("an object of a type that the model has no more is not taken for gone, and is made once", async () => {
  const at = await stage();
  for (const { tenant } of [at.source, at.target]) {
    seedMetadataType(tenant, { name: "report" });
    seedMetadataProperty(tenant, "report", { name: "name" });
  }
  const { urn } = seedEntity(at.source.tenant, {
    concreteType: "report",
    parentProperty: "reports",
    properties: { name: "Month" },
  });
  await apply(at, plan);
  const { tenant } = at.target;
  const type = changeMetadataType(tenant, "report", {});
  // No request finds what is of it any more (document 1, "Metadata model"), and it is there still.
  removeMetadataType(tenant, "report");
  const back = await rollback(at, plan, { allowDelete: true });
  expect(ended(back)).toEqual(["manual entities"]);
  expect(back.changes[0]?.reason).toContain("has no type report");
  expect(await entryOf(at, urn)).toBeDefined();
  tenant.model.put(type);
  expect((await apply(at, plan)).changes).toEqual([]);
  const reports = [...tenant.entities.values()].filter(({ concreteType }) => concreteType === "report");
  expect(reports).toHaveLength(1);
  expect(ended(await rollback(at, plan, { allowDelete: true }))).toEqual(["delete entities done"]);
});
