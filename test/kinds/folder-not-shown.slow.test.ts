import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedFolder, seedMonitor, seedRule } from "../diff/support/content.ts";
import { editItem, seedSqlItem } from "./support/catalog.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";

const plan = { select: { kinds: ["folders", "sql-items", "rules", "monitors"] } } as const;
const nowhere = "urn:data:dev:catalog:folder:00000000-0000-4000-8000-000000000001" as Urn;

/** Two items in a folder, and a monitor that checks the first. */
async function twoItems(): Promise<{ at: Place; folder: Urn; item: Urn; monitor: Urn }> {
  const at = await fresh();
  const folder = seedFolder(at.source, "F");
  const item = seedSqlItem(at.source, "Lost", folder);
  seedSqlItem(at.source, "Shown", folder);
  const monitor = seedMonitor(at.source, seedRule(at.source, "Email"), "Customers", {
    catalogItemUrn: item,
    manualRuleInstances: {},
  });
  return { at, folder, item, monitor };
}

test("an SQL item whose folder the source does not show is not sent without one, and what leans on it is blocked by its name", async () => {
  const { at, folder, item, monitor } = await twoItems();
  editItem(at.source, item, { parentUrn: nowhere });
  const result = await at.apply(plan);
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(changeOf(result, item)).toMatchObject({ action: "blocked", reason: "its folder is not shown" });
  expect(changeOf(result, item).diagnostics[0]).toMatchObject({ code: "folder-not-shown" });
  expect(changeOf(result, monitor).reason).toContain('sql-items "Lost"');
  expect(at.target.item("Shown")).toBeDefined();
  await at.apply(plan);
  expect(at.writes()).toEqual([]);
  editItem(at.source, item, { parentUrn: folder });
  expect((await at.apply(plan)).exitCode).toBe(exitCodes.done);
  expect((await at.diff(plan)).changes).toEqual([]);
});

test("one whose folder the target does not show is left as it is", async () => {
  const { at, item } = await twoItems();
  await at.apply(plan);
  const there = at.target.item("Lost");
  editItem(at.target, there, { parentUrn: nowhere });
  const told = await at.apply({ ...plan, policy: { drift: "overwrite" } });
  expect(changeOf(told, item)).toMatchObject({
    action: "blocked",
    reason: "its folder is not shown at the target",
  });
  expect(at.writes()).toEqual([]);
});

test("one of its name whose folder the target does not show may be it, and a second one is not made", async () => {
  const { at, item } = await twoItems();
  const there = seedSqlItem(at.target, "Lost", seedFolder(at.target, "F"));
  editItem(at.target, there, { parentUrn: nowhere });
  const result = await at.apply(plan);
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(changeOf(result, item)).toMatchObject({ action: "manual" });
  expect(changeOf(result, item).reason).toContain(there);
  const called = [...at.target.tenant.items.values()].filter(({ name }) => name === "Lost");
  expect(called).toHaveLength(1);
});

test("one that is the twin of another one, which the run does not look at, is not it", async () => {
  const { at } = await twoItems();
  await at.apply(plan);
  editItem(at.target, at.target.item("Lost"), { parentUrn: nowhere });
  const other = seedSqlItem(at.source, "Lost", seedFolder(at.source, "G"));
  const include = [{ kind: "sql-items", urns: [other] }];
  const narrowed = { select: { kinds: ["folders", "sql-items"], include } };
  for (const one of [plan, narrowed])
    expect(changeOf(await at.diff(one), other)).toMatchObject({ action: "create" });
  expect((await at.apply(narrowed)).exitCode).toBe(exitCodes.done);
});
