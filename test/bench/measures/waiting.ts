import { concurrency } from "../command/run.ts";
import { criticalPath } from "../path/critical-path.ts";
import type { Row } from "../row.ts";
import { seconds } from "../row.ts";
import type { Bench } from "./measure.ts";
import { stage } from "./stage.ts";

const delayMs = 200;

/**
 * How long a run has nothing to do because answers take long, against the answers that it has to wait for one after the
 * other. What it computes meanwhile is no waiting.
 */
export async function waiting({ of, quick }: Bench): Promise<readonly Row[]> {
  await using at = await stage(quick ? 500 : 5_000, { keepLog: true, delayMs });
  const run = await at.desk.sync(of);
  const { rounds, calls } = criticalPath(await at.service.order("calls"), concurrency);
  const path = rounds * delayMs;
  return [
    {
      key: "waiting",
      what: `waiting at ${delayMs} ms an answer, against the critical path`,
      value: run.idleMs / path,
      unit: "x",
      goal: { most: 1.25 },
      from: `${seconds(run.idleMs)} idle of ${seconds(run.wallMs)}; ${rounds} rounds, ${seconds(path)}, computed from ${calls} requests`,
    },
  ];
}
