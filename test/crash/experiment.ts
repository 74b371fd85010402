import type { LogEntry } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Estate } from "./estates/estate.ts";
import { inspectBack } from "./back.ts";
import type { Findings } from "./invariants.ts";
import { inspect, isQuestion } from "./invariants.ts";
import { killAt } from "./kill.ts";
import { isByChance, label } from "./points.ts";
import type { Point } from "./points.ts";
import { inspectRows } from "./rows/inspect.ts";
import { CrashWorld } from "./world.ts";

export interface Verdict {
  /** How many of the points the process was seen to die at. */
  readonly kills: number;
  readonly problems: readonly string[];
  readonly draftsLeft: number;
}

/**
 * Kills a run at the first point, the one that goes on with it at the next, and so on; runs it again until done, and
 * looks at what became of it. Only the first point is sure to be reached: what is left to do then, nobody knows.
 */
export async function tryPoints(estate: Estate, first: Point, ...next: readonly Point[]): Promise<Verdict> {
  for (const point of aims(estate, first)) {
    const world = await CrashWorld.open(estate);
    try {
      if (!(await killAt(world, point))) continue;
      let kills = 1;
      for (const point of next) if (await killAt(world, point)) kills += 1;
      const problems = [
        ...(await runUntilDone(world, 1, kills)),
        ...world.emulator.log.entries.flatMap(sourceWrites),
      ];
      const findings = await judged(world);
      return { kills, problems: [...problems, ...findings.problems], draftsLeft: findings.draftsLeft };
    } finally {
      await world.close();
    }
  }
  return { kills: 0, problems: [`${label(first)} was never reached`], draftsLeft: 0 };
}

async function judged(world: CrashWorld): Promise<Findings> {
  const { estate } = world;
  if (estate.rows !== undefined) return inspectRows(world, estate.rows);
  return estate.back === true ? inspectBack(world) : inspect(world);
}

/**
 * The point, a few times over; then those before it, where a run may come by fewer points than the ones that were
 * counted. Some point must be reached in the end: an experiment without a kill is a failure.
 */
function* aims(estate: Estate, point: Point): Generator<Point> {
  for (let attempt = 0; attempt < 3; attempt += 1) yield point;
  if (!isByChance(point.class, estate)) return;
  for (let { ordinal } = point; ordinal > point.ordinal / 2; ordinal -= 1) yield { ...point, ordinal };
}

/** Runs again, at most so often; says what is wrong when that is not enough. */
export async function runUntilDone(world: CrashWorld, most: number, killed = 1): Promise<readonly string[]> {
  let kills = killed;
  const codes: (number | null)[] = [];
  let last = "";
  // Enough to see why; the whole of it would be pages.
  const why = (stdout: string): string =>
    /"headline".*|"diagnostics": \[[\s\S]*?\n  \]/g[Symbol.match](stdout)?.join("\n") ?? stdout;
  for (let count = 0; count < most; count += 1) {
    const { code, stdout, stderr } = await world.toEnd();
    if (code === world.estate.done) return [];
    const { rows, waits } = world.estate;
    // A rollback that cannot go on for a review says so with 5.
    const isWaiting = code === waits || code === exitCodes.interrupted;
    if (isWaiting && rows?.decide?.(world.emulator) === true) {
      count -= 1;
      continue;
    }
    if (code === exitCodes.inDoubt && kills > 1 && rows?.publish !== undefined) {
      // A search that a second kill has cut off is a person's to finish; a single kill never asks one.
      for (const table of rows.publish(world.emulator))
        await world.quick(["resolve", "crash", "--abandon", table]);
      count -= 1;
      kills = 1;
      continue;
    }
    codes.push(code);
    last = `${why(stdout)}\n${stderr}`;
  }
  return [`run again, it ended with ${codes.join(", ")}: ${last.slice(0, 4_000)}`];
}

/** The source is never written, whatever happens. */
function sourceWrites(entry: LogEntry): string[] {
  if (entry.tenant !== "dev" || isQuestion(entry)) return [];
  return [`the source was written: ${entry.method} ${entry.path}`];
}
