import { describe, expect, test } from "vitest";
import { mini } from "./estates/mini.ts";
import { runUntilDone } from "./experiment.ts";
import { inspect, writesTo } from "./invariants.ts";
import { creates } from "./lost-answers.ts";
import { allOr, isWhole } from "../support/whole.ts";
import { CrashWorld } from "./world.ts";

const [, rules] = creates;
const route = rules?.route ?? "";

async function withWorld(quietPeriod: string, work: (world: CrashWorld) => Promise<void>): Promise<void> {
  const world = await CrashWorld.open(mini, { quietPeriod });
  try {
    await work(world);
    world.writePlan({});
    expect(await runUntilDone(world, 1)).toEqual([]);
    expect(await inspect(world)).toMatchObject({ problems: [], draftsLeft: 0 });
  } finally {
    await world.close();
  }
}

describe("an interrupt", () => {
  test.concurrent.each(allOr(["SIGINT", "SIGTERM"] as const, (signal) => signal === "SIGINT"))(
    "%s lets what is in flight finish, and exits with 5",
    async (signal) => {
      await withWorld("50ms", async (world) => {
        const running = world.start();
        const seen: string[] = [];
        world.emulator.on(async ({ phase, entry }) => {
          if (phase === "received") seen.push(entry.route);
          if (phase !== "before-commit" || entry.route !== route) return;
          running.signal(signal);
          await running.says("Stopping");
          seen.length = 0;
        });
        const { code, stdout, stderr } = await running.ended;
        expect(code, stdout).toBe(5);
        // What is announced to be left is what is listed as left: what was created by then is told to be begun.
        const { changes } = JSON.parse(stdout) as { changes: readonly { outcome?: string }[] };
        const left = changes.filter(({ outcome }) => outcome === "not-started").length;
        expect(stderr).toContain(`; ${left} objects are not started`);
        // What came after the interrupt was on its way already: nothing depends on these rules yet.
        expect(seen.filter((after) => after.includes("monitors"))).toEqual([]);
        expect(world.emulator.tenant("prod").counts()).toMatchObject({ rules: 5, dashboards: 0 });
        const status = JSON.parse((await world.quick(["status", "crash", "--json"])).stdout) as {
          details: { inDoubt: unknown };
        };
        expect(status.details.inDoubt).toEqual([]);
      });
    },
  );

  test.runIf(isWhole).concurrent("the second one leaves at once", async () => {
    await withWorld("50ms", async (world) => {
      const running = world.start();
      let hasLeft = false;
      world.emulator.on(async ({ phase, entry }) => {
        if (phase !== "before-commit" || entry.route !== route) return;
        running.signal("SIGINT");
        await running.says("Stopping");
        running.signal("SIGINT");
        // Its request has no answer before that: who waits for one never leaves.
        await running.ended;
        hasLeft = true;
      });
      expect(await running.ended).toMatchObject({ code: 130, signal: null });
      await world.emulator.idle();
      expect(hasLeft).toBe(true);
    });
  });

  test.runIf(isWhole).concurrent("while it reads, changes nothing", async () => {
    await withWorld("50ms", async (world) => {
      const running = world.start();
      const off = world.emulator.on(async ({ phase, entry }) => {
        if (phase !== "received" || entry.tenant !== "prod" || entry.method !== "GET") return;
        off();
        running.signal("SIGINT");
        await running.says("Stopping");
      });
      const { code, stdout } = await running.ended;
      expect(code, stdout).toBe(5);
      expect(writesTo(world.emulator, "prod")).toEqual([]);
    });
  });

  test
    .runIf(isWhole)
    .concurrent("while it waits to settle, ends the wait; also of the run that goes on", async () => {
      await withWorld("10m", async (world) => {
        world.emulator.faults.add({
          match: { route },
          when: { times: 1 },
          effect: { type: "drop-before-commit" },
        });
        for (const run of ["the first", "the next"]) {
          const running = world.start();
          await running.says("waiting");
          running.signal("SIGINT");
          const { code, stdout } = await running.ended;
          expect(code, `${run} run: ${stdout}`).toBe(5);
        }
      });
    });
});
