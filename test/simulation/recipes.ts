import type { Estate, MonitorPlan } from "../properties/estates/estate.ts";
import type { Dice } from "./dice.ts";
import { anyRule, anyTerm } from "./plain-estate.ts";
import type { Act, Command, Step, Story, TimedAct } from "./story.ts";

/**
 * What chance alone brings together too seldom: a few acts and commands in the order in which they matter, put at the
 * beginning of a story that goes on by chance. The numbers of objects, kinds and moments stay chance's.
 */
type Recipe = (story: Story, dice: Dice) => Story;

/** Now and then a story begins with one of them. */
export function directed(story: Story, dice: Dice): Story {
  return dice.chance(0.3) ? dice.pick(recipes)(story, dice) : story;
}

const anyMonitor: MonitorPlan = {
  item: 0,
  name: "Email",
  cron: undefined,
  instances: [],
  joins: [],
  thresholds: [50],
  exports: [],
};

/** It applies one rule, to an attribute of its item. */
function monitorOf(rule: number, item: number): MonitorPlan {
  const instance = { rule, name: undefined, mappings: [0], connected: [], values: [], thresholds: [] };
  return { ...anyMonitor, item, instances: [instance], thresholds: [50 + item] };
}

const empty: Estate = { terms: [], rules: [], monitors: [], primaries: [], dashboards: [] };

function apply(acts: readonly TimedAct[] = [], allowDelete = true): Step {
  return step({ does: "apply", allowDelete, verify: false }, acts);
}

function step(command: Command, acts: readonly TimedAct[]): Step {
  return { command, policy: {}, acts, faults: [], after: 1_000 };
}

function before(act: Act): TimedAct {
  return { ...act, when: { at: "before" } };
}

/** In front of what chance has made up; no more of that than fits into a story. */
function beginning(story: Story, steps: readonly Step[], more: Partial<Story> = {}): Story {
  const { isOne: _one, ...rest } = story;
  return { ...rest, ...more, steps: [...steps, ...story.steps.slice(0, Math.max(5, 9 - steps.length))] };
}

function kindOf({ kinds = [] }: Story, dice: Dice): Act["kind"] {
  const fitting = kinds.filter((kind) =>
    ["terms", "rules", "folders", "monitors", "entities"].includes(kind),
  );
  return (fitting.length === 0 ? "terms" : dice.pick(fitting)) as Act["kind"];
}

/** What a colleague changes at the target is taken away at the source before the next run. */
const touchedOrphan: Recipe = (story, dice) => {
  const [kind, object, value] = [kindOf(story, dice), dice.below(3), dice.below(100)];
  const touched = before({ side: "target", kind, how: "text", object, value });
  const removed = before({ side: "source", kind, how: "remove", object, value });
  return beginning(story, [apply(), apply([touched, removed]), apply()], { there: empty });
};

/** What is at both sides by itself was configured at the target, and says less at the source. */
const silentSource: Recipe = (story, dice) => {
  const primaries = (cron: string | undefined): Estate["primaries"] =>
    [0, 1].map((item) => ({ ...anyMonitor, item, cron, thresholds: [dice.below(100)] }));
  return beginning(story, [apply([], false)], {
    estate: { ...story.estate, primaries: primaries(undefined) },
    there: { ...story.there, primaries: primaries("0 0 6 * * ?") },
    kinds: ["rules", "monitors"],
    policy: { ...story.policy, targetOnly: "keep" },
  });
};

/** Something moves between an approved diff and its apply. */
const movedAfterApproval: Recipe = (story, dice) => {
  const kind = kindOf(story, dice);
  const acts = Array.from({ length: 1 + dice.below(3) }, () =>
    before({
      side: dice.chance(0.7) ? "source" : "target",
      kind,
      how: dice.pick(["text", "text", "create", "rename", "remove"]),
      object: dice.below(4),
      value: dice.below(100),
    }),
  );
  return beginning(story, [apply(), step({ does: "approved", allowDelete: dice.chance(0.5) }, acts)]);
};

/** Somebody opens a draft right when the run writes to the object. */
const draftMeanwhile: Recipe = (story, dice) => {
  const kind = dice.pick(["rules", "rules", "monitors"] as const);
  const rules = [anyRule, { ...anyRule, name: "Phone" }];
  const monitors = kind === "monitors" ? rules.map((_rule, index) => monitorOf(index, index)) : [];
  const object = dice.below(2);
  const how = dice.pick(["more", "more", "text"] as const);
  const edited = before({ side: "source", kind, how, object, value: dice.below(100) });
  const draft: Act = { side: "target", kind, how: "draft", object, value: dice.below(100) };
  const nth = dice.pick([1, 1, 1, 2]);
  const when = dice.pick<TimedAct["when"]>([
    { at: "write", phase: dice.pick(["received", "before-commit", "after-commit", "answered"]), nth },
    { at: "hook", point: dice.pick(["intent:before", "intent:after"]), nth },
  ]);
  return beginning(story, [apply(), apply([edited, { ...draft, when }])], {
    ...(dice.chance(0.7) ? { estate: { ...empty, rules, monitors } } : {}),
    kinds: kind === "rules" ? ["rules"] : ["rules", "monitors"],
    there: empty,
  });
};

/** What something refers to loses its pair, and is another thing at the target by then. */
const unpairedReference: Recipe = (story, dice) => {
  const object = dice.below(3);
  const changed = before({ side: "target", kind: "rules", how: "text", object, value: dice.below(100) });
  const rules = [anyRule, { ...anyRule, name: "Phone" }, { ...anyRule, name: "Customer" }];
  const monitors = rules.map((_rule, index) => monitorOf(index, index));
  const edited = before({ side: "source", kind: "monitors", how: "more", object, value: 3 });
  return beginning(
    story,
    [apply(), step({ does: "unmap", object: dice.below(8) }, [changed]), apply([edited])],
    {
      estate: { ...empty, rules, monitors },
      there: empty,
      kinds: ["rules", "monitors"],
      policy: { ...story.policy, adopt: "identical" },
    },
  );
};

/** Both sides were built alike: namesakes of one content are told apart by those who use them alone. */
const mirrored: Recipe = (story, dice) => {
  const count = 2 + dice.below(2);
  const rules = Array.from({ length: count }, () => anyRule);
  const monitors = (ruleOf: (index: number) => number): Estate["monitors"] =>
    Array.from({ length: count }, (_, index) => monitorOf(ruleOf(index), index));
  return beginning(story, [apply([], false)], {
    estate: { ...empty, rules, monitors: monitors((index) => index) },
    there: { ...empty, rules, monitors: monitors((index) => count - 1 - index) },
    assignments: [],
    links: false,
    kinds: ["rules", "monitors"],
    policy: { ...story.policy, adopt: "identical", schedules: "keep" },
    isMirrored: true,
    isDeep: false,
  });
};

/** A run only pairs what people made on both sides; whoever takes back means the one before it. */
const rollbackOverPairing: Recipe = (story, dice) => {
  const made = (side: Act["side"], value: number): TimedAct =>
    before({ side, kind: "terms", how: "create", object: 0, value });
  const value = dice.below(50);
  return beginning(
    story,
    [
      apply([made("source", value)]),
      apply([made("source", value + 50), made("target", value + 50)]),
      step({ does: "rollback", allowDelete: true }, []),
    ],
    { there: empty, kinds: ["terms"], policy: { ...story.policy, adopt: "identical" } },
  );
};

/** A list does not show what was made a moment ago, and the plan says that what is gone is made again. */
const laggingList: Recipe = (story, dice) => {
  const [kind, route] = dice.pick([
    ["terms", "GET /api/catalog/v1/terms"],
    ["rules", "GET /api/data-quality/v1/rules"],
  ] as const);
  const stale = {
    match: { tenant: "prod", route },
    when: { times: 1 },
    effect: { type: "stale-list", ms: 3_600_000 },
  } as const;
  const made = before({ side: "source", kind, how: "create", object: 0, value: dice.below(100) });
  return beginning(story, [apply([made]), { ...apply(), faults: [stale] }], {
    there: empty,
    kinds: [kind],
    policy: { ...story.policy, missingTarget: "recreate" },
  });
};

/** A person has the source win over what the target says, and somebody changes that once more before the run. */
const decidedTooEarly: Recipe = (story, dice) => {
  const [kind, object] = [kindOf(story, dice), dice.below(3)];
  const edit = (side: "source" | "target", how: Act["how"]): TimedAct =>
    before({ side, kind, how, object, value: dice.below(100) });
  const decided = step({ does: "decide", object: 0, choice: "take-source" }, [
    edit("target", "text"),
    edit("source", dice.pick(["more", "text"] as const)),
  ]);
  return beginning(story, [apply(), decided, apply([edit("target", dice.pick(["more", "text"] as const))])], {
    there: empty,
    policy: { ...story.policy, drift: "report", conflict: "report" },
  });
};

/** What people said on both sides is merged, and that is taken back; the source has another word on theirs later. */
const mergedAndBack: Recipe = (story, dice) => {
  const [kind, object] = [kindOf(story, dice), dice.below(3)];
  const edit = (side: "source" | "target", how: Act["how"]): TimedAct =>
    before({ side, kind, how, object, value: dice.below(100) });
  const merged = apply([edit("target", "text"), edit("source", "more")]);
  const back = step({ does: "rollback", allowDelete: true }, []);
  return beginning(
    story,
    [apply(), { ...merged, policy: { conflict: "merge" } }, back, apply([edit("source", "text")])],
    { there: empty, policy: { ...story.policy, drift: "report", conflict: "report" } },
  );
};

/** The first run dies while it makes its folders, and the next one finds some of them. */
const diesInItsFolders: Recipe = (story, dice) => {
  // Most of them are made at once.
  const place = dice.below(80);
  const moment = place < 60 ? 1 + (place % 15) : 1 + 2 * (place - 60);
  const end = { how: "crash", moment, power: dice.chance(0.3) } as const;
  return beginning(story, [{ ...apply(), end }, apply()]);
};

/** What is about to be made is there already, of somebody else, and the request that makes it never arrives. */
const lostBesideAnother: Recipe = (story, dice) => {
  const [kind, path] = dice.pick([
    ["terms", "/terms/bulk"],
    ["rules", "/rules/batch/create"],
  ] as const);
  const lost = { effect: { type: "lost-request" }, method: "POST", path, skip: 0, times: 2 } as const;
  const estate: Estate = { ...empty, ...(kind === "rules" ? { rules: [anyRule] } : { terms: [anyTerm] }) };
  return beginning(story, [{ ...apply(), network: [lost] }], {
    estate,
    there: estate,
    kinds: [kind],
    policy: { ...story.policy, adopt: "never" },
  });
};

const oneFolder = { name: "Email", description: undefined, parent: undefined };
const oneQuery = { name: "Phone", description: undefined, columns: 2, folder: 0 };

/** A primary monitor that no list shows comes to use what a run has made, and that is taken back, or deleted. */
const usedUnseen: Recipe = (story, dice) => {
  const used = before({
    side: "target",
    kind: "primary-monitors",
    how: "more",
    object: dice.below(4),
    // Even, so that it joins; behind the three given items stand the two SQL items.
    value: dice.pick([8, 14, 28]),
  });
  const removed = before({
    side: "source",
    kind: "sql-items",
    how: "remove",
    object: dice.below(2),
    value: 0,
  });
  const last = dice.chance(0.5)
    ? step({ does: "rollback", allowDelete: true }, [used])
    : apply([used, removed]);
  return beginning(story, [apply(), last], {
    plain: {
      ...story.plain,
      folders: { here: [oneFolder], there: [] },
      "sql-items": { here: [oneQuery, { ...oneQuery, name: "Email" }], there: [] },
    },
    estate: { ...empty, rules: [anyRule] },
    there: empty,
    kinds: ["folders", "sql-items", "rules", "monitors"],
    hidesPrimaries: true,
  });
};

/** Somebody names the steward of a folder that a run has just made, right before the run does. */
const saidMeanwhile: Recipe = (story, dice) => {
  const said: TimedAct = {
    side: "target",
    kind: "stewardship",
    how: "more",
    object: 3,
    value: 1,
    when: { at: "hook", point: dice.pick(["outcome:after", "outcome:before"]), nth: 1 + dice.below(2) },
  };
  return beginning(story, [apply([said])], {
    plain: {
      ...story.plain,
      folders: { here: [oneFolder], there: [] },
      stewardship: { here: [{ place: 3, group: 0 }], there: [] },
    },
    estate: empty,
    there: empty,
    kinds: ["folders", "stewardship"],
  });
};

/** A person has the target's version stay, or both are merged, and the source has another word on it later. */
const keptThere: Recipe = (story, dice) => {
  const [kind, object] = [kindOf(story, dice), dice.below(3)];
  const edit = (side: "source" | "target", how: Act["how"]): TimedAct =>
    before({ side, kind, how, object, value: dice.below(100) });
  const isMerged = dice.chance(0.4);
  const kept = isMerged
    ? [apply([edit("target", "text"), edit("source", "more")])]
    : [step({ does: "decide", object: 0, choice: "keep-target" }, [edit("target", "text")]), apply()];
  const conflict = isMerged ? ("merge" as const) : ("report" as const);
  return beginning(story, [apply(), ...kept, apply([edit("source", "text")])], {
    there: empty,
    policy: { ...story.policy, drift: "report", conflict },
  });
};

/** What a colleague at the target has come to map goes from its rule: the source has it no more, or the run that brought it is taken back. */
const mappedPart: Recipe = (story, dice) => {
  const value = dice.below(100);
  const of = (side: Act["side"], how: Act["how"]): Act => ({ side, kind: "rules", how, object: 0, value });
  const when: TimedAct["when"] = dice.chance(0.5)
    ? { at: "before" }
    : { at: "event", nth: 20 + dice.below(60) };
  const mapped: TimedAct = { ...of("target", "map"), when };
  const steps = dice.chance(0.5)
    ? [step({ does: "rollback", allowDelete: dice.chance(0.5) }, [mapped])]
    : [apply([before(of("source", "shed")), mapped], dice.chance(0.5))];
  return beginning(story, [apply(), apply([before(of("source", "more"))]), ...steps], {
    estate: { ...empty, rules: [anyRule], monitors: [monitorOf(0, 0)] },
    there: empty,
    kinds: dice.chance(0.3) ? ["rules"] : ["rules", "monitors"],
  });
};

const recipes: readonly Recipe[] = [
  touchedOrphan,
  silentSource,
  movedAfterApproval,
  draftMeanwhile,
  unpairedReference,
  mirrored,
  rollbackOverPairing,
  laggingList,
  lostBesideAnother,
  diesInItsFolders,
  decidedTooEarly,
  mergedAndBack,
  usedUnseen,
  saidMeanwhile,
  keptThere,
  mappedPart,
];
