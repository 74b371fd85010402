import { expect, test } from "vitest";
import { play } from "./round.ts";
import { apply, empty } from "./small-stories.ts";
import type { Story } from "./story.ts";
import { storyOf } from "./telling.ts";

/** Stewards of two given items: one is paired, the other is of a group without a pair. */
const stewards: Omit<Story, "steps"> = {
  ...empty,
  kinds: ["item-metadata", "stewardship"],
  plain: {
    stewardship: {
      here: [
        { place: 0, group: 0 },
        { place: 1, group: 1 },
      ],
      there: [],
    },
  },
};

async function told(story: Omit<Story, "steps">): Promise<string> {
  const { breaches, told: lines } = await play({ ...story, steps: [apply] });
  expect(breaches).toEqual([]);
  return lines.join("\n");
}

test("some histories have a group without a pair, and the plan says now this and now that of it", () => {
  const stories = Array.from({ length: 400 }, (_, seed) => storyOf(seed));
  const without = stories.filter(({ unpairedGroup }) => unpairedGroup !== undefined);
  expect(without.length).toBeGreaterThan(10);
  expect(without.length).toBeLessThan(60);
  const said = without.flatMap(({ policy, steps }) => [policy, ...steps.map((step) => step.policy)]);
  expect(new Set(said.map(({ missingGroup }) => missingGroup))).toEqual(
    new Set(["drop", "block", undefined]),
  );
});

test("its steward is blocked, or goes without, and the other one arrives", async () => {
  expect(await told(stewards)).not.toContain("blocked stewardship");
  const lacking = { ...stewards, unpairedGroup: "group guests" } as const;
  expect(await told({ ...lacking, policy: { missingGroup: "block" } })).toContain("blocked stewardship");
  expect(await told({ ...lacking, policy: { missingGroup: "drop" } })).not.toContain("blocked stewardship");
});
