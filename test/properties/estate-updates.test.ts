import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import type { Edit } from "./estates/editing.ts";
import { edit } from "./estates/editing.ts";
import { estates } from "./estates/estate.ts";
import { expectCarriedOver } from "./estates/likeness.ts";
import { applyOnce, mappingOf, onScene, told, writesTo } from "./estates/migration.ts";
import { quietPeriod, requestTimeout, updateSchedules } from "./estates/schedule.ts";
import { Seeding } from "./estates/seeding.ts";
import { isReplay, patience, runs } from "./runs.ts";
import { isWhole } from "../support/whole.ts";

/** Runs until there is nothing left to do; each fault fires twice at most, so this many are plenty. */
const mostRuns = 12;

const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    side: fc.constant("source" as const),
    // Dashboards cannot be changed by any known interface.
    kind: fc.constantFrom("terms", "rules", "rules", "monitors", "monitors", "primary-monitors"),
    object: fc.nat({ max: 7 }),
    how: fc.constantFrom("text", "more", "more", "less"),
    value: fc.nat({ max: 99 }),
  }),
  { minLength: 1, maxLength: 6 },
);

/** What the service does not let happen, whatever order it is asked in. */
const refusals =
  /is not a result of the dimension|is applied by monitor|is not an input of the rule|is not a parameter of the rule/;

describe("any estate that is edited at the source, whatever goes wrong while the edits travel", () => {
  it(
    "ends with every edit made once, nothing else changed, and then rests",
    async () => {
      const met: string[] = [];
      await fc.assert(
        fc.asyncProperty(estates, edits, updateSchedules, async (estate, made, schedule) => {
          const limits = { quietPeriodMs: quietPeriod(schedule), requestTimeoutMs: requestTimeout };
          await onScene({ limits, policy: { targetOnly: "remove" } }, async (scene) => {
            const { emulator } = scene.world;
            new Seeding(scene.source, scene.given.source).estate(estate);
            const first = await applyOnce(scene);
            expect(first, told(first)).toMatchObject({ exitCode: exitCodes.done });
            for (const each of made) edit(scene.source, scene.given.source, each);
            const before = JSON.stringify(scene.source.dump());
            emulator.log.clear();
            for (const fault of schedule.faults) emulator.faults.add(fault);

            const history: string[] = [];
            let done = false;
            for (let run = 0; run < mostRuns && !done; run += 1) {
              const result = await applyOnce(scene);
              history.push(told(result));
              if (!(result instanceof Error) && refusals.test(told(result))) return;
              done = !(result instanceof Error) && result.exitCode === exitCodes.done;
            }
            const story = [...made.map((each) => JSON.stringify(each)), ...history].join("\n---\n");
            expect(done, story).toBe(true);

            await emulator.idle();
            emulator.faults.clear();
            met.push(...emulator.log.entries.flatMap(({ fault }) => fault ?? []));
            expectCarriedOver(scene, await mappingOf(scene));
            expect(JSON.stringify(scene.source.dump()), "the source is as it was").toBe(before);
            expect(writesTo(scene, "dev")).toEqual([]);

            emulator.log.clear();
            const again = await applyOnce(scene, { verify: true });
            expect(again, told(again)).toMatchObject({ exitCode: exitCodes.done, changes: [] });
            expect(writesTo(scene, "prod")).toEqual([]);
          });
        }),
        runs(20, 4000),
      );
      // Nothing is proved by runs in which nothing went wrong.
      if (!isReplay && isWhole) expect(new Set(met).size, "kinds of faults that were met").toBeGreaterThan(2);
    },
    patience(4000),
  );
});
