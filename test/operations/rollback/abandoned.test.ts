import { beforeEach, describe, expect, test } from "vitest";
import { applyPlan } from "../../../src/operations/apply.ts";
import { resolveDoubts } from "../../../src/operations/resolve.ts";
import { previewRollback } from "../../../src/operations/rollback.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { seedRule } from "../../diff/support/content.ts";
import { written } from "../../diff/support/log.ts";
import type { Stage } from "../../diff/support/run.ts";
import { apply, stage, twinOf } from "../../diff/support/run.ts";
import { editRule } from "../../diff/support/web.ts";
import type { PlanChanges } from "../../support/world.ts";
import { ended, killedAt, rollback } from "./support.ts";

const rules: PlanChanges = { select: { kinds: ["rules"] } };

/** A person said of a publish whose answer was lost: leave it. */
describe("a draft that a person abandoned", () => {
  let at: Stage;
  let urn: Urn;
  let twin: Urn;

  beforeEach(async () => {
    at = await stage();
    urn = seedRule(at.source, "Email");
    const other = seedRule(at.source, "Other");
    await apply(at, rules);
    twin = (await twinOf(at, urn)) as Urn;
    editRule(at.source, urn, { description: "changed" });
    const { faults } = at.world.emulator;
    const route = "POST /api/data-quality/v1/rules/:urn/publish";
    faults.add({ match: { route }, effect: { type: "drop-before-commit" } });
    const migration = at.world.migration(rules, killedAt("send:after", 2));
    await expect(applyPlan(migration, { confirm: async () => true })).rejects.toThrow("killed");
    faults.clear();
    await resolveDoubts(at.world.migration(rules), { decisions: [{ decision: "abandon", source: urn }] });
    // Something else to take back, so that the rollback has work to do.
    editRule(at.source, other, { description: "changed too" });
    await apply(at, rules);
    expect(draftType()).toBe("CHANGE");
  });

  function draftType(): string | undefined {
    return at.target.tenant.rules.get(twin)?.draftType;
  }

  test("is not published by a rollback either, and named", async () => {
    const done = await rollback(at, rules);
    expect(ended(done).toSorted()).toEqual(["manual rules", "update rules done"]);
    const left = done.changes.find(({ action }) => action === "manual");
    expect(left?.diagnostics[0]?.suggestion).toContain(`ferry resolve test --retry ${urn}`);
    expect(written(at.world).filter((line) => line.includes("publish"))).toHaveLength(1);
    expect(draftType()).toBe("CHANGE");
  });

  test("is left by the preview as well", async () => {
    const shown = await previewRollback(at.world.migration(rules));
    expect(ended(shown).toSorted()).toEqual(["manual rules", "update rules"]);
  });

  test("is taken back once the person says so", async () => {
    await resolveDoubts(at.world.migration(rules), { decisions: [{ decision: "retry", source: urn }] });
    expect((await rollback(at, rules)).exitCode).toBe(0);
    expect(draftType()).toBe("NONE");
  });
});
