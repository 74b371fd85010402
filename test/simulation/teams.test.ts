import { expect, it } from "vitest";
import { anyRule, anyTerm } from "./plain-estate.ts";
import { play } from "./round.ts";
import { apply, empty } from "./small-stories.ts";
import type { Step, Story } from "./story.ts";
import { fewerTeams } from "./teams.ts";
import { storyOf } from "./telling.ts";

/** Two plans over one mapping: told from a seed of their own. */

it("in some histories two teams have a plan each, and neither selects nothing", () => {
  const stories = Array.from({ length: 300 }, (_, seed) => storyOf(seed));
  const teams = stories.flatMap(({ teams: two, steps }) => (two === undefined ? [] : [{ ...two, steps }]));
  expect(teams.length).toBeGreaterThan(20);
  expect(teams.length).toBeLessThan(60);
  for (const { first, second } of teams) {
    const left = new Set(first.without ?? []);
    for (const kind of second.without ?? []) expect(left).not.toContain(kind);
  }
  expect(teams.some(({ first, second }) => (first.without ?? second.without) !== undefined)).toBe(true);
  expect(new Set(teams.flatMap(({ steps }) => steps.map(({ isOfSecond }) => isOfSecond)))).toEqual(
    new Set([true, undefined]),
  );
  const says = new Set(teams.flatMap(({ policy }) => Object.keys(policy)));
  for (const name of ["adopt", "drift", "replace", "targetOnly"]) expect(says).toContain(name);
});

const back: Step = { ...apply, command: { does: "rollback", allowDelete: true } };
const second = { isOfSecond: true } as const;

const story: Story = {
  ...empty,
  estate: { ...empty.estate, terms: [anyTerm], rules: [anyRule] },
  kinds: ["terms", "rules"],
  teams: { first: { without: ["rules"] }, second: { without: ["terms"] }, policy: { adopt: "never" } },
  steps: [],
};

it("each brings what its plan selects, and takes back its own run alone", async () => {
  const steps: readonly Step[] = [apply, { ...apply, ...second }, back];
  const { breaches, told } = await play({ ...story, steps });
  expect(breaches, told.join("\n")).toEqual([]);
  const ends = told.filter((line) => line.startsWith("    -> "));
  expect(ends[0]).toMatch(/1 change made[^]*create terms/);
  expect(ends[1]).toMatch(/1 change made[^]*create rules/);
  expect(ends[2]).toMatch(/delete terms/);
  expect(ends[2]).not.toMatch(/rules/);
  expect(told).toContain("ferry apply of the second team");
});

it("what the other team's run has made is not taken back with one's own", async () => {
  const steps: readonly Step[] = [apply, { ...apply, ...second }, back];
  const { breaches } = await play(
    { ...story, steps },
    {
      during: ({ books, judge }) => {
        if (judge.under?.does !== "rollback") return;
        for (const { urn } of books.target.rules.values()) {
          const asked = { isOfDraft: false, isBare: false, isOfSteward: false };
          books.requests.push({ received: books.tick, method: "DELETE", path: `/rules/${urn}`, ...asked });
          books.target.rules.delete(urn);
        }
      },
    },
  );
  expect(breaches[0]).toMatchObject({ invariant: "rollback-missed" });
});

it("at rest both have to find nothing to do, and all that either of them selects is there", async () => {
  const { breaches, told } = await play({ ...story, steps: [apply] });
  expect(breaches, told.join("\n")).toEqual([]);
  expect(told.slice(told.indexOf("calm: nobody disturbs any more")).join("\n")).toMatch(/create rules/);
});

it("a story that fails is tried with one team, and with teams that are more alike", () => {
  const given: Story = { ...story, steps: [{ ...apply, ...second }] };
  const fewer = [...fewerTeams(given)];
  expect(fewer.map(({ teams }) => teams)).toEqual([
    undefined,
    story.teams,
    { ...story.teams, policy: {} },
    { ...story.teams, first: {} },
    { ...story.teams, second: {} },
  ]);
  expect(fewer.flatMap(({ steps }) => steps.map(({ isOfSecond }) => isOfSecond))).toEqual([
    undefined,
    undefined,
    true,
    true,
    true,
  ]);
});
