import type { RunReport } from "../child-run.ts";
import type { Figure } from "../figure.ts";
import type { Pace } from "../pace.ts";
import { percent, seconds } from "../figure.ts";
import { stage } from "../stage.ts";

/** large:N makes two and a half N objects. */
function scenarioOf(objects: number): string {
  return `large:${Math.round(objects / 2.5)}`;
}

/** The largest resident set of a run's process, at two sizes that differ tenfold. */
export async function memory(pace: Pace): Promise<readonly Figure[]> {
  // The big one is smaller when the time is short; the figure says which it was.
  const [less, more] = pace.quick ? [500, 5_000] : [10_000, wholeSize(pace)];
  const [small, big] = [await peak(less), await peak(more)];
  const growth = big.peakBytes / small.peakBytes - 1;
  const goal = { text: "< 30 % to 100000", met: growth < 0.3 };
  const mebibytes = ({ peakBytes }: RunReport): string => `${Math.round(peakBytes / 1024 / 1024)} MiB`;
  return [
    {
      what: `peak memory, ${less} to ${more} objects`,
      value: `+ ${percent(growth)}`,
      // Less growth over a smaller step proves nothing; more of it does.
      ...(more === 100_000 || !goal.met ? { goal } : {}),
      from: `${mebibytes(small)} in ${seconds(small.wallMs)}, ${mebibytes(big)} in ${seconds(big.wallMs)} (processor: ${seconds(small.cpuMs)} and ${seconds(big.cpuMs)})`,
    },
  ];
}

function wholeSize(pace: Pace): number {
  if (pace.leftMs > 60_000) return 100_000;
  return pace.leftMs > 30_000 ? 40_000 : 20_000;
}

async function peak(objects: number): Promise<RunReport> {
  const at = await stage(scenarioOf(objects));
  try {
    return await at.run();
  } finally {
    await at.close();
  }
}
