import { join } from "node:path";
import type { DiffReport } from "../child-diff.ts";
import type { Figure } from "../figure.ts";
import type { Pace } from "../pace.ts";
import { median } from "../figure.ts";
import { measured } from "../process.ts";
import { stage } from "../stage.ts";

/** The diff alone, of objects that are all new and of the same ones when all of them are there. */
export async function diffSpeed(pace: Pace): Promise<readonly Figure[]> {
  const at = await stage(pace.quick ? "large:400" : "large:4000");
  try {
    const times = pace.rounds(3, 90_000);
    const take = async (folder: string): Promise<DiffReport> =>
      measured({ type: "diff", plan: at.plan, folder, times });
    const fresh = await take(join(at.folder, "fresh"));
    const { exitCode } = await at.run();
    if (exitCode !== 0) throw new Error(`the run before the diff ended with ${exitCode}`);
    const moved = await take(join(at.folder, "1"));
    return [figure("all new", fresh), figure("all unchanged", moved)];
  } finally {
    await at.close();
  }
}

function figure(state: string, { ms, changes, unchanged }: DiffReport): Figure {
  const took = median(ms);
  return {
    what: `diff, ${state}`,
    value: `${Math.round((changes / took) * 1000)} objects/s`,
    from: `${changes} objects, ${unchanged} unchanged, ${took.toFixed(0)} ms`,
  };
}
