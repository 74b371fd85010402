import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** What the service runs, as a person asks for it: evaluations that are compared, and documentation flows. */
const stage = useStage();
const starts = (): number =>
  stage().emulator.log.entries.filter(
    ({ route }) => route === "POST /api/catalog/v1/documentation-flow/start",
  ).length;
const runsAt = (tenant: string): number =>
  stage().emulator.log.entries.filter(
    (entry) => entry.tenant === tenant && entry.method === "POST" && entry.route.endsWith("/processings"),
  ).length;

beforeEach(() => {
  furnish(stage().dev);
  stage().plan();
  stage().prod.quirks.workflowRetryAfter = 0;
});

describe("ferry sync --parity", () => {
  test("says at its end whether the moved monitors say the same, with the runs that it starts at the target", async () => {
    for (const { urn } of stage().dev.monitors.values()) seed.seedRun(stage().dev, urn);
    const { code, stdout } = await stage().ferry("sync move --yes --parity --run --json");
    const { parity, summary } = JSON.parse(stdout) as {
      summary: object;
      parity: readonly { outcome: string }[];
    };
    expect(code).toBe(0);
    expect(summary).toMatchObject({ create: 5 });
    expect(parity.map(({ outcome }) => outcome)).toEqual(["equal"]);
    expect([runsAt("dev"), runsAt("prod")]).toEqual([0, 1]);
    expect(existsSync(join(stage().folder, "plans/move/parity.html"))).toBe(true);
  });

  test("ends with 4 where nothing can be compared, and says why", async () => {
    const { code, stdout } = await stage().ferry("sync move --yes --parity");
    expect(code).toBe(4);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("it has never run at dev; it has never run at prod");
  });

  test("--run without it is a mistake", async () => {
    expect((await stage().ferry("sync move --yes --run")).code).toBe(64);
  });
});

describe("ferry flow", () => {
  test("lists what may be started, starts it once, and tells how it ended", async () => {
    expect((await stage().ferry("flow move list")).stdout).toContain("Import");
    const { code, stdout } = await stage().ferry("flow move start Import --connection prod-wh");
    expect([code, starts()]).toEqual([0, 1]);
    expect(stdout).toContain('flow "Import" on "prod-wh" has finished');
  });

  test("what is not waited for is watched by the next command, and not started again", async () => {
    expect((await stage().ferry("flow move start Import --connection prod-wh --no-wait")).code).toBe(0);
    expect((await stage().ferry("flow move watch")).code).toBe(0);
    expect(starts()).toBe(1);
  });

  test.each([
    ["flow move start", "start needs the name"],
    ["flow move start Import", "start needs --connection"],
    // A command is told from what is said of it.
    ["flow move start Import", "next: `ferry flow move list` shows what there is."],
    ["flow move cancel", "next: `ferry flow move watch` names what is under way."],
    ["flow move lits", "Did you mean list?"],
    ["flow move start Imprt --connection prod-wh", "Did you mean Import"],
  ])("%s is a mistake that is told", async (words, said) => {
    const { code, stdout } = await stage().ferry(words);
    expect(code).toBe(64);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(said);
    expect(starts()).toBe(0);
  });
});

describe("flows of a plan", () => {
  const flows = { before: [{ configuration: "Import", connection: "prod-wh" }] };

  test("are asked for before they are started", async () => {
    stage().plan({ flows });
    const { asked } = await stage().ferry("apply move", { terminal: true, answers: ["no"] });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("Import");
    expect([starts(), stage().prod.counts().terms]).toEqual([0, 0]);
  });

  test("are told by the diff, and started by the sync", async () => {
    stage().plan({ flows });
    expect((await stage().ferry("diff move")).stdout).toContain("Import");
    expect(starts()).toBe(0);
    expect((await stage().json("sync move --yes")).exitCode).toBe(0);
    expect(starts()).toBe(1);
  });
});
