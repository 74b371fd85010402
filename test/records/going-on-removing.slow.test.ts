import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { countries, diesAt, rowsStage } from "./support.ts";

/** A row that came to the source after a run that was to remove it was killed is there at the end: what that one had compared tells it no more. */

test.each(["intent:after", "outcome:after"] as const)(
  "a run that was killed (%s) is gone on with",
  async (point) => {
    let deaths = 0;
    for (let nth = 1; ; nth += 1) {
      const stage = await rowsStage({
        source: countries(2),
        target: [...countries(130), { code: "OWN", name: "of the target alone" }],
        remove: true,
      });
      const died = await diesAt(point, nth, async (hooks) => stage.apply({ allowDelete: true }, { hooks }));
      if (died === undefined) break;
      deaths += 1;
      seed.seedRecord(stage.dev, stage.source, { code: "C129", name: "Country 129" });
      expect((await stage.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
      expect(Object.keys(stage.published()).toSorted()).toEqual(["C0", "C1", "C129"]);
    }
    expect(deaths).toBeGreaterThan(1);
  },
);
