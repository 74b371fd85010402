import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { seedTerm } from "../../src/emulator/seed.ts";
import { documentOf } from "./support/document.ts";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";
import { allOr } from "../support/whole.ts";

/** The report files beside the snapshot, and what a CI runner is told. */
const stage = useStage();
const kinds = ["report.txt", "report.md", "report.html", "report.json"];

beforeEach(() => {
  furnish(stage().dev);
  // One object that needs a person, so that there is something to annotate.
  seedTerm(stage().prod, { name: "Customer", description: "Somebody else." });
  stage().plan();
});

describe("the files", () => {
  test.each(
    allOr(
      ["diff move", "sync move --dry-run", "apply move --yes", "sync move --yes", "verify move"],
      (words) => words.startsWith("apply"),
    ),
  )("of %s say what stdout says", async (words) => {
    const { stdout } = await stage().ferry(`${words} --json`);
    expect(stage().read("plans/move/report.json")).toBe(stdout);
    const { summary, headline = "" } = documentOf(stdout);
    for (const kind of kinds) expect(stage().read("plans/move", kind)).toContain("Email is filled");
    expect(stage().read("plans/move/report.txt")).toContain(headline);
    expect(stage().read("plans/move/report.txt")).toContain(`${summary.create} create`);
    expect(stage().read("plans/move/report.md")).toContain(headline);
  });

  test("a kept one has its numbers as they were written, also where the run is shown", async () => {
    await stage().ferry("diff move");
    const [run = ""] = readdirSync(stage().path("plans/move/runs"));
    const file = `plans/move/runs/${run}/report.json`;
    const numbers = "[9007199254740993, 1.10, 1e400]";
    stage().write(
      file,
      stage().read(file).replace('"fields": []', `"fields": [{ "path": "/n", "to": ${numbers} }]`),
    );
    const { stdout } = await stage().ferry("runs move show --json");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(numbers.replace("[", '"to": [ ').replace("]", " ]"));
  });

  test.each([
    ["markdown", "report.md"],
    ["html", "report.html"],
  ])("--format %s prints what is in %s", async (format, file) => {
    const { stdout } = await stage().ferry(`diff move --format ${format}`);
    expect(stage().read("plans/move", file)).toBe(stdout);
  });

  test("of a rollback", async () => {
    await stage().ferry("sync move --yes");
    const { stdout } = await stage().ferry("rollback move --yes --json");
    expect(stage().read("plans/move/report.json")).toBe(stdout);
  });

  test("of an apply that failed in part are written too", async () => {
    stage().emulator.faults.add({
      match: { route: "POST /api/data-quality/v1/rules/batch/create" },
      effect: { type: "status", code: 422 },
    });
    const document = await stage().json("apply move --yes");
    expect(document).toMatchObject({ exitCode: 4, summary: { failed: 1 } });
    expect(documentOf(stage().read("plans/move/report.json")).summary).toEqual(document.summary);
  });

  test("of a plan that has nothing to move are written too", async () => {
    await stage().ferry("diff move");
    for (const urn of [...stage().dev.terms.values()].map((term) => term.urn)) stage().dev.terms.delete(urn);
    const { stdout } = await stage().ferry("diff move --kinds terms --json");
    expect(documentOf(stdout)).toMatchObject({ exitCode: 0, changes: [] });
    expect(stage().read("plans/move/report.json")).toBe(stdout);
  });

  test.each(["doctor move", "export move", "status move", "resolve move", "mappings move list"])(
    "%s has none: it does not compare",
    async (words) => {
      await stage().ferry(words);
      for (const kind of kinds) expect(existsSync(stage().path("plans/move", kind))).toBe(false);
    },
  );

  test("the diff file and the events lie beside them", async () => {
    await stage().ferry("sync move --yes");
    expect(JSON.parse(stage().read("plans/move/diff.json"))).toMatchObject({ format: 1, plan: "move" });
    const events = stage().read("plans/move/run.ndjson").trim().split("\n");
    expect(events.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(
      expect.arrayContaining(["stage", "applied"]),
    );
  });
});

describe("a CI runner", () => {
  test("GitHub: annotations on stderr, a summary in its file, stdout the result alone", async () => {
    const summary = stage().write("summary.md", "before\n");
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
    const { exitCode, stderr } = await stage().json("apply move --yes", { env });
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/^::error title=blocked%3A terms "Customer"::/m);
    expect(stage().read("summary.md")).toBe(`before\n${stage().read("plans/move/report.md")}`);
  });

  test("GitHub: every run adds to the summary", async () => {
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: stage().path("summary.md") };
    await stage().ferry("diff move", { env });
    const once = stage().read("summary.md");
    await stage().ferry("verify move", { env });
    expect(stage().read("summary.md").startsWith(once)).toBe(true);
    expect(stage().read("summary.md").length).toBeGreaterThan(once.length);
  });

  test("GitLab: the findings on stderr, and a code-quality report where one is asked for", async () => {
    const env = { GITLAB_CI: "true", FERRY_CODE_QUALITY: stage().path("quality.json") };
    const { stderr } = await stage().json("diff move", { env });
    expect(stderr).toMatch(/^ferry: /m);
    expect(stderr).toMatch(/^ {2}error: .*Customer/m);
    expect(stderr).not.toContain("::error");
    const entries = JSON.parse(stage().read("quality.json")) as object[];
    expect(entries).toContainEqual(
      expect.objectContaining({
        check_name: expect.stringMatching(/^ferry\//),
        location: expect.objectContaining({ path: "plans/move.yaml" }),
      }),
    );
  });

  test("a second code-quality report takes the place of the first: the file stays one document", async () => {
    const env = { GITLAB_CI: "true", FERRY_CODE_QUALITY: stage().path("quality.json") };
    await stage().ferry("diff move", { env });
    await stage().ferry("verify move", { env });
    expect(() => JSON.parse(stage().read("quality.json")) as unknown).not.toThrow();
  });

  test("a failure is annotated too", async () => {
    const { stderr } = await stage().json("sync move --yes", {
      env: { GITHUB_ACTIONS: "true", DEV_CLIENT_SECRET: "wrong" },
    });
    expect(stderr).toMatch(/^::error /m);
  });

  test("a summary that cannot be written is a word on stderr and no failure", async () => {
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: stage().path("no/such/folder/summary.md") };
    const { exitCode, stderr } = await stage().json("diff move", { env });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("the runner's summary cannot be written");
  });

  test("and the code quality report is written all the same, as the other way round", async () => {
    const [summary, quality] = [stage().path("summary.md"), stage().path("quality.json")];
    const nowhere = stage().path("no/such/folder/file");
    const one = { GITLAB_CI: "true", GITHUB_STEP_SUMMARY: nowhere, FERRY_CODE_QUALITY: quality };
    expect((await stage().json("diff move", { env: one })).exitCode).toBe(0);
    expect(JSON.parse(readFileSync(quality, "utf8"))).toEqual(expect.any(Array));
    const other = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary, FERRY_CODE_QUALITY: nowhere };
    const { exitCode, stderr } = await stage().json("diff move", { env: other });
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining("the code quality report cannot be written"),
    ]);
    expect(readFileSync(summary, "utf8")).toContain("#");
  });

  test("without a runner there is none of it", async () => {
    const { stderr } = await stage().json("status move", { env: { GITHUB_ACTIONS: "false" } });
    expect(stderr).toBe("");
    const told = await stage().json("diff move", { env: { GITHUB_ACTIONS: "false" } });
    expect(told.stderr).not.toMatch(/^::|error/m);
  });
});
