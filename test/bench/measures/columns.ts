import type { RunReport } from "../command/run.ts";
import type { Row } from "../row.ts";
import type { Counts } from "../service/orders.ts";
import type { Bench } from "./measure.ts";
import { peaks } from "./peaks.ts";
import { stage } from "./stage.ts";

/** A hundred columns a table, each with a description that the target lacks: the first run, and one without changes. */
export async function columns(bench: Bench): Promise<readonly Row[]> {
  const [less, more] = bench.quick ? [1_000, 10_000] : [10_000, 100_000];
  const [small, big] = [await runs(less, bench), await runs(more, bench)];
  const size = `${less} to ${more} described columns`;
  return [
    peaks("columns-memory", `peak memory, ${size}: first run`, small.first, big.first),
    peaks("columns-memory-again", `peak memory, ${size}: without changes`, small.again, big.again),
    peaks("columns-memory-further", `peak memory, ${size}: each further one`, small.further, big.further),
    {
      key: "columns-requests",
      what: `${more} described columns: pages of their lists, first run`,
      // Each side once, and the target once more to prove what was written.
      value: reads(big.counts) / (3 * (more / 100)),
      unit: "x",
      goal: { most: 1.05 },
      from: Object.entries(big.counts)
        .map(([route, count]) => `${route} ${count}`)
        .join(", "),
    },
  ];
}

/** Of lists; what is asked of one column right before it is written is no page. */
function reads(counts: Counts): number {
  return Object.entries(counts).reduce(
    (sum, [route, count]) => (/ GET \S*\/attributes$/.test(route) ? sum + count : sum),
    0,
  );
}

interface Runs {
  readonly first: RunReport;
  readonly again: RunReport;
  readonly further: RunReport;
  readonly counts: Counts;
}

async function runs(count: number, { of }: Bench): Promise<Runs> {
  await using at = await stage({ columns: count });
  const first = await at.desk.sync(of);
  const counts = await at.service.order("counts");
  return { first, again: await at.desk.sync(of), further: await at.desk.sync(of), counts };
}
