import { describe, expect, it } from "vitest";
import { leaveRuleDraft } from "../../src/emulator/seed.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedRule, seedTerm } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import { apply, diff, stage, twinOf, type Stage } from "../diff/support/run.ts";
import { editRule, editTerm, removeRule, removeTerm } from "../diff/support/web.ts";
import { killedAt } from "../operations/rollback/support.ts";

const plan = { select: { kinds: ["rules", "terms"] } };

async function killed(at: Stage, ...point: Parameters<typeof killedAt>): Promise<void> {
  await expect(
    applyPlan(at.world.migration(plan, killedAt(...point)), { confirm: async () => true }),
  ).rejects.toThrow("killed");
  at.world.emulator.faults.clear();
}

describe("what a person abandoned", () => {
  it("is not published by the next run", async () => {
    const at = await stage();
    const urn = seedRule(at.source, "Email");
    await apply(at, plan);
    const twin = (await twinOf(at, urn)) as Urn;
    editRule(at.source, urn, { description: "changed" });
    const route = "POST /api/data-quality/v1/rules/:urn/publish";
    at.world.emulator.faults.add({ match: { route }, effect: { type: "drop-before-commit" } });
    await killed(at, "send:after", 2);
    await resolveDoubts(at.world.migration(plan), { decisions: [{ decision: "abandon", source: urn }] });
    const done = await apply(at, plan);
    expect(done.changes.map(({ action, reason }) => [action, reason])).toEqual([
      ["manual", expect.stringContaining("abandoned by a person")],
    ]);
    expect(written(at.world)).toEqual([]);
    expect(at.target.body(twin)["description"]).not.toBe("changed");
  });

  it("is not deleted when it is gone at the source", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    await apply(at, plan);
    const twin = (await twinOf(at, urn)) as Urn;
    editTerm(at.source, urn, { description: "changed" });
    at.world.emulator.faults.add({ match: { method: "PATCH" }, effect: { type: "drop-before-commit" } });
    await killed(at, "send:after", 1);
    await resolveDoubts(at.world.migration(plan), { decisions: [{ decision: "abandon", source: urn }] });
    removeTerm(at.source, urn);
    for (const change of (await diff(at, plan)).changes) {
      expect(change).toMatchObject({
        action: "manual",
        reason: expect.stringContaining("abandoned by a person"),
      });
    }
    await apply(at, plan, { allowDelete: true });
    expect(written(at.world)).toEqual([]);
    expect(at.target.tenant.terms.has(twin)).toBe(true);
  });
});

it("what is in doubt and waits for a person is not deleted when it is gone at the source", async () => {
  const at = await stage();
  const urn = seedRule(at.source, "Email");
  await apply(at, plan);
  const twin = (await twinOf(at, urn)) as Urn;
  editRule(at.source, urn, { description: "changed" });
  // The first patch asks for the draft.
  at.world.emulator.faults.add({
    match: { method: "PATCH" },
    when: { skip: 1 },
    effect: { type: "drop-before-commit" },
  });
  await killed(at, "send:after", 1);
  leaveRuleDraft(at.target.tenant, twin, "CHANGE", { description: "theirs" });
  expect((await apply(at, plan)).exitCode).toBe(6);
  removeRule(at.source, urn);
  const done = await apply(at, plan, { allowDelete: true });
  expect(done.exitCode).toBe(6);
  expect(done.changes).toMatchObject([
    { action: "blocked", reason: expect.stringContaining("it is gone at the source") },
  ]);
  expect(written(at.world)).toEqual([]);
  expect(at.target.tenant.rules.get(twin)?.draft).toMatchObject({ description: "theirs" });
});
