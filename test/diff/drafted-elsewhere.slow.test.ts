import { expect, test } from "vitest";
import { demoPairing } from "../../src/emulator/scenarios/index.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { Result } from "../../src/model/result.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import { applyWith } from "../doubts/support.ts";
import type { PlanChanges } from "../support/world.ts";
import { stopAfter } from "./support/approved.ts";
import { configurePrimary } from "./support/content.ts";
import { seedTable } from "./support/metadata.ts";
import { apply, diff, expectAtRest, expectChange, stage } from "./support/run.ts";
import type { Stage } from "./support/run.ts";
import { editMonitor } from "./support/web.ts";

/** What a stopped run has drafted in a primary monitor, whose table is paired with another one before the next run. */

const plan: PlanChanges = { select: { kinds: ["monitors"] } };
const schedule = { cronExpression: "0 0 2 * * ?", enabled: true, timeZone: "UTC" };

function renaming(...names: readonly [from: string, to: string][]): PlanChanges {
  const paths = names.flatMap(([from, to]) => [
    { pattern: `^${from}$`, replace: to },
    { pattern: `/${from}$`, replace: `/${to}` },
  ]);
  return { ...plan, pairing: { ...demoPairing, paths: [...demoPairing.paths, ...paths] } };
}

/** `here` are the tables of the source beside A. */
async function drafted(...here: readonly string[]): Promise<{ at: Stage; a: Urn; former: Urn; b: Urn }> {
  const at = await stage();
  const a = seedTable(at.source, "A");
  for (const name of here) seedTable(at.source, name);
  seedTable(at.target, "A");
  const b = seedTable(at.target, "B");
  configurePrimary(at.source, "A", { overallDqThresholds: { own: { value: 11, severity: "WARNING" } } });
  await apply(at, plan);
  editMonitor(at.source, at.source.primary("A"), { schedule });
  expect((await applyWith(at, plan, { stop: stopAfter(at, 1, "PATCH") })).exitCode).toBe(5);
  return { at, a, former: at.target.primary("A"), b };
}

const left = ({ diagnostics }: Result): readonly unknown[] =>
  diagnostics.flatMap(({ code, summary }) => (code === "pair-unfinished" ? [summary] : []));

test.each(["in the plan", "by a person"])(
  "is not published where it was paired otherwise %s",
  async (how) => {
    const { at, a, former, b } = await drafted();
    const now = how === "in the plan" ? renaming(["A", "B"]) : plan;
    if (how === "by a person") await setMappings(at.world.migration(plan), [{ source: a, target: b }]);
    const told = [
      `its publish at prod is still to be done, and no run does it: what it lies over has another twin by now, and what stands in the draft of ${former} is left there`,
    ];
    for (const run of [diff, apply]) {
      const result = await run(at, now);
      expectChange(result, at.source.primary("A"), "update", "first contact");
      expect(left(result)).toEqual(told);
    }
    expect(at.target.body(former)).not.toHaveProperty("schedule");
    expect(at.target.tenant.monitors.get(former)?.draftType).toBe("CHANGE");
    expect(at.target.body(at.target.primary("B"))).toMatchObject({ schedule });
    await expectAtRest(at, now);
  },
);

test("is told by each run until what it was drafted for is brought elsewhere", async () => {
  const { at } = await drafted();
  const others: PlanChanges = {
    ...renaming(["A", "B"]),
    select: { kinds: ["monitors"], exclude: [{ kind: "monitors", name: "A (primary)" }] },
  };
  for (let run = 0; run < 2; run += 1) {
    const result = await apply(at, others);
    expect([result.exitCode, left(result).length]).toEqual([4, 1]);
  }
});

test("is published where something else lies by now, and gives way to what that says", async () => {
  const { at, former } = await drafted("B");
  const now = renaming(["A", "C"], ["B", "A"], ["C", "B"]);
  const result = await apply(at, now);
  expect([result.exitCode, left(result)]).toEqual([0, []]);
  expect(at.target.body(former)).not.toHaveProperty("schedule");
  expect(at.target.body(at.target.primary("B"))).toMatchObject({ schedule });
  await expectAtRest(at, now);
});
