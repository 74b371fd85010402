import { expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { exitCodes } from "../../src/model/result.ts";
import { front, through } from "../support/front.ts";
import { countries, countsOf, rowsStage } from "./support.ts";

/** Lists of rows are not isolated from changes: what comes to the front of one while it is read pushes the last of a page onto the next one. */

/** Each page of a table begins with the last row of the one before. */
function pushing(): (body: string, path: string) => string {
  let last: JsonObject | undefined;
  return (body, path) => {
    if (!path.includes("/published/filter")) return body;
    const page = JSON.parse(body) as { readonly data: readonly JsonObject[]; readonly meta: JsonObject };
    const pushed = path.includes("after=") && last !== undefined ? [last] : [];
    last = page.data.at(-1);
    return JSON.stringify({ ...page, data: [...pushed, ...page.data] });
  };
}

test("a row that comes on two pages of the target is removed once", async () => {
  const stage = await rowsStage({ source: [], target: countries(150), remove: true });
  const target = await front(stage.world.emulator.baseUrl("prod"), { answer: pushing() });
  const result = await stage.apply(
    { allowDelete: true },
    through(stage.world, stage.changes, { target: target.url }),
  );
  expect(result.exitCode).toBe(exitCodes.done);
  expect(countsOf(result)).toMatchObject({ delete: 150 });
  expect(stage.published()).toEqual({});
});
