import { describe, expect, it } from "vitest";
import { allOr, inWhole } from "../support/whole.ts";
import { play } from "./round.ts";
import { storyOf } from "./telling.ts";

describe("a history", () => {
  it("is the same, byte for byte, whenever its seed is played", async () => {
    const seeds = allOr([7, 8, 9], (seed) => seed === 7);
    for (const seed of seeds) {
      const first = await play(storyOf(seed));
      const second = await play(storyOf(seed));
      expect(second.lines).toEqual(first.lines);
      expect(second.told).toEqual(first.told);
      expect(second.digest).toBe(first.digest);
      expect(first.lines.length).toBeGreaterThan(100);
    }
  });

  inWhole("is another one under another seed", async () => {
    const [one, other] = [await play(storyOf(10)), await play(storyOf(11))];
    expect(other.digest).not.toBe(one.digest);
  });
});
