import type { Result } from "../../src/model/result.ts";
import { writes } from "./alike.ts";
import type { Dice } from "./dice.ts";
import type { Tally } from "./ended.ts";
import { lineOf } from "./left.ts";
import { playStep } from "./play.ts";
import type { Scene } from "./scene.ts";
import type { ActKind, How, Step, Story, TimedAct } from "./story.ts";

/** What lists show, and a draft, which they do not. */
const hows: readonly How[] = ["text", "text", "more", "less", "rename", "create", "draft"];

/**
 * In one of seven, when all is at rest and a run has found nothing to write, somebody does one more thing before the next run:
 * that may say that all is as before, and is believed only where a run that compares all of it says the same. Rows and runs of
 * the service are compared in any case.
 */
export function withStirs(story: Story, dice: Dice): Story {
  const { kinds = [], table, masters, runs, isOne } = story;
  if (!dice.chance(0.15) || isOne === true || (table ?? masters ?? runs) !== undefined) return story;
  const act = (): TimedAct => ({
    side: dice.pick(["source", "source", "target"]),
    kind: dice.pick(kinds.length === 0 ? ["terms", "rules", "monitors"] : kinds) as ActKind,
    how: dice.pick(hows),
    object: dice.below(6),
    value: dice.below(100),
    when: { at: "before" },
  });
  return { ...story, stirs: Array.from({ length: dice.pick([1, 1, 2]) }, act) };
}

/** One run after what somebody has done, and where it says that all is as before, one that has to compare. */
export async function stir(scene: Scene, tally: Tally, quiet: Step): Promise<void> {
  const { judge, world, story } = scene;
  scene.say("    somebody does one more thing");
  const { result } = await playStep(scene, { ...quiet, acts: story.stirs ?? [] }, tally);
  if (result === undefined || !isAsBefore(result)) return;
  for (const write of writes(scene)) judge.breach("not-as-before", `all is as before, and it sends ${write}`);
  world.media.forget("/work/plans/test/look.json");
  const { result: compared } = await playStep(scene, quiet, tally);
  if (isAsBefore(compared)) judge.breach("not-as-before", "without what was kept of the run before");
  for (const write of writes(scene)) judge.breach("not-as-before", `the run after it sends ${write}`);
  const [said, found] = [linesOf(result), linesOf(compared)];
  if (said !== found) judge.breach("not-as-before", `it says\n${said}\nand who compares all of it\n${found}`);
}

function isAsBefore(result: Result | undefined): boolean {
  return result?.diagnostics.some(({ code }) => code === "as-before") === true;
}

function linesOf(result: Result | undefined): string {
  return (result?.changes ?? []).map(lineOf).sort().join("\n");
}
