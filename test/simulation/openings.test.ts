import { expect, test } from "vitest";
import type { Result } from "../../src/model/result.ts";
import { kept } from "./case.ts";
import { Dice } from "./dice.ts";
import { withOpenings } from "./openings.ts";
import { anyRule } from "./plain-estate.ts";
import { play } from "./round.ts";
import { apply, empty } from "./small-stories.ts";
import type { Story } from "./story.ts";
import { storyOf } from "./telling.ts";

/** What the documents leave open is told from a seed of its own: histories that were before are as they were, but for that. */
test("some histories meet a service of another make, and nothing else of them changes", () => {
  const stories = Array.from({ length: 200 }, (_, seed) => storyOf(seed));
  const others = stories.filter(({ openings }) => openings !== undefined);
  expect(others.length).toBeGreaterThan(40);
  expect(others.length).toBeLessThan(120);
  const names = new Set(others.flatMap(({ openings }) => Object.keys(openings ?? {})));
  expect(names.size).toBe(18);
});

test("the same seed, the same make", () => {
  const { openings: _none, ...story } = storyOf(7);
  const of = (seed: number) => withOpenings(story, new Dice(seed, "what is left open")).openings;
  for (let seed = 0; seed < 20; seed += 1) expect(of(seed)).toEqual(of(seed));
});

const unpatched: Story = {
  ...empty,
  estate: { ...empty.estate, rules: [anyRule] },
  there: { ...empty.there, rules: [{ ...anyRule, conditions: [] }] },
  kinds: ["rules"],
  policy: { adopt: "by-name", replace: "allow" },
  openings: { lacks: { at: "target", absent: ["PATCH /api/data-quality/v1/rules/"] } },
  steps: [apply],
};

test("where rules cannot be changed a new one may stand beside what is taken over by its name, and the run names that", async () => {
  const { breaches, told } = await play(unpatched);
  expect(breaches, told.join("\n")).toEqual([]);
  expect(told.join("\n")).toMatch(/replace rules "[^"]+" \([0-9a-f]+\) done[^]*delete rules .*withheld/);
});

test("one that does not name it is found", async () => {
  const { found } = kept().find(({ name }) => name === "made-beside-2500003163.json") ?? {};
  const result = (given: Result): Result => ({
    ...given,
    changes: given.changes.filter(({ action }) => action !== "delete"),
  });
  const { breaches } = await play(found?.story ?? unpatched, { result });
  expect(breaches.map(({ invariant }) => invariant)).toContain("made-beside");
});

test("nor is one made beside it where the plan does not take it over", async () => {
  const { breaches, told } = await play({ ...unpatched, policy: { adopt: "identical", replace: "allow" } });
  expect(breaches, told.join("\n")).toEqual([]);
  expect(told.join("\n")).toMatch(/blocked rules/);
});
