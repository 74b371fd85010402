import { expect, test } from "vitest";
import { applyPlan } from "../../src/operations/apply.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import type { Decision } from "../../src/operations/resolve.ts";
import type { Result } from "../../src/model/result.ts";
import type { Migration } from "../../src/operations/migration.ts";
import { onDemo } from "../operations/on-demo.ts";
import type { World } from "../support/world.ts";

/** What is said of one column and which terms it has are two objects with one URN: a command that is advised is about one of them. */
const kinds = ["attribute-metadata", "term-assignments"];
const plan = {
  select: { kinds: ["terms", ...kinds], include: kinds.map((kind) => ({ kind, name: "BIRTH_DATE" })) },
};

let demo: World;
onDemo(({ demo: world }) => (demo = world));

const migration = (): Migration => demo.migration(plan);
const resolve = async (decisions: readonly Decision[]): Promise<Result> =>
  resolveDoubts(migration(), { decisions });

/** The object that a line of a shell has behind `--retry`. */
function retried(line: string): string {
  return /--retry (\S+?)[.,]?(?:\s|$)/.exec(line)?.[1] ?? "";
}

/** Both are sent, and nobody knows what became of either. */
async function bothInDoubt(): Promise<readonly string[]> {
  for (const route of [
    "PATCH /api/catalog/v1/attributes/:urn",
    "POST /api/catalog/v1/attributes/term-assignments/batch/assign",
  ])
    demo.emulator.faults.add({ match: { tenant: "prod", route }, effect: { type: "drop-before-commit" } });
  await applyPlan(migration(), { confirm: async () => true });
  demo.emulator.faults.clear();
  return ((await resolve([])).next ?? [])
    .map(retried)
    .filter((word) => word !== "")
    .toSorted();
}

test("what is in doubt is named with its kind where its URN means several", async () => {
  const words = await bothInDoubt();
  expect(words.map((word) => word.replace(/:urn:.*/, ""))).toEqual(kinds);
  const [, second = ""] = words;
  const { headline } = await resolve([{ decision: "retry", source: second }]);
  expect(headline).toContain("1 operation decided, 1 still in doubt");
});

test("what was abandoned is taken up without a word on what else has its URN", async () => {
  const words = await bothInDoubt();
  const [metadata = "", assignment = ""] = words;
  const { diagnostics } = await resolve([{ decision: "abandon", source: assignment }]);
  expect(diagnostics.map(({ suggestion = "" }) => retried(suggestion))).toEqual([assignment]);
  const { changes } = await diffPlan(migration());
  const [told] = changes
    .filter(({ action }) => action === "manual")
    .flatMap((change) => change.diagnostics.map(({ suggestion = "" }) => suggestion));
  expect(retried(told ?? "")).toBe(assignment);
  // It has no twin of its own that a person could name.
  expect(told).not.toContain("mappings");
  await resolve([{ decision: "retry", source: retried(told ?? "") }]);
  expect(((await resolve([])).next ?? []).map(retried)).toContain(metadata);
});
