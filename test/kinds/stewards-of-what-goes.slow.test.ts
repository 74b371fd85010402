import { expect, test } from "vitest";
import type { LogEntry } from "../../src/emulator/index.ts";
import { seedStewardship } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import {
  apply,
  changeOf,
  entryOf,
  expectAtRest,
  keepTarget,
  stage,
  twinOf,
  type Stage,
} from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import { removeFolder, removeTerm } from "../diff/support/web.ts";
import { killedAt, rollback } from "../operations/rollback/support.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { readState } from "../../src/operations/state.ts";
import { removeOne, seedProduct, seedSqlItem } from "./support/catalog.ts";
import type { PlanChanges } from "../support/world.ts";

/** A steward stands in no list of the thing that it answers for, and goes with it: who deletes the thing looks. */

const ways = {
  terms: { seed: seedTerm, remove: removeTerm },
  folders: { seed: seedFolder, remove: removeFolder },
  entities: { seed: seedProduct, remove: removeOne },
} as const;
type Way = keyof typeof ways;
const all = Object.keys(ways) as Way[];

function planOf(way: Way, more: readonly string[] = ["stewardship"]): PlanChanges {
  return { select: { kinds: [way, ...more], entityTypes: way === "entities" ? ["dataProduct"] : [] } };
}

function steward(side: Side, entityUrn: string, group = "Data stewards"): void {
  seedStewardship(side.tenant, { entityUrn: entityUrn as Urn, groupUrn: side.group(group) });
}

async function begun(way: Way, plan: PlanChanges, isStewarded: boolean): Promise<{ at: Stage; urn: Urn }> {
  const at = await stage();
  const { seed } = ways[way];
  seed(at.source, "Stays");
  const urn = seed(at.source, "X");
  if (isStewarded) steward(at.source, urn);
  await apply(at, plan);
  return { at, urn };
}

/** A person who says yes, once somebody has named a steward at the target. */
function isNamed(at: Stage, twin: string): true {
  steward(at.target, twin, "Customer domain");
  return true;
}

/** What happens as soon as a request like that arrives. */
function onArrivalOf({ world }: Stage, isIt: (entry: LogEntry) => boolean, act: () => void): void {
  const off = world.emulator.on(({ phase, entry }) => {
    if (phase !== "received" || !isIt(entry)) return;
    off();
    act();
  });
}

function removeAtSource(at: Stage, way: Way, urn: Urn): void {
  at.source.tenant.stewards.delete(urn);
  ways[way].remove(at.source, urn);
}

const cases = all.flatMap((way) =>
  [["stewardship"], []].flatMap((more) => [true, false].map((had) => ({ way, more, had }))),
);

test.each(cases)(
  "a thing of $way with a steward that somebody has named is not deleted (selected: $more; one was brought: $had)",
  async ({ way, more, had }) => {
    const { at, urn } = await begun(way, planOf(way), had);
    const twin = await twinOf(at, urn);
    steward(at.target, twin, "Customer domain");
    removeAtSource(at, way, urn);
    const plan = planOf(way, more);
    const result = await apply(at, plan, { allowDelete: true });
    expect(result.exitCode).toBe(4);
    expect(changeOf(result, urn)).toMatchObject({
      action: "manual",
      reason: expect.stringContaining("its stewardship at the target is not what was brought there"),
    });
    expect(written(at.world)).toEqual([]);
    // As its advice says.
    if (had) steward(at.target, twin);
    else at.target.tenant.stewards.delete(twin as Urn);
    expect(await apply(at, plan, { allowDelete: true })).toMatchObject({
      exitCode: 0,
      summary: { delete: 1 },
    });
  },
);

test.each(all)("nor does a rollback delete one of %s that somebody has named a steward of", async (way) => {
  const plan = planOf(way, []);
  const { at, urn } = await begun(way, plan, false);
  steward(at.target, await twinOf(at, urn), "Customer domain");
  const result = await rollback(at, plan, { allowDelete: true });
  expect(result.exitCode).toBe(4);
  expect(changeOf(result, urn)).toMatchObject({
    action: "manual",
    reason: expect.stringContaining("its stewardship at the target is not what was brought there"),
  });
});

test.each(all.flatMap((way) => [true, false].map((had) => ({ way, had }))))(
  "nor one of $way whose steward is named between the plan of the rollback and the delete (one was brought: $had)",
  async ({ way, had }) => {
    const plan = planOf(way);
    const { at, urn } = await begun(way, plan, had);
    const twin = await twinOf(at, urn);
    at.world.emulator.log.clear();
    const result = await rollbackRun(at.world.migration(plan), {
      allowDelete: true,
      confirm: async () => isNamed(at, twin),
    });
    expect(result.exitCode).toBe(4);
    expect(changeOf(result, urn)).toMatchObject({ action: "delete", outcome: "failed" });
    expect(at.target.tenant.stewards.get(twin as Urn)).toBe(at.target.group("Customer domain"));
    if (!had) return;
    // It stays, and so does what is known of its steward: another one is drift, and no first contact.
    const next = await apply(at, { ...plan, policy: { conflict: "source-wins" } });
    expect(changeOf(next, urn)).toMatchObject({ kind: "stewardship", action: "drift" });
    expect(at.target.tenant.stewards.get(twin as Urn)).toBe(at.target.group("Customer domain"));
  },
);

test("a rollback that dies once it has deleted, and is done again, leaves nothing of what lay over that", async () => {
  const plan = { select: { kinds: ["folders", "sql-items", "stewardship", "attribute-metadata"] } };
  const at = await stage();
  const folder = seedFolder(at.source, "X");
  steward(at.source, folder);
  const item = seedSqlItem(at.source, "Y", folder);
  const { attributes } = at.source.tenant;
  for (const column of attributes.valuesIn(`item:${item}`))
    attributes.put({ ...column, description: "said" });
  expect((await apply(at, plan)).exitCode).toBe(0);
  const dies = { allowDelete: true, migration: killedAt("entry:before") };
  await expect(rollback(at, plan, dies)).rejects.toThrow("killed");
  expect(at.target.tenant.folders.valuesIn("").length).toBe(0);
  expect((await rollback(at, plan, { allowDelete: true })).changes).toEqual([]);
  const { mapping } = await readState(at.world.migration(plan));
  expect(mapping.kinds().flatMap((kind) => [...mapping.entries(kind)])).toEqual([]);
  expect((await apply(at, plan)).exitCode).toBe(0);
  await expectAtRest(at, plan);
});

test.each(all)("one of %s that waits for --allow-delete waits with its steward", async (way) => {
  const plan = planOf(way);
  const { at, urn } = await begun(way, plan, true);
  removeAtSource(at, way, urn);
  for (let run = 0; run < 2; run += 1)
    expect(changeOf(await apply(at, plan), urn)).toMatchObject({ action: "delete", outcome: "withheld" });
  const result = await apply(at, plan, { allowDelete: true });
  expect(changeOf(result, urn)).toMatchObject({ action: "delete", outcome: "done" });
  // Of neither is anything known from then on.
  expect(await entryOf(at, urn)).toBeUndefined();
  const { mapping } = await readState(at.world.migration(plan));
  expect(mapping.get("stewardship", urn)).toBeUndefined();
  await expectAtRest(at, plan);
});

test.each(all)(
  "one of %s whose steward is named between the diff and the delete is not deleted",
  async (way) => {
    const plan = planOf(way);
    const { at, urn } = await begun(way, plan, true);
    const twin = await twinOf(at, urn);
    removeAtSource(at, way, urn);
    const result = await apply(at, plan, {
      allowDelete: true,
      confirm: async () => isNamed(at, twin),
    });
    expect(result.exitCode).toBe(4);
    expect(changeOf(result, urn)).toMatchObject({ action: "delete", outcome: "failed" });
    expect(written(at.world)).toEqual([]);
    expect(changeOf(await apply(at, plan, { allowDelete: true }), urn)).toMatchObject({ action: "manual" });
  },
);

test.each(all)(
  "nor one of %s whose steward is named while it is looked who refers to it, which lists take their time for",
  async (way) => {
    const plan = planOf(way);
    const { at, urn } = await begun(way, plan, true);
    const twin = await twinOf(at, urn);
    const naming = async (): Promise<boolean> => {
      onArrivalOf(
        at,
        ({ path, method }) => method === "GET" && !path.includes(twin),
        () => isNamed(at, twin),
      );
      return true;
    };
    const result = await rollback(at, plan, { allowDelete: true, confirm: naming });
    expect(changeOf(result, urn)).toMatchObject({ action: "delete", outcome: "failed" });
    expect(at.target.tenant.stewards.get(twin as Urn)).toBe(at.target.group("Customer domain"));
  },
);

test("what comes back with a rollback comes without its steward, which is said where there was one", async () => {
  const plan = planOf("terms");
  const { at, urn } = await begun("terms", plan, true);
  const bare = seedTerm(at.source, "Bare");
  await apply(at, plan);
  removeAtSource(at, "terms", urn);
  removeAtSource(at, "terms", bare);
  expect(await apply(at, plan, { allowDelete: true })).toMatchObject({ summary: { delete: 2 } });
  const result = await rollback(at, plan);
  expect(changeOf(result, urn)?.diagnostics).toMatchObject([
    { severity: "warning", summary: "it comes back without its stewardship, which went with it" },
  ]);
  expect(changeOf(result, bare)?.diagnostics).toEqual([]);
});

test.each(all)("one of %s is not deleted with a steward whom a person has had stay there", async (way) => {
  const plan = planOf(way);
  const { at, urn } = await begun(way, plan, true);
  const twin = await twinOf(at, urn);
  steward(at.target, twin, "Customer domain");
  expect(await keepTarget(at, plan)).toBe("stewardship");
  await apply(at, plan);
  await expectAtRest(at, plan);
  removeAtSource(at, way, urn);
  const result = await apply(at, plan, { allowDelete: true });
  expect(changeOf(result, urn)).toMatchObject({
    action: "manual",
    reason: expect.stringContaining("its stewardship at the target is not what was brought there"),
  });
  expect(written(at.world)).toEqual([]);
});
