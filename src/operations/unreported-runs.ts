import { keyText } from "../model/key.ts";
import type { JournalRecord, RunRecord, StepEffect } from "../model/journal.ts";
import { effectOf } from "../model/journal.ts";
import { TextSet } from "../model/packed/text-set.ts";
import { exitCodes } from "../model/result.ts";
import { plural } from "../model/plural.ts";
import type { Holder, KeptRun } from "../store/index.ts";
import type { Migration } from "./migration.ts";

interface Operation {
  readonly run: string;
  readonly kind: string;
  readonly effect: StepEffect;
  /** Sources of which no outcome is known. */
  readonly open: Set<string>;
}

const words: Readonly<Record<StepEffect, string | undefined>> = {
  creates: "create",
  changes: "update",
  removes: "delete",
  // A draft that is made to count was counted when it was made, and nothing of an object is started.
  releases: undefined,
  starts: undefined,
};

/** What the journal knows of runs that have not come to their end: counts, and which objects were made, which is kept packed. */
export class RunTally {
  readonly #runs = new Map<string, RunRecord>();
  readonly #done = new Map<string, Record<string, number>>();
  readonly #operations = new Map<string, Operation>();
  /** By run, those that it made: what follows upon a creation (aliases, references in a circle) is part of it, as in a result. */
  readonly #made = new Map<string, TextSet>();

  readonly feed = (record: JournalRecord): void => {
    switch (record.type) {
      case "run":
        this.#runs.set(record.run, record);
        this.#done.set(record.run, {});
        this.#made.set(record.run, new TextSet());
        break;
      case "end":
        this.#runs.delete(record.run);
        this.#made.delete(record.run);
        break;
      case "intent":
        this.#operations.set(record.op, {
          run: record.run,
          kind: record.kind,
          effect: effectOf(record),
          open: new Set(record.items.map(({ source }) => source)),
        });
        break;
      case "outcome": {
        const operation = this.#operations.get(record.op);
        if (operation === undefined) break;
        const { run, kind, effect, open } = operation;
        const counts = this.#done.get(run) ?? {};
        const word = words[effect];
        const made = this.#made.get(run);
        for (const { source, result } of record.items) {
          if (result === "doubt" || result === "accepted") continue;
          open.delete(source);
          if (result !== "done" || word === undefined) continue;
          if (effect === "creates") made?.add(keyText(kind, source));
          if (effect === "changes" && made?.has(keyText(kind, source)) === true) continue;
          counts[word] = (counts[word] ?? 0) + 1;
        }
        this.#done.set(run, counts);
        if (open.size === 0) this.#operations.delete(record.op);
        break;
      }
      default:
        break;
    }
  };

  /** Those of a plan, the last one at the end. What `ferry resolve` and `ferry flow` do is no run with a report. */
  open(plan: string): readonly OpenRun[] {
    const inDoubt = Map.groupBy(this.#operations.values(), ({ run }) => run);
    return [...this.#runs.values()]
      .filter((record) => record.plan === plan && !["resolve", "flow"].includes(record.command))
      .map((record) => {
        const doubts = inDoubt.get(record.run)?.reduce((sum, { open }) => sum + open.size, 0) ?? 0;
        const done = this.#done.get(record.run) ?? {};
        return { record, summary: { ...done, ...(doubts === 0 ? {} : { inDoubt: doubts }) } };
      });
  }
}

interface OpenRun {
  readonly record: RunRecord;
  readonly summary: Readonly<Record<string, number>>;
}

/** Runs whose journal was begun and whose report is not there: killed, or at work while this is asked. */
export async function unreportedRuns(
  { store, plan }: Pick<Migration, "store" | "plan">,
  known: ReadonlySet<string>,
): Promise<readonly KeptRun[]> {
  const tally = new RunTally();
  for await (const record of store.state.readJournal()) tally.feed(record);
  const runs = tally.open(plan.name);
  if (runs.length === 0) return [];
  const holder = await store.state.lastHolder();
  const isHeld = await store.state.isHeld();
  return unreported(runs, known, holder, (run) => endingOf(run, holder, isHeld));
}

function endingOf(run: string, holder: Holder | undefined, isHeld: boolean | undefined): Ending {
  if (isHeld === false) return "killed";
  if (isHeld === undefined || holder === undefined) return "open";
  return holder.run === run ? "at-work" : "killed";
}

type Ending = NonNullable<KeptRun["ending"]>;

const endings: Readonly<Record<Ending, string>> = {
  killed: "It was killed before it could report.",
  "at-work": "It is at work: there is no report of it yet.",
  open: "It was killed, or is still at work: there is no report of it.",
};

/** The lock is held by somebody else now, so they are dead: what is known of them is kept before the journal restarts. */
export async function keepKilledRuns(
  { store: { work }, plan }: Pick<Migration, "store" | "plan">,
  tally: RunTally,
  /** Who held the target before. */
  holder: Holder | undefined,
): Promise<void> {
  const open = tally.open(plan.name);
  if (open.length === 0) return;
  const known = new Set((await work.keptRuns()).map(({ run }) => run));
  for (const run of unreported(open, known, holder, () => "killed")) await work.keepRun(run, {}, false);
}

function unreported(
  open: readonly OpenRun[],
  known: ReadonlySet<string>,
  holder: Holder | undefined,
  endingOfRun: (run: string) => Ending,
): readonly KeptRun[] {
  return open
    .filter(({ record }) => !known.has(record.run))
    .map(({ record: { run, at, command, plan }, summary }) => {
      const { inDoubt = 0, ...done } = summary;
      const count = Object.values(done).reduce((sum, one) => sum + one, 0);
      const ending = endingOfRun(run);
      const isAtWork = ending === "at-work";
      const open = `${inDoubt.toLocaleString("en")} ${isAtWork ? "on the way" : "in doubt"}`;
      const what = `The journal knows of ${plural(count, "object")} done and ${open}.`;
      const by = holder?.run === run ? { user: holder.owner, host: holder.host } : undefined;
      return {
        run,
        at,
        command: `ferry ${command} ${plan}`,
        ...(by === undefined ? {} : { by }),
        exitCode: exitCodes.interrupted,
        ending,
        headline: `${endings[ending]} ${what}`,
        // What is on its way is in doubt for nobody.
        summary: isAtWork ? done : summary,
        writes: count + inDoubt,
        durationMs: 0,
      };
    });
}
