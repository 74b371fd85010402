import { describe, expect, it } from "vitest";
import { leaveRuleDraft } from "../../src/emulator/seed.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedMonitor, seedRule, seedTerm } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import { apply, stage, twinOf, type Stage } from "../diff/support/run.ts";
import { editRule, removeRule } from "../diff/support/web.ts";
import { killedAt } from "../operations/rollback/support.ts";

const plan = { select: { kinds: ["rules", "terms"] } };
const publish = "POST /api/data-quality/v1/rules/:urn/publish";

async function editedRule(): Promise<{ at: Stage; urn: Urn; twin: Urn }> {
  const at = await stage();
  const urn = seedRule(at.source, "Email");
  await apply(at, plan);
  const twin = (await twinOf(at, urn)) as Urn;
  editRule(at.source, urn, { description: "changed" });
  return { at, urn, twin };
}

/** In the web application: our draft is discarded, and the deletion of the rule is drafted. */
function draftDeletion({ target }: Stage, twin: Urn): void {
  const published = target.tenant.rules.get(twin)?.published;
  if (published === undefined) throw new Error("the rule is not published");
  target.tenant.rules.put({ urn: twin, published, draftType: "NONE" });
  leaveRuleDraft(target.tenant, twin, "DELETE", {});
}

describe("a draft that deletes the rule, in the place of ours", () => {
  it.each([
    ["intent:before", 2],
    ["intent:after", 2],
    ["send:after", 2],
  ] as const)("is not published after a kill at %s %d", async (point, nth) => {
    const { at, twin } = await editedRule();
    if (point === "send:after")
      at.world.emulator.faults.add({ match: { route: publish }, effect: { type: "drop-before-commit" } });
    await expect(
      applyPlan(at.world.migration(plan, killedAt(point, nth)), { confirm: async () => true }),
    ).rejects.toThrow("killed");
    at.world.emulator.faults.clear();
    draftDeletion(at, twin);
    const done = await apply(at, plan);
    expect(done.exitCode).not.toBe(0);
    expect(written(at.world)).toEqual([]);
    expect(at.target.tenant.rules.get(twin)?.draftType).toBe("DELETE");
  });

  it("is not published when the answer to our publish was lost", async () => {
    const { at, twin } = await editedRule();
    at.world.emulator.faults.add({
      match: { route: publish },
      when: { times: 1 },
      effect: { type: "drop-before-commit" },
    });
    const off = at.world.emulator.on(({ phase, entry }) => {
      if (entry.route !== publish || phase !== "received") return;
      off();
      draftDeletion(at, twin);
    });
    expect((await apply(at, plan)).exitCode).toBe(6);
    expect(at.target.tenant.rules.get(twin)?.draftType).toBe("DELETE");
  });
});

describe("a rule that somebody deleted at the target", () => {
  it.each([
    ["intent:after", 1],
    ["outcome:after", 1],
    ["intent:before", 2],
    ["intent:after", 2],
  ] as const)("after a kill at %s %d keeps nothing else from being moved", async (point, nth) => {
    const { at, twin } = await editedRule();
    await expect(
      applyPlan(at.world.migration(plan, killedAt(point, nth)), { confirm: async () => true }),
    ).rejects.toThrow("killed");
    at.target.tenant.rules.delete(twin);
    seedTerm(at.source, "Customer");
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(4);
    expect(at.target.tenant.terms.size).toBe(1);
    expect(at.target.tenant.rules.size).toBe(0);
  });
});

it("each delete is sent once when the last write fails and blocks another", async () => {
  const at = await stage();
  const gone = [seedRule(at.source, "Gone"), seedRule(at.source, "Gone too")];
  const monitors = { select: { kinds: ["rules", "monitors"] } };
  await apply(at, monitors);
  for (const urn of gone) removeRule(at.source, urn);
  seedMonitor(at.source, seedRule(at.source, "Bad"), "Customers");
  const route = "POST /api/data-quality/v1/rules/batch/create";
  at.world.emulator.faults.add({ match: { route }, effect: { type: "status", code: 400 } });
  const done = await apply(at, monitors, { allowDelete: true });
  expect(done.exitCode).toBe(4);
  expect(written(at.world)).toEqual(["POST rules/batch/create", "DELETE rules/:urn", "DELETE rules/:urn"]);
});
