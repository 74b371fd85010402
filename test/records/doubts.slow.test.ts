import { describe, expect, test } from "vitest";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import { asText } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { planStatus } from "../../src/operations/status.ts";
import { exitCodes } from "../../src/model/result.ts";
import { countries, countsOf, diesAt, losses, rows, rowsStage, untilDone } from "./support.ts";
import type { RowsStage } from "./support.ts";

const batch = { method: "POST", path: "/draft/batch" } as const;
const many = countries(230);

/** By the books of the service: each row once, in the draft and published, and nothing open. */
function expectOnce(stage: RowsStage, codes: readonly unknown[]): void {
  stage.prod.referenceData.settle();
  const drafts = stage.target.records().map(({ draft }) => asText(draft["code"]));
  const wanted = codes.map(String).sort();
  expect(drafts.toSorted()).toEqual(wanted);
  expect(stage.target.open()).toEqual([]);
  expect(Object.keys(stage.published()).sort()).toEqual(wanted);
}

describe("an answer that is lost", () => {
  const all = [...losses, ["with the half of its rows", { type: "partial-commit", count: 1 }]] as const;
  const places = [
    ["a batch of creates", "/draft/batch"],
    ["a publish", "/draft/publish"],
  ] as const;
  for (const [what, path] of places) {
    test.each(all.filter(([, { type }]) => type !== "partial-commit" || path.endsWith("batch")))(
      `${what}, %s: each row is there once`,
      async (_, effect) => {
        const stage = await rowsStage();
        stage.world.emulator.faults.add({
          match: { tenant: "prod", method: "POST", path: `/${path}$/` },
          when: { times: 1 },
          effect,
        });
        const codes = await untilDone(async () => stage.apply());
        expect(codes.at(-1)).toBe(exitCodes.done);
        expectOnce(
          stage,
          rows.map(({ code }) => code),
        );
        stage.world.emulator.log.clear();
        await stage.apply();
        expect(stage.writes()).toBe(0);
      },
    );
  }

  test("is found through a review that holds nothing else, and that is approved again", async () => {
    const stage = await rowsStage();
    const theirs = seed.draftRecord(stage.prod, stage.target, { code: "XX" });
    stage.world.emulator.faults.add({
      match: { tenant: "prod", ...batch, path: "/batch$/" },
      when: { times: 1 },
      effect: { type: "drop-after-commit" },
    });
    const result = await stage.apply();
    expect([result.exitCode, countsOf(result)?.done]).toEqual([exitCodes.done, 3]);
    expect(theirs.state).toBe("NEW");
    expect(stage.target.records()).toHaveLength(4);
    expect([...stage.prod.referenceData.reviews.values()].map(({ records }) => records.size)).toEqual([0]);
  });

  test.each([
    ["says something else", 1, { code: "CH", name: "theirs" }],
    ["is there twice", 2, rows[2] ?? {}],
  ] as const)(
    "is no draft of a colleague that has the key and %s: it is not published",
    async (_, times, values) => {
      const stage = await rowsStage();
      const { emulator } = stage.world;
      emulator.faults.add({
        match: { tenant: "prod", ...batch, path: "/batch$/" },
        when: { times: 1 },
        effect: { type: "drop-before-commit" },
      });
      const off = emulator.on(({ phase, entry }) => {
        if (phase !== "received" || !entry.path.endsWith("/draft/request-review")) return;
        off();
        for (let made = 0; made < times; made += 1) seed.draftRecord(stage.prod, stage.target, values);
      });
      expect((await stage.apply()).exitCode).toBe(exitCodes.inDoubt);
      expect(Object.keys(stage.published())).not.toContain("CH");
    },
  );

  test.each([
    ["ours was: it is not made a second time", "Switzerland", exitCodes.done],
    ["somebody had changed there: a person is asked", "theirs", exitCodes.inDoubt],
  ] as const)(
    "is of rows that somebody publishes with all drafts meanwhile, as %s",
    async (_, name, code) => {
      const stage = await rowsStage();
      const { emulator } = stage.world;
      emulator.faults.add({
        match: { tenant: "prod", ...batch, path: "/batch$/" },
        when: { times: 1 },
        effect: { type: "drop-after-commit" },
      });
      const off = emulator.on(({ phase, entry }) => {
        if (phase !== "received" || !entry.path.endsWith("/draft/request-review")) return;
        off();
        for (const record of stage.target.records())
          seed.editRecord(stage.target, record, record.draft["code"] === "CH" ? { name } : {});
      });
      expect((await stage.apply()).exitCode).toBe(code);
      expect(stage.target.records()).toHaveLength(rows.length);
      expect(stage.published()["CH"]).toMatchObject({ name });
    },
  );

  test("is asked about where nothing can tell, and nothing is sent again", async () => {
    const stage = await rowsStage();
    stage.prod.quirks.emptyReview = "refused";
    stage.world.emulator.faults.add({
      match: { tenant: "prod", ...batch, path: "/batch$/" },
      when: { times: 1 },
      effect: { type: "drop-before-commit" },
    });
    const result = await stage.apply();
    expect(result.exitCode).toBe(exitCodes.inDoubt);
    expect(result.summary.inDoubt).toBe(3);
    stage.world.emulator.log.clear();
    expect((await stage.apply()).exitCode).toBe(exitCodes.inDoubt);
    expect(stage.world.emulator.log.entries.filter(({ path }) => path.endsWith("/batch"))).toEqual([]);
  });
});

test.each(["intent:before", "intent:after", "send:after", "outcome:before", "outcome:after"] as const)(
  "a run that dies at %s, each time it comes by, leaves each row once",
  async (point: EnginePoint) => {
    let deaths = 0;
    for (let nth = 1; nth <= 8; nth += 1) {
      const stage = await rowsStage({ source: many });
      stage.prod.quirks.publishing = { afterReads: 1 };
      const isDead = await diesAt(point, nth, (hooks) => stage.apply({}, { hooks }));
      if (isDead === undefined) break;
      expect(isDead).toBe(true);
      deaths += 1;
      const codes = await untilDone(async () => stage.apply());
      expect(codes.at(-1)).toBe(exitCodes.done);
      expectOnce(
        stage,
        many.map(({ code }) => code),
      );
    }
    expect(deaths).toBeGreaterThanOrEqual(3);
  },
);

describe("a review", () => {
  test("stops the run with its name and URN; the next one goes on when it was approved", async () => {
    const stage = await rowsStage({ publish: "review", target: [{ code: "FR", name: "Frankreich" }] });
    const theirs = seed.draftRecord(stage.prod, stage.target, { code: "XX" });
    const first = await stage.apply();
    expect(first.exitCode).toBe(exitCodes.partial);
    const [review] = [...stage.prod.referenceData.reviews.values()];
    expect(first.changes[0]?.diagnostics.map(({ summary }) => summary)).toEqual([
      "first contact: 1 row is at the target already; of 1 what stands there is overwritten",
      `3 rows wait for the review "Countries" (${review?.urn ?? ""})`,
    ]);
    expect([...(review?.records ?? [])].map(({ draft }) => asText(draft["code"])).sort()).toEqual([
      "CH",
      "DE",
      "FR",
    ]);
    expect(Object.keys(stage.published())).toEqual(["FR"]);

    stage.world.emulator.log.clear();
    const waiting = await stage.apply();
    expect([waiting.exitCode, stage.writes()]).toEqual([exitCodes.partial, 0]);
    const looked = await stage.diff();
    expect(looked.summary).toMatchObject({ manual: 3, create: 0, update: 0 });
    // Nobody who looks is told to do that by hand.
    expect(looked.changes[0]?.diagnostics).toEqual([
      expect.objectContaining({
        code: "row-review",
        summary: `3 rows wait for the review "Countries" (${review?.urn ?? ""})`,
        suggestion: "Once it is approved in the web application, ferry apply PLAN publishes them.",
      }),
    ]);

    seed.decideReview(stage.prod, review?.urn ?? ("" as never), "approve");
    const last = await stage.apply();
    expect(last.exitCode).toBe(exitCodes.done);
    expect(Object.keys(stage.published()).sort()).toEqual(["CH", "DE", "FR"]);
    expect(stage.target.open()).toEqual([theirs]);
    stage.world.emulator.log.clear();
    expect((await stage.apply()).exitCode).toBe(exitCodes.done);
    expect(stage.writes()).toBe(0);
  });

  test("that is gone is not taken for an approval: nothing is published, and a person is asked", async () => {
    const stage = await rowsStage({ publish: "review" });
    expect((await stage.apply()).headline).toMatch(
      /^Nothing is published yet\. Some objects need a person\./,
    );
    expect((await stage.apply()).headline).toMatch(/^Nothing to do\. Some objects need a person\./);
    const waiting = await planStatus(stage.world.migration(stage.changes));
    expect(waiting.headline).toContain(
      "3 rows that a run has put up for a review are not known to be published",
    );
    const [review] = [...stage.prod.referenceData.reviews.values()];
    seed.decideReview(stage.prod, review?.urn ?? ("" as never), "reject");
    const result = await stage.apply();
    expect(result.exitCode).toBe(exitCodes.inDoubt);
    expect(result.changes[0]?.diagnostics[0]?.summary).toContain(
      "whether it was approved or rejected cannot be told",
    );
    expect(stage.published()).toEqual({});

    const decision = { decision: "abandon", source: "reference-data:Countries" } as const;
    // What the run sends a person to is no dead end: it knows of the rows, and names what settles them.
    const asked = await resolveDoubts(stage.world.migration(stage.changes), { decisions: [] });
    expect(asked).toMatchObject({
      exitCode: exitCodes.inDoubt,
      headline: 'No object is in doubt. Of rows: the table "Countries" has 3 rows of a run in doubt.',
      next: ["ferry apply test", "ferry resolve test --abandon reference-data:Countries"],
    });
    expect(await planStatus(stage.world.migration(stage.changes))).toMatchObject({
      exitCode: exitCodes.inDoubt,
      next: ["ferry resolve test"],
    });
    const told = await resolveDoubts(stage.world.migration(stage.changes), { decisions: [decision] });
    expect(told.headline).toBe(
      "What was open of rows of 1 table is forgotten; the next run looks at what is published.",
    );
    const after = await resolveDoubts(stage.world.migration(stage.changes), { decisions: [] });
    expect(after).toMatchObject({ headline: "Nothing is in doubt.", next: ["ferry diff test"] });
    // Somebody has discarded them, and they are news.
    for (const record of stage.target.open()) {
      seed.removeRecord(stage.target, record);
    }
    expect((await stage.diff()).summary).toMatchObject({ create: 3, blocked: 0 });
  });

  test("is approved by the run itself where the plan says so", async () => {
    const stage = await rowsStage({ publish: "approve" });
    expect((await stage.apply()).exitCode).toBe(exitCodes.done);
    expectOnce(
      stage,
      rows.map(({ code }) => code),
    );
  });

  test.each(["drop-before-commit", "drop-after-commit"] as const)(
    "whose request is lost (%s) is not asked for twice for the same rows",
    async (type) => {
      const stage = await rowsStage({ publish: "review" });
      stage.world.emulator.faults.add({
        match: { tenant: "prod", method: "POST", path: "/request-review$/" },
        when: { times: 1 },
        effect: { type },
      });
      for (let run = 0; run < 3; run += 1) await stage.apply();
      const held = [...stage.prod.referenceData.reviews.values()].flatMap(({ records }) => [...records]);
      expect(held.map(({ draft }) => asText(draft["code"])).sort()).toEqual(["CH", "DE", "FR"]);
      expect(stage.published()).toEqual({});
    },
  );
});
