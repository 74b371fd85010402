import type { RunReport } from "../child-run.ts";
import type { Figure } from "../figure.ts";
import type { Pace } from "../pace.ts";
import { percent, seconds } from "../figure.ts";
import { stage } from "../stage.ts";

/** `latency` as over a network, in milliseconds; without any the disk is all that a request waits for. */
const cases = [
  { size: 2_000, latency: 0, goal: false },
  { size: 1_000, latency: 50, goal: true },
];

/** What the journal and the mapping files cost: a run with them against one that keeps both in memory. */
export async function recording(pace: Pace): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const each of cases) figures.push(...(await share(each, pace)));
  return figures;
}

async function share(
  { size: whole, latency, goal }: (typeof cases)[number],
  pace: Pace,
): Promise<readonly Figure[]> {
  const size = pace.quick ? 200 : whole;
  const runs: Record<"disk" | "memory", RunReport[]> = { disk: [], memory: [] };
  for (let round = 0; round < pace.rounds(4, 90_000); round += 1) {
    // Which one goes first alternates: the first one finds a colder machine.
    const order = round % 2 === 0 ? (["disk", "memory"] as const) : (["memory", "disk"] as const);
    for (const journal of order) {
      const at = await stage(`large:${size}`);
      try {
        if (latency > 0) at.emulator.faults.add({ effect: { type: "delay", ms: latency } });
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
  const part = (disk - inMemory) / disk;
  const [run] = runs.disk;
  const syncs = (run?.syncs ?? Number.NaN) / (run?.intents ?? Number.NaN);
  return [
    {
      what: `journal and mapping, large:${size}, ${latency === 0 ? "no latency" : `${latency} ms latency`}`,
      value: percent(part),
      ...(goal ? { goal: { text: "< 5 %", met: part < 0.05 } } : {}),
      from: `${seconds(disk)} on disk, ${seconds(inMemory)} in memory; processor: ${seconds(busy)} and ${seconds(busyInMemory)} (${percent((busy - busyInMemory) / busy)}); ${syncs.toFixed(2)} syncs for each of ${run?.intents} requests that write`,
    },
  ];
}
