import { expect, test } from "vitest";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { planStatus } from "../../src/operations/status.ts";
import { author, masterParty, stage } from "./masters-stage.ts";
import type { MasterEntity, Stage } from "./masters-stage.ts";

/** Masters that go, go before anything is put back: whoever stops a rollback behind that has not come to the rest of the table. */

const house: MasterEntity = { ...masterParty, filter: {}, authored: "all" };
const places: MasterEntity = { ...house, entity: "address", key: ["cmo_street", "cmo_zip"] };

/** The last run has changed the address A, and made the address B and the party C. */
async function moved(): Promise<Stage> {
  const here = await stage([house, places]);
  const row = author(here.dev, { cmo_street: "A", cmo_zip: "1", cmo_city: "old" }, "address");
  await here.apply();
  if (row.authored !== undefined) row.authored.values["cmo_city"] = "new";
  author(here.dev, { cmo_street: "B", cmo_zip: "1" }, "address");
  author(here.dev, { cmo_code: "C" }, "party");
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  return here;
}

/** Stopped when so many outcomes are on record: two a deletion. */
async function stopped(here: Stage, outcomes: number): Promise<Result> {
  const stop = new AbortController();
  let seen = 0;
  const reached = (at: string): void => {
    if (at === "outcome:after" && (seen += 1) === outcomes) stop.abort();
  };
  const migration = here.made.migration({}, { plan: here.plan, hooks: { reached }, stop: stop.signal });
  return rollbackRun(migration, { allowDelete: true, confirm: async () => true });
}

test.each([
  ["the first of them", 2, "not-started"],
  ["all of them", 4, "done"],
] as const)(
  "a rollback that is stopped when %s are gone is interrupted, and what it has not come to is not done",
  async (_which, outcomes, party) => {
    const here = await moved();
    const result = await stopped(here, outcomes);
    const ends = result.changes.map(({ source, outcome }) => [source?.name, outcome]);
    expect(Object.fromEntries(ends)).toEqual({ "masters/party": party, "masters/address": "begun" });
    expect(result.exitCode).toBe(exitCodes.interrupted);
    expect(result.headline).toContain(" left. It was interrupted: run again to continue.");
    expect(result.next).toContainEqual(
      expect.stringMatching(/^ferry rollback test --run .* --allow-delete$/),
    );
    expect((await planStatus(here.made.migration({}, { plan: here.plan }))).exitCode).toBe(
      exitCodes.interrupted,
    );
    expect((await here.back()).exitCode).toBe(exitCodes.done);
    const [row, ...more] = here.prod.masters("address")?.rows ?? [];
    expect([row?.authored?.values["cmo_city"], more, here.prod.masters("party")?.size]).toEqual([
      "old",
      [],
      0,
    ]);
  },
);
