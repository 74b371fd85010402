import type { Policy } from "../../src/model/plan.ts";
import type { Dice } from "./dice.ts";
import { selectedOf, type Selecting } from "./selected.ts";
import type { Step, Story } from "./story.ts";

/**
 * Two teams have a plan each over the same two environments and one mapping: each selects a part of what the story moves, and the
 * second one decides otherwise.
 */
export interface Teams {
  readonly first: Selecting;
  readonly second: Selecting;
  /** What the plan of the second team says otherwise than that of the first. */
  readonly policy: Partial<Policy>;
}

/** In one of eight; they give their commands in turns. */
export function withTeams(story: Story, dice: Dice): Story {
  if (!dice.chance(share) || story.isOne === true || story.isMirrored === true) return story;
  const kinds = selectedOf(story);
  const whose = kinds.map(() => dice.pick(["first", "second", "both", "both"] as const));
  const second = partOf(kinds, (index) => whose[index] !== "first", dice);
  const first = partOf(kinds, (index) => whose[index] !== "second", dice);
  // They come to rest one after the other: a history takes as long as any other with one command less.
  const given = story.steps.slice(0, Math.max(2, story.steps.length - 1));
  const steps = given.map((step): Step => (dice.chance(0.5) ? { ...step, isOfSecond: true } : step));
  const { losesMapping: _kept, ...rest } = story;
  return { ...rest, steps, teams: { first, second, policy: otherwise(dice) } };
}

const share = 0.145;

/** All of them where nothing would be left. */
function partOf(kinds: readonly string[], isSelected: (index: number) => boolean, dice: Dice): Selecting {
  const others = kinds.filter((_kind, index) => !isSelected(index));
  return {
    ...(others.length > 0 && others.length < kinds.length ? { without: others } : {}),
    ...(dice.chance(0.2) ? { dependencies: "mapped-only" } : {}),
  };
}

function otherwise(dice: Dice): Partial<Policy> {
  return {
    ...(dice.chance(0.5) ? { adopt: dice.pick(["identical", "by-name", "never"]) } : {}),
    ...(dice.chance(0.5) ? { drift: dice.pick(["report", "overwrite"]) } : {}),
    ...(dice.chance(0.4) ? { conflict: dice.pick(["report", "source-wins", "merge"]) } : {}),
    ...(dice.chance(0.3) ? { missingTarget: dice.pick(["report", "recreate"]) } : {}),
    ...(dice.chance(0.4) ? { targetOnly: dice.pick(["keep", "remove"]) } : {}),
    ...(dice.chance(0.5) ? { replace: dice.pick(["manual", "allow"]) } : {}),
    ...(dice.chance(0.2) ? { schedules: dice.pick(["keep", "disable"]) } : {}),
  };
}

/** The same story of fewer teams, and of teams that are more alike. */
export function* fewerTeams(story: Story): Generator<Story> {
  const { teams, ...alone } = story;
  if (teams === undefined) return;
  yield { ...alone, steps: story.steps.map(({ isOfSecond: _either, ...step }) => step) };
  for (const [index, { isOfSecond, ...step }] of story.steps.entries())
    if (isOfSecond === true) yield { ...story, steps: story.steps.with(index, step) };
  for (const name of Object.keys(teams.policy)) {
    const { [name as keyof Policy]: _said, ...policy } = teams.policy;
    yield { ...story, teams: { ...teams, policy } };
  }
  for (const team of ["first", "second"] as const)
    if (Object.keys(teams[team]).length > 0) yield { ...story, teams: { ...teams, [team]: {} } };
}
