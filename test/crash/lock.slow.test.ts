import { expect, test } from "vitest";
import { mini } from "./estates/mini.ts";
import { runUntilDone } from "./experiment.ts";
import { inspect } from "./invariants.ts";
import type { Running } from "./process.ts";
import { isWhole } from "../support/whole.ts";
import { CrashWorld } from "./world.ts";

/** A run that was suspended in the middle of its writes. */
async function withSuspended(work: (world: CrashWorld, running: Running) => Promise<void>): Promise<void> {
  const world = await CrashWorld.open(mini);
  const running = world.start();
  try {
    await new Promise<void>((suspended) => {
      const off = world.emulator.on(({ phase }) => {
        if (phase !== "after-commit") return;
        off();
        running.signal("SIGSTOP");
        suspended();
      });
    });
    await work(world, running);
    expect(await runUntilDone(world, 1)).toEqual([]);
    expect(await inspect(world)).toMatchObject({ problems: [], draftsLeft: 0 });
  } finally {
    await running.kill();
    await world.close();
  }
}

test
  .runIf(isWhole)
  .concurrent(
    "a second run is refused while the first is suspended, and told who holds the lock",
    async () => {
      await withSuspended(async (world, running) => {
        const commands = [
          world.command,
          ["resolve", "crash", "--json"],
          ["rollback", "crash", "--yes", "--json"],
        ];
        for (const argv of commands) {
          const { code, stdout } = await world.run(argv);
          expect(code, `${argv.join(" ")}: ${stdout}`).toBe(8);
          expect(stdout).toContain(`process ${running.pid}`);
        }
        // Looking needs no lock.
        expect(await world.run(["status", "crash", "--json"])).toMatchObject({ code: 8 });
        running.signal("SIGCONT");
        expect(await running.ended).toMatchObject({ code: 0 });
      });
    },
  );

test.concurrent("the lock is free the moment that its holder is killed", async () => {
  await withSuspended(async (world, running) => {
    expect(await world.run()).toMatchObject({ code: 8 });
    expect(await running.kill()).toMatchObject({ signal: "SIGKILL" });
  });
});
