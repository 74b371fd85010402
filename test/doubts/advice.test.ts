import { expect, it } from "vitest";
import { seedTerm as seedThere } from "../../src/emulator/seed.ts";
import type { Result } from "../../src/model/result.ts";
import { seedTerm } from "../diff/support/content.ts";
import { apply, stage, type Stage } from "../diff/support/run.ts";

/** What is said with an object in doubt is what its run says as a whole: to run again, or to decide. */
const plan = { select: { kinds: ["terms"] } };
const route = "POST /api/catalog/v1/terms/bulk";

function advised({ changes }: Result): readonly (string | undefined)[] {
  return changes.flatMap(({ diagnostics }) => diagnostics.map(({ suggestion }) => suggestion));
}

async function lost(at: Stage, type: "drop-before-commit" | "drop-after-commit"): Promise<Result> {
  seedTerm(at.source, "One");
  at.world.emulator.faults.add({ match: { route }, effect: { type } });
  return apply(at, plan);
}

it("what the next run settles is not put before a person", async () => {
  const done = await lost(await stage(), "drop-before-commit");
  expect(done.exitCode).toBe(5);
  expect(advised(done)).toEqual(["Run the same command again: that settles it."]);
});

it("what a person has to decide names the command", async () => {
  const at = await stage();
  const off = at.world.emulator.on(({ phase, entry }) => {
    if (phase !== "after-commit" || entry.route !== route) return;
    off();
    const [made] = [...at.target.tenant.terms.values()].flatMap(({ published }) => published ?? []);
    seedThere(at.target.tenant, { name: "One", description: made?.["description"] ?? "" });
  });
  const done = await lost(at, "drop-after-commit");
  expect(done.exitCode).toBe(6);
  expect(advised(done)).toEqual([`Decide: ferry resolve ${done.plan}`]);
});
