import { expect, test } from "vitest";
import { removeMappings, setMappings } from "../../src/operations/mappings.ts";
import { removeOne, seedProduct } from "../kinds/support/catalog.ts";
import type { PlanChanges } from "../support/world.ts";
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
