import { expect, test } from "vitest";
import { Dice } from "./dice.ts";
import { withOpenings } from "./openings.ts";
import { storyOf } from "./telling.ts";

/** What the documents leave open is told from a seed of its own: histories that were before are as they were, but for that. */
test("some histories meet a service of another make, and nothing else of them changes", () => {
  const stories = Array.from({ length: 200 }, (_, seed) => storyOf(seed));
  const others = stories.filter(({ openings }) => openings !== undefined);
  expect(others.length).toBeGreaterThan(40);
  expect(others.length).toBeLessThan(120);
  const names = new Set(others.flatMap(({ openings }) => Object.keys(openings ?? {})));
  expect(names.size).toBe(17);
});

test("the same seed, the same make", () => {
  const { openings: _none, ...story } = storyOf(7);
  const of = (seed: number) => withOpenings(story, new Dice(seed, "what is left open")).openings;
  for (let seed = 0; seed < 20; seed += 1) expect(of(seed)).toEqual(of(seed));
});
