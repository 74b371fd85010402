import { seedDimension } from "../../src/emulator/seed.ts";
import { dimensions } from "../../src/kinds/dimensions.ts";
import { contract } from "./contract.ts";
import { ruleOfDimension, seedRule } from "./support/users.ts";
import { expect, test } from "vitest";
import type { Found } from "../../src/kinds/kind.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { changeOf, fresh } from "./support/place.ts";

const fine = { name: "Fine", passedOverallResult: true };
const notFine = { name: "Not fine", passedOverallResult: false };
const results = [fine, notFine];

contract({
  kind: dimensions,
  select: ["rules"],
  seed: ({ tenant }, name) => seedDimension(tenant, { name, results }).urn,
  user: ruleOfDimension,
});

const plan = { select: { kinds: ["rules"] } };

test.each([
  [
    "counts otherwise",
    [{ ...fine, passedOverallResult: false }],
    'the result "Fine" of "Thing" counts as passed at the source and as failed at the target',
  ],
  ["is missing", [], 'the dimension "Thing" has 0 results named "Fine" at the target'],
  ["is there twice", [fine, fine], 'the dimension "Thing" has 2 results named "Fine" at the target'],
] as const)(
  "a result that %s at the target is refused, and the others are paired",
  async (_what, others, reason) => {
    const at = await fresh();
    const { urn } = seedDimension(at.source.tenant, { name: "Thing", results });
    seedDimension(at.target.tenant, {
      name: "Thing",
      results: [...others, notFine],
    });
    const user = ruleOfDimension(at.source, urn);
    const other = seedRule(at.source, {
      implementation: {
        dqDimensionUrn: urn,
        conditions: {
          bad: { stringExpression: "value is null", resultUrn: at.source.result("Thing", "Not fine") },
        },
      },
    });
    const result = await at.apply(plan);
    const change = changeOf(result, user);
    expect(change.action).toBe("blocked");
    const [diagnostic] = change.diagnostics;
    expect(`${diagnostic?.summary} ${diagnostic?.detail ?? ""}`).toContain(reason);
    expect(diagnostic?.pointer).toMatch(/resultUrn$/);
    expect(diagnostic?.suggestion).toBe(
      'Make the results of the dimension "Thing" the same in both environments.',
    );
    expect(changeOf(result, other)).toMatchObject({ action: "create", outcome: "done" });
  },
);

test.each([
  ["one", results],
  ["as many", [fine, fine, notFine]],
])("two results of one name at the source are not led to %s at the target", async (_how, there) => {
  const at = await fresh();
  const { urn } = seedDimension(at.source.tenant, { name: "Thing", results: [fine, fine, notFine] });
  seedDimension(at.target.tenant, { name: "Thing", results: there });
  const user = ruleOfDimension(at.source, urn);
  const change = changeOf(await at.apply(plan), user);
  expect(change).toMatchObject({
    action: "blocked",
    reason: expect.stringContaining('the dimension "Thing" has 2 results named "Fine" at the source'),
  });
  expect(change.diagnostics[0]?.suggestion).toBe(
    'Give each result of the dimension "Thing" a name of its own, the same in both environments.',
  );
});

test("where a side does not say how a result counts, that is no word on it, and two silent sides agree", () => {
  const side = (urn: string, result: JsonObject): Found => ({
    urn: `urn:data:${urn}:data-quality:dq-dimension:1`,
    name: "Thing",
    body: { results: [{ urn, name: "Not fine", ...result }] },
  });
  const problems = (here: JsonObject, there: JsonObject): readonly string[] | undefined =>
    dimensions.parts?.(side("dev", here), side("prod", there)).problems.map(({ reason }) => reason);
  const one = 'the result "Not fine" of "Thing" counts as';
  const [failed, silent] = ["failed", "neither passed nor failed"];
  for (const nothing of [{}, { passedOverallResult: null }]) {
    expect(problems({ passedOverallResult: false }, nothing)).toEqual([
      `${one} ${failed} at the source and as ${silent} at the target`,
    ]);
    expect(problems(nothing, { passedOverallResult: false })).toEqual([
      `${one} ${silent} at the source and as ${failed} at the target`,
    ]);
    expect(problems(nothing, { passedOverallResult: null })).toEqual([]);
  }
});
