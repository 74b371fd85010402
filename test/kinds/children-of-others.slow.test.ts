import { expect, test } from "vitest";
import * as emulator from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { seedFolder } from "../diff/support/content.ts";
import { itemCalled, removeSqlItem, seedIssue, seedSqlItem } from "./support/catalog.ts";
import { fresh } from "./support/place.ts";

const plan = { select: { kinds: ["folders", "sql-items"] } } as const;

/** An SQL item that was moved, with an issue that a colleague has put under it at the target. */
async function withTheirs(): Promise<{
  readonly at: Awaited<ReturnType<typeof fresh>>;
  readonly item: ReturnType<typeof seedSqlItem>;
}> {
  const at = await fresh();
  for (const side of [at.source, at.target]) {
    emulator.seedMetadataProperty(side.tenant, "catalogItem", {
      name: "issues",
      type: "ARRAY_EMBEDDED",
      entityName: "qualityIssue",
    });
    emulator.changeMetadataType(side.tenant, "qualityIssue", {
      nodePaths: ["/qualityIssues", "/sources/locations/catalogItems/issues"],
    });
  }
  const item = seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
  await at.apply(plan);
  seedIssue(at.target, "Theirs", {
    parentUrn: itemCalled(at.target, "Active").urn,
    parentProperty: "issues",
  });
  return { at, item };
}

function theirs({ target }: Awaited<ReturnType<typeof fresh>>): readonly unknown[] {
  return target.tenant.entities
    .valuesIn("type:qualityIssue")
    .map(({ properties }) => properties?.["name"])
    .filter((name) => name === "Theirs");
}

test("an item is not taken back with what a colleague has put under it", async () => {
  const { at } = await withTheirs();
  const result = await rollbackRun(at.world.migration(plan), {
    confirm: async () => true,
    allowDelete: true,
  });
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(theirs(at)).toEqual(["Theirs"]);
});

test("nor is it deleted with it", async () => {
  const { at, item } = await withTheirs();
  removeSqlItem(at.source, item);
  const result = await at.apply(plan, { allowDelete: true });
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(theirs(at)).toEqual(["Theirs"]);
});
