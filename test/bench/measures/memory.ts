import type { RunReport } from "../command/run.ts";
import type { Row } from "../row.ts";
import { mebibytes, seconds } from "../row.ts";
import type { Bench } from "./measure.ts";
import type { Content } from "../service/orders.ts";
import { stage } from "./stage.ts";

/** The largest resident set of a whole `sync`, at two sizes that differ tenfold. */
export async function memory(bench: Bench): Promise<readonly Row[]> {
  const [less, more] = bench.quick ? [500, 5_000] : [10_000, 100_000];
  const [small, big] = [await run(less, bench), await run(more, bench)];
  const said = ({ peakBytes, wallMs, cpuMs }: RunReport): string =>
    `${mebibytes(peakBytes)} in ${seconds(wallMs)} (processor ${seconds(cpuMs)})`;
  return [
    {
      key: "memory",
      what: `peak memory, ${less} to ${more} objects`,
      value: big.peakBytes / small.peakBytes,
      unit: "x",
      goal: { most: 1.3 },
      from: `${said(small)}, ${said(big)}`,
    },
  ];
}

/** A million objects of one kind, which are read, written and read back. */
export async function million(bench: Bench): Promise<readonly Row[]> {
  const terms = bench.quick ? 10_000 : 1_000_000;
  const { peakBytes, wallMs, cpuMs } = await run({ terms }, bench);
  return [
    {
      key: "million",
      what: `peak memory, ${terms} objects of one kind`,
      value: peakBytes / 1_000_000,
      unit: "MB",
      goal: { most: 600, under: true },
      from: `terms, in ${seconds(wallMs)} (processor ${seconds(cpuMs)})`,
    },
  ];
}

async function run(objects: Content["objects"], { of }: Bench): Promise<RunReport> {
  await using at = await stage(objects);
  return await at.desk.sync(of);
}
