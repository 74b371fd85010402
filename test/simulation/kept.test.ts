import { describe, expect, it } from "vitest";
import { kept } from "./case.ts";
import { play } from "./round.ts";

/** What the search has found once is tried for ever; what is not mended yet waits, and `--kept` tells how it stands. */
describe("a story that broke a promise", () => {
  it.each(kept().filter(({ found }) => found.mended))("passes: $name", async ({ found }) => {
    const { breaches, told } = await play(found.story);
    expect(breaches, told.join("\n")).toEqual([]);
  });

  it.each(kept().filter(({ found }) => !found.mended))("is known: $name", ({ found }) => {
    expect(found.story.steps.length + found.told.length).toBeGreaterThan(0);
  });
});
