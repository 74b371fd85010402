import { join } from "node:path";
import { expect, test } from "vitest";
import { computeDiff } from "../../src/engine/diff/index.ts";
import type { Diff } from "../../src/engine/diff/index.ts";
import type { Urn } from "../../src/model/urn.ts";
import { checkApproved } from "../../src/operations/approved.ts";
import { diffFileOf } from "../../src/operations/approved-file.ts";
import { readSides } from "../../src/operations/compare.ts";
import { removeMappings, setMappings } from "../../src/operations/mappings.ts";
import { readState } from "../../src/operations/state.ts";
import type { Approved } from "./support/approved.ts";
import { applyApproved, stopAfter } from "./support/approved.ts";
import { removeMetadataProperty, seedMetadataProperty } from "../../src/emulator/seed.ts";
import { seedPort, seedProduct } from "../kinds/support/catalog.ts";
import type { Attribute } from "../../src/emulator/state.ts";
import type { PlanChanges } from "../support/world.ts";
import { instanceOf, seedDashboard, seedMonitor, seedRule, seedTerm } from "./support/content.ts";
import { writes, written } from "./support/log.ts";
import { apply, diff, refusal, stage, twinOf } from "./support/run.ts";
import type { Stage } from "./support/run.ts";
import { type Side, wanted } from "./support/side.ts";
import { editMonitor } from "./support/web.ts";

const plan = { select: { kinds: ["terms", "rules", "monitors"] } };

/** A monitor with so many fields that not all are shown; the last of its instances is about another column. */
async function long(): Promise<{ readonly at: Stage; readonly column: Urn; readonly made: Approved }> {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  await apply(at, plan);
  const column = at.source.attribute("CUSTOMER", "CUSTOMER_ID");
  const instances = Array.from({ length: 12 }, (_, index) => {
    const made = instanceOf(at.source, rule, `Email ${index}`);
    if (index < 11) return [`instance ${index}`, made];
    const [mapping] = Object.values(made["mappings"] as object);
    return ["last", { ...made, mappings: { last: { ...mapping, catalogItemAttributeUrn: column } } }];
  });
  seedTerm(at.source, "Order");
  seedMonitor(at.source, rule, "Long", { manualRuleInstances: Object.fromEntries(instances) });
  const out = join(at.world.folder, "approved.json");
  const told = await diff(at, plan, out);
  expect(JSON.stringify(told.changes.map(({ fields }) => fields))).not.toContain("CUSTOMER_ID");
  return { at, column, made: { at, out } as unknown as Approved };
}

/** A person says that the column is another one at the target. */
async function pairOtherwise(at: Stage, source: Urn): Promise<void> {
  const target = at.target.attribute("SALES_ORDER", "ORDER_ID");
  await setMappings(at.world.migration(plan), [{ source, target }]);
}

const otherwise = 'monitors "Long": it would hold something else than was approved';

test("of a create that is too long to be shown whole, what is not shown is what was approved all the same", async () => {
  const { at, column, made } = await long();
  await pairOtherwise(at, column);
  const error = await refusal(async () => applyApproved(made, {}, plan));
  expect(error.code).toBe("diff-moved");
  expect(error.details.join("\n")).toContain(otherwise);
  expect(writes(at.world)).toEqual([]);
});

test("so it is where a run of it was interrupted, for what waited for nothing that it has made", async () => {
  const { at, column, made } = await long();
  const slowly = { ...plan, limits: { concurrency: 1 } };
  await applyApproved(made, { stop: stopAfter(at, 1) }, slowly);
  expect(written(at.world)).toEqual(["POST terms/bulk"]);
  await pairOtherwise(at, column);
  const error = await refusal(async () => applyApproved(made, {}, plan));
  expect(error.details.join("\n")).toContain(otherwise);
  expect(writes(at.world)).toEqual([]);
});

const nothingDone = { runs: new Set<string>(), decided: new Set<string>() };

test("of creates that are told in brief, what they refer to is what was approved", async () => {
  const { at, column } = await long();
  const migration = at.world.migration(plan);
  const computed = async (): Promise<Diff> => {
    const { mapping } = await readState(migration);
    const { source, target } = await readSides(migration, mapping, migration.targetReads(), undefined);
    const registry = await migration.kinds("target");
    return computeDiff({ registry, plan: migration.plan, source, target, mapping, inDoubt: new Set() }, 0);
  };
  const { mapping } = await readState(migration);
  const file = diffFileOf(migration, await computed(), { snapshot: "", target: "", mapping: "" });
  checkApproved(file, await computed(), mapping, nothingDone);
  await pairOtherwise(at, column);
  const now = await computed();
  const error = await refusal(async () => checkApproved(file, now, mapping, nothingDone));
  expect(error.details.join("\n")).toContain(otherwise);
});

/** Somebody swaps the names of two columns at the target: what is about either is about the other one from then on. */
function swapColumns({ target }: Stage): void {
  const { attributes } = target.tenant;
  const [one, other] = ["EMAIL", "CUSTOMER_ID"].map((name) => {
    const urn = target.attribute("CUSTOMER", name);
    return wanted(attributes.get(urn), urn);
  }) as [Attribute, Attribute];
  attributes.put({ ...one, name: other.name });
  attributes.put({ ...other, name: one.name });
}

test.each([
  // What waited for the rule is written out with URNs that nobody knew when it was approved.
  { done: "POST rules/batch/create", what: "a create", seed: seedMonitor },
  { done: "POST rules/batch/create", what: "an update", seed: addInstance },
  // What is done, and is led elsewhere by now, would be changed.
  { done: "POST dq-monitors/batch/create", what: "what is done already", seed: seedBesideDashboard },
])(
  "where a run of it was interrupted, and given things have other twins since, $what is not written",
  async ({ done, seed }) => {
    const kinds: PlanChanges = { select: { kinds: ["rules", "monitors", "dashboards"] } };
    const at = await stage();
    const old = seedRule(at.source, "Old");
    seedMonitor(at.source, old, "Daily");
    await apply(at, kinds);
    seed(at.source, done.includes("rules") ? seedRule(at.source, "Email") : old, "Weekly");
    const made = { at, out: join(at.world.folder, "approved.json") } as unknown as Approved;
    await diff(at, kinds, made.out);
    await applyApproved(made, { stop: stopAfter(at, 1) }, { ...kinds, limits: { concurrency: 1 } });
    expect(written(at.world)).toEqual([done]);
    swapColumns(at);
    const error = await refusal(async () => applyApproved(made, {}, kinds));
    expect(error.details.join("\n")).toContain("it may lead elsewhere than was approved");
    expect(writes(at.world)).toEqual([]);
    swapColumns(at);
    expect((await applyApproved(made, {}, kinds)).exitCode).toBe(0);
  },
);

test("so it is where an object that the diff does not change has another twin since, which is just like the former one", async () => {
  const at = await stage();
  const old = seedRule(at.source, "Old");
  await apply(at, plan);
  const twin = await twinOf(at, old);
  const email = seedRule(at.source, "Email");
  seedMonitor(at.source, email, "Both", {
    manualRuleInstances: {
      email: instanceOf(at.source, email, "Email"),
      old: instanceOf(at.source, old, "Old"),
    },
  });
  const made = { at, out: join(at.world.folder, "approved.json") } as unknown as Approved;
  await diff(at, plan, made.out);
  await applyApproved(made, { stop: stopAfter(at, 1) }, { ...plan, limits: { concurrency: 1 } });
  expect(written(at.world)).toEqual(["POST rules/batch/create"]);
  const pairWith = async (target: string): Promise<void> => {
    const migration = at.world.migration(plan);
    await removeMappings(migration, [old]);
    await setMappings(migration, [{ source: old, target }], { check: true });
    await migration.close();
  };
  await pairWith(seedRule(at.target, "Old"));
  const error = await refusal(async () => applyApproved(made, {}, plan));
  expect(error.details).toEqual([expect.stringContaining('"Both": it may lead elsewhere than was approved')]);
  expect(writes(at.world)).toEqual([]);
  await pairWith(twin);
  expect((await applyApproved(made, {}, plan)).exitCode).toBe(0);
});

test("so it is where the target's metadata model has no place any more for something of it, which is left out", async () => {
  const entities: PlanChanges = {
    select: { kinds: ["entities"], entityTypes: ["dataProduct", "outputPort"] },
    policy: { missingProperty: "drop" },
    limits: { concurrency: 1 },
  };
  const at = await stage();
  const { source, target } = at;
  // What never had a place there was approved to be left out.
  seedMetadataProperty(source.tenant, "outputPort", { name: "size" });
  for (const { tenant } of [source, target]) seedMetadataProperty(tenant, "outputPort", { name: "color" });
  seedPort(source, seedProduct(source, "Sales"), "Table", { color: "red", size: "large" });
  const made = { at, out: join(at.world.folder, "approved.json") } as unknown as Approved;
  await diff(at, entities, made.out);
  await applyApproved(made, { stop: stopAfter(at, 1) }, entities);
  expect(written(at.world)).toEqual(["POST entities/batch/create"]);
  removeMetadataProperty(target.tenant, "outputPort", "color");
  const error = await refusal(async () => applyApproved(made, {}, entities));
  expect(error.details).toEqual([expect.stringContaining('"Table": what is left out of it')]);
  expect(writes(at.world)).toEqual([]);
  seedMetadataProperty(target.tenant, "outputPort", { name: "color" });
  expect((await applyApproved(made, {}, entities)).exitCode).toBe(0);
  expect(target.body(target.entity("outputPort", "Table"))["properties"]).toEqual({
    name: "Table",
    color: "red",
  });
});

function addInstance(side: Side, rule: Urn): void {
  editMonitor(side, side.monitor("Daily"), { manualRuleInstances: { more: instanceOf(side, rule, "More") } });
}

function seedBesideDashboard(side: Side, rule: Urn, name: string): void {
  seedMonitor(side, rule, name);
  seedDashboard(side, name);
}
