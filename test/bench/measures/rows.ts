import type { RunReport } from "../command/run.ts";
import type { Content } from "../service/orders.ts";
import type { Row } from "../row.ts";
import { median, middle, seconds } from "../row.ts";
import type { Bench } from "./measure.ts";
import { peaks } from "./peaks.ts";
import { stage } from "./stage.ts";
import { replay } from "./wall.ts";

/** Rows are never objects in memory: a table that is longer takes no more of it. */
export async function rowsMemory(bench: Bench): Promise<readonly Row[]> {
  return [await grown(bench, bench.quick ? [2_000, 20_000] : [20_000, 200_000], "rows-memory")];
}

export async function millionRows(bench: Bench): Promise<readonly Row[]> {
  const sizes = bench.quick ? ([2_000, 20_000] as const) : ([20_000, 1_000_000] as const);
  return [
    await grown(bench, sizes, "rows-million"),
    await grown(bench, sizes, "records-million", (records) => ({ records })),
  ];
}

async function grown(
  { of }: Bench,
  [less, more]: readonly [number, number],
  key: string,
  content: (count: number) => Content["objects"] = (rows) => ({ rows }),
): Promise<Row> {
  const run = async (count: number): Promise<RunReport> => {
    await using at = await stage(content(count));
    return await at.desk.sync(of);
  };
  const what = `peak memory, ${less} to ${more} rows of ${key.startsWith("records") ? "an entity" : "a table"}`;
  return peaks(key, what, await run(less), await run(more));
}

/** Eight at once, 5 ms an answer: what a bare client reaches that sends the same requests. */
export async function rowsWall({ of, quick }: Bench): Promise<readonly Row[]> {
  const delayMs = 5;
  const shares: number[] = [];
  const inOrder: number[] = [];
  const times: { readonly sync: number; readonly bare: number; readonly requests: number }[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    await using at = await stage({ rows: quick ? 5_000 : 50_000 }, { keepLog: true, delayMs });
    const sync = await at.desk.sync(of);
    const bare = await replay(at);
    inOrder.push(sync.wallMs / (await replay(at, true)).wallMs);
    shares.push(sync.wallMs / bare.wallMs);
    times.push({ sync: sync.wallMs, bare: bare.wallMs, requests: bare.requests });
  }
  const of_ = (key: "sync" | "bare"): string => seconds(median(times.map((time) => time[key])));
  return [
    {
      key: "rows-wall",
      what: `rows: wall against a bare client, ${delayMs} ms an answer`,
      ...middle(shares),
      unit: "x",
      // At least 85 % of what the bare client reaches.
      goal: { most: 1 / 0.85 },
      from: `${of_("sync")} against ${of_("bare")} for ${times[0]?.requests ?? 0} requests; ${median(inOrder).toFixed(2)} x against one that writes nothing before all is read`,
    },
  ];
}
