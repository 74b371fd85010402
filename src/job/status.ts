import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { readLockNote } from "../store/index.ts";
import { doubtLine } from "./diff.ts";
import type { Job } from "./job.ts";
import { plural, resultOf } from "./result.ts";
import { archivedRuns } from "./runs.ts";
import { readState } from "./state.ts";

/** What is done, in flight, in doubt, left; reads files only. */
export async function statusJob(job: Job): Promise<Result> {
  const { mapping, replayed } = await readState(job);
  const mapped = Object.fromEntries(
    mapping
      .kinds()
      .filter((kind) => mapping.entries(kind).size > 0)
      .sort()
      .map((kind) => [kind, mapping.entries(kind).size]),
  );
  const unfinished = mapping
    .kinds()
    .flatMap((kind) =>
      [...mapping.entries(kind)].flatMap(([source, entry]) =>
        entry.unfinished === undefined
          ? []
          : [{ kind, source, name: entry.name, target: entry.target, left: entry.unfinished }],
      ),
    );
  const holder = readLockNote(job.paths.lock);
  const runs = await archivedRuns(job);
  const total = Object.values(mapped).reduce((sum, count) => sum + count, 0);
  const doubts = replayed.doubts.map(doubtLine);
  const interrupted = replayed.open.map(({ run, at, command }) => ({ run, at, command }));
  const { exitCode, headline } =
    doubts.length > 0 || unfinished.length > 0 || interrupted.length > 0
      ? {
          exitCode: exitCodes.interrupted,
          headline: `A run was interrupted: ${plural(doubts.length, "operation")} in doubt, ${plural(unfinished.length, "object")} unfinished, ${plural(total, "object")} mapped.`,
        }
      : {
          exitCode: exitCodes.done,
          headline: `${plural(total, "object")} mapped; nothing is in flight or in doubt.`,
        };
  return resultOf(job, {
    command: "status",
    exitCode,
    headline,
    next: exitCode === exitCodes.done ? [`ferry diff ${job.plan.name}`] : [`ferry apply ${job.plan.name}`],
    details: {
      mapped,
      inDoubt: doubts,
      unfinished,
      interrupted,
      runs: runs.slice(-10).map(({ run }) => run),
      ...(holder === undefined ? {} : { lastLockHolder: holder }),
    },
  });
}
