import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { planNameProblem } from "../../src/plan/plan-name.ts";
import { useStage } from "../cli/support/stage.ts";

const stage = useStage();

describe("the name that a file gives its plan", () => {
  test.each(["prod", "prod-2", "täglich_1", "eu.prod", "本番", "p"])("%s is one", (name) => {
    expect(planNameProblem(`plans/${name}.yaml`)).toBeUndefined();
  });

  test.each(["..", ".", ".hidden", "two words", "-flag", "a.", "a\u202eb", "a;b", "$x"])(
    "%j is none",
    (name) => {
      expect(planNameProblem(`plans/${name}.yaml`)?.summary).toContain("is no name for a plan");
    },
  );

  test("is refused before anything is written, by every command and by init", async () => {
    stage().plan({}, "..");
    expect(existsSync(stage().path("plans/...yaml"))).toBe(true);
    const before = readdirSync(stage().folder);
    for (const words of ["diff plans/...yaml", "apply plans/...yaml --yes", "init plans/....yaml"]) {
      const { code, stdout } = await stage().ferry(words);
      expect([code, stdout.replaceAll(/\s+/gu, " ")]).toEqual([
        64,
        expect.stringContaining("is no name for a plan"),
      ]);
    }
    expect(readdirSync(stage().folder)).toEqual(before);
  });
});
