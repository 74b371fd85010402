import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { estates } from "./estates/estate.ts";
import { expectCarriedOver } from "./estates/likeness.ts";
import { applyOnce, mappingOf, onScene, told, writesTo } from "./estates/migration.ts";
import { quietPeriod, requestTimeout, schedules } from "./estates/schedule.ts";
import { Seeding } from "./estates/seeding.ts";
import { isReplay, patience, runs } from "./runs.ts";
import { isWhole } from "../support/whole.ts";

/** Runs until there is nothing left to do; each fault fires twice at most, so this many are plenty. */
const mostRuns = 12;

const create = "POST /api/data-quality/v1/dq-dashboards";
const publish = "POST /api/data-quality/v1/dq-dashboards/:urn/publish";

/** Aborts when the emulator comes to its n-th event. */
function stopAt(
  emulator: Emulator,
  event: number | undefined,
): { readonly signal: AbortSignal; readonly off: () => void } {
  const controller = new AbortController();
  let left = event ?? Infinity;
  const off = emulator.on(() => {
    if (left <= 0) controller.abort();
    left -= 1;
  });
  return { signal: controller.signal, off };
}

describe("any estate, whatever goes wrong on the way", () => {
  it(
    "ends with exactly one object for each, equal in content, every reference right, and then rests",
    async () => {
      const met: string[] = [];
      let resumed = 0;
      await fc.assert(
        fc.asyncProperty(estates, schedules, async (estate, schedule) => {
          const limits = { quietPeriodMs: quietPeriod(schedule), requestTimeoutMs: requestTimeout };
          await onScene({ limits }, async (scene) => {
            const { emulator } = scene.world;
            new Seeding(scene.source, scene.given.source).estate(estate);
            const before = JSON.stringify(scene.source.dump());
            for (const fault of schedule.faults) emulator.faults.add(fault);

            const history: string[] = [];
            let done = false;
            const fired = (): readonly string[] => emulator.log.entries.flatMap(({ fault }) => fault ?? []);
            for (let run = 0; run < mostRuns && !done; run += 1) {
              const { signal, off } = stopAt(
                emulator,
                schedule.stops.find((stop) => stop.run === run)?.event,
              );
              const result = await applyOnce(scene, { stop: signal });
              off();
              history.push(told(result));
              done = !(result instanceof Error) && result.exitCode === exitCodes.done;
            }
            expect(done, history.join("\n---\n")).toBe(true);

            await emulator.idle();
            emulator.faults.clear();
            met.push(...fired());
            if (history.length > 1) resumed += 1;
            expectCarriedOver(scene, await mappingOf(scene));
            expect(JSON.stringify(scene.source.dump()), "the source is as it was").toBe(before);
            expect(writesTo(scene, "dev")).toEqual([]);

            emulator.log.clear();
            const state = JSON.stringify(scene.target.dump());
            const again = await applyOnce(scene, { verify: true });
            expect(again, told(again)).toMatchObject({ exitCode: exitCodes.done, changes: [] });
            expect(writesTo(scene, "prod")).toEqual([]);
            expect(JSON.stringify(scene.target.dump())).toBe(state);
          });
        }),
        runs(20, 4000),
      );
      // Nothing is proved by runs in which nothing went wrong.
      if (isReplay || !isWhole) return;
      expect(new Set(met).size, "kinds of faults that were met").toBeGreaterThan(3);
      expect(resumed, "migrations that took more than one run").toBeGreaterThan(0);
    },
    patience(4000),
  );

  it("publishes what an interrupted run only created, and does not create it twice, when the next run has trouble too", async () => {
    await onScene({}, async (scene) => {
      const { emulator } = scene.world;
      new Seeding(scene.source, scene.given.source).addDashboard({
        name: "Overview",
        description: undefined,
        monitors: [],
        primaries: [0],
      });
      const controller = new AbortController();
      const off = emulator.on(({ phase, entry }) => {
        if (phase === "after-commit" && entry.route === create) controller.abort();
      });
      expect(await applyOnce(scene, { stop: controller.signal })).toMatchObject({
        exitCode: exitCodes.interrupted,
      });
      off();
      emulator.faults.add({
        match: { route: publish },
        when: { times: 10 },
        effect: { type: "status", code: 500 },
      });
      const second = await applyOnce(scene);
      expect(second, told(second)).not.toMatchObject({ exitCode: exitCodes.done });
      emulator.faults.clear();
      const third = await applyOnce(scene);
      expect(third, told(third)).toMatchObject({ exitCode: exitCodes.done });
      expectCarriedOver(scene, await mappingOf(scene));
      expect(emulator.log.count({ tenant: "prod", route: create })).toBe(1);
    });
  });
});
