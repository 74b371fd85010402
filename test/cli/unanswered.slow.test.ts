import { beforeEach, describe, expect, test } from "vitest";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** What the next run settles alone is no question to a person; what a run has said itself is no surprise to it. */
const stage = useStage();
beforeEach(() => {
  furnish(stage().dev);
  stage().plan();
});

const publishBoard = "POST /api/data-quality/v1/dq-dashboards/:urn/publish";

describe("an answer to publish that is lost again and again", () => {
  beforeEach(async () => {
    const { faults } = stage().emulator;
    faults.add({ match: { route: publishBoard }, effect: { type: "drop-before-commit" } });
    const { exitCode, summary, next, headline } = await stage().json("apply move --yes");
    expect(exitCode).toBe(5);
    expect(summary.inDoubt).toBe(1);
    expect(next).toEqual(["ferry apply move"]);
    expect(headline).toContain("Run again");
    faults.clear();
  });

  test("is said alike by status and resolve, and settled by the next run alone", async () => {
    const standing = await stage().json("status move");
    expect(standing).toMatchObject({ exitCode: 5, next: ["ferry apply move"] });
    // One thing is told once.
    expect(standing.headline).toContain("1 operation in doubt, 0 objects unfinished");
    expect(standing.details).toMatchObject({
      unfinished: [],
      counts: { dashboards: { inDoubt: 1, unfinished: 0 } },
    });
    const asked = await stage().json("resolve move");
    expect(asked.exitCode).toBe(5);
    expect(asked.next).toContain("ferry apply move");
    expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0 });
    expect(await stage().json("status move")).toMatchObject({ exitCode: 0 });
    expect(stage().prod.counts()).toMatchObject({ dashboards: 1 });
  });

  test("is settled by a rollback as well, which refuses a dry run with 5", async () => {
    expect(await stage().json("rollback move --dry-run")).toMatchObject({ exitCode: 5 });
    const { exitCode } = await stage().json("rollback move --yes --allow-delete");
    expect([0, 4]).toContain(exitCode);
  });
});

describe("a sync whose items failed, and said so", () => {
  test("ends with 4: what it reported is no surprise to its proof", async () => {
    stage().emulator.faults.add({
      match: { tenant: "prod", route: "POST /api/data-quality/v1/rules/batch/create" },
      effect: { type: "status", code: 400 },
    });
    const { exitCode, summary, diagnostics, headline } = await stage().json("sync move --yes");
    expect(summary.failed).toBe(1);
    expect(exitCode).toBe(4);
    expect(diagnostics.map(({ code }) => code)).not.toContain("verify-difference");
    expect(headline).toContain("Verified what was done.");
  });
});
