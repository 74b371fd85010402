import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { address, adr, crmProd, party, put, stage } from "./masters-stage.ts";
import { diesAt, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** A rollback that finds a row as it was before its run leaves what is known of it from others. */

async function back(here: RowsStage, run: string | undefined): Promise<number> {
  const migration = here.world.migration(here.changes);
  return (await rollbackRun(migration, { run, allowDelete: true, confirm: async () => true })).exitCode;
}

function edit(table: RowsStage["source"], change: Parameters<typeof seed.editRecord>[2]): void {
  const record = recordOf(table, "FR");
  if (record === undefined) throw new Error("it is not there");
  seed.editRecord(table, record, change);
}

test.each([
  ["taken back, and nothing of it was left the second time", [true, true]],
  ["not taken back, since a later run had brought the same", [false, true]],
])("a change of another column by another run is no colleague's: %s", async (_what, backs) => {
  const here = await rowsStage({ source: [{ code: "FR", name: "one", area: 1 }] });
  await here.apply();
  edit(here.source, { name: "two" });
  const { run } = await here.apply();
  edit(here.source, backs[0] === true ? { area: 2 } : { name: "one", area: 2 });
  await here.apply();
  for (const _each of backs) expect(await back(here, run)).toBe(exitCodes.done);
  edit(here.source, { name: "three", area: 3 });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(here.published()["FR"]).toMatchObject({ name: "three", area: 3 });
  // Nor is a colleague's one of ours.
  edit(here.target, { area: 4 });
  edit(here.source, { area: 5 });
  expect((await here.apply()).exitCode).toBe(exitCodes.partial);
  expect(here.published()["FR"]).toMatchObject({ area: 4 });
});

test.each(["made again", "killed before, and made again", "not allowed a part of it, and made again"])(
  "a relation that no request takes away makes a record nobody's word when the rollback is %s",
  async (how) => {
    const here = await stage([{ ...party, relationships: ["addresses"], overrides: true }, address]);
    const row = put(here.dev, "P", { src_name: "old" });
    await here.apply();
    put(here.dev, "P", { src_name: "new" }, { overrides: { src_name: "over" } });
    const attributes = { src_city: "Bern" };
    const home = books.putInstance(here.dev, { entity: "address", origin: adr, sourceId: "A", attributes });
    books.relate(here.dev, row, "addresses", home);
    const { run } = await here.apply();
    if (how === "made again") await here.back(true, run);
    else if (how.startsWith("not allowed")) {
      const off = here.made.emulator.faults.add({
        match: { tenant: "prod", method: "DELETE", path: "/override/" },
        effect: { type: "status", code: 403 },
      });
      expect((await here.back(true, run)).exitCode).toBe(exitCodes.permission);
      off();
    } else
      await diesAt("intent:after", 1, async (hooks) =>
        rollbackRun(here.made.migration({}, { plan: here.plan, hooks }), { confirm: async () => true }),
      );
    await here.back(true, run);
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    const there = here.prod.byKey("party", "crm#party#Prod", "P");
    expect(there?.source).toMatchObject({ src_name: "new" });
  },
);

/** A change of values, and the relation that goes with it, each by a run of its own, since the first one died between them. */
test("a relation that a rollback of two runs leaves is nobody's word about the record", async () => {
  const here = await stage([{ ...party, relationships: ["addresses"] }, address]);
  const row = put(here.dev, "P", { src_name: "old" });
  await here.apply();
  put(here.dev, "P", { src_name: "new" });
  const home = put(here.dev, "A", { src_city: "Bern" }, { entity: "address", origin: adr });
  books.relate(here.dev, row, "addresses", home);
  const isNew = (): boolean => here.prod.byKey("party", crmProd, "P")?.source["src_name"] === "new";
  await diesAt("intent:before", 2, async (hooks) =>
    applyPlan(here.made.migration({}, { plan: here.plan, hooks }), { confirm: async () => true }),
  );
  expect(isNew()).toBe(true);
  const { run } = await here.apply();
  await here.back(true, run);
  expect(isNew()).toBe(false);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(isNew()).toBe(true);
});
