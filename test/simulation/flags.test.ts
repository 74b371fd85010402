import { expect, it } from "vitest";
import { planOf } from "../support/plan.ts";
import { flagged, lessFlagged, type Flags } from "./flags.ts";
import { play } from "./round.ts";
import { apply, empty } from "./small-stories.ts";
import type { Step, Story } from "./story.ts";
import { storyOf } from "./telling.ts";
import { anyTerm } from "./plain-estate.ts";

/** Commands that are narrowed by their command line: told from a seed of their own. */

it("in some histories commands are narrowed by flags, some of them and none that does not heed them", () => {
  const stories = Array.from({ length: 300 }, (_, seed) => storyOf(seed));
  const narrowed = stories.flatMap(({ steps }) => {
    const given = steps.filter(({ flags }) => flags !== undefined);
    return given.length === 0 ? [] : [{ given, all: steps.length }];
  });
  expect(narrowed.length).toBeGreaterThan(20);
  expect(narrowed.length).toBeLessThan(60);
  const steps = narrowed.flatMap(({ given }) => given);
  expect(steps.length).toBeLessThan(narrowed.reduce((sum, { all }) => sum + all, 0));
  expect(new Set(steps.flatMap(({ flags }) => Object.keys(flags ?? {})))).toEqual(
    new Set(["kinds", "include", "exclude", "of"]),
  );
  const does = new Set<string>(steps.map(({ command }) => command.does));
  for (const name of ["rollback", "resolve", "decide", "status"]) expect(does).not.toContain(name);
});

it("they are those of the command line, and each fits something", () => {
  const there = [
    { selectedAs: "terms", urn: "urn:data:dev:x", name: "Email" },
    { selectedAs: "rules", urn: "urn:data:dev:y", name: "Phone" },
  ];
  const flags: Flags = {
    kinds: ["terms", "rules"],
    include: [
      { object: 2, by: "first letter" },
      { object: 1, by: "second letter", isOfKind: true },
    ],
    exclude: [{ object: 0, by: "urn", isOfKind: true }],
  };
  const { plan, whole, narrowed } = flagged(planOf(), flags, "apply", () => there);
  expect(narrowed).toBe(" --kinds terms,rules --include 'E*' --include 'rules:?h*' --exclude urn:data:dev:x");
  expect(plan.select).toMatchObject({
    kinds: ["terms", "rules"],
    include: [{ name: "E*" }, { kind: "rules", name: "?h*" }],
    exclude: [{ urns: ["urn:data:dev:x"] }],
  });
  expect(whole.select.include).toEqual([]);
  expect(flagged(planOf(), { include: [{ object: 3, by: "name" }] }, "apply", () => []).narrowed).toBe("");
});

const one: Flags = { kinds: ["terms"], include: [{ object: 0, by: "name" }] };

it("a story that fails is tried with fewer of them", () => {
  const step: Step = { ...apply, flags: { ...one, of: "then" } };
  expect([...lessFlagged(step)].map(({ flags }) => flags)).toEqual([
    undefined,
    one,
    { kinds: ["terms"], of: "then" },
    { include: [{ object: 0, by: "name" }], of: "then" },
  ]);
});

const story: Story = {
  ...empty,
  estate: { ...empty.estate, terms: [anyTerm, { ...anyTerm, name: "Phone" }] },
  kinds: ["terms"],
  steps: [],
};

it("a narrowed run brings what it selects, and the next one the rest", async () => {
  const { breaches, told } = await play({ ...story, steps: [{ ...apply, flags: one }, apply] });
  expect(breaches, told.join("\n")).toEqual([]);
  const [narrow, whole] = told.filter((line) => line.startsWith("    -> "));
  expect(told[0]).toMatch(/^ferry apply --kinds terms --include \w+$/);
  expect(narrow).toContain("1 change made");
  expect(whole).toContain("1 change made");
});

it("a diff that one of two command lines narrows is not applied by the other", async () => {
  const approved: Step = { ...apply, command: { does: "approved", allowDelete: false } };
  for (const which of ["first", "then"] as const) {
    const { breaches, told } = await play({
      ...story,
      steps: [{ ...approved, flags: { ...one, of: which } }],
    });
    expect(breaches, told.join("\n")).toEqual([]);
    expect(told.find((line) => line.startsWith("    -> "))).toContain("no longer fits");
  }
});
