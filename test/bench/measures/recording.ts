import type { RunReport } from "../child-run.ts";
import type { Figure } from "../figure.ts";
import type { Pace } from "../pace.ts";
import { percent, seconds } from "../figure.ts";
import { stage } from "../stage.ts";

/** What the journal and the mapping files cost: a run with them against one that keeps both in memory. */
export async function recording(pace: Pace): Promise<readonly Figure[]> {
  const size = pace.quick ? 200 : 2_000;
  const runs: Record<"disk" | "memory", RunReport[]> = { disk: [], memory: [] };
  for (let round = 0; round < pace.rounds(5, 90_000); round += 1) {
    // Which one goes first alternates: the first one finds a colder machine.
    const order = round % 2 === 0 ? (["disk", "memory"] as const) : (["memory", "disk"] as const);
    for (const journal of order) {
      const at = await stage(`large:${size}`);
      try {
        runs[journal].push(await at.run({ journal }));
      } finally {
        await at.close();
      }
    }
  }
  // The least of the rounds: whatever else the machine does only adds, and the difference is small.
  const least = (of: readonly RunReport[], what: "wallMs" | "cpuMs"): number =>
    Math.min(...of.map((run) => run[what]));
  const [disk, inMemory] = [least(runs.disk, "wallMs"), least(runs.memory, "wallMs")];
  const [busy, busyInMemory] = [least(runs.disk, "cpuMs"), least(runs.memory, "cpuMs")];
  // Time that passes is what people notice, processor time what other programs on the machine do not distort.
  const share = Math.max((disk - inMemory) / disk, (busy - busyInMemory) / busy);
  const [run] = runs.disk;
  const syncs = (run?.syncs ?? Number.NaN) / (run?.intents ?? Number.NaN);
  return [
    {
      what: `journal and mapping, large:${size}`,
      value: percent(share),
      goal: { text: "< 5 %", met: share < 0.05 },
      from: `${seconds(disk)} on disk, ${seconds(inMemory)} in memory (processor: ${seconds(busy)} and ${seconds(busyInMemory)}); the larger share`,
    },
    {
      what: "syncs of the journal",
      value: `${syncs.toFixed(2)} a request`,
      from: `${run?.syncs} for ${run?.intents} requests that write`,
    },
  ];
}
