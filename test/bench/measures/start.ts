import { spawned } from "../command/process.ts";
import type { Row } from "../row.ts";
import { median, middle } from "../row.ts";
import type { Bench } from "./measure.ts";
import { stage } from "./stage.ts";

/** What a command costs before it does anything. */
export async function start({ of, quick }: Bench): Promise<readonly Row[]> {
  const [ferry, bare]: [number[], number[]] = [[], []];
  // In turns with a Node that does nothing: what else the machine does is in both.
  for (let round = 0; round < (quick ? 3 : 15); round += 1) {
    ferry.push(await timed([...of.argv, "--version"], of.env));
    bare.push(await timed(["-e", "0"]));
  }
  await using at = await stage("empty");
  const [cpu, whole]: [number[], number[]] = [[], []];
  for (let round = 0; round < (quick ? 1 : 7); round += 1) {
    const run = await at.desk.sync(of);
    cpu.push(run.startCpuMs / 1000);
    whole.push((run.startCpuMs + run.cpuMs) / 1000);
  }
  return [
    {
      key: "version",
      what: "ferry --version",
      ...middle(ferry),
      unit: "ms",
      goal: { most: 100, under: true },
      from: `Node alone takes ${median(bare).toFixed(0)} ms`,
    },
    {
      key: "start-sync",
      what: "start-up of sync, processor time",
      ...middle(cpu),
      unit: "s",
      goal: { most: 0.6 },
      from: `until the first request leaves; a whole sync of two empty environments takes ${median(whole).toFixed(2)} s`,
    },
  ];
}

async function timed(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const began = performance.now();
  await spawned(process.execPath, argv, { env });
  return performance.now() - began;
}
