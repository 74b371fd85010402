import { expect, test } from "vitest";
import type { FaultEffect } from "../../src/emulator/index.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { author, authored, crmProd, party, put, segment, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
import { untilDone } from "./support.ts";

/** What becomes of the request for a record's activity, which comes after the one for its values. */
const ways: readonly (readonly [string, FaultEffect])[] = [
  ["is not allowed", { type: "status", code: 403 }],
  ["is not signed in", { type: "status", code: 401 }],
  ["is refused", { type: "status", code: 400 }],
];
const activity = { tenant: "prod", path: "/\\/deactivate$/" } as const;

function standing(here: Stage): readonly unknown[] {
  const row = here.prod.byKey("party", crmProd, "A");
  if (row === undefined) return [];
  const { source, active } = books.instanceBook(here.prod, row);
  return [source["src_name"], active];
}

/** At the source it has another name by now, and is switched off. */
async function renamedAndOff(): Promise<Stage> {
  const here = await stage([{ ...party, activity: true }]);
  const row = put(here.dev, "A", { src_name: "old" });
  await here.apply();
  put(here.dev, "A", { src_name: "new" });
  books.setActivity(here.dev, row, false);
  return here;
}

/** A rollback says that it is not as it was sent, and leaves it to a person. */
async function named(here: Stage, run: string | undefined): Promise<void> {
  const back = await here.back(true, run);
  expect([back.exitCode, back.summary.blocked]).toEqual([exitCodes.partial, 1]);
}

test.each(ways)(
  "a record of which a part was written, and of which the rest %s, is nobody else's work for the next run",
  async (_, effect) => {
    const here = await renamedAndOff();
    const works = here.made.emulator.faults.add({ match: activity, effect });
    const { exitCode, summary } = await here.apply();
    expect([exitCode === exitCodes.done, summary.failed, standing(here)]).toEqual([false, 1, ["new", true]]);
    works();
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    expect(standing(here)).toEqual(["new", false]);
    expect((await here.diff()).summary).toMatchObject({ unchanged: 1, drift: 0, conflict: 0 });
  },
);

/** Whoever may not sign in does not look at anything either. */
const answered = ways.filter(([how]) => how !== "is not signed in");

test.each(answered)("a rollback names it, where the rest %s", async (_, effect) => {
  const here = await renamedAndOff();
  here.made.emulator.faults.add({ match: activity, effect });
  const { run } = await here.apply();
  await named(here, run);
});

test.each(answered)("so it does with a master that was made, and of which the rest %s", async (_, effect) => {
  const here = await stage([{ ...segment, activity: true }]);
  books.setActivity(here.dev, author(here.dev, { cmo_code: "X", cmo_name: "Ex" }), false);
  const works = here.made.emulator.faults.add({ match: activity, effect });
  const { run } = await here.apply();
  expect(authored(here.prod)["X"]).toMatchObject({ active: true });
  await named(here, run);
  works();
  expect((await untilDone(async () => here.apply())).at(-1)).toBe(exitCodes.done);
  expect(authored(here.prod)["X"]).toMatchObject({ active: false });
});

test.each([400, 403])(
  "a change of which a part arrived before an answer was lost is not one that never was, where it is refused (%i) as it is sent again",
  async (code) => {
    const here = await renamedAndOff();
    const { faults } = here.made.emulator;
    faults.add({ match: activity, when: { times: 1 }, effect: { type: "drop-before-commit" } });
    const values = { tenant: "prod", method: "PUT" };
    faults.add({ match: values, when: { skip: 1 }, effect: { type: "status", code } });
    const { run, exitCode } = await here.apply();
    expect([exitCode === exitCodes.done, standing(here)]).toEqual([false, ["new", true]]);
    if (code === 403) {
      faults.clear();
      expect((await here.apply()).exitCode).toBe(exitCodes.done);
    } else await named(here, run);
    faults.clear();
    expect((await untilDone(async () => here.apply())).at(-1)).toBe(exitCodes.done);
    expect(standing(here)).toEqual(["new", false]);
    expect((await here.diff()).summary).toMatchObject({ unchanged: 1, drift: 0, conflict: 0 });
  },
);

test("so is one whose run dies before it is sent again", async () => {
  class Killed extends Error {}
  for (let nth = 1; ; nth += 1) {
    const here = await renamedAndOff();
    const { faults } = here.made.emulator;
    faults.add({ match: activity, when: { times: 1 }, effect: { type: "drop-before-commit" } });
    let [seen, isDead] = [0, false];
    const reached = (): void => {
      isDead ||= (seen += 1) >= nth;
      if (isDead) throw new Killed();
    };
    await here.apply({}, { hooks: { reached } }).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    if (!isDead) break;
    expect((await untilDone(async () => here.apply())).at(-1)).toBe(exitCodes.done);
    expect(standing(here)).toEqual(["new", false]);
    expect((await here.diff()).summary).toMatchObject({ unchanged: 1, drift: 0, conflict: 0 });
  }
});
