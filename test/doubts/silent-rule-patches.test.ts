import { expect, test } from "vitest";
import { seedTerm } from "../diff/support/content.ts";
import { leaveRuleDraft } from "../../src/emulator/seed.ts";
import { written } from "../diff/support/log.ts";
import { apply, changeOf, expectAtRest } from "../diff/support/run.ts";
import { editRule } from "../diff/support/web.ts";
import { front, through } from "../support/front.ts";
import type { PlanChanges } from "../support/world.ts";
import { applyWith, more, movedRule, partNames, routes, rules } from "./support.ts";

const plan: PlanChanges = { select: { kinds: ["rules", "terms"] } };
const silent = {
  match: { route: routes.patchRule },
  effect: { type: "status", code: 204, commit: true },
} as const;

/** A rule that has got a parameter at the source, and a service that says nothing of what a patch has left. */
async function grown() {
  const moved = await movedRule();
  editRule(moved.at.source, moved.urn, more);
  const off = moved.at.world.emulator.faults.add(silent);
  return { ...moved, off };
}

test("where nothing shows a rule's draft it alone is left, and all else is done", async () => {
  const { at, urn, off } = await grown();
  seedTerm(at.source, "Invoice");
  for (const outcomes of [["done", "failed"], ["failed"]]) {
    const result = await apply(at, plan);
    expect(result.exitCode).toBe(4);
    expect(new Set(result.changes.map(({ outcome }) => outcome))).toEqual(new Set(outcomes));
    expect(JSON.stringify(changeOf(result, urn))).toContain(
      "Whether somebody has a draft of it cannot be seen",
    );
    expect(written(at.world)).not.toContain("PATCH rules/:urn");
  }
  off();
  expect((await apply(at, plan)).exitCode).toBe(0);
  await expectAtRest(at, plan);
});

test.each([
  ["of our own is published", false, 0],
  ["of somebody else is left", true, 4],
] as const)("where reading shows the draft, one %s", async (_what, isTheirs, code) => {
  const { at, twin } = await grown();
  const { tenant } = at.target;
  tenant.quirks.unknownParameters = "ignored";
  if (isTheirs) leaveRuleDraft(tenant, twin, "CHANGE", { description: "theirs" });
  const shown = (): object => {
    const row = tenant.rules.get(twin);
    return { ...row?.published, ...row?.draft, urn: twin, draftType: row?.draftType };
  };
  const { url } = await front(at.world.emulator.baseUrl("prod"), {
    answer: (body, path) => (path.includes("version=DRAFT") ? JSON.stringify(shown()) : body),
  });
  const done = await applyWith(at, rules, through(at.world, rules, { target: url }));
  expect(done.exitCode).toBe(code);
  expect(partNames(at.target.body(twin)["parameters"])).toEqual(isTheirs ? ["pattern"] : ["more", "pattern"]);
  expect(tenant.rules.get(twin)?.draft?.["description"]).toBe(isTheirs ? "theirs" : undefined);
});
