import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { RowsStage } from "./support.ts";
import { diesAt, recordOf, rowsStage } from "./support.ts";

/** What a killed run was to make is looked for by the next one: where a look fails, or shows others, nothing is made twice, or beside them. */

const ours = { code: "DE", name: "ours" };
const limits = { quietPeriodMs: 10, publishWaitMs: 200 };

async function killed(point: "intent:after" | "send:after"): Promise<RowsStage> {
  const stage = await rowsStage({ source: [ours], plan: { limits } });
  expect(await diesAt(point, 1, async (hooks) => stage.apply({ verify: false }, { hooks }))).toBe(true);
  return stage;
}

const shown = ({ target }: RowsStage): readonly unknown[] =>
  target.records().flatMap(({ published }) => (published === undefined ? [] : [published["name"]]));

/** The look of this number at what an environment has published is refused; gives whether there was one. */
function refuse({ world: { emulator } }: RowsStage, tenant: string, skip: number): () => boolean {
  let isMet = false;
  const off = emulator.on(({ entry }) => {
    isMet ||= entry.fault !== undefined;
  });
  emulator.faults.add({
    match: { tenant, method: "POST", path: "/published/filter$/" },
    when: { skip, times: 1 },
    effect: { type: "status", code: 400 },
  });
  return () => {
    off();
    emulator.faults.clear();
    return isMet;
  };
}

/** The same for each look that a run takes. */
async function eachLook(
  tenant: string,
  play: (refused: (stage: RowsStage) => Promise<boolean>) => Promise<boolean>,
): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    const isMet = await play(async (stage) => {
      const over = refuse(stage, tenant, looks);
      await stage.apply().catch(() => undefined);
      return over();
    });
    if (isMet) continue;
    expect(looks).toBeGreaterThan(0);
    return;
  }
}

test("what somebody has published of its key stands alone, whichever look at it fails", async () => {
  await eachLook("prod", async (refused) => {
    const stage = await killed("send:after");
    seed.seedRecord(stage.prod, stage.target, { ...ours, name: "theirs" });
    const isMet = await refused(stage);
    expect(shown(stage)).toEqual(["theirs"]);
    expect((await stage.apply()).exitCode).toBe(exitCodes.inDoubt);
    expect(shown(stage)).toEqual(["theirs"]);
    return isMet;
  });
});

test("what somebody has published of ours is not made again, whichever look at it fails", async () => {
  await eachLook("prod", async (refused) => {
    const stage = await killed("send:after");
    stage.prod.referenceData.publish(stage.target, stage.target.records(), "at-once");
    const isMet = await refused(stage);
    expect(shown(stage)).toEqual(["ours"]);
    expect((await stage.apply()).exitCode).toBe(exitCodes.done);
    expect([shown(stage), stage.target.records().length]).toEqual([["ours"], 1]);
    return isMet;
  });
});

test("what the source has no more is not made, whichever look at the source fails", async () => {
  await eachLook("dev", async (refused) => {
    const stage = await killed("intent:after");
    const row = recordOf(stage.source, "DE");
    if (row === undefined) throw new Error("the source has no DE");
    seed.removeRecord(stage.source, row);
    seed.seedRecord(stage.dev, stage.source, { code: "FR", name: "another" });
    const isMet = await refused(stage);
    expect(stage.target.records().filter(({ draft }) => draft["code"] === "DE")).toEqual([]);
    expect((await stage.apply()).exitCode).toBe(exitCodes.done);
    expect(shown(stage)).toEqual(["another"]);
    return isMet;
  });
});

test.each([
  [
    "of two of its key one that says the same",
    ["ours", "theirs"],
    "2 rows at the target have its key by now",
  ],
  [
    "one that says something else",
    ["theirs"],
    "a row at the target has its key by now and says something else",
  ],
] as const)("%s is not taken for it, and a person is asked", async (_, names, why) => {
  const stage = await killed("intent:after");
  // A look through a review is taken once.
  stage.prod.quirks.draftFilter = "offered";
  for (const name of names) seed.seedRecord(stage.prod, stage.target, { ...ours, name });
  for (let run = 1; run <= 2; run += 1) {
    const result = await stage.apply();
    expect([result.exitCode, shown(stage)]).toEqual([exitCodes.inDoubt, names]);
    expect(JSON.stringify(result.diagnostics)).toContain(why);
  }
});

test("that nobody was allowed to look at the source is told, and what it says by now is made once", async () => {
  const stage = await killed("intent:after");
  const row = recordOf(stage.source, "DE");
  if (row === undefined) throw new Error("the source has no DE");
  seed.editRecord(stage.source, row, { name: "by now" });
  const match = { tenant: "dev", method: "POST", path: "/published/filter$/" };
  stage.world.emulator.faults.add({ match, when: { times: 1 }, effect: { type: "status", code: 403 } });
  const code = await stage.apply().then(
    ({ exitCode }) => exitCode,
    () => exitCodes.failed,
  );
  expect(code).not.toBe(exitCodes.done);
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect([shown(stage), stage.target.records().length]).toEqual([["by now"], 1]);
});
