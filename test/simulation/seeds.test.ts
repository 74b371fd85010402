import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { play } from "./round.ts";
import { storyOf } from "./telling.ts";

/** Seeds whose history once broke a promise, or was taken for one that did. */
const seeds = JSON.parse(readFileSync(new URL("seeds.json", import.meta.url), "utf8")) as readonly number[];

describe("a seed that failed once", () => {
  it.each(seeds)("passes: %d", async (seed) => {
    const { breaches, told } = await play(storyOf(seed));
    expect(breaches, told.join("\n")).toEqual([]);
  });
});
