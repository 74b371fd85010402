import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** Two plans of one name in two folders: neither takes the other's work for its own. */
const stage = useStage();

const rules = { select: { kinds: ["rules"] } };

function twoPlans(): void {
  furnish(stage().dev);
  stage().plan({}, "a/move");
  stage().plan(rules, "b/move");
}

/** A plan in a repository of its own, and git there. */
function repository(): (...words: readonly string[]) => string {
  furnish(stage().dev);
  stage().plan();
  const git = (...words: readonly string[]): string =>
    execFileSync("git", words, { cwd: stage().folder, encoding: "utf8" });
  git("init", "--quiet");
  return git;
}

const both = ["plans/a/move.yaml", "plans/b/move.yaml"] as const;

test.each(["diff", "apply", "rollback", "status", "decide"])(
  "%s of one is refused while the other has the folder, before anything is sent",
  async (command) => {
    twoPlans();
    const [one, other] = both;
    expect((await stage().ferry(`sync ${one} --yes`)).code).toBe(0);
    const { length } = stage().emulator.log.entries;
    const { exitCode, headline, diagnostics } = await stage().json(`${command} ${other}`);
    expect(exitCode).toBe(64);
    expect(`${headline} ${JSON.stringify(diagnostics)}`).toContain(
      "plans/move holds the work of another plan of that name, plans/a/move.yaml",
    );
    expect(JSON.stringify(diagnostics)).toContain("--work-dir");
    expect(stage().emulator.log.entries).toHaveLength(length);
    // The first one goes on as before.
    expect((await stage().ferry(`diff ${one}`)).code).toBe(0);
  },
);

test("each has its own with --work-dir", async () => {
  twoPlans();
  const [one, other] = both;
  expect((await stage().ferry(`sync ${one} --yes`)).code).toBe(0);
  expect((await stage().ferry(`diff ${other} --work-dir plans/b`)).code).toBe(0);
  expect(existsSync(stage().path("plans/b/move/snapshot"))).toBe(true);
});

test("a plan that was moved to another folder keeps its work, and so does a copy that says the same", async () => {
  furnish(stage().dev);
  stage().plan();
  expect((await stage().ferry("sync move --yes")).code).toBe(0);
  mkdirSync(stage().path("plans/a"));
  renameSync(stage().path("plans/move.yaml"), stage().path("plans/a/move.yaml"));
  expect((await stage().ferry("runs plans/a/move.yaml")).stdout).toContain("sync");
  stage().write("copy/move.yaml", stage().read("plans/a/move.yaml"));
  expect((await stage().ferry("diff copy/move.yaml")).code).toBe(0);
  rmSync(stage().path("copy"), { recursive: true });
  expect((await stage().ferry("diff plans/a/move.yaml")).code).toBe(0);
});

test("what an earlier version has left belongs to who comes first", async () => {
  twoPlans();
  const [one, other] = both;
  expect((await stage().ferry(`diff ${other}`)).code).toBe(0);
  rmSync(stage().path("plans/move/plan.json"));
  expect((await stage().ferry(`diff ${one}`)).code).toBe(0);
  expect((await stage().ferry(`diff ${other}`)).code).toBe(64);
});

test("git is told what is not to be committed, in whichever repository", async () => {
  const git = repository();
  expect((await stage().ferry("diff move")).code).toBe(0);
  git("add", ".");
  expect(git("ls-files").trim()).toBe("plans/move.yaml");
  expect((await stage().ferry("sync move --yes")).code).toBe(0);
  git("add", ".");
  const added = git("ls-files").trim().split("\n");
  expect(added).toContain("mappings/.gitignore");
  expect(added.filter((file) => !/^mappings\/(\.gitignore|dev--prod\/[a-z-]+\.json)$/.test(file))).toEqual([
    "plans/move.yaml",
  ]);
  // What somebody has said instead holds.
  stage().write("mappings/.gitignore", "/.locks/\n");
  expect((await stage().ferry("sync move --yes")).code).toBe(0);
  expect(stage().read("mappings/.gitignore")).toBe("/.locks/\n");
  expect(git("status", "--short", "--untracked-files=all")).toContain("applied.ndjson");
});

test("what somebody keeps in the folder of a plan's work is not hidden from git: it may be the plan", async () => {
  const git = repository();
  mkdirSync(stage().path("plans/move"));
  renameSync(stage().path("plans/move.yaml"), stage().path("plans/move/move.yaml"));
  expect((await stage().ferry("diff plans/move/move.yaml")).code).toBe(0);
  git("add", ".");
  expect(git("ls-files").trim().split("\n")).toContain("plans/move/move.yaml");
});

describe("a plan that is named from another folder", () => {
  const never = { policy: { adopt: "never" } };

  test.each(["apply --yes", "sync --yes", "diff", "verify", "status", "rollback", "mappings list"])(
    "%s is refused where its mapping is not there: all of it would be met for the first time",
    async (words) => {
      furnish(stage().dev);
      stage().plan(never);
      expect((await stage().ferry("sync move --yes")).code).toBe(0);
      const { length } = stage().emulator.log.entries;
      const cwd = stage().path("deep/er");
      mkdirSync(cwd, { recursive: true });
      const [command = "", ...more] = words.split(" ");
      const { exitCode, diagnostics } = await stage().json([command, "../../plans/move.yaml", ...more], {
        cwd,
      });
      expect(exitCode).toBe(64);
      expect(diagnostics[0]?.summary).toContain(
        "is known in ../../mappings/dev--prod, and here is no mappings/dev--prod",
      );
      expect(diagnostics[0]?.suggestion).toMatch(/cd \.\.\/\.\..*--mappings-dir \.\.\/\.\.\/mappings/);
      expect(stage().emulator.log.entries).toHaveLength(length);
      expect(readdirSync(cwd)).toEqual([]);
    },
  );

  test("goes on with that mapping when it is named, and has one of its own where somebody says so", async () => {
    furnish(stage().dev);
    stage().plan(never);
    expect((await stage().ferry("sync move --yes")).code).toBe(0);
    const cwd = stage().path("deep/er");
    mkdirSync(cwd, { recursive: true });
    const plan = "../../plans/move.yaml";
    const named = await stage().json(`sync ${plan} --yes --mappings-dir ../../mappings`, { cwd });
    expect(named).toMatchObject({ exitCode: 0, summary: { create: 0 } });
    expect(await stage().json(`diff ${plan} --mappings-dir ./own`, { cwd })).toMatchObject({
      summary: { create: 5 },
    });
  });

  test("is the one that is meant where somebody names the usual folder", async () => {
    furnish(stage().dev);
    stage().plan();
    expect((await stage().ferry("sync move --yes")).code).toBe(0);
    const cwd = stage().path("deep");
    mkdirSync(cwd);
    const said = await stage().ferry("diff ../plans/move.yaml --mappings-dir mappings", { cwd });
    expect(said.code).toBe(0);
    expect(said.stdout).toContain("ferry apply ../plans/move.yaml --mappings-dir ./mappings");
  });

  test("is refused as well where the plan lies deeper in the folder of plans", async () => {
    furnish(stage().dev);
    stage().plan();
    mkdirSync(stage().path("plans/team/deep"), { recursive: true });
    renameSync(stage().path("plans/move.yaml"), stage().path("plans/team/deep/move.yaml"));
    expect((await stage().ferry("sync plans/team/deep/move.yaml --yes")).code).toBe(0);
    for (const [cwd, plan] of [
      ["plans/team/deep", "move.yaml"],
      ["plans", "team/deep/move.yaml"],
    ] as const)
      expect((await stage().json(["diff", plan], { cwd: stage().path(cwd) })).exitCode).toBe(64);
  });

  test("works where the folder of mappings is another one from the beginning", async () => {
    furnish(stage().dev);
    stage().plan();
    const cwd = stage().path("deep");
    mkdirSync(cwd);
    for (const create of [5, 0])
      expect(await stage().json("sync ../plans/move.yaml --yes", { cwd })).toMatchObject({
        exitCode: 0,
        summary: { create },
      });
  });
});
