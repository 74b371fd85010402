import { seedAttribute } from "../../src/emulator/seed.ts";
import { attributes } from "../../src/kinds/attributes.ts";
import { contract } from "./contract.ts";
import { monitorMapping } from "./support/users.ts";
import { expect, test } from "vitest";
import { seedCatalogItem } from "../../src/emulator/seed.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";
import { locationOf } from "./support/first.ts";
import { type Side, wanted } from "../diff/support/side.ts";
import type { Urn } from "../../src/model/urn.ts";

contract({
  kind: attributes,
  select: ["rules", "monitors"],
  seed,
  user: (from, given) => monitorMapping(from, given),
});

const plan = { select: { kinds: ["rules", "monitors"] } };

function seed(side: Side, name: string): Urn {
  return seedAttribute(side.tenant, side.item("CUSTOMER"), name).urn;
}

test("column names follow the plan's renames; the same name comes first", async () => {
  const at = await fresh();
  const [renamed, same] = [seed(at.source, "DEV_FLAG"), seed(at.source, "DEV_MARK")];
  const twins = [seed(at.target, "PROD_FLAG"), seed(at.target, "DEV_MARK")];
  const others = [seed(at.target, "PROD_MARK")];
  const users = [monitorMapping(at.source, renamed), monitorMapping(at.source, same)];
  await at.apply(plan);
  for (const [index, user] of users.entries()) {
    const body = JSON.stringify(at.target.body(await at.twinOf(user)));
    expect(body).toContain(twins[index]);
    for (const other of others) expect(body).not.toContain(other);
  }
});

test("an attribute of an item without a twin has none either, and says why", async () => {
  const at = await fresh();
  const { item, attributes: columns } = seedCatalogItem(at.source.tenant, {
    name: "ONLY_HERE",
    parentUrn: locationOf(at.source, "CUSTOMER"),
    originPath: "PLACE/ONLY_HERE",
    attributes: ["CODE"],
  });
  const user = monitorMapping(at.source, wanted(columns["CODE"], "column").urn, item.urn);
  const change = changeOf(await at.apply(plan), user);
  expect(change.action).toBe("blocked");
  const [ofItem, ofColumn] = change.diagnostics;
  expect(ofColumn?.summary).toMatch(
    /attributes "CODE": its catalog item "ONLY_HERE" has no twin at the target$/,
  );
  // One thing is behind both: it is mended once.
  expect(ofColumn?.cause).toEqual(ofItem?.cause);
});

/** Adds so many tables with one column each to both sides, and a monitor on each at the source. */
function tables(at: Place, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const [here] = [at.source, at.target].map((side) =>
      seedCatalogItem(side.tenant, {
        name: `T${number}`,
        parentUrn: locationOf(side, "CUSTOMER"),
        originPath: `PLACE/T${number}`,
        attributes: ["CODE"],
      }),
    );
    const { item, attributes: columns } = wanted(here, "item");
    monitorMapping(at.source, wanted(columns["CODE"], "column").urn, item.urn);
  }
}

/** What the target was asked: with an item, or for a page of the whole list. */
function questions(at: Place): { readonly byItem: number; readonly pages: number } {
  const asked = at.world.emulator.log.entries.filter(
    ({ tenant, method, path }) =>
      tenant === "prod" && method === "GET" && path === "/api/catalog/v1/attributes",
  );
  const byItem = asked.filter(({ query }) => query["catalogItemUrn"] !== undefined).length;
  return { byItem, pages: asked.length - byItem };
}

test("few items are asked for one by one, many by the pages of the whole list when those are fewer", async () => {
  const few = await fresh();
  tables(few, 2);
  await few.diff(plan);
  expect(questions(few)).toEqual({ byItem: 2, pages: 0 });
  const many = await fresh();
  tables(many, 8);
  await many.diff(plan);
  const pages = Math.ceil(many.target.tenant.attributes.size / 100);
  expect(questions(many)).toEqual({ byItem: 0, pages });
});
