import { expect, test } from "vitest";
import { anyRule } from "./plain-estate.ts";
import { play } from "./round.ts";
import { apply, empty } from "./small-stories.ts";
import type { Story } from "./story.ts";
import { storyOf } from "./telling.ts";

const story: Story = {
  ...empty,
  estate: { ...empty.estate, rules: [{ ...anyRule, description: "what it means" }] },
  kinds: ["rules"],
  openings: { keepsCapitals: true },
  steps: [{ ...apply, command: { does: "apply", allowDelete: false, verify: true } }, apply],
};

test("some histories meet a target that keeps texts in a form of its own", () => {
  const drawn = Array.from({ length: 300 }, (_, seed) => storyOf(seed)).filter(
    ({ openings }) => openings?.keepsCapitals === true,
  );
  expect(drawn.length).toBeGreaterThan(5);
  expect(drawn.length).toBeLessThan(40);
});

test("what was sent is there in that form, and is no word of a colleague", async () => {
  const { breaches, told } = await play(story);
  expect(breaches, told.join("\n")).toEqual([]);
  expect(told.join("\n")).toMatch(/create rules .* done/);
  expect(told.join("\n")).not.toMatch(/drift|conflict/);
});

test("what is no form of it, and was put there over the wire, is found", async () => {
  const { breaches } = await play(story, {
    during: ({ books: { target } }) => {
      for (const { urn, published } of target.rules.values())
        if (published !== undefined)
          target.rules.put({ urn, draftType: "NONE", published: { ...published, name: "Another" } });
    },
  });
  expect(breaches.map(({ invariant }) => invariant)).toContain("false-alarm");
});
