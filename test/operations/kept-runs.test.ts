import { expect, test } from "vitest";
import { keepRun } from "../../src/operations/kept-runs.ts";
import type { KeptRun } from "../../src/store/index.ts";
import { memoryStore } from "../../src/store/memory/index.ts";

function runAt(at: Date, number: number, writes: number): KeptRun {
  const run = `run-${number}`;
  const told = { command: "ferry diff", exitCode: 0, headline: "", summary: {}, writes, durationMs: 1 };
  return { run, at: at.toISOString(), ...told };
}

test.each([
  ["looked", 0, 20],
  ["wrote", 1, 50],
])(
  "where the clock was set back those that %s are kept, and what was ahead of it goes",
  async (_what, writes, most) => {
    const party = { name: "a", baseUrl: "https://a.example.com", tenant: "a" };
    const { work } = memoryStore({
      plan: "move",
      parties: { source: party, target: { ...party, name: "b" } },
    });
    const keep = async (year: number, number: number): Promise<void> =>
      keepRun(work, runAt(new Date(Date.UTC(year, 0, 1, 0, number)), number, writes), {}, true);
    for (let number = 0; number < most; number += 1) await keep(2031, number);
    for (let number = 100; number < 103; number += 1) await keep(2026, number);
    const runs = (await work.keptRuns()).map(({ run }) => run);
    expect(runs).toHaveLength(most);
    expect(runs.slice(0, 4)).toEqual(["run-100", "run-101", "run-102", "run-3"]);
  },
);

test("what began while a long run was at work is no sign of a wrong clock, and stays", async () => {
  const party = { name: "a", baseUrl: "https://a.example.com", tenant: "a" };
  const { work } = memoryStore({ plan: "move", parties: { source: party, target: { ...party, name: "b" } } });
  const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
  for (let number = 0; number < 20; number += 1) await keepRun(work, runAt(at(number), number, 0), {}, true);
  await keepRun(work, runAt(at(40), 40, 0), {}, true);
  await keepRun(work, { ...runAt(at(30), 30, 0), durationMs: 20 * 60_000 }, {}, true);
  const runs = (await work.keptRuns()).map(({ run }) => run);
  expect(runs).toHaveLength(20);
  expect(runs.slice(-2)).toEqual(["run-30", "run-40"]);
});
