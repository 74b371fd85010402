import { expect, test } from "vitest";
import type { EmulatorOptions, FaultRule } from "../../src/emulator/index.ts";
import { mini } from "./estates/mini.ts";
import { runUntilDone } from "./experiment.ts";
import { inspect } from "./invariants.ts";
import { creates } from "./lost-answers.ts";
import { allOr, isWhole } from "../support/whole.ts";
import { CrashWorld } from "./world.ts";

async function withWorld(
  work: (world: CrashWorld) => Promise<void>,
  options: EmulatorOptions = {},
): Promise<void> {
  const world = await CrashWorld.open(mini, { quietPeriod: "400ms" }, options);
  try {
    await work(world);
    world.emulator.faults.clear();
    expect(await inspect(world)).toMatchObject({ problems: [] });
  } finally {
    await world.close();
  }
}

/** The service goes away in the middle of a request. */
function goAway(world: CrashWorld, route: string, phase: "before-commit" | "after-commit"): Promise<void> {
  return new Promise((gone) => {
    const off = world.emulator.on((event) => {
      if (event.phase !== phase || event.entry.route !== route) return;
      off();
      void world.emulator.pause().then(gone);
    });
  });
}

const cases = creates
  .slice(1, 3)
  .flatMap(({ name, route }, index) => [
    { name, route, phase: index % 2 === 0 ? ("before-commit" as const) : ("after-commit" as const) },
  ]);

test.concurrent.each(allOr(cases, (_row, index) => index === 1))(
  "the service is away for a second ($name, $phase): the run goes on by itself",
  async ({ route, phase }) => {
    await withWorld(async (world) => {
      const gone = goAway(world, route, phase);
      const running = world.start([...world.command, "--timeout", "2s"]);
      await gone;
      setTimeout(() => void world.emulator.resume(), 1_000);
      const { code, stdout } = await running.ended;
      if (code !== 0) expect([1, 5], stdout).toContain(code);
      if (code !== 0) expect(await runUntilDone(world, 1)).toEqual([]);
    });
  },
);

test
  .runIf(isWhole)
  .concurrent("the service stays away: the run ends when it is told to, and nothing is lost", async () => {
    await withWorld(async (world) => {
      const gone = goAway(world, creates[1]?.route ?? "", "before-commit");
      const running = world.start([...world.command, "--timeout", "500ms"]);
      await gone;
      setTimeout(() => running.signal("SIGINT"), 1_000);
      const { code, stdout } = await running.ended;
      expect([1, 5], stdout).toContain(code);
      const again = world.start([...world.command, "--timeout", "500ms", "-vv"]);
      await again.says(" again in ");
      again.signal("SIGINT");
      expect([1, 5]).toContain((await again.ended).code);
      await world.emulator.resume();
      expect(await runUntilDone(world, 1)).toEqual([]);
    });
  });

test.concurrent("tokens expire in the middle of a run", async () => {
  await withWorld(async (world) => {
    let count = 0;
    // So far apart that what was refused (eight at once), the new token and the repetitions lie in between.
    const apart = 20;
    world.emulator.on(({ phase, entry }) => {
      if (phase === "received") count += 1;
      if (phase === "received" && count % apart === 0) world.emulator.expireTokens(entry.tenant);
    });
    expect(await runUntilDone(world, 1)).toEqual([]);
    const refused = world.emulator.log.entries.filter(({ status }) => status === 401).length;
    // Each refuses what is under way: one request or eight.
    const expired = Math.floor(count / apart);
    expect(expired).toBeGreaterThan(1);
    expect(refused).toBeGreaterThan(1);
  });
});

test.runIf(isWhole).concurrent("tokens live for a second", async () => {
  await withWorld(async (world) => expect(await runUntilDone(world, 1)).toEqual([]), {
    tokenLifetimeSeconds: 1,
  });
});

test.runIf(isWhole).concurrent("a storm of 429", async () => {
  const storm = (retryAfter: number, times: number): FaultRule => ({
    when: { chance: 0.4, times },
    effect: { type: "status", code: 429, retryAfter },
  });
  await withWorld(
    async (world) => {
      expect(await runUntilDone(world, 1)).toEqual([]);
      expect(world.emulator.log.entries.filter(({ status }) => status === 429).length).toBeGreaterThan(15);
    },
    { faults: [storm(1, 3), storm(0, 30)] },
  );
});
