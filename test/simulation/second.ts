import { applyPlan } from "../../src/operations/apply.ts";
import { LockedError } from "../../src/operations/run.ts";
import type { Machine } from "./machinery/simulation.ts";
import type { Scene } from "./scene.ts";

/** Another process that was begun while one is at work. */
export interface Second {
  /** Waits for its end, and judges it. */
  over(): Promise<void>;
}

/**
 * Begins to apply the plan a second time. Whoever has the target must keep it: the other one is told so and changes
 * nothing. Undefined where nobody has it: then it would be a run like any other.
 */
export function beginSecond(scene: Scene, first: Machine, isOther: boolean): Second | undefined {
  const { world, judge } = scene;
  const { simulation, locks, network } = world;
  if (!locks.isHeld(first)) return undefined;
  const machine = world.machine();
  scene.say(
    `    ${machine.name} begins to apply ${isOther ? "another plan onto the same target" : "as well"}`,
  );
  const disk = world.disk(machine, [], () => undefined);
  const changes = scene.plan();
  const migration = isOther
    ? world.migration(disk, changes, {}, world.otherPlan(changes))
    : scene.migration(disk);
  const sent = network.sent.length;
  let end: string | undefined;
  const work = simulation.as(machine, async () => {
    try {
      const { exitCode } = await applyPlan(migration, { confirm: async () => true });
      end = `exit ${exitCode}`;
    } catch (error) {
      end = error instanceof LockedError ? "locked" : error instanceof Error ? error.name : String(error);
    } finally {
      await migration.close();
    }
  });
  // The first one may end before this one asks for the target; then this one must not be what changes it.
  const stopWatching = simulation.watch(() => {
    if (locks.isHeld(first) || !locks.isHeld(machine)) return;
    machine.alive = false;
    stopWatching();
  });
  return {
    async over() {
      await simulation.run(machine, () => work);
      stopWatching();
      const writes = network.sent
        .slice(sent)
        .filter((request) => request.machine === machine && isWrite(request));
      scene.say(`    ${machine.name} ends: ${end ?? "it was stopped"}, ${writes.length} writes`);
      for (const { method, url } of writes)
        judge.breach(
          "two-at-once",
          `${machine.name} sent ${method} ${url} while ${first.name} had the target`,
        );
    },
  };
}

function isWrite({ method, url }: { readonly method: string; readonly url: string }): boolean {
  return method !== "GET" && !url.includes("/openid-connect/token") && !url.endsWith("/catalog-items/filter");
}
