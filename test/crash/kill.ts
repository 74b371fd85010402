import { isOutside, isTorn, label } from "./points.ts";
import type { Point } from "./points.ts";
import { tear } from "./tear.ts";
import type { CrashWorld } from "./world.ts";

/** Runs the command until the point, where it dies. False when it ended by itself before. */
export async function killAt(world: CrashWorld, point: Point): Promise<boolean> {
  if (isOutside(point.class)) return killFromOutside(world, point);
  if (!isTorn(point.class)) return killFromInside(world, label(point));
  const killed = await killFromInside(world, label({ ...point, class: "journal:after-write" }));
  return killed && tear(world.lastJournal, point.class, point.ordinal) > 0;
}

async function killFromInside(world: CrashWorld, at: string): Promise<boolean> {
  const { signal } = await world.startUntil(at).ended;
  // Its own word, and the system's.
  return signal === "SIGKILL" && world.pointsReached().join() === at;
}

/** The emulator stops at the point until the process is gone, then goes on as if nothing had happened. */
async function killFromOutside(world: CrashWorld, { class: phase, ordinal }: Point): Promise<boolean> {
  let count = 0;
  let reached = false;
  const running = world.start();
  const off = world.emulator.on(async (event) => {
    if (event.phase !== phase) return;
    count += 1;
    if (count !== ordinal) return;
    reached = true;
    await running.kill();
  });
  const { signal } = await running.ended;
  off();
  return reached && signal === "SIGKILL";
}
