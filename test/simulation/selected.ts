import type { Selection } from "../../src/model/plan.ts";
import type { PlanChanges } from "../support/plan.ts";
import type { Dice } from "./dice.ts";
import type { Step, Story } from "./story.ts";

/** What the plan of a step selects less than the story's: somebody has edited it, and takes that back sooner or later. */
export interface Selecting {
  /** Kinds that it leaves out. */
  readonly without?: readonly string[];
  /** A glob of names. */
  readonly exclude?: string;
  readonly dependencies?: "mapped-only";
}

const globs = ["E*", "*a*", "?e*", "C*"];

/** In one of seven, for some steps in a row. */
export function withSelecting(story: Story, dice: Dice): Story {
  if (!dice.chance(share) || story.isOne === true || story.isMirrored === true) return story;
  const selected = selectedOf(story);
  const others = selected.filter(() => dice.chance(0.4));
  const drawn: Selecting = {
    ...(others.length > 0 && others.length < selected.length ? { without: others } : {}),
    ...(dice.chance(0.4) ? { exclude: dice.pick(globs) } : {}),
    ...(dice.chance(0.3) ? { dependencies: "mapped-only" } : {}),
  };
  if (Object.keys(drawn).length === 0) return story;
  const first = dice.below(story.steps.length);
  const count = 1 + dice.below(4);
  const isEdited = (index: number): boolean => index >= first && index < first + count;
  const steps = story.steps.map((step, index) => (isEdited(index) ? { ...step, selecting: drawn } : step));
  return { ...story, steps };
}

const share = 0.16;

/** All that a story moves. */
export function selectedOf({ kinds = [], links, table, masters }: Story): readonly string[] {
  return [
    ...kinds,
    ...(links ? ["term-assignments"] : []),
    ...(table === undefined ? [] : ["reference-data"]),
    ...(masters === undefined ? [] : ["master-data"]),
  ];
}

/** A plan that selects so much less. */
export function narrowed(plan: PlanChanges, { without = [], exclude, dependencies }: Selecting): PlanChanges {
  const kinds = plan.select?.kinds?.filter((kind) => !without.includes(kind)) ?? [];
  const select: Partial<Selection> = {
    ...plan.select,
    kinds,
    ...(exclude === undefined ? {} : { exclude: [{ name: exclude, mayBeIdle: true }] }),
    ...(dependencies === undefined ? {} : { dependencies }),
  };
  const { records } = plan;
  if (records === undefined) return { ...plan, select };
  const { referenceData = [], masterData = [] } = records;
  const kept = {
    referenceData: kinds.includes("reference-data") ? referenceData : [],
    masterData: kinds.includes("master-data") ? masterData : [],
  };
  return { ...plan, select, records: { ...records, ...kept } };
}

/** As a person hears it. */
export function wordsOfSelecting({ without = [], exclude, dependencies }: Selecting): string {
  return [
    ...(without.length === 0 ? [] : [`without ${without.join(" and ")}`]),
    ...(exclude === undefined ? [] : [`without what is called ${exclude}`]),
    ...(dependencies === undefined ? [] : ["with what is mapped alone"]),
  ].join(", ");
}

/** The same step with less of that. */
export function* wider({ selecting, ...step }: Step): Generator<Step> {
  if (selecting === undefined) return;
  yield step;
  for (const name of ["without", "exclude", "dependencies"] as const) {
    const { [name]: _gone, ...rest } = selecting;
    if (selecting[name] !== undefined && Object.keys(rest).length > 0) yield { ...step, selecting: rest };
  }
}
