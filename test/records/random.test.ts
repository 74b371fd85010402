import { expect, test } from "vitest";
import type { FaultEffect } from "../../src/emulator/index.ts";
import { asText } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { EngineError } from "../../src/engine/progress.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { allOr } from "../support/whole.ts";
import { countries, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** Whatever may become of an answer, at random and again and again; the emulator's own books judge. */
const effects: readonly FaultEffect[] = [
  { type: "drop-before-commit" },
  { type: "drop-after-commit" },
  { type: "status", code: 503 },
  { type: "status", code: 500 },
  { type: "status", code: 429, retryAfter: 0 },
  { type: "status", code: 502, commit: true },
  { type: "truncate" },
  { type: "garbage" },
  { type: "partial-commit", count: 3 },
  { type: "late-commit", ms: 10 },
];

const seeds = allOr(
  Array.from({ length: 24 }, (_, index) => index + 1),
  (number) => number === 2,
);

test.each(seeds)("faults at random, seed %d: each row once, nothing else touched", async (number) => {
  const source = countries(140);
  const target = [
    { code: "C3", name: "old" },
    { code: "C77", name: "old", area: 5 },
    { code: "OWN", name: "of prod alone" },
  ];
  const publish = (["direct", "approve"] as const)[number % 2] ?? "direct";
  const stage = await rowsStage({
    source,
    target,
    publish,
    seed: number,
    plan: { limits: { quietPeriodMs: 60, publishWaitMs: 1_500 } },
  });
  stage.changes = { ...stage.changes, select: { kinds: ["reference-data"] } };
  stage.changes = {
    ...stage.changes,
    records: { referenceData: [{ table: "Countries", key: ["code"], publish }], masterData: [] },
  };
  const theirs = seed.draftRecord(stage.prod, stage.target, { code: "THEIRS" });
  const { faults } = stage.world.emulator;
  for (const effect of effects)
    faults.add({
      match: { tenant: "prod", method: "POST", path: "/draft/" },
      when: { chance: 0.04 },
      effect,
    });
  for (const type of ["drop-after-commit", "garbage"] as const)
    faults.add({
      match: { tenant: "prod", path: "/published/" },
      when: { chance: 0.04 },
      effect: { type },
    });
  // A colleague works on what is theirs meanwhile.
  let edits = 0;
  stage.world.emulator.on(({ phase, entry }) => {
    if (phase !== "received" || entry.tenant !== "prod" || (edits += 1) % 5 !== 0) return;
    const own = recordOf(stage.target, "OWN");
    if (own !== undefined) seed.editRecord(stage.target, own, { name: `a colleague's word ${edits}` });
    stage.target.change(theirs, { name: `not yet ${edits}` });
  });
  let last = -1;
  for (let run = 0; run < 12 && last !== exitCodes.done; run += 1) {
    if (run === 8) faults.clear();
    if (last === exitCodes.inDoubt) await personDecides(stage);
    if (last === exitCodes.partial) approveAll(stage);
    last = await stage.apply().then(
      ({ exitCode }) => exitCode,
      (error: unknown) => {
        if (error instanceof EngineError) return -1;
        throw error;
      },
    );
  }
  expect(last).toBe(exitCodes.done);
  await stage.world.emulator.idle();
  stage.prod.referenceData.settle();
  const wanted = [...source.map(({ code }) => code), "OWN", "THEIRS"].sort();
  expect(
    stage.target
      .records()
      .map(({ draft }) => asText(draft["code"]))
      .sort(),
  ).toEqual(wanted);
  expect(stage.target.open()).toEqual([theirs]);
  for (const row of source) expect(stage.published()[row.code]).toMatchObject(row);
  const word: unknown = recordOf(stage.target, "OWN")?.published?.["name"];
  expect(word === target[2]?.name || String(word).startsWith("a colleague's word")).toBe(true);
  faults.clear();
  stage.world.emulator.log.clear();
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect(stage.writes()).toBe(0);
});

/** Rows that a review holds whose name was lost are refused as being under review: a person approves it. */
function approveAll({ prod }: RowsStage): void {
  for (const [urn] of prod.referenceData.reviews) seed.decideReview(prod, urn, "approve");
}

/** What exit code 6 asks for: what stands in the draft is approved, published, and forgotten by ferry. */
async function personDecides(stage: RowsStage): Promise<void> {
  await stage.world.emulator.idle();
  const { referenceData } = stage.prod;
  approveAll(stage);
  const ours = stage.target.open().filter(({ draft }) => draft["code"] !== "THEIRS");
  referenceData.publish(stage.target, ours, "at-once");
  const decision = { decision: "abandon", source: "reference-data:Countries" } as const;
  await resolveDoubts(stage.world.migration(stage.changes), { decisions: [decision] });
}
