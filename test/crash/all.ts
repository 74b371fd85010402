import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { catalog, catalogBack, catalogChanged } from "./estates/catalog.ts";
import { demo } from "./estates/demo.ts";
import { miniBack } from "./estates/mini-back.ts";
import { miniChanged } from "./estates/mini-changed.ts";
import { mini } from "./estates/mini.ts";
import { countPoints } from "./points.ts";
import { rowEstates } from "./rows/index.ts";
import type { Task } from "./tasks.ts";
import { againTasks, lossTasks, pointTasks } from "./tasks.ts";
import { Tally } from "./tally.ts";

/**
 * `npm run test:crash`: every point of the demo and of small estates, every loss of an answer. Exit code 1 when a
 * promise was broken or a kill did not happen.
 */
const { values } = parseArgs({
  options: {
    /** Only so many, spread over all. */
    limit: { type: "string" },
    /** Only one class of points. */
    class: { type: "string" },
    /** Only these estates, and the lost answers to their writes, by their names with commas between; `rows` are all that have rows. */
    estate: { type: "string" },
    /** Runs at a time; they wait for the disk and for each other more than they work. */
    workers: { type: "string", default: String(2 * availableParallelism()) },
  },
});

const chosen = values.estate
  ?.split(",")
  .flatMap((name) => (name === "rows" ? rowEstates.map((estate) => estate.name) : [name]));

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function collect(): Promise<readonly Task[]> {
  const tasks: Task[] = [];
  for (const estate of [
    demo,
    mini,
    miniChanged,
    miniBack,
    catalog,
    catalogChanged,
    catalogBack,
    ...rowEstates,
  ]) {
    if (chosen !== undefined && !chosen.includes(estate.name)) continue;
    const counts = await countPoints(estate);
    const points = pointTasks(estate, counts);
    say(`${estate.name}: ${points.length} points`);
    tasks.push(...points, ...againTasks(estate, counts, 20));
  }
  if (chosen === undefined) tasks.push(...lossTasks(undefined));
  for (const name of chosen ?? []) tasks.push(...lossTasks(name));
  return tasks.filter((task) => values.class === undefined || task.class === values.class);
}

function limited(tasks: readonly Task[]): readonly Task[] {
  const limit = Math.min(Number(values.limit ?? tasks.length), tasks.length);
  return Array.from(
    { length: limit },
    (_, index) => tasks[Math.floor((index * tasks.length) / limit)],
  ).filter((task) => task !== undefined);
}

const tasks = limited(await collect());
if (tasks.length === 0) throw new Error("there is nothing to try: is the name of the class or estate right?");
const tally = new Tally();
const queue = tasks.values();
const started = Date.now();
await Promise.all(
  Array.from({ length: Math.max(1, Number(values.workers)) }, async () => {
    for (const task of queue) {
      const verdict = await task.run().catch((error: unknown) => {
        const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return { kills: 0, problems: [problem], draftsLeft: 0 };
      });
      const failed = tally.add(task, verdict);
      if (failed !== undefined) say(failed);
      if (tally.done % 100 === 0) process.stderr.write(`${tally.done} of ${tasks.length}\n`);
    }
  }),
);
say(tally.table());
say(`${tally.summary()}, in ${Math.round((Date.now() - started) / 1_000)} s`);
process.exitCode = tally.failures === 0 ? 0 : 1;
