import type { Dice } from "./dice.ts";
import type { Step, Story } from "./story.ts";
import { slowWrites } from "./trouble.ts";

/**
 * A process dies while the target is at work on what it was sent, and another goes on at once: what the first one asked for
 * comes to pass under the eyes of the second, or behind its back.
 */
export function withSlowAtAKill(story: Story, dice: Dice): Story {
  const sorts = { table: story.table !== undefined, masters: story.masters !== undefined };
  const isOfRecords = sorts.table || sorts.masters;
  if (story.isOne === true || story.steps.length < 2 || !dice.chance(isOfRecords ? 0.5 : 0.06)) return story;
  const at = dice.below(story.steps.length - 1);
  const steps = story.steps.map((step, index): Step => {
    if (index === at) {
      const { second: _second, network: _network, disk: _disk, ...calm } = step;
      return {
        ...calm,
        faults: [
          ...step.faults,
          ...Array.from({ length: 4 }, () => slowWrites(dice, { kinds: story.kinds ?? [], ...sorts })),
        ],
        end: { how: "cut", slow: dice.pick([1, 1, 1, 2, 3]), power: dice.chance(0.3) },
      };
    }
    if (index !== at + 1 || step.command.does !== "apply") return step;
    return { ...step, after: dice.pick([0, 0, 0, 1_000, 20_000]) };
  });
  return { ...story, steps };
}
