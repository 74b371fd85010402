import { expect, test } from "vitest";
import { inspectBack } from "./back.ts";
import { miniBack } from "./estates/mini-back.ts";
import { runUntilDone } from "./experiment.ts";
import { isQuestion } from "./invariants.ts";
import { turn } from "./points.ts";
import { CrashWorld } from "./world.ts";

/** A rollback that is interrupted at its nth question to the target, or its nth write there; once, or twice, which ends it at once. */
const rows = (["SIGINT", "SIGTERM"] as const).flatMap((signal) =>
  [1, 2].flatMap((times) =>
    (
      [
        ["received", 6, false],
        ["before-commit", 1, true],
        ["after-commit", 6, true],
        ["before-commit", 9, true],
      ] as const
    ).map(([phase, nth, writes]) => ({ signal, times, phase, nth, writes })),
  ),
);
/** Half of them a day, of each signal, and of one and two of it, alike. */
const ofToday = rows.filter((_, index) => (index + (index >> 2) + (index >> 3) + turn) % 2 === 0);
const codes = { SIGINT: 130, SIGTERM: 143 } as const;

test.concurrent.each(ofToday)(
  "$signal, $times times, at $phase $nth (a write: $writes): it goes on, by the command that status names",
  async ({ signal, times, phase, nth, writes }) => {
    const world = await CrashWorld.open(miniBack, { quietPeriod: "50ms" });
    try {
      const running = world.start();
      let seen = 0;
      const off = world.emulator.on(async ({ phase: at, entry }) => {
        if (at !== phase || entry.tenant !== "prod" || isQuestion(entry) === writes) return;
        seen += 1;
        if (seen !== nth) return;
        off();
        running.signal(signal);
        await running.says("Stopping");
        if (times === 1) return;
        running.signal(signal);
        // Its request has no answer before that: who waits for one never leaves.
        await running.ended;
      });
      const { code, stdout } = await running.ended;
      expect([seen, code], stdout).toEqual([nth, times === 1 ? 5 : codes[signal]]);
      await world.emulator.idle();
      const status = await world.quick(["status", "crash", "--json"]);
      // The lock is free, and what was only looked at leaves nothing behind.
      expect(JSON.parse(status.stdout)).toMatchObject({
        exitCode: writes ? 5 : 0,
        next: [writes ? "ferry rollback crash" : "ferry diff crash"],
        details: { isLocked: false },
      });
      expect(await runUntilDone(world, 1)).toEqual([]);
      expect(await inspectBack(world)).toMatchObject({ problems: [] });
    } finally {
      await world.close();
    }
  },
);
