import { vi } from "vitest";
import { systemClock } from "../../../src/service/clock.ts";

/** What the client waits between its attempts takes no time, and its clocks go on by it all the same. */
export function hurry(): { end(): void } {
  let ahead = 0;
  const now = vi.spyOn(systemClock, "now").mockImplementation(() => Date.now() + ahead);
  const steady = vi.spyOn(systemClock, "steady").mockImplementation(() => performance.now() + ahead);
  const sleep = vi.spyOn(systemClock, "sleep").mockImplementation(async (ms, signal) => {
    await new Promise((done) => setImmediate(done));
    signal?.throwIfAborted();
    ahead += ms;
  });
  return {
    end: () => {
      now.mockRestore();
      steady.mockRestore();
      sleep.mockRestore();
    },
  };
}
