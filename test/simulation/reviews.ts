import type { Dice } from "./dice.ts";
import type { End, How, Step, Story, TimedAct, When } from "./story.ts";

/**
 * In one of ten histories rows go through reviews, and people decide on a part of one: they approve some of it, publish some of what is approved,
 * refuse some, or reject all the rest, discard that or leave it in the draft; what colleagues have drafted is put up for review as well, and
 * they write into what stands in a draft of ours. All of that before a run, in the midst of one, or as one dies.
 */
export function withReviewsInPart(story: Story, dice: Dice): Story {
  const { table, isOne, isMirrored, steps: all } = story;
  const has = table?.publish === "review";
  if (!dice.chance(has ? 0.7 : added) || isOne === true || isMirrored === true) return story;
  if (table !== undefined && !has) return story;
  const rows = {
    rows: 2 + dice.below(5),
    there: dice.some(2, () => dice.below(5)),
    publish: "review" as const,
  };
  const first = dice.below(2);
  // Rows take their time: what has none by itself is shorter with them.
  const steps = (has ? all : all.slice(0, 6)).map(({ isElsewhere: _here, ...step }, index): Step => {
    if (index === 0) return step;
    const decided = dice.chance(0.65) ? [decision(dice), ...dice.some(1, () => decision(dice))] : [];
    const behind = decided.length > 0 && dice.chance(0.25) ? [ofRows(dice, "target", "more")] : [];
    const isToWrite = index >= first && dice.chance(0.5);
    const edited = isToWrite ? [edit(dice), ...dice.some(2, () => edit(dice))] : [];
    const beside = dice.chance(0.3) ? [theirs(dice)] : [];
    const dies = step.end === undefined && dice.chance(0.2) ? { end: dying(dice) } : {};
    return { ...step, ...dies, acts: [...step.acts, ...edited, ...beside, ...decided, ...behind] };
  });
  return { ...story, steps, table: table ?? rows, losesMapping: false };
}

/** Of those that move no rows by themselves. */
const added = 0.06;

const decisions: readonly How[] = ["part", "part", "part", "refuse", "refuse", "publish", "discard"];

function decision(dice: Dice): TimedAct {
  return ofRows(dice, "target", dice.pick(decisions));
}

function edit(dice: Dice): TimedAct {
  return { ...ofRows(dice, "source", dice.pick(["text", "text", "create"])), when: { at: "before" } };
}

/** Colleagues draft something, put it up, write into what stands in a draft, or make by hand what waits to be published. */
function theirs(dice: Dice): TimedAct {
  return ofRows(dice, "target", dice.pick(["draft", "ask", "ask", "more", "recreate"]));
}

function ofRows(dice: Dice, side: "source" | "target", how: How): TimedAct {
  return { side, kind: "rows", how, object: dice.below(12), value: dice.below(100), when: when(dice) };
}

function when(dice: Dice): When {
  switch (dice.below(8)) {
    case 0:
      return { at: "event", nth: 1 + dice.below(60) };
    case 1:
      return { at: "moment", nth: 1 + dice.below(120) };
    case 2:
      return { at: "death" };
    case 3:
      return {
        at: "write",
        phase: dice.pick(["received", "after-commit", "answered"]),
        nth: 1 + dice.below(5),
      };
    default:
      return { at: "before" };
  }
}

function dying(dice: Dice): End {
  return { how: "crash", moment: 1 + dice.below(1 + dice.below(160)), power: dice.chance(0.3) };
}
