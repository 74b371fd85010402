import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { author, segment, stage } from "./masters-stage.ts";
import { diesAt } from "./support.ts";

/** A rollback is killed as it deletes a row, and before it is made again somebody gives a value to a column that had none. */
test("a deletion that a rollback had begun is not sent where somebody has added a value since", async () => {
  const here = await stage([segment]);
  for (const code of ["A", "B"]) author(here.dev, { cmo_code: code });
  await here.apply();
  const died = await diesAt("intent:after", 1, async (hooks) =>
    rollbackRun(here.made.migration({}, { plan: here.plan, hooks }), {
      allowDelete: true,
      confirm: async () => true,
    }),
  );
  expect(died).toBeDefined();
  const [there] = books.findMasters(here.prod, "segment", "cmo_code", "A");
  if (there === undefined) throw new Error("it is not there");
  books.writeMaster(here.prod, there, { cmo_name: "theirs" });
  expect((await here.back()).exitCode).toBe(exitCodes.partial);
  expect(here.prod.masters("segment")?.rows.map(({ authored }) => authored?.values)).toEqual([
    expect.objectContaining({ cmo_code: "A", cmo_name: "theirs" }),
  ]);
});
