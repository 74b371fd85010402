import { expect, test } from "vitest";
import { setMappings } from "../../src/operations/mappings.ts";
import { readState } from "../../src/operations/state.ts";
import type { PlanChanges } from "../support/world.ts";
import { bare, seedTable, writeOver, writtenOver } from "./support/metadata.ts";
import { removeItem } from "./support/web.ts";
import { apply, diff, stage, type Stage } from "./support/run.ts";

/**
 * The plan leads two tables of the source to one of the target. A run that looks at both sees that; one that is narrowed to one of them
 * knows the other one by its row of the mapping.
 */

const paths = [
  { pattern: "^DEV_", replace: "PROD_" },
  { pattern: "ORD_[AB]", replace: "ORD" },
];

interface Tables extends Stage {
  readonly a: string;
  readonly b: string;
  readonly there: string;
}

async function tables(): Promise<Tables> {
  const at = await stage();
  for (const side of [at.source, at.target]) bare(side);
  const [a, b] = [seedTable(at.source, "ORD_A"), seedTable(at.source, "ORD_B")];
  const there = seedTable(at.target, "ORD");
  writeOver(at.source, a, { description: "of A" });
  writeOver(at.source, b, { description: "of B" });
  return { ...at, a, b, there };
}

function only(name?: string, pairing: PlanChanges["pairing"] = { paths }): PlanChanges {
  const include = name === undefined ? [] : [{ kind: "item-metadata", name }];
  return { select: { kinds: ["item-metadata"], include }, pairing };
}

const words = ({ target, there }: Tables): unknown => writtenOver(target, there as never)["description"];

test("the second one is blocked, as both are where the run looks at both", async () => {
  const at = await tables();
  expect((await apply(at, only())).changes.map(({ action }) => action)).toEqual(["blocked", "blocked"]);
  expect((await apply(at, only("ORD_A"))).exitCode).toBe(0);
  const result = await apply(at, only("ORD_B"));
  expect([result.exitCode, result.diagnostics]).toEqual([4, []]);
  expect(result.changes.map(({ action, reason }) => [action, reason])).toEqual([
    [
      "blocked",
      `what it lies over is led to "ORD" (${at.there}), where that of "ORD_A" (${at.a}) is, which this run does not look at: a thing of the target is the twin of one alone`,
    ],
  ]);
  expect(result.changes[0]?.diagnostics[0]?.suggestion).toContain(`ferry mappings test remove ${at.a}`);
  expect(words(at)).toBe("of A");
  const { mapping } = await readState(at.world.migration(only()));
  expect(mapping.claim("item-metadata", at.there)).toBe(at.a);
  expect((await apply(at, only("ORD_A"))).changes).toEqual([]);
});

test("one that is gone at the source is no other one, where the run looks for it", async () => {
  const at = await tables();
  await apply(at, only("ORD_A"));
  removeItem(at.source, at.a as never);
  expect((await apply(at, only("ORD_*"))).exitCode).toBe(0);
  expect(words(at)).toBe("of B");
});

test("nor is one that a person has paired with something else since", async () => {
  const at = await tables();
  await apply(at, only("ORD_A"));
  const other = seedTable(at.target, "OTHER");
  await setMappings(at.world.migration(only()), [{ source: at.a, target: other }], { check: true });
  expect((await diff(at, only("ORD_B"))).changes.map(({ action }) => action)).toEqual(["update"]);
});
