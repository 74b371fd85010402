import { display } from "../../model/display.ts";
import { acknowledgement, acknowledges, meant, waitingInLastDiff } from "../../operations/acknowledge.ts";
import type { Waiting } from "../../operations/acknowledge.ts";
import type { Migration } from "../../operations/migration.ts";
import { resultOf } from "../../operations/result.ts";
import type { Acknowledged } from "../../model/plan.ts";
import type { Result } from "../../model/result.ts";
import { exitCodes } from "../../model/result.ts";
import { plural } from "../../model/plural.ts";
import { addTo, replaceItem } from "../../plan/edit.ts";
import { didYouMean } from "../../plan/nearest.ts";
import { isDay } from "../../plan/values.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";
import { refuseSeveral } from "../one-thing.ts";
import { UsageError } from "../usage-error.ts";

export interface AckFlags extends CommonFlags {
  readonly reason?: string | undefined;
  readonly until?: string | undefined;
}

/** What a person knows of and accepts goes into the plan, where others review it; without an object, what there is. */
export async function runAck(
  io: Io,
  plan: string,
  object: string | undefined,
  flags: AckFlags,
): Promise<number> {
  return runOnPlan(
    { io, command: "ack", plan, flags, offline: true },
    async ({ migration, planPath, rewritePlan }) => {
      const today = new Date(migration.now()).toISOString().slice(0, 10);
      if (flags.until !== undefined && !isDay(flags.until))
        throw new UsageError(`--until ${flags.until}: write a day such as 2027-03-31`);
      if (flags.until !== undefined && flags.until < today)
        throw new UsageError(`--until ${flags.until}: that day is over, and nothing would be acknowledged`);
      const idle = flags.reason === undefined ? (flags.until === undefined ? "" : "--until") : "--reason";
      if (object === undefined && idle !== "")
        throw new UsageError(
          `ack: ${idle} says nothing without an object, and nothing was acknowledged`,
          `See what waits: ferry ack ${migration.plan.name}`,
        );
      const waiting = await waitingInLastDiff(migration);
      if (object === undefined) return list(migration, waiting);
      const found = meant(waiting, object);
      if (found.length === 0) {
        const names = waiting.map(({ name }) => name);
        throw new UsageError(
          `ack: nothing in the last diff of ${migration.plan.name} that waits for a person fits ${object}`,
          didYouMean(object, names) ?? `See what waits: ferry ack ${migration.plan.name}`,
        );
      }
      refuseSeveral(found, object, { command: "ack", as: "waits as", plan: migration.plan });
      const before = migration.plan.acknowledged ?? [];
      // What was said of it before holds again, unless its time is over: then it is to be thought about anew.
      const said = found.map((one) =>
        before.find((entry) => acknowledges(entry, one) && (entry.until ?? today) >= today),
      );
      const reason =
        flags.reason ?? (said.includes(undefined) ? await askedReason(io, flags, found) : undefined);
      const entries = found.map((one, at) => ({
        one,
        entry: acknowledgement(one, {
          reason: reason ?? said[at]?.reason ?? "",
          until: flags.until ?? (reason === undefined ? said[at]?.until : undefined),
        }),
      }));
      // An entry by hand gives way to those that are bound, where these are all that it covers.
      const givesWay = (entry: Acknowledged): boolean =>
        entry.print === undefined && waiting.every((one) => !acknowledges(entry, one) || found.includes(one));
      await rewritePlan((text, { acknowledged: now = [] }) =>
        withEntries(planPath, text, entries, now, givesWay),
      );
      const names = found.map(({ kind, name }) => `${kind} "${name}"`);
      return resultOf(migration, {
        command: "ack",
        exitCode: exitCodes.done,
        headline: `${plural(found.length, "object")} acknowledged in ${planPath}; ${found.length === 1 ? "what changes about it" : "what changes about one of them"} is told again.`,
        next: [`ferry diff ${migration.plan.name}`],
        details: { acknowledged: names },
      });
    },
  );
}

function list(migration: Migration, waiting: readonly Waiting[]): Result {
  const rows = (isAcknowledged: boolean): readonly string[] =>
    waiting
      .filter((one) => one.isAcknowledged === isAcknowledged)
      .map(({ kind, name, urn, action, reason }) => `${kind} "${name}" (${urn}): ${action}, ${reason}`);
  const open = rows(false);
  return resultOf(migration, {
    command: "ack",
    exitCode: exitCodes.done,
    headline: `${plural(open.length, "object")} of the last diff ${open.length === 1 ? "waits" : "wait"} for a person.`,
    next: open.length === 0 ? [] : [`ferry ack ${migration.plan.name} OBJECT --reason "why it may stay so"`],
    details: { waiting: open, acknowledged: rows(true) },
  });
}

async function askedReason(io: Io, flags: CommonFlags, found: readonly Waiting[]): Promise<string> {
  const missing = new UsageError("ack: it needs a reason", 'Add --reason "why it may stay so".');
  if (!io.interactive || !flags.input) throw missing;
  const [first] = found;
  const what =
    found.length === 1
      ? `${first?.kind ?? ""} "${display(first?.name ?? "")}"`
      : plural(found.length, "object");
  const reason = (await io.ask(`Why may ${what} stay as it is? `)).trim();
  if (reason === "") throw missing;
  return reason;
}

/** An entry for the same object gives way to the new one; everything else in the plan stays as it was written. */
function withEntries(
  planPath: string,
  whole: string,
  entries: readonly { readonly one: Waiting; readonly entry: Acknowledged }[],
  before: readonly Acknowledged[],
  givesWay: (entry: Acknowledged) => boolean,
): string {
  let text = whole;
  const taken = new Set<number>();
  for (const { one, entry } of entries) {
    const index = before.findIndex(
      (old, at) =>
        !taken.has(at) &&
        ((old.kind === entry.kind && old.urn === entry.urn) || (acknowledges(old, one) && givesWay(old))),
    );
    if (index >= 0) taken.add(index);
    const changed =
      index < 0
        ? addTo(text, ["acknowledged"], { value: entry, comment: one.name })
        : replaceItem(text, ["acknowledged"], index, entry);
    if (changed === undefined)
      throw new UsageError(
        `ack: ${planPath} is written in a way that ferry cannot add to`,
        `Add it by hand under acknowledged: ${JSON.stringify(entry)}`,
      );
    text = changed;
  }
  return text;
}
