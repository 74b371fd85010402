import { describe, expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { crmProd, party, put, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";

/** What a rollback has put back of a record in part is its own work: it goes on with it, and so does an apply. */

function standing({ prod }: Stage): unknown {
  const row = prod.byKey("party", crmProd, "A");
  if (row === undefined) return undefined;
  const { source, active, overrides } = books.instanceBook(prod, row);
  return [source["src_name"], active, overrides];
}

/** A run has changed its name, overridden that, and switched it off; a rollback is refused a part of that. */
async function partlyBack(match: object, code: number): Promise<{ here: Stage; run: string | undefined }> {
  const here = await stage([{ ...party, activity: true, overrides: true }]);
  const row = put(here.dev, "A", { src_name: "old" });
  await here.apply();
  put(here.dev, "A", { src_name: "new" }, { overrides: { src_name: "over" } });
  books.setActivity(here.dev, row, false);
  const { run } = await here.apply();
  expect(standing(here)).toEqual(["new", false, { src_name: "over" }]);
  const off = here.made.emulator.faults.add({
    match: { tenant: "prod", ...match },
    effect: { type: "status", code },
  });
  expect((await here.back(true, run)).exitCode).not.toBe(exitCodes.done);
  off();
  return { here, run };
}

const ways = [
  [
    "the override is refused",
    { method: "DELETE", path: "/override/" },
    400,
    ["old", false, { src_name: "over" }],
  ],
  [
    "the override is not allowed",
    { method: "DELETE", path: "/override/" },
    403,
    ["old", false, { src_name: "over" }],
  ],
  ["the activity is not allowed", { path: "/\\/(activate|remove-activity)$/" }, 403, ["old", false, {}]],
] as const;

describe.each(ways)("where %s", (_what, match, code, left) => {
  test("the rollback, made again, takes back the rest", async () => {
    const { here, run } = await partlyBack(match, code);
    expect(standing(here)).toEqual(left);
    expect((await here.back(true, run)).exitCode).toBe(exitCodes.done);
    expect(standing(here)).toEqual(["old", true, {}]);
  });

  test("an apply brings the source's word again", async () => {
    const { here } = await partlyBack(match, code);
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    expect(standing(here)).toEqual(["new", false, { src_name: "over" }]);
  });

  test("a colleague's word on it is left by both", async () => {
    const { here, run } = await partlyBack(match, code);
    put(here.prod, "A", { src_name: "theirs" });
    expect((await here.back(true, run)).exitCode).toBe(exitCodes.partial);
    expect((await here.apply()).exitCode).toBe(exitCodes.partial);
    expect(standing(here)).toEqual(["theirs", left[1], left[2]]);
  });
});

/** It is taken back by two requests, what it said and that it does not count, and the second is refused. */
test.each([400, 403])(
  "what was made in the place of a record that did not count, and counts still (%i), does not count once the rollback is made again",
  async (code) => {
    const here = await stage([party]);
    here.plan = { ...here.plan, limits: { ...here.plan.limits, quietPeriodMs: 10 } };
    put(here.dev, "A", { src_name: "new" });
    books.setActivity(here.prod, put(here.prod, "A", { src_name: "old" }), false);
    const { run } = await here.apply();
    expect(standing(here)).toEqual(["new", true, {}]);
    const off = here.made.emulator.faults.add({
      match: { tenant: "prod", path: "/\\/deactivate$/" },
      effect: { type: "status", code },
    });
    expect((await here.back(true, run)).exitCode).toBe(
      code === 403 ? exitCodes.permission : exitCodes.partial,
    );
    off();
    expect(standing(here)).toEqual(["old", true, {}]);
    // Nobody has been there: it is no drift, and nobody else's change.
    expect((await here.diff()).summary).toMatchObject({ drift: 0, blocked: 1 });
    expect((await here.back(true, run)).exitCode).toBe(exitCodes.done);
    expect(standing(here)).toEqual(["old", false, {}]);
  },
);
