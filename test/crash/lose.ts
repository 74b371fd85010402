import type { FaultRule } from "../../src/emulator/index.ts";
import { runUntilDone } from "./experiment.ts";
import type { Findings } from "./invariants.ts";
import { inspect } from "./invariants.ts";
import type { Loss, Write } from "./lost-answers.ts";
import { CrashWorld } from "./world.ts";

export interface Lost extends Findings {
  /** The answer was lost, and the process killed where that was asked for. */
  readonly happened: boolean;
}

/**
 * Loses the answer to the `nth` request of a kind. With `kill`, the process dies at the first thing that it asks the
 * target afterwards, which is when it settles; `also` are faults on what it asks then.
 */
export async function lose(
  write: Write,
  loss: Loss,
  options: { readonly nth?: number; readonly kill?: boolean; readonly also?: readonly FaultRule[] } = {},
): Promise<Lost> {
  const { nth = 1, kill = false, also = [] } = options;
  const world = await CrashWorld.open(write.estate, loss.limits);
  const { emulator } = world;
  try {
    const match = { tenant: "prod", route: write.route };
    const skip = nth - 1 + (write.asks ?? 0);
    emulator.faults.add({ match, when: { skip, times: 1 }, effect: loss.effect });
    let lost = false;
    const running = kill ? world.start() : undefined;
    emulator.on(async ({ phase, entry }) => {
      if (phase !== "received" || entry.tenant !== "prod") return;
      if (entry.fault === loss.effect.type && entry.route === write.route) {
        lost = true;
        for (const fault of also) emulator.faults.add(fault);
      } else if (kill && lost && entry.method === "GET") await running?.kill();
    });
    const first = await (running?.ended ?? world.toEnd());
    const killed = first.signal === "SIGKILL";
    const problems: string[] = [];
    if (killed || first.code !== write.estate.done) {
      if (!killed) problems.push(`it ended with ${first.code}: ${first.stdout}${first.stderr}`);
      problems.push(...(await runUntilDone(world, 1)));
    }
    const findings = await inspect(world);
    return {
      happened: lost && killed === kill,
      problems: [...problems, ...findings.problems],
      draftsLeft: findings.draftsLeft,
    };
  } finally {
    await world.close();
  }
}
