import { expect, test } from "vitest";
import { readState } from "../../src/operations/state.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import {
  configurePrimary,
  seedDashboard,
  seedFolder,
  seedMonitor,
  seedRule,
  seedTerm,
} from "../diff/support/content.ts";
import { apply, expectAtRest, refusal, stage, type Stage } from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedProduct, seedSqlItem } from "./support/catalog.ts";

/** A person who names a pair may name its kind wrongly: then the pair counts all the same, or is refused; it never counts for nothing. */

const seeds: Readonly<Record<string, (side: Side) => string>> = {
  term: (side) => seedTerm(side, "One"),
  rule: (side) => seedRule(side, "One"),
  dashboard: (side) => seedDashboard(side, "One"),
  folder: (side) => seedFolder(side, "One"),
  "SQL item": (side) => seedSqlItem(side, "One", seedFolder(side, "F")),
  monitor: (side) => seedMonitor(side, seedRule(side, "R"), "One"),
  product: (side) => seedProduct(side, "One"),
  table: (side) => side.item("CUSTOMER"),
  column: (side) => side.attribute("CUSTOMER", "EMAIL"),
  group: (side) => side.group("Data stewards"),
};

async function pairOf(
  what: string,
): Promise<Pick<Stage, "world"> & { readonly source: string; readonly target: string }> {
  const at = await stage();
  const seed = seeds[what] ?? (() => "");
  return { world: at.world, source: seed(at.source), target: seed(at.target) };
}

test.each([
  ["term", "entities", "terms"],
  ["term", "item-metadata", "terms"],
  ["term", "term-assignments", "terms"],
  ["rule", "entities", "rules"],
  ["rule", "stewardship", "rules"],
  ["dashboard", "term-denylist", "dashboards"],
  ["folder", "entities", "folders"],
  ["folder", "attribute-metadata", "folders"],
  ["SQL item", "entities", "catalog-items"],
  ["SQL item", "term-denylist", "catalog-items"],
  ["monitor", "entities", "monitors"],
  ["product", "item-metadata", "others"],
  ["table", "attribute-metadata", "catalog-items"],
  ["column", "item-metadata", "attributes"],
  ["group", "entities", "groups"],
])("a %s is not paired as what it cannot be (--kind %s)", async (what, kind, own) => {
  const { world, source, target } = await pairOf(what);
  for (const check of [true, false]) {
    const error = await refusal(async () =>
      setMappings(world.migration(), [{ kind, source, target }], { check }),
    );
    expect(error).toMatchObject({
      code: "selection",
      message: `${source} is none of the kind ${kind}`,
      suggestion: `Leave --kind out: it is of the kind ${own}.`,
    });
  }
  expect((await readState(world.migration())).mapping.all(source)).toEqual([]);
});

test("a monitor that was paired as a primary one keeps its pair: none is made beside its twin", async () => {
  const at = await stage();
  const plan: PlanChanges = { select: { kinds: ["rules", "monitors"] }, policy: { adopt: "never" } };
  const [rule, ruleThere] = [seedRule(at.source, "R"), seedRule(at.target, "R")];
  const monitor = seedMonitor(at.source, rule, "One");
  const twin = seedMonitor(at.target, ruleThere, "One");
  const pairs = [
    { source: rule, target: ruleThere },
    { kind: "primary-monitors", source: monitor, target: twin },
  ];
  await setMappings(at.world.migration(plan), pairs, { check: true });
  const before = at.target.tenant.counts();
  expect(await apply(at, plan)).toMatchObject({ exitCode: 0 });
  expect(at.target.tenant.counts()).toEqual(before);
  const { mapping } = await readState(at.world.migration(plan));
  expect(mapping.all(monitor)).toMatchObject([{ kind: "monitors", entry: { target: twin } }]);
  await expectAtRest(at, plan);
});

test("a monitor that was paired with a primary one of the target loses that pair, and is told: two have no twin in common", async () => {
  const at = await stage();
  const plan: PlanChanges = { select: { kinds: ["rules", "monitors"] } };
  const monitor = seedMonitor(at.source, seedRule(at.source, "R"), "One");
  const daily = { cronExpression: "0 0 1 * * ?", enabled: true, timeZone: "UTC" };
  configurePrimary(at.source, "CUSTOMER", { schedule: daily });
  const twin = at.target.primary("CUSTOMER");
  await setMappings(at.world.migration(plan), [{ source: monitor, target: twin }], { check: true });
  const told = await apply(at, plan);
  expect(told.diagnostics).toMatchObject([{ code: "pair-let-go", coordinate: { urn: monitor } }]);
  const { mapping } = await readState(at.world.migration(plan));
  expect(mapping.all(monitor)).toEqual([]);
  expect(mapping.claimedBy(twin)).toMatchObject({ source: at.source.primary("CUSTOMER") });
  expect(await apply(at, plan)).toMatchObject({ exitCode: 0, summary: { create: 1 } });
  await expectAtRest(at, plan);
});
