import { expect, test } from "vitest";
import * as emulator from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { seedFolder } from "../diff/support/content.ts";
import { seedProduct } from "./support/catalog.ts";
import { fresh } from "./support/place.ts";

const plan = { select: { kinds: ["folders", "entities"], entityTypes: ["dataProduct"] } } as const;

function held({ target }: Awaited<ReturnType<typeof fresh>>): readonly unknown[] {
  const [product] = target.tenant.entities.valuesIn("type:dataProduct");
  const folder = [...target.tenant.folders.values()].find(({ name }) => name === "F");
  return [product?.properties?.["tier"], folder?.extraProperties?.["costCentre"]];
}

test("a property that the source's model does not name any more is not taken for empty", async () => {
  const at = await fresh();
  seedProduct(at.source, "Sales", { tier: 1 });
  seedFolder(at.source, "F", undefined, { extraProperties: { costCentre: "1" } });
  await at.apply(plan);
  expect(held(at)).toEqual([1, "1"]);
  emulator.removeMetadataProperty(at.source.tenant, "dataProduct", "tier");
  emulator.removeMetadataProperty(at.source.tenant, "folder", "costCentre");
  const result = await at.apply(plan);
  expect([result.exitCode, result.summary.update]).toEqual([exitCodes.done, 0]);
  expect(held(at)).toEqual([1, "1"]);
  const again = await at.apply(plan);
  expect([again.exitCode, again.headline]).toEqual([
    exitCodes.done,
    expect.stringContaining("Nothing to do"),
  ]);
});
