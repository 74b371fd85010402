import type { Dice } from "./dice.ts";
import type { ActKind, Command, How, Step, Story, TimedAct, When } from "./story.ts";
import { slowWrites } from "./trouble.ts";

/**
 * A process dies while the target is at work on what it was sent, a colleague acts on that very object or row, or on its twin at the
 * source, before that comes to its end or right behind it, and the next run comes at once.
 */
export function withOneOnTheSame(story: Story, dice: Dice): Story {
  const sorts = { table: story.table !== undefined, masters: story.masters !== undefined };
  const isOfRecords = sorts.table || sorts.masters;
  if (story.isOne === true || story.isMirrored === true || story.steps.length < 2) return story;
  if (!dice.chance(isOfRecords ? 0.4 : 0.08)) return story;
  const at = dice.below(story.steps.length - 1);
  const slow = { kinds: story.kinds ?? [], ...sorts, isAny: true };
  const steps = story.steps.map((step, index): Step => {
    if (index === at) {
      const { second: _second, network: _network, disk: _disk, isElsewhere: _here, ...calm } = step;
      const command = index === 0 ? step.command : cutOff(step.command, dice);
      return {
        ...calm,
        command,
        acts: [
          ...step.acts,
          ...(command.does === "rollback"
            ? []
            : [edit(story, dice), ...dice.some(1, () => edit(story, dice))]),
          ...dice.some(1, () => onTheSame(dice, { at: "death" })),
        ],
        faults: [...Array.from({ length: 6 }, () => slowWrites(dice, slow)), ...step.faults],
        end: { how: "cut", slow: dice.pick([1, 1, 1, 2, 3]), power: dice.chance(0.2) },
      };
    }
    if (index !== at + 1) return step;
    const { end, network, disk, isElsewhere: _here, ...calm } = step;
    const isCalm = dice.chance(0.7);
    return {
      ...calm,
      ...(isCalm
        ? { faults: [] }
        : {
            ...(end === undefined ? {} : { end }),
            ...(network === undefined ? {} : { network }),
            ...(disk === undefined ? {} : { disk }),
          }),
      command: goingOn(step.command, dice),
      acts: [...step.acts, onTheSame(dice), ...dice.some(2, () => onTheSame(dice))],
      after: dice.pick([0, 0, 0, 0, 1_000, 20_000]),
    };
  });
  return { ...story, steps };
}

function cutOff(drawn: Command, dice: Dice): Command {
  const allowDelete = dice.chance(0.6);
  if (dice.chance(0.15)) return { does: "rollback", allowDelete };
  return dice.chance(0.7) || !("allowDelete" in drawn)
    ? { does: "apply", allowDelete, verify: false }
    : drawn;
}

function goingOn(drawn: Command, dice: Dice): Command {
  const allowDelete = dice.chance(0.5);
  switch (
    dice.pick(["apply", "apply", "apply", "apply", "apply", "rollback", "resolve", "as drawn"] as const)
  ) {
    case "apply":
      return { does: "apply", allowDelete, verify: dice.chance(0.3) };
    case "rollback":
      return { does: "rollback", allowDelete };
    case "resolve":
      return { does: "resolve", nature: dice.below(10) };
    case "as drawn":
      return drawn;
  }
}

/** That there is something to write. */
function edit({ kinds = [], table, masters }: Story, dice: Dice): TimedAct {
  const all: readonly ActKind[] = [
    ...(kinds as readonly ActKind[]),
    ...(table === undefined ? [] : (["rows", "rows", "rows"] as const)),
    ...(masters === undefined ? [] : (["masters", "masters", "masters"] as const)),
  ];
  return {
    side: "source",
    kind: dice.pick(all),
    how: dice.pick(["text", "text", "more", "more", "create", "remove", "rename"]),
    object: dice.below(8),
    value: dice.below(100),
    when: { at: "before" },
  };
}

function onTheSame(dice: Dice, when: When = meanwhile(dice)): TimedAct {
  return {
    side: dice.pick(["source", "target", "target", "target"]),
    kind: "sent",
    how: dice.pick(hows),
    object: dice.pick([0, 0, dice.below(6)]),
    value: dice.below(100),
    when,
  };
}

const hows: readonly How[] = [
  ...(["text", "text", "text", "more", "more", "less", "rename", "move"] as const),
  ...(["remove", "remove", "recreate", "create", "use"] as const),
  ...(["draft", "draft-delete", "publish", "discard"] as const),
];

/** Before what was sent comes to its end, in that moment, or somewhere near. */
function meanwhile(dice: Dice): When {
  switch (dice.below(6)) {
    case 0:
    case 1:
      return { at: "before" };
    case 2:
      return { at: "late", phase: "before-commit" };
    case 3:
      return { at: "late", phase: "after-commit" };
    case 4:
      return { at: "event", nth: 1 + dice.below(60) };
    default:
      return { at: "moment", nth: 1 + dice.below(120) };
  }
}
