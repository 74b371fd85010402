import type { RunReport } from "../command/run.ts";
import type { Row } from "../row.ts";
import { seconds } from "../row.ts";
import type { Bench } from "./measure.ts";
import type { Content } from "../service/orders.ts";
import { peaks } from "./peaks.ts";
import { stage } from "./stage.ts";

/** The largest resident set of a whole `sync`, at two sizes that differ tenfold. */
export async function memory(bench: Bench): Promise<readonly Row[]> {
  const [less, more] = bench.quick ? [500, 5_000] : [10_000, 100_000];
  const what = `peak memory, ${less} to ${more} objects`;
  return [peaks("memory", what, await run(less, bench), await run(more, bench))];
}

/** The same of the dry run of a rollback that would take all of them away again. */
export async function rollbackMemory(bench: Bench): Promise<readonly Row[]> {
  const [less, more] = bench.quick ? [300, 3_000] : [3_000, 30_000];
  const lookBack = async (objects: number): Promise<RunReport> => {
    await using at = await stage(objects);
    await at.desk.sync(bench.of);
    return await at.desk.lookBack(bench.of);
  };
  const what = `peak memory of a rollback's dry run, ${less} to ${more} objects`;
  return [peaks("rollback", what, await lookBack(less), await lookBack(more))];
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
