import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seedRule } from "../../diff/support/content.ts";
import { written } from "../../diff/support/log.ts";
import { apply, stage } from "../../diff/support/run.ts";
import { editRule } from "../../diff/support/web.ts";
import type { PlanChanges } from "../../support/world.ts";
import { rollback } from "./support.ts";

const rules: PlanChanges = { select: { kinds: ["rules"] } };

test.each([
  ["another plan's run", { ...rules, name: "other" }],
  ["another machine's run", rules],
] as const)(
  "what %s has drafted, and could not publish, is not published by a rollback",
  async (_whose, plan) => {
    const at = await stage({ kept: "files" });
    const urn = seedRule(at.source, "One", { description: "first" });
    await apply(at, rules);
    editRule(at.source, urn, { description: "second" });
    const { run = "" } = await apply(at, rules);
    editRule(at.source, urn, { description: "third" });
    const { faults } = at.world.emulator;
    const match = { tenant: "prod", method: "POST", path: "//publish$/" };
    faults.add({ match, effect: { type: "status", code: 400 } });
    const theirs = await apply(at, plan);
    expect(theirs).toMatchObject({ exitCode: 4, changes: [{ outcome: "failed" }] });
    faults.clear();
    // Of runs of another machine the mapping alone comes here.
    const runs = join(at.world.folder, "plans", "test", "runs");
    for (const name of readdirSync(runs)) if (name.includes(theirs.run ?? "")) rmSync(join(runs, name));
    for (const _time of [1, 2]) {
      expect(await rollback(at, rules, { run })).toMatchObject({
        exitCode: 4,
        changes: [{ action: "manual", reason: expect.stringContaining("another run") as unknown }],
      });
      expect(written(at.world)).toEqual([]);
    }
    expect(at.target.body(at.target.rule("One"))["description"]).toBe("second");
  },
);
