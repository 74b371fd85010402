import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { runQuery } from "../../src/emulator/seed.ts";
import { seedFolder } from "../diff/support/content.ts";
import { wanted } from "../diff/support/side.ts";
import { editQuery, seedPort, seedProduct, seedSqlItem } from "./support/catalog.ts";
import { changeOf, fresh } from "./support/place.ts";

const query =
  "SELECT d.EMAIL AS DEV_OWNER, p.EMAIL AS PROD_OWNER FROM DEV_SALES.CUSTOMER.CUSTOMER d, DEV_SALES.CUSTOMER.CUSTOMER p";
const pairing = { queries: [{ pattern: "DEV_", replace: "PROD_" }] };

/** The plan's renames make one column of two. */
async function compared(): Promise<Awaited<ReturnType<typeof fresh>>> {
  const at = await fresh();
  seedSqlItem(at.source, "Compare", seedFolder(at.source, "F"), { query });
  return at;
}

test("of two columns that would be one born column each has its own twin, or none", async () => {
  const at = await compared();
  const { attributes } = at.source.tenant;
  for (const column of ["DEV_OWNER", "PROD_OWNER"]) {
    const attribute = attributes.get(at.source.attribute("Compare", column));
    if (attribute !== undefined) attributes.put({ ...attribute, description: `About ${column}` });
  }
  const plan = { select: { kinds: ["folders", "sql-items", "attribute-metadata"] }, pairing } as const;
  const first = await at.apply(plan);
  expect(first.exitCode).toBe(exitCodes.partial);
  expect(JSON.stringify(first.changes)).toContain("several at the source fit the same one of it");
  const there = at.target.tenant.attributes.get(at.target.attribute("Compare", "PROD_OWNER"));
  expect([undefined, null, "", "About PROD_OWNER"]).toContain(there?.description);
  // Nothing stands in the way of the next run.
  expect((await at.apply(plan)).exitCode).toBe(exitCodes.partial);
});

test("nor does a list of references hold one of them twice", async () => {
  const at = await compared();
  const keys = ["DEV_OWNER", "PROD_OWNER"].map((column) => at.source.attribute("Compare", column));
  seedPort(at.source, seedProduct(at.source, "Sales"), "Table", { keys });
  const { exitCode } = await at.apply({
    select: { kinds: ["folders", "sql-items", "entities"], entityTypes: ["dataProduct", "outputPort"] },
    pairing,
  });
  expect(exitCode).toBe(exitCodes.partial);
  const held = at.target.tenant.entities
    .valuesIn("type:outputPort")
    .map(({ properties }) => properties?.["keys"]);
  for (const list of held)
    expect(new Set(list as readonly string[]).size).toBe((list as readonly string[]).length);
});

test("a column that does not show after a change of the query is told with the connection of the target, and not as of a creation alone", async () => {
  const at = await fresh();
  const plan = { select: { kinds: ["folders", "sql-items", "attribute-metadata"] } } as const;
  const item = seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
  await at.apply(plan);
  editQuery(at.source, item, "SELECT c.CUSTOMER_ID, c.EMAIL AS MAIL FROM DEV_SALES.CUSTOMER.CUSTOMER c");
  runQuery(at.source.tenant, item);
  const column = at.source.attribute("Active", "MAIL");
  const { attributes } = at.source.tenant;
  attributes.put({ ...wanted(attributes.get(column), column), description: "Where to write to" });
  const { reason, action } = changeOf(await at.apply(plan), column);
  expect(action).toBe("blocked");
  expect(reason).toContain('runs its query on the connection "prod-wh"');
  expect(reason).toContain("its creation, or a change of the query, succeeds even when that fails");
});
