import { expect, test } from "vitest";
import { seedEntity, seedMetadataProperty, seedMetadataType } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { apply, diff, expectAtRest, stage, type Stage } from "../diff/support/run.ts";
import { writes } from "../diff/support/log.ts";
import { type Side, wanted } from "../diff/support/side.ts";
import type { PlanChanges } from "../support/world.ts";
import { editEntity } from "./support/catalog.ts";

/**
 * What has no name is known by all that it says. Where such entities refer to each other in a circle none of them is known before the
 * others are, and a second circle must not be made beside the one that the target has.
 */

const plan: PlanChanges = { select: { kinds: ["entities"], entityTypes: ["memo"] } };

async function begin(): Promise<Stage> {
  const at = await stage();
  for (const { tenant } of [at.source, at.target]) {
    seedMetadataType(tenant, { name: "memo", nodePaths: ["/memos"] });
    seedMetadataProperty(tenant, "memo", { name: "text", scalarType: "string" });
    seedMetadataProperty(tenant, "memo", { name: "next", type: "SINGLE_REFERENCE", entityName: "memo" });
    seedMetadataProperty(tenant, "memo", { name: "also", type: "ARRAY_REFERENCE", entityName: "memo" });
  }
  return at;
}

/** Memos with these texts; each number is which one the memo at its place leads to. */
function seed(side: Side, texts: readonly string[], links: readonly (number | undefined)[]): readonly Urn[] {
  const urns = texts.map(
    (text) =>
      seedEntity(side.tenant, { concreteType: "memo", parentProperty: "memos", properties: { text } }).urn,
  );
  for (const [from, to] of links.entries())
    if (to !== undefined) editEntity(side, wanted(urns[from], "memo"), { next: wanted(urns[to], "memo") });
  return urns;
}

const memosAt = ({ tenant }: Side): number => tenant.entities.valuesIn("type:memo").length;

const cases: readonly (readonly [string, readonly string[], readonly (number | undefined)[]])[] = [
  ["two", ["a", "b"], [1, 0]],
  ["two of one text", ["a", "a"], [1, 0]],
  ["one that leads to itself", ["a"], [0]],
  ["three of one text", ["a", "a", "a"], [1, 2, 0]],
  ["a circle, and who leads into it", ["a", "b", "c", "d"], [1, 0, 0, 2]],
  ["two circles", ["a", "b", "a", "c"], [1, 0, 3, 2]],
];

test.each(cases)("%s: made once, and then at rest", async (_what, texts, links) => {
  const at = await begin();
  seed(at.source, texts, links);
  expect(await apply(at, plan)).toMatchObject({ exitCode: 0 });
  expect(memosAt(at.target)).toBe(texts.length);
  await expectAtRest(at, plan);
});

test.each(cases)("%s: what the target has already is taken", async (_what, texts, links) => {
  const at = await begin();
  for (const side of [at.source, at.target]) seed(side, texts, links);
  const { changes, exitCode } = await apply(at, plan);
  expect([exitCode, changes.map(({ action }) => action)]).toEqual([0, texts.map(() => "adopt")]);
  expect([memosAt(at.target), writes(at.world)]).toEqual([texts.length, []]);
  await expectAtRest(at, plan);
});

test("where the target has two of them a person says which, and nothing is made", async () => {
  const at = await begin();
  seed(at.source, ["a", "b"], [1, 0]);
  for (let copy = 0; copy < 2; copy += 1) seed(at.target, ["a", "b"], [1, 0]);
  const { changes, exitCode } = await apply(at, plan);
  expect(exitCode).toBe(4);
  expect(changes.map(({ action, diagnostics: [first] }) => [action, first?.code])).toEqual([
    ["blocked", "ambiguous"],
    ["blocked", "ambiguous"],
  ]);
  expect(changes[0]?.diagnostics[0]?.suggestion).toMatch(/^Say which one it is: `?ferry mappings test set /);
  expect(memosAt(at.target)).toBe(4);
});

test("what says the same and leads elsewhere is another one", async () => {
  const at = await begin();
  seed(at.source, ["a", "b"], [1, 0]);
  // It leads to one that leads nowhere, and one leads to itself.
  seed(at.target, ["a", "b", "a"], [1, undefined, 2]);
  const { changes, exitCode } = await apply(at, plan);
  expect([exitCode, changes.map(({ action }) => action)]).toEqual([0, ["create", "create"]]);
  await expectAtRest(at, plan);
});

test("what leads to something new is new itself, whatever the target has that says the same", async () => {
  const at = await begin();
  seed(at.source, ["a", "new"], [1]);
  seed(at.target, ["a", "other"], [1]);
  const { changes } = await diff(at, plan);
  expect(changes.map(({ action }) => action)).toEqual(["create", "create"]);
});

test("under adopt: never a second circle is made", async () => {
  const at = await begin();
  for (const side of [at.source, at.target]) seed(side, ["a", "b"], [1, 0]);
  const { changes } = await apply(at, { ...plan, policy: { adopt: "never" } });
  expect(changes.map(({ action }) => action)).toEqual(["create", "create"]);
  expect(memosAt(at.target)).toBe(4);
});

test("lists of references lead in circles as well", async () => {
  const at = await begin();
  for (const side of [at.source, at.target]) {
    const [a, b, c] = seed(side, ["a", "b", "c"], []);
    editEntity(side, wanted(a, "a"), { also: [wanted(b, "b"), wanted(c, "c")] });
    editEntity(side, wanted(b, "b"), { also: [wanted(c, "c"), wanted(a, "a")] });
    editEntity(side, wanted(c, "c"), { also: [wanted(a, "a")] });
  }
  const { changes } = await apply(at, plan);
  expect(changes.map(({ action }) => action)).toEqual(["adopt", "adopt", "adopt"]);
});
