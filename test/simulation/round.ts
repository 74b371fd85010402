import type { Breach } from "./breach.ts";
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
  /** Of the whole history. */
  readonly digest: string;
  readonly lines: readonly string[];
}

/** Plays a story to its end, or to the first promise that is broken. */
export async function play(story: Story, staging: Staging = {}): Promise<Verdict> {
  const tally = noTally();
  let scene: Scene;
  try {
    scene = new Scene(story, staging);
  } catch (error) {
    // What the service would refuse is no place for a story.
    if (isImpossible(error)) return { breaches: [], told: [], tally, digest: "", lines: [] };
    throw error;
  }
  const { judge, told } = scene;
  const unhandled = (error: unknown): void => {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    judge.breach(
      "defect",
      `nobody takes an error, which ends the process: ${what.split("\n").slice(0, 4).join(" ")}`,
    );
  };
  process.on("unhandledRejection", unhandled);
  try {
    for (const step of story.steps) {
      await playStep(scene, step, tally);
      if (judge.breaches.length > 0) break;
    }
    if (judge.breaches.length === 0) await comeToRest(scene, tally);
    tally.rounds += 1;
    tally.windows += judge.excuses.window;
    const { simulation } = scene.world;
    return {
      breaches: judge.breaches,
      told,
      tally,
      get digest() {
        return simulation.digest();
      },
      get lines() {
        return simulation.lines;
      },
    };
  } finally {
    scene.close();
    process.off("unhandledRejection", unhandled);
  }
}
