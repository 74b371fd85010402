import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { author, masterParty, stage } from "./masters-stage.ts";
import { diesAt } from "./support.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";

/** What a rollback has brought to its end of an earlier one, and what it has left, are two things. */

function summaries({ diagnostics }: Result): readonly string[] {
  return diagnostics.map(({ summary }) => summary);
}

test("what was changed since is told as left, and ends with 4, also beside what an earlier rollback had begun", async () => {
  const here = await stage([{ ...masterParty, filter: {}, authored: "all" }]);
  const rows = ["A", "B", "C"].map((code) => author(here.dev, { cmo_code: code, cmo_name: "old" }, "party"));
  await here.apply();
  for (const { authored } of rows) if (authored !== undefined) authored.values["cmo_name"] = "new";
  await here.apply();
  const [theirs] = books.findMasters(here.prod, "party", "cmo_code", "C");
  if (theirs?.authored === undefined) throw new Error("it is not there");
  theirs.authored.values["cmo_name"] = "theirs";
  const died = await diesAt("send:after", 1, async (hooks) =>
    rollbackRun(here.made.migration({}, { plan: here.plan, hooks }), { confirm: async () => true }),
  );
  expect(died).toBe(true);
  const back = await here.back(false);
  expect(back.headline).toContain(": 0 objects taken back, 1 left.");
  expect(summaries(back)).toContain("2 rows that an earlier rollback had begun are brought to their end");
  expect(back.exitCode).toBe(exitCodes.partial);
  expect((await here.back(false)).exitCode).toBe(exitCodes.partial);
});

test("what an earlier rollback had begun is told by the one that ends it, also where nothing else is left", async () => {
  const here = await stage([{ ...masterParty, filter: {}, authored: "all" }]);
  for (const code of ["A", "B"]) author(here.dev, { cmo_code: code }, "party");
  await here.apply();
  await diesAt("send:after", 1, async (hooks) =>
    rollbackRun(here.made.migration({}, { plan: here.plan, hooks }), {
      allowDelete: true,
      confirm: async () => true,
    }),
  );
  const back = await here.back();
  expect([back.exitCode, back.headline]).toEqual([
    exitCodes.done,
    expect.stringContaining("nothing is left of it"),
  ]);
  const told = "2 rows that an earlier rollback had begun are brought to their end";
  expect([summaries(back), summaries(await here.back())]).toEqual([[told], []]);
});
