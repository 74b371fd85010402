import type { Breach } from "./judge.ts";
import type { Tally } from "./ended.ts";
import { noTally } from "./ended.ts";
import { playStep } from "./play.ts";
import { comeToRest } from "./rest.ts";
import { isImpossible, Scene, type Staging } from "./scene.ts";
import type { Story } from "./story.ts";

export interface Verdict {
  readonly breaches: readonly Breach[];
  /** Who did what when. */
  readonly told: readonly string[];
  readonly tally: Tally;
}

/** Plays a story to its end, or to the first promise that is broken. */
export async function play(story: Story, staging: Staging = {}): Promise<Verdict> {
  const tally = noTally();
  // The client waits between attempts by a random part of a second; here there is nobody to be kind to.
  const random = Math.random;
  Math.random = () => 0.004;
  let scene: Scene;
  try {
    scene = await Scene.open(story, staging);
  } catch (error) {
    Math.random = random;
    // What the service would refuse is no place for a story.
    if (isImpossible(error)) return { breaches: [], told: [], tally };
    throw error;
  }
  const { judge, told } = scene;
  try {
    for (const step of story.steps) {
      await playStep(scene, step, tally);
      if (judge.breaches.length > 0) break;
    }
    if (judge.breaches.length === 0) await comeToRest(scene, tally);
    tally.rounds += 1;
    tally.windows += judge.excuses.window;
    return { breaches: judge.breaches, told, tally };
  } finally {
    await scene.close();
    Math.random = random;
  }
}
