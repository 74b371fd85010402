import type { Begun, Replayed } from "../engine/settle/replay.ts";
import type { EndRecord, RunRecord } from "../model/journal.ts";
import { exitCodes } from "../model/result.ts";
import type { Migration } from "./migration.ts";

/** A run that did not come to its end. */
interface Left extends Begun {
  readonly run: RunRecord;
}

/** Commands that flows follow upon. */
const appliers: ReadonlySet<string> = new Set(["apply", "sync"]);

/**
 * Where a start at the service is open, the journal is kept, and an interrupted run stands in it still when others have come to their end
 * since: what one of them has started is owed no more.
 */
export function leftBy({ runs, open, begun }: Replayed): readonly Left[] {
  return open.flatMap((run): readonly Left[] => {
    const own = begun.get(run.run);
    if (!appliers.has(run.command) || own === undefined) return [];
    const since = runs.slice(runs.indexOf(run)).flatMap((later) => [...(begun.get(later.run)?.starts ?? [])]);
    return [{ run, writes: own.writes, starts: new Set(since) }];
  });
}

/** One of these has written, the flow follows upon that, by this plan or its own, and nobody has started it since. */
export function isLeft(left: readonly Left[], key: string, plan: string): boolean {
  return left.some(({ run, writes, starts }) => {
    const follows = run.plan === plan || run.follows?.includes(key) === true;
    return follows && writes && !starts.has(key);
  });
}

/** Keys of what is to follow upon runs that have ended. */
export function owedKeys({ owed }: Pick<Replayed, "owed">, plan?: string): ReadonlySet<string> {
  return new Set(owed.flatMap((one) => (plan === undefined || one.plan === plan ? one.owes : [])));
}

/** Whether the journal is what tells that a flow of the plan is still to follow upon what was written. */
export function mayOweFlows({ plan }: Pick<Migration, "plan">, replayed: Replayed): boolean {
  const follows = (plan.flows?.after ?? []).length > 0;
  const isOwed = owedKeys(replayed, plan.name).size > 0 || leftBy(replayed).some(({ writes }) => writes);
  return follows && isOwed;
}

/**
 * For a journal that begins anew: it belongs to the pair of environments, and what is to follow upon the runs of another plan that plan alone
 * can start. `isOwed`: of what is known by now.
 */
export function owedToOthers(
  { plan }: Pick<Migration, "plan">,
  replayed: Replayed,
  isOwed = (_key: string, isStarted: boolean): boolean => !isStarted,
): readonly EndRecord[] {
  const ended = replayed.owed.map((record) => ({ record, starts: new Set<string>() }));
  const left = leftBy(replayed).flatMap(({ run: { run, at, plan: owner, follows = [] }, writes, starts }) => {
    const record = {
      type: "end",
      run,
      at,
      exitCode: exitCodes.interrupted,
      owes: follows,
      plan: owner,
    } as const;
    return writes ? [{ record, starts }] : [];
  });
  return [...ended, ...left].flatMap(({ record, starts }): readonly EndRecord[] => {
    const owes = record.owes.filter((key) => isOwed(key, starts.has(key)));
    return record.plan === plan.name || owes.length === 0 ? [] : [{ ...record, owes }];
  });
}
