import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mutants } from "./index.ts";
import { mutated } from "./mutant.ts";

describe("a deliberate fault", () => {
  it.each(mutants)("still fits one place: $name", (mutant) => {
    const source = readFileSync(new URL(`../../../${mutant.file}`, import.meta.url), "utf8");
    expect(mutated(source, mutant)).not.toBe(source);
  });

  it("has a name of its own", () => {
    const names = mutants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(25);
  });
});
