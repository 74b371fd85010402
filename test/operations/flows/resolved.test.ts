import { describe, expect, test } from "vitest";
import { exitCodes } from "../../../src/model/result.ts";
import type { Result } from "../../../src/model/result.ts";
import { applyPlan } from "../../../src/operations/apply.ts";
import { startFlow } from "../../../src/operations/flow.ts";
import { parityPlan } from "../../../src/operations/parity.ts";
import { resolveDoubts } from "../../../src/operations/resolve.ts";
import type { PlanChanges, World } from "../../support/world.ts";
import { moved } from "../parity/support.ts";
import { killedAt } from "../rollback/support.ts";
import { refusal, run } from "../support.ts";
import { before, flowWorld, start } from "./support.ts";

async function resolved(world: World, plan: PlanChanges = {}): Promise<Result> {
  return resolveDoubts(world.migration(plan), { decisions: [] });
}

const nothing = { exitCode: exitCodes.done, headline: "Nothing is in doubt." };

describe("resolve does not say that nothing is in doubt while the end of what was started at the service is not known", () => {
  test("by an apply that was killed: the next one settles it", async () => {
    const { world } = await flowWorld();
    const plan = { flows: before() };
    const dying = applyPlan(world.migration(plan, killedAt("send:after")), { confirm: async () => true });
    await expect(dying).rejects.toThrow("killed");
    const result = await resolved(world, plan);
    expect(result).toMatchObject({
      exitCode: exitCodes.interrupted,
      headline:
        "No object is in doubt. 1 run of the service that ferry has started, or may have, has no known end.",
      next: ["ferry apply test"],
    });
    expect(result.diagnostics).toMatchObject([
      {
        code: "flow-running",
        severity: "warning",
        summary: expect.stringContaining('flow "Import" on "prod-wh"'),
        suggestion: expect.stringContaining("by: ferry apply test"),
      },
    ]);
    expect((await run(world, plan)).exitCode).toBe(exitCodes.done);
    expect(await resolved(world, plan)).toMatchObject(nothing);
  });

  test("by a command of its own that was killed, which no apply has to go on with", async () => {
    const { world } = await flowWorld();
    const dying = startFlow(world.migration({}, killedAt("send:after")), {
      configuration: "Import",
      connection: "prod-wh",
      wait: true,
    });
    await expect(dying).rejects.toThrow("killed");
    expect(await resolved(world)).toMatchObject({ exitCode: 5, next: ["ferry flow test watch"] });
  });

  test("where a person has to say which one it is", async () => {
    const { world, prod } = await flowWorld();
    const plan = { flows: before() };
    world.emulator.faults.add({
      match: { route: start },
      when: { times: 1 },
      effect: { type: "drop-after-commit" },
    });
    const stop = world.emulator.on(({ entry, phase }) => {
      const [first] = [...prod.workflows.values()];
      if (entry.route !== start || phase !== "after-commit" || first === undefined) return;
      prod.workflows.put({ ...first, urn: prod.newUrn("processing:workflow"), name: "Somebody's" });
      stop();
    });
    expect(await refusal(run(world, plan))).toMatchObject({ code: "in-doubt" });
    const result = await resolved(world, plan);
    expect(result).toMatchObject({ exitCode: exitCodes.inDoubt, next: ["ferry flow test watch"] });
    expect(result.diagnostics).toMatchObject([{ code: "flow-in-doubt", severity: "error" }]);
  });

  test("of an evaluation that parity has started", async () => {
    const { world } = await moved();
    const plan = { select: { kinds: ["rules", "monitors"] } };
    const dying = parityPlan(world.migration(plan, killedAt("send:after")), { run: true });
    await expect(dying).rejects.toThrow("killed");
    expect(await resolved(world, plan)).toMatchObject({
      exitCode: exitCodes.interrupted,
      next: ["ferry parity test --run"],
      diagnostics: [{ code: "evaluation-running" }],
    });
  });
});
