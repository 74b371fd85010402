import { join } from "node:path";
import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { address, adr, adrProd, crmProd, party, put, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
import { diesAt } from "./support.ts";

/** Records that are written in parts, by an approved diff: what a killed run has written of them is no word of anybody else. */

async function approved(): Promise<{ readonly here: Stage; readonly file: string }> {
  const here = await stage([party, { ...address, relationships: ["party"] }]);
  const customer = put(here.dev, "P", { src_name: "p" });
  const street = { entity: "address", origin: adr, sourceId: "A", attributes: { src_street: "x" } };
  books.relate(here.dev, customer, "addresses", books.putInstance(here.dev, street));
  const file = join(here.made.folder, "approved.json");
  await here.diff({ out: file });
  return { here, file };
}

const points = ["intent:after", "send:after", "outcome:after"] as const;

test.each(points.flatMap((first) => points.map((second) => [first, second] as const)))(
  "it goes on wherever its run has died (%s), and the next one (%s)",
  async (first, second) => {
    for (let nth = 1, isOver = false; !isOver; nth += 1) {
      for (const again of [1, 2]) {
        const { here, file } = await approved();
        const dies = async (at: typeof first, time: number): Promise<boolean | undefined> =>
          diesAt(at, time, async (hooks) => here.apply({ diff: file, verify: false }, { hooks }));
        isOver = (await dies(first, nth)) === undefined;
        if (isOver) break;
        await dies(second, again);
        const { exitCode } = await here.apply({ diff: file });
        expect([nth, again, exitCode]).toEqual([nth, again, exitCodes.done]);
        expect(here.prod.byKey("party", crmProd, "P")?.source).toEqual({ src_name: "p" });
        const shown = here.prod.byKey("address", adrProd, "A");
        expect([shown?.source, shown?.parents?.size]).toEqual([{ src_street: "x" }, 1]);
      }
    }
  },
);
