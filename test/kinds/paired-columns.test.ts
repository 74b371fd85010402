import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { removeMappings, setMappings } from "../../src/operations/mappings.ts";
import { instanceOf, seedMonitor } from "../diff/support/content.ts";
import { apply, diff, expectAtRest, expectChange, stage, type Stage, twinOf } from "../diff/support/run.ts";
import { everything, seedBorn, type Seeded } from "./support/born.ts";
import { editMonitor } from "../diff/support/web.ts";
import { editItem, itemCalled, seedSqlItem } from "./support/catalog.ts";

/** A person has paired a column of an SQL item, and the target has that one no more, or in what is no twin of the item any more. */

interface Paired extends Stage, Seeded {
  readonly column: Urn;
}

async function paired(): Promise<Paired> {
  const at = await stage();
  const seeded = seedBorn(at.source);
  await apply(at, everything);
  const column = at.target.attribute("Active", "EMAIL");
  await setMappings(at.world.migration(everything), [{ source: seeded.email, target: column }], {
    check: true,
  });
  await expectAtRest(at, everything);
  return { ...at, ...seeded, column };
}

/** Another one that maps the column. */
function secondMonitor({ source, item, email }: Paired): Urn {
  const rule = source.rule("Rule of Active");
  const mapping = { catalogItemAttributeUrn: email, ruleAttributeUrn: source.part(rule, "email") };
  return seedMonitor(source, rule, "Second", {
    catalogItemUrn: item,
    manualRuleInstances: { instance: instanceOf(source, rule, "Email", { mappings: { mapping } }) },
  });
}

test.each([
  [
    "its columns are found anew, under another URN",
    async ({ target: { tenant }, column }: Paired): Promise<Urn> => {
      const fresh = column.replace(/.{4}$/, "beef") as Urn;
      const before = tenant.attributes.get(column);
      if (before === undefined) throw new Error("the column is not there");
      tenant.attributes.delete(column);
      tenant.attributes.put({ ...before, urn: fresh });
      return fresh;
    },
  ],
  [
    "the item is paired with another one",
    async ({ world, target, item }: Paired): Promise<Urn> => {
      const { parentUrn } = itemCalled(target, "Active");
      const other = seedSqlItem(target, "Another", parentUrn);
      await removeMappings(world.migration(everything), [item]);
      await setMappings(world.migration(everything), [{ source: item, target: other }], { check: true });
      return target.attribute("Another", "EMAIL");
    },
  ],
] as const)("what is made is led to the one that the diff shows, where %s", async (_how, change) => {
  const at = await paired();
  const there = await change(at);
  const monitor = secondMonitor(at);
  const { fields } = expectChange(await diff(at, everything), monitor, "create", "nothing at the target");
  expect(fields.map(({ to }) => to)).toContain(there);
  expect(expectChange(await apply(at, everything), monitor, "create", "")).toMatchObject({ outcome: "done" });
  const sent = JSON.stringify(at.target.body(await twinOf(at, monitor)));
  expect([sent.includes(there), sent.includes(at.column)]).toEqual([true, false]);
});

test("nothing over an item waits where somebody has renamed it at the target, and made another one of its name", async () => {
  const at = await stage();
  const { item, monitor, primary } = seedBorn(at.source);
  await apply(at, everything);
  const twin = (await twinOf(at, item)) as Urn;
  const { parentUrn } = itemCalled(at.target, "Active");
  editItem(at.target, twin, { name: "Renamed" });
  seedSqlItem(at.target, "Active", parentUrn);
  for (const urn of [monitor, primary]) editMonitor(at.source, urn, { description: "New" });
  const result = await apply(at, everything);
  for (const urn of [monitor, primary])
    expect(expectChange(result, urn, "update", "it changed at the source")).toMatchObject({
      outcome: "done",
    });
  const others = result.changes.filter(({ action }) => action !== "update");
  expect(others.map(({ kind, action }) => [kind, action])).toEqual([["sql-items", "drift"]]);
  expect(at.target.body(await twinOf(at, monitor))).toMatchObject({
    catalogItemUrn: twin,
    description: "New",
  });
});
