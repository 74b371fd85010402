import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mutants } from "./index.ts";
import { mutated } from "./mutant.ts";
import { promises } from "./promises.ts";

describe("a deliberate fault", () => {
  it.each(mutants)("still fits one place: $name", (mutant) => {
    const source = readFileSync(new URL(`../../../${mutant.file}`, import.meta.url), "utf8");
    expect(mutated(source, mutant)).not.toBe(source);
  });

  it("stands for each of the promises but the one about sockets", () => {
    const names = new Set(mutants.map(({ name }) => name));
    expect(promises).toHaveLength(21);
    expect(promises.filter(({ mutants: broken }) => broken.length === 0)).toHaveLength(1);
    for (const { mutants: broken } of promises) for (const name of broken) expect(names).toContain(name);
  });

  it("has a name of its own", () => {
    const names = mutants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(25);
  });
});
