import { existsSync, mkdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** A result that goes to a file takes the place of nothing that the command lives by. */
const stage = useStage();

describe("what is kept is not written over", () => {
  test.each([
    ["plans/move.yaml", "is the plan itself"],
    ["./plans/../plans/move.yaml", "is the plan itself"],
    [".env", "holds the variables"],
    ["mappings/dev--prod/terms.json", "lies where the mapping"],
    ["mappings/dev--prod/journal.ndjson", "lies where the mapping"],
    ["mappings/dev--prod/rows/x.json", "lies where the mapping"],
    ["mappings/dev--test/terms.json", "lies where the mapping and the journal of other environments"],
    ["plans/other.yaml", "is a YAML file"],
    ["plans/other.json", "is a plan"],
    ["-", "stands for no file"],
  ])("%s: it %s", async (file, why) => {
    furnish(stage().dev);
    stage().plan();
    stage().write(".env", "OTHER=1\n");
    expect((await stage().ferry("sync move --yes")).code).toBe(0);
    mkdirSync(stage().path("mappings/dev--prod/rows"), { recursive: true });
    stage().write("mappings/dev--test/terms.json", "{}\n");
    stage().write("plans/other.yaml", "version: 1\n");
    stage().write("plans/other.json", JSON.stringify({ version: 1, source: {}, target: {} }));
    const before = existsSync(stage().path(file)) ? stage().read(file) : undefined;
    for (const words of ["diff move --out", "mappings move export", "mappings move suggest --out"]) {
      const { exitCode, diagnostics } = await stage().json(`${words} ${file} --env-file .env`);
      expect({ words, exitCode }).toEqual({ words, exitCode: 64 });
      expect(diagnostics[0]?.summary).toContain(why);
    }
    expect(existsSync(stage().path(file)) ? stage().read(file) : undefined).toBe(before);
  });

  test("a result of before is", async () => {
    furnish(stage().dev);
    stage().plan();
    for (const file of ["old.json", "old.json"])
      expect((await stage().ferry(`diff move --out ${file}`)).code).toBe(0);
    // And so is what was printed into it.
    stage().write("old.json", (await stage().ferry("diff move --json")).stdout);
    expect((await stage().ferry("diff move --out old.json")).code).toBe(0);
    stage().write("old.json", "{ cut");
    expect((await stage().ferry("diff move --out old.json")).code).toBe(0);
    expect(stage().read("old.json")).toContain('"changes"');
  });

  test("two versions of a mapping are merged into the mapping, and into nothing else that is kept", async () => {
    furnish(stage().dev);
    stage().plan();
    expect((await stage().ferry("sync move --yes")).code).toBe(0);
    const terms = "mappings/dev--prod/terms.json";
    const merged = async (out: string): Promise<number> =>
      (await stage().ferry(`mappings move merge ${terms} ${terms} --base ${terms} --out ${out}`)).code;
    const codes = [terms, "plans/move.yaml", "mappings/dev--prod/journal.ndjson"].map(merged);
    expect(await Promise.all(codes)).toEqual([0, 64, 64]);
  });
});
