import type { Point } from "../figures/file.ts";
import type { Content } from "../service/orders.ts";
import { seconds } from "../row.ts";
import type { Bench } from "../measures/measure.ts";
import { stage } from "../measures/stage.ts";

const sizes = [1_000, 3_000, 10_000, 30_000, 100_000];

/** A whole `sync` at each size, once, with answers that come at once. */
export async function points(bench: Bench, tell: (line: string) => void): Promise<readonly Point[]> {
  const measured: Point[] = [];
  for (const size of bench.quick ? sizes.map((size) => size / 100) : sizes) {
    const point = await pointAt(size, bench);
    tell(`${point.objects} objects: ${seconds(point.wallSeconds * 1000)}, ${point.peakMebibytes} MiB`);
    measured.push(point);
  }
  return measured;
}

const rowSizes = [2_000, 20_000, 200_000, 1_000_000];
/** A request a record: more of them take hours. */
const recordSizes = [2_000, 20_000];

/** The same of rows. */
export async function rowPoints(
  bench: Bench,
  tell: (line: string) => void,
): Promise<{ readonly rows: readonly Point[]; readonly records: readonly Point[] }> {
  const of = async (
    what: string,
    sizes: readonly number[],
    content: (count: number) => Content["objects"],
  ): Promise<readonly Point[]> => {
    const measured: Point[] = [];
    for (const size of bench.quick ? sizes.map((size) => size / 100) : sizes) {
      const point = await pointAt(content(size), bench);
      tell(`${point.objects} ${what}: ${seconds(point.wallSeconds * 1000)}, ${point.peakMebibytes} MiB`);
      measured.push(point);
    }
    return measured;
  };
  return {
    rows: await of("rows", rowSizes, (rows) => ({ rows })),
    records: await of("records", recordSizes, (records) => ({ records })),
  };
}

async function pointAt(size: Content["objects"], { of }: Bench): Promise<Point> {
  await using at = await stage(size);
  const run = await at.desk.sync(of);
  const counts = await at.service.order("counts");
  return {
    objects: at.objects,
    wallSeconds: Number((run.wallMs / 1000).toPrecision(3)),
    cpuSeconds: Number((run.cpuMs / 1000).toPrecision(3)),
    peakMebibytes: Math.round(run.peakBytes / 1024 ** 2),
    requests: Object.values(counts).reduce((total, count) => total + count, 0),
  };
}
