import type { RunReport } from "../command/run.ts";
import type { Row } from "../row.ts";
import { middle, seconds } from "../row.ts";
import type { Counts } from "../service/orders.ts";
import type { Bench } from "./measure.ts";
import { stage } from "./stage.ts";

/** One whole `sync`, and the same command again when there is nothing left to do: once to see that, and once more. */
interface Round {
  readonly objects: number;
  readonly first: RunReport;
  readonly again: RunReport;
  readonly further: RunReport;
  readonly requests: readonly Row[];
}

/**
 * Requests, and processor time an object: from the first request on, so that the start of the process is not in it.
 * Requests are the same in every round; of the times the median.
 */
export async function whole({ of, quick }: Bench): Promise<readonly Row[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    await using at = await stage(quick ? 500 : 10_000);
    const { service, desk, objects } = at;
    const least = await service.order("least", "first");
    const first = await desk.sync(of);
    const counted = await service.order("counts");
    await service.order("clear");
    const leastAgain = await service.order("least", "unchanged");
    const again = await desk.sync(of);
    const countedAgain = await service.order("counts");
    await service.order("clear");
    const further = await desk.sync(of);
    const countedFurther = await service.order("counts");
    rounds.push({
      objects,
      first,
      again,
      further,
      requests: [
        requests("requests-sync", "requests of a whole sync", counted, least, 1.05),
        requests("requests-unchanged", "requests of a run without changes", countedAgain, leastAgain, 1),
        requests("requests-further", "requests of each further one", countedFurther, leastAgain, 1),
      ],
    });
  }
  return [
    ...(rounds[0]?.requests ?? []),
    processor("cpu-sync", "processor time an object, whole sync", rounds, ({ first }) => first, 0.5),
    processor(
      "cpu-unchanged",
      "processor time an object, run without changes",
      rounds,
      ({ again }) => again,
      0.3,
    ),
    processor(
      "cpu-further",
      "processor time an object, each further one",
      rounds,
      ({ further }) => further,
      0.3,
    ),
    {
      key: "start-mapped",
      what: "start-up of sync with a mapping, processor time",
      ...middle(rounds.map(({ further }) => further.startCpuMs / 1000)),
      unit: "s",
      goal: { most: 0.6 },
      from: `until the first request leaves, with a row of ${rounds[0]?.objects ?? 0} objects each to be read and checked`,
    },
  ];
}

function requests(key: string, what: string, sent: Counts, least: Counts, most: number): Row {
  const [all, needed] = [sum(sent), sum(least)];
  const more = Object.keys(sent)
    .filter((route) => (sent[route] ?? 0) > (least[route] ?? 0))
    .map((route) => `${route} ${sent[route]} instead of ${least[route] ?? 0}`);
  const causes = more.length === 0 ? "" : `; ${more.join("; ")}`;
  const from = `${all} sent, ${needed} needed${causes}`;
  return { key, what, value: all / needed, unit: "x", goal: { most }, from };
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function processor(
  key: string,
  what: string,
  rounds: readonly Round[],
  of: (round: Round) => RunReport,
  most: number,
): Row {
  const each = rounds.map((round) => of(round).cpuMs / round.objects);
  const [round] = rounds;
  const from = `${round?.objects ?? 0} objects, ${seconds(round === undefined ? 0 : of(round).cpuMs)} after start-up`;
  return { key, what, ...middle(each), unit: "ms", goal: { most }, from };
}
