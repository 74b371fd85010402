import * as fc from "fast-check";
import { expect, it } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { catalogMeaningOf, compareMeanings } from "../support/meaning.ts";
import { noRenames } from "../support/meaning/given.ts";
import { catalogKinds } from "../support/plan.ts";
import { catalogEstates, prepareCatalog, seedCatalog } from "./estates/catalog.ts";
import { applyOnce, onScene, told, writesTo } from "./estates/migration.ts";
import { catalogSchedules, quietPeriod, requestTimeout } from "./estates/schedule.ts";
import { patience, runs } from "./runs.ts";

/** Runs until there is nothing left to do; each fault fires twice at most, so this many are plenty. */
const mostRuns = 12;

const select = { kinds: catalogKinds, entityTypes: ["dataProduct", "qualityIssue", "issueComment"] };

/** Equal things that nothing tells apart are as many; which is which the mapping knows. */
const isTwin = (line: string): boolean => line.startsWith("ambiguous at");

it(
  "any catalog, whatever goes wrong on the way, means the same at the target, everything once, and then rests",
  async () => {
    await fc.assert(
      fc.asyncProperty(catalogEstates, catalogSchedules, async (estate, schedule) => {
        const limits = { quietPeriodMs: quietPeriod(schedule), requestTimeoutMs: requestTimeout };
        // What is equal on purpose is made as often as it is there.
        await onScene({ select, limits, policy: { adopt: "never" } }, async (scene) => {
          const { emulator } = scene.world;
          const connection = prepareCatalog(scene.source, scene.given.source);
          prepareCatalog(scene.target, scene.given.target);
          seedCatalog(scene.source, scene.given.source, connection, estate);
          const before = JSON.stringify(scene.source.dump());
          for (const fault of schedule.faults) emulator.faults.add(fault);

          const history: string[] = [];
          let done = false;
          for (let run = 0; run < mostRuns && !done; run += 1) {
            const result = await applyOnce(scene);
            history.push(told(result));
            done = !(result instanceof Error) && result.exitCode === exitCodes.done;
          }
          expect(done, history.join("\n---\n")).toBe(true);

          await emulator.idle();
          emulator.faults.clear();
          const [here, there] = [scene.source, scene.target].map((tenant) =>
            catalogMeaningOf(tenant, noRenames, []),
          );
          if (here === undefined || there === undefined) throw new Error("there are two sides");
          const lines = compareMeanings(here, there).filter((line) => !isTwin(line));
          expect(lines, history.join("\n---\n")).toEqual([]);
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
  },
  patience(4000),
);
