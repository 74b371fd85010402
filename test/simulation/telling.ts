import type { Phase } from "../../src/emulator/index.ts";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import type { Policy } from "../../src/model/plan.ts";
import type { StorePoint } from "../../src/store/index.ts";
import * as fc from "fast-check";
import { type Estate, estates } from "../properties/estates/estate.ts";
import { Dice } from "./dice.ts";
import { withForms } from "./forms.ts";
import { hows } from "./hows.ts";
import { plainKinds } from "./kinds/index.ts";
import { directed } from "./recipes.ts";
import { withLacks, withOpenings } from "./openings.ts";
import { withFlags } from "./flags.ts";
import { drawMasters } from "./masters.ts";
import { withReviewsInPart } from "./reviews.ts";
import { drawTable } from "./rows.ts";
import { drawRuns } from "./runs.ts";
import { withSelecting } from "./selected.ts";
import { withOneOnTheSame } from "./on-the-same.ts";
import { withSlowAtAKill } from "./slow-at-a-kill.ts";
import { diskFault, fault, faultOfMasters, faultOfRows, faultOfRuns, networkFault } from "./trouble.ts";
import { withStirs } from "./stirs.ts";
import { withTeams } from "./teams.ts";
import { withUnpairedGroup } from "./unpaired-group.ts";
import type { ActKind, Command, End, How, Step, Story, TimedAct, When } from "./story.ts";

/** Makes up a story. */
export function storyOf(seed: number): Story {
  const story = upset(directed(byChance(seed), new Dice(seed, "recipe")), new Dice(seed, "upset"));
  const withRows = withTable(story, new Dice(seed, "table"));
  const withReviews = withReviewsInPart(withRows, new Dice(seed, "reviews in part"));
  const withRecords = withMasters(withReviews, new Dice(seed, "masters"));
  const withAll = withRemovals(
    withRuns(withRecords, new Dice(seed, "runs")),
    new Dice(seed, "at the target alone"),
  );
  const withEdits = withSelecting(withAll, new Dice(seed, "what is selected"));
  const withDrops = dropping(withEdits, new Dice(seed, "what is left out"));
  const withGroups = withUnpairedGroup(withDrops, new Dice(seed, "what has no pair"));
  const withEarlier = takingBackEarlier(withGroups, new Dice(seed, "which run is taken back"));
  const withKept = applyingWhatIsKept(withEarlier, new Dice(seed, "what is read before"));
  const withSlow = withSlowAtAKill(withKept, new Dice(seed, "slow at a kill"));
  const withSame = withOneOnTheSame(withSlow, new Dice(seed, "on the same"));
  const withOpen = withOpenings(withSame, new Dice(seed, "what is left open"));
  const withLess = withLacks(withOpen, new Dice(seed, "what is not offered"));
  const withStirred = withStirs(withLess, new Dice(seed, "what stirs at rest"));
  const withTwo = withTeams(withStirred, new Dice(seed, "two teams"));
  const withNarrow = withFlags(withTwo, new Dice(seed, "flags that narrow"));
  return withForms(withNarrow, new Dice(seed, "forms of the service's own"));
}

/** Now and then what is applied is a snapshot that was made before. */
function applyingWhatIsKept(story: Story, dice: Dice): Story {
  // A snapshot is applied without the source: whether that is the target is not asked (README).
  if (story.isOne === true) return story;
  const steps = story.steps.map((step): Step => {
    const { command } = step;
    if (command.does !== "apply" || step.isElsewhere === true || !dice.chance(0.12)) return step;
    return { ...step, command: { does: "kept", allowDelete: command.allowDelete } };
  });
  return { ...story, steps };
}

/** One rollback in three is of a run that others came after, or of a rollback. */
function takingBackEarlier(story: Story, dice: Dice): Story {
  const steps = story.steps.map((step): Step => {
    if (step.command.does !== "rollback" || !dice.chance(0.35)) return step;
    return { ...step, command: { ...step.command, earlier: dice.below(4) } };
  });
  return { ...story, steps };
}

/**
 * In one of eight, what the target's metadata model has no place for is left out of what moves, and the models change often.
 * In one of eight a person says that terms are linked to their rules at the target, whether they are or not.
 */
function dropping(given: Story, dice: Dice): Story {
  const isSaid = dice.chance(0.12);
  const story: Story = isSaid ? { ...given, policy: { ...given.policy, termLinks: "done" } } : given;
  if (!dice.chance(0.12) || story.isMirrored === true) return story;
  const act = (): TimedAct => ({
    side: dice.pick(["source", "target", "target", "target"]),
    kind: "administration",
    how: "model",
    object: dice.below(12),
    value: dice.below(100),
    when: when(dice),
  });
  const steps = story.steps.map((step) =>
    dice.chance(0.4) ? { ...step, acts: [...step.acts, act()] } : step,
  );
  return { ...story, steps, policy: { ...story.policy, missingProperty: "drop" } };
}

/** Where records are moved, in one of three those that only the target has are removed, by commands that may delete more often than not. */
function withRemovals(story: Story, dice: Dice): Story {
  const { table, masters } = story;
  if (!dice.chance(removing) || (table === undefined && masters === undefined)) return story;
  const kinds: readonly ActKind[] = [
    ...(table === undefined ? [] : (["rows"] as const)),
    ...(masters === undefined ? [] : (["masters"] as const)),
  ];
  const act = (): TimedAct => ({
    side: dice.pick(["source", "source", "target"]),
    kind: dice.pick(kinds),
    how: dice.pick(["remove", "remove", "text", "create", "use"]),
    object: dice.below(12),
    value: dice.below(100),
    when: when(dice),
  });
  const steps = story.steps.map(({ acts, command: given, ...step }) => ({
    ...step,
    command:
      "allowDelete" in given && given.does !== "rollback" && dice.chance(0.6)
        ? { ...given, allowDelete: true }
        : given,
    acts: dice.chance(0.7) ? [...acts, act(), ...dice.some(2, act)] : acts,
  }));
  const people = { parties: dice.below(5), says: dice.pick(["party", "address"] as const) };
  return {
    ...story,
    steps,
    removes: true,
    ...(masters === undefined || dice.chance(0.2) ? {} : { masters: { ...masters, people } }),
  };
}

const removing = 0.35;

/** In one of twenty the plan starts documentation flows, and people start them and evaluations. */
function withRuns(story: Story, dice: Dice): Story {
  if (!dice.chance(0.06) || story.isOne === true || story.isMirrored === true) return story;
  const hasMonitors = story.kinds?.includes("monitors") === true;
  const commands = [
    ...(["flow", "watch"] as const),
    ...(hasMonitors ? (["evaluate", "evaluate"] as const) : []),
  ];
  const act = (): TimedAct => ({
    side: "target",
    kind: "runs",
    how: dice.pick(["use", "use", "unuse"]),
    object: 0,
    value: dice.below(100),
    when: when(dice),
  });
  const steps = story.steps.map(({ acts, faults, second, ...step }, index) => ({
    ...step,
    ...(index > 0 && dice.chance(0.3) ? { command: { does: dice.pick(commands) } } : {}),
    acts: dice.chance(0.25) ? [...acts, act()] : acts,
    faults: dice.chance(0.4) ? [...faults, faultOfRuns(dice, hasMonitors)] : faults,
    // Another plan starts flows of its own.
    ...(second === undefined ? {} : { second: { moment: second.moment } }),
  }));
  return { ...story, steps, runs: drawRuns(dice), losesMapping: false };
}

/** In some a colleague moves what lies in folders or has a parent, or an administrator restores one of the sides. */
function upset(story: Story, dice: Dice): Story {
  if (!dice.chance(0.06)) return story;
  const lying = (["folders", "sql-items", "entities"] as const).filter((kind) => story.kinds?.includes(kind));
  const upsets = (): TimedAct => ({
    side: dice.pick(["source", "source", "target"]),
    ...(lying.length > 0 && dice.chance(0.8)
      ? { kind: dice.pick(lying), how: "move" as const }
      : { kind: "administration" as const, how: "restore" as const }),
    object: dice.below(8),
    value: dice.below(100),
    when: when(dice),
  });
  const steps = story.steps.map(({ acts, ...step }, index) => ({
    ...step,
    acts: index > 0 && dice.chance(0.25) ? [...acts, upsets()] : acts,
  }));
  return { ...story, steps };
}

/** One in eighty moves master data, whose service has faults of its own. */
function withMasters(story: Story, dice: Dice): Story {
  if (!dice.chance(0.0125) || story.isOne === true || story.isMirrored === true) return story;
  const act = (): TimedAct => ({
    side: dice.pick(["source", "target"]),
    kind: "masters",
    how: dice.pick(["text", "text", "create", "more", "remove", "use"]),
    object: dice.below(9),
    value: dice.below(100),
    when: when(dice),
  });
  // Logs of records stay where they are.
  const steps = story.steps.map(({ isElsewhere: _here, acts, faults, ...step }) => ({
    ...step,
    acts: dice.chance(0.5) ? [...acts, act()] : acts,
    faults: dice.chance(0.4) ? [...faults, faultOfMasters(dice)] : faults,
  }));
  return { ...story, steps, masters: drawMasters(dice), losesMapping: false };
}

/** One history in ten moves a table as well, whose service has faults of its own, and a colleague works on its rows. */
function withTable(story: Story, dice: Dice): Story {
  if (!dice.chance(0.1) || story.isOne === true || story.isMirrored === true) return story;
  const table = drawTable(dice);
  const rowsAct = (): TimedAct => ({
    side: dice.pick(["source", "target"]),
    kind: "rows",
    how: dice.pick([...rowsHows, ...(table.publish === "review" ? decisions : [])]),
    object: dice.below(12),
    value: dice.below(100),
    when: when(dice),
  });
  // Known rows and their logs stay where they are.
  const steps = story.steps.map(({ isElsewhere: _here, acts, faults, ...step }) => ({
    ...step,
    acts: dice.chance(0.5) ? [...acts, rowsAct()] : acts,
    faults: dice.chance(0.4) ? [...faults, faultOfRows(dice)] : faults,
  }));
  return { ...story, steps, table, losesMapping: false };
}

const rowsHows: readonly How[] = ["text", "text", "create", "draft", "draft-delete", "remove"];

/** Of a person on a review. */
const decisions: readonly How[] = ["publish", "publish", "discard"];

function byChance(seed: number): Story {
  const dice = new Dice(seed, "story");
  const [estate = nothing, there = nothing] = fc.sample(estates, { seed, numRuns: 2 });
  const length = 6 + dice.below(3);
  const kinds = dice.pick(selections);
  return {
    seed: seed >>> 0,
    estate: small(estate, kinds, dice),
    // Often what is there is what is about to come.
    there: dice.chance(0.5) ? small(dice.chance(0.4) ? estate : there, kinds, dice) : nothing,
    assignments: dice.some(3, () => ({ item: dice.below(5), attribute: dice.below(3), term: dice.below(8) })),
    plain: Object.fromEntries(
      plainKinds.map(({ name, draw }) => {
        const share = kinds.includes(name) ? 0.9 : 0;
        return [
          name,
          { here: dice.chance(share) ? draw(dice) : [], there: dice.chance(share / 2) ? draw(dice) : [] },
        ];
      }),
    ),
    // Reading what is assigned costs as much as all the rest.
    links: dice.chance(kinds.includes("terms") ? 0.2 : 0.04),
    policy: policy(dice),
    concurrency: dice.pick([1, 2, 4, 8]),
    ...(kinds.includes("monitors") && dice.chance(0.3) ? { hidesPrimaries: true } : {}),
    ...(kinds.includes("rules") && dice.chance(0.05) ? { isDeep: true } : {}),
    ...(dice.chance(0.01) ? { isOne: true } : {}),
    ...(dice.chance(0.15) ? { losesMapping: true } : {}),
    kinds,
    steps: [
      {
        command: { does: "apply", allowDelete: false, verify: false },
        policy: {},
        ...weather(dice, kinds, 0.3),
      },
      ...Array.from({ length }, () => step(dice, kinds)),
    ],
    calm: dice.chance(0.6) ? { missingTarget: "recreate" } : {},
  };
}

export const nothing: Estate = { terms: [], rules: [], monitors: [], primaries: [], dashboards: [] };

/** What is selected; and now and then what is not, but refers to it. */
function small(estate: Estate, kinds: readonly string[], dice: Dice): Estate {
  const { terms, rules, monitors, primaries, dashboards } = estate;
  const isThere = (kind: string): boolean => kinds.includes(kind) || dice.chance(0.25);
  return {
    terms: isThere("terms") ? terms.slice(0, 1 + dice.below(4)) : [],
    rules: isThere("rules") ? rules.slice(0, 1 + dice.below(3)) : [],
    monitors: isThere("monitors") ? monitors.slice(0, 1 + dice.below(3)) : [],
    primaries: isThere("monitors") ? primaries : [],
    dashboards: isThere("dashboards") ? dashboards.slice(0, 1 + dice.below(2)) : [],
  };
}

/** Fewer kinds, fewer requests: most of what collides does so within two of them. */
const selections: readonly (readonly string[])[] = [
  ["terms"],
  ["terms"],
  ["terms"],
  ["terms"],
  ["rules"],
  ["rules"],
  ["rules"],
  ["terms", "rules"],
  ["folders"],
  ["folders"],
  ["folders"],
  ["rules", "monitors"],
  ["rules", "monitors"],
  ["monitors", "dashboards", "rules"],
  ["terms", "rules", "monitors", "dashboards"],
  ["entities"],
  ["entities"],
  ["item-metadata", "stewardship"],
  ["attribute-metadata"],
  ["terms", "term-denylist", "attribute-metadata"],
  ["folders", "sql-items"],
  ["folders", "sql-items", "item-metadata", "stewardship"],
  ["folders", "sql-items", "attribute-metadata"],
  ["terms", "folders", "stewardship"],
  ["entities", "stewardship"],
  ["folders", "sql-items", "rules", "monitors"],
  ["folders", "sql-items", "monitors", "dashboards"],
  ["terms", "folders", "sql-items", "term-denylist"],
];

/** Mostly what is said when nothing is said. */
function policy(dice: Dice): Partial<Policy> {
  return {
    adopt: dice.pick(["identical", "identical", "identical", "by-name", "never", "never"]),
    drift: dice.pick(["report", "report", "report", "overwrite"]),
    conflict: dice.pick(["report", "report", "report", "source-wins", "merge"]),
    missingTarget: dice.pick(["report", "recreate"]),
    targetOnly: dice.pick(["keep", "keep", "keep", "remove"]),
    replace: dice.pick(["manual", "manual", "allow"]),
    schedules: dice.pick(["keep", "keep", "disable"]),
  };
}

function step(dice: Dice, kinds: readonly string[]): Step {
  const { schedules, ...others } = dice.chance(0.15) ? policy(dice) : {};
  const changed = dice.chance(0.1) && schedules !== undefined ? { ...others, schedules } : others;
  const elsewhere = dice.chance(0.06) ? { isElsewhere: true } : {};
  return { command: command(dice), policy: changed, ...elsewhere, ...weather(dice, kinds, 0.6) };
}

function command(dice: Dice): Command {
  const allowDelete = dice.chance(0.5);
  switch (dice.pick(commands)) {
    case "approved":
      return { does: "approved", allowDelete };
    case "rollback":
      return { does: "rollback", allowDelete };
    case "resolve":
      return { does: "resolve", nature: dice.below(10) };
    case "decide":
      return {
        does: "decide",
        object: dice.below(6),
        choice: dice.chance(0.5) ? "take-source" : "keep-target",
      };
    case "unmap":
      return { does: "unmap", object: dice.below(12) };
    case "map":
      return { does: "map", object: dice.below(12) };
    case "verify":
      return { does: "verify" };
    case "diff":
      return { does: "diff" };
    case "export":
      return { does: "export" };
    case "plan":
      return { does: "plan", fault: dice.below(3) };
    case "status":
      return { does: "status" };
    case "apply":
      return { does: "apply", allowDelete, verify: dice.chance(0.2) };
  }
}

const commands = [
  ...Array.from({ length: 8 }, () => "apply" as const),
  "approved" as const,
  "approved" as const,
  "rollback" as const,
  "rollback" as const,
  "resolve" as const,
  "resolve" as const,
  "decide" as const,
  "decide" as const,
  "unmap" as const,
  "unmap" as const,
  "map" as const,
  "map" as const,
  "verify" as const,
  "status" as const,
  "diff" as const,
  "diff" as const,
  "export" as const,
  "plan" as const,
];

function weather(dice: Dice, kinds: readonly string[], busy: number): Omit<Step, "command" | "policy"> {
  const ends = dice.chance(0.35) ? { end: end(dice) } : {};
  return {
    ...(dice.chance(0.2)
      ? { network: [networkFault(dice, kinds), ...dice.some(1, () => networkFault(dice, kinds))] }
      : {}),
    ...(dice.chance(0.08) ? { disk: [diskFault(dice)] } : {}),
    ...(dice.chance(0.1) ? { jumps: [{ moment: 1 + dice.below(120), ms: dice.pick(jumps) }] } : {}),
    ...(dice.chance(0.06) ? { second: { moment: 1 + dice.below(150), isOther: dice.chance(0.5) } } : {}),
    after: dice.pick([0, 0, 1_000, 60_000, 3_600_000, 30 * 24 * 3_600_000]),
    acts: dice.chance(busy) ? [act(dice, kinds), ...dice.some(3, () => act(dice, kinds))] : [],
    faults: dice.chance(0.35) ? [fault(dice, kinds), ...dice.some(2, () => fault(dice, kinds))] : [],
    ...ends,
  };
}

const anyKind: readonly ActKind[] = [
  "terms",
  "terms",
  "rules",
  "rules",
  "monitors",
  "monitors",
  "monitors",
  "primary-monitors",
  "dashboards",
  "attributes",
  ...plainKinds.map(({ name }) => name),
];

/** What refers to something else, or is referred to. */
const unselected: readonly ActKind[] = [
  "terms",
  "rules",
  "monitors",
  "primary-monitors",
  "dashboards",
  "attributes",
];

/** Mostly what is selected: there it collides. */
function act(dice: Dice, kinds: readonly string[]): TimedAct {
  const selected = anyKind.filter((kind) => kinds.includes(kind === "primary-monitors" ? "monitors" : kind));
  const other = dice.chance(0.06) ? (["administration"] as const) : unselected;
  const kind = dice.pick(dice.chance(0.7) ? selected : other);
  return {
    side: dice.pick(["source", "target", "target"]),
    kind,
    how: dice.pick(hows[kind] ?? []),
    object: dice.below(8),
    value: dice.below(100),
    when: when(dice),
  };
}

const phases: readonly Phase[] = ["received", "before-commit", "after-commit", "answered"];
const enginePoints: readonly EnginePoint[] = [
  "intent:before",
  "intent:after",
  "send:after",
  "outcome:before",
  "outcome:after",
  "entry:before",
  "entry:after",
];

function when(dice: Dice): When {
  switch (dice.below(6)) {
    case 0:
    case 1:
      return { at: "before" };
    case 5:
      return { at: "moment", nth: 1 + dice.below(150) };
    case 2:
      return { at: "event", nth: 1 + dice.below(90) };
    case 3:
      return { at: "write", phase: dice.pick(phases), nth: 1 + dice.below(8) };
    default:
      return { at: "hook", point: dice.pick(enginePoints), nth: 1 + dice.below(6) };
  }
}

const storePoints: readonly StorePoint[] = [
  "journal:before-write",
  "journal:after-write",
  "journal:after-sync",
  "mapping:before-rename",
  "mapping:after-rename",
  "compact:before-rename",
  "compact:after-rename",
  "snapshot:before-swap",
  "snapshot:after-swap",
];

function end(dice: Dice): End {
  if (dice.chance(0.2)) return { how: "stop", event: 20 + dice.below(90) };
  if (dice.chance(0.6))
    return { how: "crash", moment: 1 + dice.below(1 + dice.below(220)), power: dice.chance(0.5) };
  const at = dice.chance(0.7) ? dice.pick(enginePoints) : dice.pick(storePoints);
  return { how: "kill", at, nth: 1 + dice.below(1 + dice.below(5)), power: dice.chance(0.4) };
}

const jumps = [-3_600_000, -1_000, 30_000, 3_600_000, 400 * 24 * 3_600_000, -400 * 24 * 3_600_000];
