import { narrowing } from "../../src/cli/next-steps.ts";
import { overridden } from "../../src/cli/overrides.ts";
import type { CommonFlags } from "../../src/cli/flags.ts";
import type { Plan } from "../../src/model/plan.ts";
import { goingByBefore } from "./breach.ts";
import type { Dice } from "./dice.ts";
import { selectedOf } from "./selected.ts";
import type { Command, Step, Story } from "./story.ts";

/** What a command line selects less, or otherwise, than the plan: for that command alone. */
export interface Flags {
  readonly kinds?: readonly string[];
  readonly include?: readonly Pointer[];
  readonly exclude?: readonly Pointer[];
  /** Of two command lines (a diff and its apply, an export and its apply) the one that says so, where not both do. */
  readonly of?: "first" | "then";
}

/** A selector that an object of the source fits: a pattern that fits nothing is refused. */
interface Pointer {
  /** Its place among those that are selected. */
  readonly object: number;
  readonly by: "name" | "first letter" | "second letter" | "urn";
  /** The pattern is about objects of its kind alone, and leaves the others whole. */
  readonly isOfKind?: true;
}

/** What a pointer finds at the source. */
export interface Pointed {
  readonly selectedAs: string;
  readonly urn: string;
  readonly name: string;
}

/** By what the command line calls a command that flags narrow. */
const heeding: Partial<Record<Command["does"], string>> = {
  apply: "apply",
  approved: "apply",
  kept: "apply",
  verify: "verify",
  diff: "diff",
  export: "export",
  evaluate: "parity",
};

/** In one of eight, commands among the others are narrowed by flags, each of them otherwise. */
export function withFlags(story: Story, dice: Dice): Story {
  if (!dice.chance(share) || story.isOne === true || story.isMirrored === true) return story;
  const kinds = selectedOf(story);
  const steps = story.steps.map((step): Step => {
    if (heeding[step.command.does] === undefined || !dice.chance(0.45)) return step;
    return { ...step, flags: drawFlags(kinds, step.command, dice) };
  });
  return { ...story, steps };
}

const share = 0.15;

function drawFlags(kinds: readonly string[], { does }: Command, dice: Dice): Flags {
  const some = kinds.filter(() => dice.chance(0.5));
  const pointer = (): Pointer => ({
    object: dice.below(12),
    by: dice.pick(["name", "first letter", "second letter", "urn"]),
    ...(dice.chance(0.4) ? { isOfKind: true } : {}),
  });
  const isOfKinds = some.length > 0 && some.length < kinds.length && dice.chance(0.6);
  const isLess = dice.chance(0.3);
  return {
    ...(isOfKinds ? { kinds: some } : {}),
    ...(dice.chance(0.5) || !(isOfKinds || isLess) ? { include: [pointer(), ...dice.some(2, pointer)] } : {}),
    ...(isLess ? { exclude: [pointer()] } : {}),
    ...(goingByBefore.has(does) && dice.chance(0.3) ? { of: dice.pick(["first", "then"] as const) } : {}),
  };
}

/** A plan as the flags of a command line change it, and these in words. */
export interface Flagged {
  readonly plan: Plan;
  readonly whole: Plan;
  readonly narrowed: string;
}

/** `there` is what the source has of these kinds. */
export function flagged(
  plan: Plan,
  { kinds, include = [], exclude = [] }: Flags,
  does: Command["does"],
  there: (kinds: readonly string[]) => readonly Pointed[],
): Flagged {
  const found = there(kinds ?? plan.select.kinds);
  const selectors = (pointers: readonly Pointer[]): string[] =>
    pointers.flatMap((pointer) => {
      const object = found[pointer.object % Math.max(1, found.length)];
      return object === undefined ? [] : [selectorOf(object, pointer)];
    });
  const given = {
    ...(kinds === undefined ? {} : { kinds: [...kinds] }),
    include: selectors(include),
    exclude: selectors(exclude),
  } as unknown as CommonFlags;
  return { plan: overridden(plan, given, heeding[does] ?? does), whole: plan, narrowed: narrowing(given) };
}

function selectorOf({ selectedAs, urn, name }: Pointed, { by, isOfKind }: Pointer): string {
  if (by === "urn") return urn;
  const pattern =
    by === "name" ? name : by === "first letter" ? `${name.slice(0, 1)}*` : `?${name.slice(1, 2)}*`;
  return isOfKind === true ? `${selectedAs}:${pattern}` : pattern;
}

/** The same step with less of that. */
export function* lessFlagged({ flags, ...step }: Step): Generator<Step> {
  if (flags === undefined) return;
  yield step;
  for (const name of ["of", "exclude", "include", "kinds"] as const) {
    const { [name]: gone, ...rest } = flags;
    if (gone !== undefined && Object.keys(rest).some((other) => other !== "of"))
      yield { ...step, flags: rest };
  }
}
