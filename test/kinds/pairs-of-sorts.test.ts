import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { readState } from "../../src/operations/state.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import { seedCatalogItem } from "../../src/emulator/seed.ts";
import { seedFolder, seedMonitor, seedRule } from "../diff/support/content.ts";
import { apply, diff, expectChange, refusal, stage, type Stage } from "../diff/support/run.ts";
import { sourceWrites, writes } from "../diff/support/log.ts";
import type { PlanChanges } from "../support/world.ts";
import { itemCalled, removeSqlItem, seedSqlItem } from "./support/catalog.ts";

/** An SQL item and an imported one have URNs of one type, and are two sorts of things: they are no twins of each other. */

const plan: PlanChanges = { select: { kinds: ["folders", "sql-items"] } };

interface Sorts extends Stage {
  readonly sql: Urn;
}

async function begin(): Promise<Sorts> {
  const at = await stage();
  return { ...at, sql: seedSqlItem(at.source, "Active", seedFolder(at.source, "F")) };
}

const rowsOf = async (at: Stage): Promise<number> => {
  const { mapping } = await readState(at.world.migration(plan));
  return [...mapping.kinds()].flatMap((kind) => [...mapping.entries(kind)]).length;
};

test.each([undefined, "sql-items", "catalog-items"])(
  "an SQL item is not paired with an imported one (--kind %s)",
  async (kind) => {
    const at = await begin();
    const pair = { kind, source: at.sql, target: at.target.item("CUSTOMER") };
    const error = await refusal(async () => setMappings(at.world.migration(plan), [pair], { check: true }));
    expect(error.code).toBe("selection");
    expect(error.message).toBe(
      `${at.sql} is an SQL item at dev, and ${at.target.item("CUSTOMER")} an imported item at prod; nothing was set`,
    );
    expect(await rowsOf(at)).toBe(0);
  },
);

test("nor an imported one with an SQL item", async () => {
  const at = await begin();
  const other = seedSqlItem(at.target, "Other", seedFolder(at.target, "G"));
  const pair = { source: at.source.item("CUSTOMER"), target: other };
  const error = await refusal(async () => setMappings(at.world.migration(plan), [pair], { check: true }));
  expect(error.message).toContain(`is an imported item at dev, and ${other} an SQL item at prod`);
  expect(await rowsOf(at)).toBe(0);
});

test("two of one sort are, whatever they are called", async () => {
  const at = await begin();
  const other = seedSqlItem(at.target, "Other", seedFolder(at.target, "G"));
  const pairs = [
    { source: at.sql, target: other },
    { source: at.source.item("CUSTOMER"), target: at.target.item("PRODUCT") },
  ];
  for (const pair of pairs) await setMappings(at.world.migration(plan), [pair], { check: true });
  expect(await rowsOf(at)).toBe(2);
});

test.each(["report", "recreate"] as const)(
  "one that was set unchecked writes nothing to the imported item, and deletes it never (missingTarget: %s)",
  async (missingTarget) => {
    const at = await begin();
    const forced: PlanChanges = { ...plan, policy: { missingTarget } };
    const item = at.target.item("CUSTOMER");
    await setMappings(at.world.migration(forced), [{ source: at.sql, target: item }]);
    const before = at.target.body(item);
    expectChange(await apply(at, forced), at.sql, "manual", /.+/);
    removeSqlItem(at.source, at.sql);
    await apply(at, forced, { allowDelete: true });
    expect([writes(at.world), sourceWrites(at.world)]).toEqual([[], []]);
    expect(at.target.body(item)).toEqual(before);
  },
);

test("a folder that is called as a path is does not make them twins", async () => {
  const at = await stage();
  const folder = seedFolder(at.source, "Reports");
  seedSqlItem(at.source, "Sales", folder);
  const { parentUrn } = itemCalled(at.target, "CUSTOMER");
  seedCatalogItem(at.target.tenant, {
    name: "Sales",
    parentUrn,
    originPath: "Reports",
    attributes: ["EMAIL"],
  });
  seedMonitor(at.source, seedRule(at.source, "Rule"), "Monitor", {
    catalogItemUrn: at.source.item("Sales"),
    manualRuleInstances: {},
  });
  const { changes } = await diff(at, { select: { kinds: ["rules", "monitors"] } });
  expect(changes.map(({ kind, action }) => [kind, action])).toEqual([
    ["rules", "create"],
    ["monitors", "blocked"],
    ["primary-monitors", "blocked"],
  ]);
});
