import { expect, test } from "vitest";
import { removeMappings, setMappings } from "../../src/operations/mappings.ts";
import { removeOne, removeSqlItem, seedProduct, seedSqlItem } from "../kinds/support/catalog.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedFolder, seedMonitor, seedRule } from "./support/content.ts";
import { apply, diff, expectAtRest, expectChange, stage } from "./support/run.ts";

const plan: PlanChanges = { select: { kinds: ["entities"], entityTypes: ["dataProduct"] } };

test("a pair of an entity that the source does not have is told, as that of anything else", async () => {
  const at = await stage();
  seedProduct(at.source, "Kept");
  await apply(at, plan);
  const gone = seedProduct(at.source, "Gone");
  const twin = seedProduct(at.target, "Twin");
  removeOne(at.source, gone);
  await setMappings(at.world.migration(plan), [{ source: gone, target: twin }]);
  for (const run of [diff, apply, apply]) {
    const result = await run(at, plan);
    expectChange(result, gone, "manual", "it is gone at the source, and the pair was never applied");
  }
  removeOne(at.target, twin);
  expectChange(await apply(at, plan), gone, "manual", "neither dev nor prod shows what the pair names");
  await removeMappings(at.world.migration(plan), [gone]);
  await expectAtRest(at, plan);
});

test("of a type that the plan does not list nothing is said", async () => {
  const at = await stage();
  const gone = seedProduct(at.source, "Gone");
  const twin = seedProduct(at.target, "Twin");
  removeOne(at.source, gone);
  await setMappings(at.world.migration(plan), [{ source: gone, target: twin }]);
  for (const other of [
    { select: { kinds: ["terms"] } },
    { select: { kinds: ["entities"], entityTypes: ["qualityIssue"] } },
  ])
    expect((await diff(at, other)).changes).toEqual([]);
});

const items: PlanChanges = { select: { kinds: ["folders", "sql-items"] } };

test.each([false, true])(
  "nor is that of an SQL item, which is put down as a catalog item, passed over (made anew at the source: %s)",
  async (isMadeAnew) => {
    const at = await stage();
    seedSqlItem(at.source, "Kept", seedFolder(at.source, "F"));
    await apply(at, items);
    const gone = seedSqlItem(at.source, "X", at.source.folder("F"));
    const twin = seedSqlItem(at.target, "X", at.target.folder("F"));
    await setMappings(at.world.migration(items), [{ source: gone, target: twin }], { check: true });
    removeSqlItem(at.source, gone);
    const anew = isMadeAnew ? seedSqlItem(at.source, "X", at.source.folder("F")) : undefined;
    for (const run of [diff, apply, apply]) {
      const result = await run(at, items);
      expectChange(result, gone, "manual", "it is gone at the source, and the pair was never applied");
      if (anew !== undefined) expectChange(result, anew, "blocked", "the twin of one that is gone");
    }
    await removeMappings(at.world.migration(items), [gone]);
    if (anew !== undefined) expectChange(await apply(at, items), anew, "adopt", "the same content");
    await expectAtRest(at, items);
  },
);

test("of a table that the source has nothing is said that is said of SQL items, whatever it was paired with", async () => {
  const at = await stage();
  const plan: PlanChanges = { select: { kinds: ["folders", "sql-items", "rules", "monitors"] } };
  seedSqlItem(at.source, "Kept", seedFolder(at.source, "F"));
  seedMonitor(at.source, seedRule(at.source, "R"), "On CUSTOMER");
  const other = seedSqlItem(at.target, "Other", seedFolder(at.target, "G"));
  const table = at.source.item("CUSTOMER");
  await setMappings(at.world.migration(plan), [{ source: table, target: other }]);
  const { changes } = await diff(at, plan);
  expect(changes.filter(({ kind, source }) => kind === "sql-items" && source?.urn === table)).toEqual([]);
});
