import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import type { Stage } from "./masters-stage.ts";
import {
  author,
  authored,
  crm,
  crmProd,
  party,
  put,
  segment,
  stage as mastersStage,
} from "./masters-stage.ts";
import { diesAt, recordOf, rowsStage } from "./support.ts";

/** A run is killed while it makes a row, and the source has that row no more when the next one comes: nobody asks for it by now. */

async function killed(
  run: (hooks: { reached(at: string): void }) => Promise<unknown>,
  point: "intent:after" | "send:after" = "intent:after",
): Promise<void> {
  expect(await diesAt(point, 1, run)).toBe(true);
}

test.each(["absent", "offered"] as const)(
  "what is neither published nor in the draft is not made (a filter of drafts is %s)",
  async (offered) => {
    const s = await rowsStage();
    s.prod.quirks.draftFilter = offered;
    await killed(async (hooks) => s.apply({ verify: false }, { hooks }));
    const row = recordOf(s.source, "FR");
    if (row !== undefined) seed.removeRecord(s.source, row);
    for (let run = 1; run <= 2; run += 1) {
      const result = await s.apply();
      expect(result.exitCode).toBe(exitCodes.done);
      // The first brings the others to their end, and says so; of this one there is nothing to say.
      expect(result.diagnostics.map(({ severity, summary }) => [severity, summary])).toEqual(
        run === 1 ? [["info", "2 rows that an earlier run had begun were brought to their end"]] : [],
      );
      expect(Object.keys(s.published()).toSorted()).toEqual(["CH", "DE"]);
      expect(s.target.records()).toHaveLength(2);
    }
  },
);

test("what stands in the draft is brought to its end, and told as gone at the source", async () => {
  const s = await rowsStage();
  await killed(async (hooks) => s.apply({ verify: false }, { hooks }), "send:after");
  const row = recordOf(s.source, "FR");
  if (row !== undefined) seed.removeRecord(s.source, row);
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  const result = await s.apply();
  expect(result.diagnostics.map(({ code }) => code)).toEqual(["row-gone"]);
  expect(Object.keys(s.published()).toSorted()).toEqual(["CH", "DE", "FR"]);
});

test("what the source has still is made once, whatever else it has lost", async () => {
  const s = await rowsStage();
  await killed(async (hooks) => s.apply({ verify: false }, { hooks }));
  for (const code of ["FR", "CH"]) {
    const row = recordOf(s.source, code);
    if (row !== undefined) seed.removeRecord(s.source, row);
  }
  seed.seedRecord(s.dev, s.source, { code: "FR", name: "made again" });
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(Object.keys(s.published()).toSorted()).toEqual(["DE", "FR"]);
  expect(s.published()).toMatchObject({ DE: { name: "Germany" }, FR: { name: "made again" } });
});

function remove(here: Stage, sourceId: string): void {
  const row = here.dev.byKey("party", crm, sourceId);
  if (row !== undefined) here.dev.instances("party")?.delete(row);
}

test.each([
  ["is gone", (here: Stage) => remove(here, "2")],
  ["is none that the filter looks at", (here: Stage) => here.name({ ...party, filter: { src_name: "a" } })],
] as const)("an instance that %s is not made", async (_what, change) => {
  const here = await mastersStage([party]);
  put(here.dev, "1", { src_name: "a" });
  put(here.dev, "2", { src_name: "b" });
  await killed(async (hooks) => here.apply({ verify: false }, { hooks }));
  change(here);
  for (let run = 1; run <= 2; run += 1) {
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    expect(here.prod.byKey("party", crmProd, "1")?.source).toMatchObject({ src_name: "a" });
    expect(here.prod.instances("party")?.rows).toHaveLength(1);
  }
});

test("nor is a master", async () => {
  const here = await mastersStage([segment]);
  author(here.dev, { cmo_code: "1", cmo_name: "a" });
  const gone = author(here.dev, { cmo_code: "2", cmo_name: "b" });
  await killed(async (hooks) => here.apply({ verify: false }, { hooks }));
  here.dev.masters("segment")?.delete(gone);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(Object.keys(authored(here.prod))).toEqual(["1"]);
});

test("what a rollback was to make again is made: the source has not had it before either", async () => {
  const own = { code: "OWN", name: "theirs" };
  const s = await rowsStage({ source: [], target: [own], remove: true });
  expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(s.published()).toEqual({});
  await killed(async (hooks) => {
    const migration = s.world.migration(s.changes, { hooks });
    return rollbackRun(migration, { allowDelete: true, confirm: async () => true });
  });
  await s.apply();
  expect(s.published()).toEqual({ OWN: own });
});
