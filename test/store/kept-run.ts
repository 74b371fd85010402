import type { KeptRun } from "../../src/store/kept-run.ts";

/** A run that came to its end. */
export const keptRun = (run: string, at: string): KeptRun => ({
  run,
  at,
  command: "ferry apply one --yes",
  by: { user: "somebody", host: "here", job: "https://ci.example.com/1" },
  exitCode: 4,
  headline: "1 change made.",
  summary: { create: 1 },
  writes: 1,
  durationMs: 12,
});
