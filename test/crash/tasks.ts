import type { Estate } from "./estates/estate.ts";
import { tryPoints } from "./experiment.ts";
import type { Verdict } from "./experiment.ts";
import { lose } from "./lose.ts";
import { changes, creates, losses } from "./lost-answers.ts";
import { classes, isOutside, label } from "./points.ts";
import type { Point } from "./points.ts";

/** One thing that the full run tries. */
export interface Task {
  readonly class: string;
  readonly name: string;
  /** How often the process must be seen to die. */
  readonly kills: number;
  run(): Promise<Verdict>;
}

/** Every point that a run over the estate comes by. */
export function pointTasks(estate: Estate, counts: ReadonlyMap<string, number>): readonly Task[] {
  return classes.flatMap((name) =>
    Array.from({ length: counts.get(name) ?? 0 }, (_, index): Task => {
      const point = { class: name, ordinal: index + 1 };
      const run = (): Promise<Verdict> => tryPoints(estate, point);
      return { class: name, name: `${estate.name}: ${label(point)}`, kills: 1, run };
    }),
  );
}

/** Runs that are killed two and three times in a row, at points that a fixed seed chooses. */
export function againTasks(
  estate: Estate,
  counts: ReadonlyMap<string, number>,
  times: number,
): readonly Task[] {
  const random = randomFrom(times);
  const known = classes.filter((name) => (counts.get(name) ?? 0) > 0);
  // A run that goes on has less to do: its early points are the ones that it comes by.
  const pick = (most: number): Point => {
    const name = known[Math.floor(random() * known.length)] ?? "";
    const count = Math.min(counts.get(name) ?? 0, isOutside(name) ? most * 4 : most);
    return { class: name, ordinal: 1 + Math.floor(random() * count) };
  };
  return Array.from({ length: times }, (_, index): Task => {
    const first = pick(Number.MAX_SAFE_INTEGER);
    const next = Array.from({ length: 1 + (index % 2) }, () => pick(4));
    const name = `${estate.name}: ${[first, ...next].map(label).join(", then ")}`;
    return { class: "again and again", name, kills: 1, run: () => tryPoints(estate, first, ...next) };
  });
}

/** Every loss of the answer to every write, of one estate or of all, with and without a kill while it is settled. */
export function lossTasks(only?: string): readonly Task[] {
  const writes = [...creates, ...changes].filter(({ estate }) => only === undefined || estate.name === only);
  return writes.flatMap((write) =>
    losses
      .filter((loss) => write.batch || loss.batchOnly !== true)
      .flatMap((loss) =>
        [false, true].map((kill): Task => ({
          class: kill ? "lost answer, then killed" : "lost answer",
          name: `${write.estate.name}: ${write.name}: ${loss.name}`,
          kills: kill ? 1 : 0,
          async run() {
            const { happened, problems, draftsLeft } = await lose(write, loss, { kill });
            return {
              kills: happened && kill ? 1 : 0,
              problems: happened ? problems : ["it did not happen"],
              draftsLeft,
            };
          },
        })),
      ),
  );
}

/** A small generator of numbers from 0 to 1: the same seed gives the same ones. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
