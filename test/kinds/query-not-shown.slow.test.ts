import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { seedFolder } from "../diff/support/content.ts";
import { seedSqlItem } from "./support/catalog.ts";
import type { Urn } from "../../src/model/urn.ts";
import { fresh, type Place } from "./support/place.ts";

const plan = { select: { kinds: ["folders", "sql-items"] } } as const;

async function twoItems(): Promise<{ at: Place; item: Urn }> {
  const at = await fresh();
  const folder = seedFolder(at.source, "F");
  const item = seedSqlItem(at.source, "Hidden", folder);
  seedSqlItem(at.source, "Shown", folder);
  return { at, item };
}

test("an SQL item whose query is not shown is told, and the others are moved", async () => {
  const { at, item } = await twoItems();
  const { entities } = at.source.tenant;
  const [query] = entities.valuesIn(`type:dslQuery parent:${item}`);
  if (query !== undefined) entities.put({ ...query, properties: {} });
  const result = await at.apply(plan);
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(
    result.changes
      .map(({ action, source }) => `${action} ${source?.name ?? ""}`)
      .toSorted((a, b) => (a < b ? -1 : 1)),
  ).toEqual(["blocked Hidden", "create F", "create Shown"]);
});

test("an SQL item whose query no list shows at all is told as well, and not passed over", async () => {
  const { at, item } = await twoItems();
  const { entities } = at.source.tenant;
  for (const { urn } of entities.valuesIn(`type:dslQuery parent:${item}`)) entities.delete(urn);
  const result = await at.apply(plan);
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.changes.map(({ action, source }) => `${action} ${source?.name ?? ""}`).sort()).toEqual([
    "blocked Hidden",
    "create F",
    "create Shown",
  ]);
});

test.each(["without its text", "by no list"] as const)(
  "one whose query the target shows %s is neither overwritten nor made a second time",
  async (how) => {
    const { at, item } = await twoItems();
    await at.apply(plan);
    const { entities, items } = at.target.tenant;
    const twin = await at.twinOf(item);
    for (const query of entities.valuesIn(`type:dslQuery parent:${twin}`)) {
      if (how === "by no list") entities.delete(query.urn);
      else entities.put({ ...query, properties: {} });
    }
    const count = [...items.values()].length;
    const result = await at.apply({ ...plan, policy: { drift: "overwrite" } });
    expect(at.writes()).toEqual([]);
    expect([...items.values()]).toHaveLength(count);
    expect(result.exitCode).toBe(exitCodes.partial);
    const change = result.changes.find(({ source }) => source?.urn === item);
    expect(change).toMatchObject({ action: "blocked", reason: "its query is not shown at the target" });
  },
);
