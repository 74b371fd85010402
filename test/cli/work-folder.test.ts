import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
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
