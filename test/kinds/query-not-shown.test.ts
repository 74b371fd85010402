import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { seedFolder } from "../diff/support/content.ts";
import { seedSqlItem } from "./support/catalog.ts";
import { fresh } from "./support/place.ts";

test("an SQL item whose query is not shown is told, and the others are moved", async () => {
  const at = await fresh();
  const folder = seedFolder(at.source, "F");
  const item = seedSqlItem(at.source, "Hidden", folder);
  seedSqlItem(at.source, "Shown", folder);
  const { entities } = at.source.tenant;
  const [query] = entities.valuesIn(`type:dslQuery parent:${item}`);
  if (query !== undefined) entities.put({ ...query, properties: {} });
  const plan = { select: { kinds: ["folders", "sql-items"] } } as const;
  const result = await at.apply(plan);
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(
    result.changes
      .map(({ action, source }) => `${action} ${source?.name ?? ""}`)
      .toSorted((a, b) => (a < b ? -1 : 1)),
  ).toEqual(["blocked Hidden", "create F", "create Shown"]);
});
