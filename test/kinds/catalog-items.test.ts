import { seedCatalogItem } from "../../src/emulator/seed.ts";
import { catalogItems } from "../../src/kinds/catalog-items.ts";
import { contract } from "./contract.ts";
import { locationOf } from "./support/first.ts";
import { seedFolder } from "../diff/support/content.ts";
import { seedSqlItem } from "./support/catalog.ts";
import { monitorOf } from "./support/users.ts";
import { expect, test } from "vitest";
import { seedLocation, seedSource } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { Side } from "../diff/support/side.ts";
import { changeOf, fresh } from "./support/place.ts";

contract({
  kind: catalogItems,
  select: ["monitors"],
  seed: (side, name) =>
    seedCatalogItem(side.tenant, {
      name,
      parentUrn: locationOf(side, "CUSTOMER"),
      originPath: `PLACE/${name}`,
    }).item.urn,
  user: monitorOf,
});

const plan = { select: { kinds: ["monitors"] } };

/** An item in a source of its own. */
function itemIn(side: Side, source: string, name: string, originPath: string): Urn {
  const { urn: sourceUrn } = seedSource(side.tenant, { name: source });
  const { urn: parentUrn } = seedLocation(side.tenant, { name: "Place", parentUrn: sourceUrn });
  return seedCatalogItem(side.tenant, { name, parentUrn, originPath }).item.urn;
}

test("path and name follow the plan's renames, and without them nothing fits", async () => {
  const at = await fresh();
  const source = itemIn(at.source, "Base", "DEV_ORDERS", "DEV_SALES/DEV_ORDERS");
  const target = itemIn(at.target, "Base", "PROD_ORDERS", "PROD_SALES/PROD_ORDERS");
  const user = monitorOf(at.source, source);
  const without = changeOf(await at.apply({ ...plan, pairing: { paths: [] } }), user);
  expect(without.action).toBe("blocked");
  // Items are looked up by name: of one that has another name there, nothing is known.
  expect(without.reason).toMatch(
    /path "DEV_SALES\/DEV_ORDERS", name "DEV_ORDERS"; nothing there has that name/,
  );
  const paths = [
    { pattern: "DEV_", replace: "PROD_" },
    { pattern: "/DEV_", replace: "/PROD_" },
  ];
  await at.apply({ ...plan, pairing: { paths } });
  expect(at.target.body(await at.twinOf(user))["catalogItemUrn"]).toBe(target);
});

test("a copy under the old path is not taken for what the plan calls otherwise", async () => {
  const at = await fresh();
  const source = itemIn(at.source, "Base", "ORDERS", "DEV_SALES/ORDERS");
  const copy = itemIn(at.target, "Base", "ORDERS", "DEV_SALES/ORDERS");
  const user = monitorOf(at.source, source);
  const renamed = { ...plan, pairing: { paths: [{ pattern: "^DEV_", replace: "PROD_" }] } };
  const change = changeOf(await at.apply(renamed), user);
  expect(change).toMatchObject({ action: "blocked" });
  expect(change.reason).toContain('path "PROD_SALES/ORDERS"');
  expect(change.reason).toContain(`(${copy}), with another path: "DEV_SALES/ORDERS"`);
  // The rule stands in the plan because a person wants it so.
  expect(change.diagnostics[0]?.suggestion).not.toContain("correct");
  await at.apply({ ...plan, pairing: { paths: [] } });
  expect(at.target.body(await at.twinOf(user))["catalogItemUrn"]).toBe(copy);
});

test("nor is one under the old name, where its path does not say that name", async () => {
  const at = await fresh();
  const named = { ...plan, pairing: { paths: [{ pattern: "^DEV_", replace: "PROD_" }] } };
  const [left, said] = ["SALES", "SALES/DEV_CLIENTS"].map((path) =>
    monitorOf(at.source, itemIn(at.source, "Base", path === "SALES" ? "DEV_ORDERS" : "DEV_CLIENTS", path)),
  );
  itemIn(at.target, "Base", "DEV_ORDERS", "SALES");
  const clients = itemIn(at.target, "Base", "DEV_CLIENTS", "SALES/DEV_CLIENTS");
  const result = await at.apply(named);
  const change = changeOf(result, left ?? "");
  expect(change).toMatchObject({ action: "blocked" });
  expect(change.reason).toContain('name "PROD_ORDERS" ("DEV_ORDERS" at the source)');
  // A rule for paths fits this name by chance: by its path it is the same there.
  expect(at.target.body(await at.twinOf(said ?? ""))["catalogItemUrn"]).toBe(clients);
});

test("an SQL item is in the folder that has the name of its own: folders are moved under the names that they have", async () => {
  const at = await fresh();
  for (const side of [at.source, at.target]) seedSqlItem(side, "Active", seedFolder(side, "DEV_Views"));
  const user = monitorOf(at.source, at.source.item("Active"));
  await at.apply({ ...plan, pairing: { paths: [{ pattern: "^DEV_", replace: "PROD_" }] } });
  expect(at.target.body(await at.twinOf(user))["catalogItemUrn"]).toBe(at.target.item("Active"));
});

test("the same path in two sources: the twin of the item's source decides", async () => {
  const at = await fresh();
  const source = itemIn(at.source, "Base", "ORDERS", "SALES/ORDERS");
  const [, twin] = ["Other", "Base"].map((name) => itemIn(at.target, name, "ORDERS", "SALES/ORDERS"));
  const user = monitorOf(at.source, source);
  await at.apply(plan);
  expect(at.target.body(await at.twinOf(user))["catalogItemUrn"]).toBe(twin);
});

test("a source with a twin that has no such item: another source's item is no twin", async () => {
  const at = await fresh();
  const source = itemIn(at.source, "Base", "ORDERS", "SALES/ORDERS");
  itemIn(at.target, "Other", "ORDERS", "SALES/ORDERS");
  seedSource(at.target.tenant, { name: "Base" });
  const user = monitorOf(at.source, source);
  const change = changeOf(await at.apply(plan), user);
  expect(change.action).toBe("blocked");
  const [diagnostic] = change.diagnostics;
  expect(diagnostic?.summary).toMatch(
    /looked for source "Base", path "SALES\/ORDERS", name "ORDERS"; the nearest there is "ORDERS" \(urn:[^)]*\), with another source: "Other"$/,
  );
  expect(diagnostic?.suggestion).toBe(
    'In the plan, under pairing.sources, add `"Base": "Other"` (a guess: check it)',
  );
});

test("a source without a known twin: path and name decide while they fit one item", async () => {
  const at = await fresh();
  const source = itemIn(at.source, "Unknown here", "ORDERS", "SALES/ORDERS");
  const only = itemIn(at.target, "Base", "ORDERS", "SALES/ORDERS");
  const user = monitorOf(at.source, source);
  await at.apply(plan);
  expect(at.target.body(await at.twinOf(user))["catalogItemUrn"]).toBe(only);
});

test.each([
  ["that the plan pairs with another one", { sources: { Elsewhere: "Base" } }, "Base"],
  ["that has the name of another one", {}, "Elsewhere"],
  [
    "where the plan says another twin, which is not there",
    { sources: { "Unknown here": "Nowhere" } },
    "Base",
  ],
] as const)("a source without a twin: an item of a source %s is no twin", async (_, pairing, name) => {
  const at = await fresh();
  const source = itemIn(at.source, "Unknown here", "ORDERS", "SALES/ORDERS");
  // Something refers to an item of that one as well.
  const other = monitorOf(at.source, itemIn(at.source, "Elsewhere", "CLIENTS", "SALES/CLIENTS"));
  itemIn(at.target, name, "ORDERS", "SALES/ORDERS");
  const user = monitorOf(at.source, source);
  const result = await at.apply({ ...plan, pairing });
  expect(changeOf(result, other)).toMatchObject({ action: "blocked" });
  const change = changeOf(result, user);
  expect(change).toMatchObject({ action: "blocked" });
  expect(change.reason).toContain('its source "Unknown here" has no twin at the target');
  expect(change.diagnostics[0]?.suggestion).toContain("under pairing.sources, ");
});

test("a source without a known twin: several items that fit block it and are named", async () => {
  const at = await fresh();
  const source = itemIn(at.source, "Unknown here", "ORDERS", "SALES/ORDERS");
  const fitting = ["Base", "Other"].map((name) => itemIn(at.target, name, "ORDERS", "SALES/ORDERS"));
  const user = monitorOf(at.source, source);
  const change = changeOf(await at.apply(plan), user);
  expect(change.action).toBe("blocked");
  for (const urn of fitting) expect(JSON.stringify(change.diagnostics)).toContain(urn);
});
