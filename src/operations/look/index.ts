import { z } from "zod";
import { digest, stableText } from "../../model/canonical.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import type { Plan, PlanEnvironment } from "../../model/plan.ts";
import { packed } from "../../model/packed/change-list.ts";
import type { Result } from "../../model/result.ts";
import { emptySummary, exitCodes } from "../../model/result.ts";
import { StoreError } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import { leftBehind } from "../records/left-behind.ts";
import { selectedTables } from "../records/tables.ts";
import { resultOf } from "../result.ts";
import type { WritingState } from "../state.ts";
import { isHeardAgain } from "./hear-again.ts";
import type { HeardRead } from "./recording.ts";

/** All that an apply is asked for besides its plan, whatever that is: two that are asked for the same do the same. */
export interface LookOptions {
  readonly command?: string;
  readonly diff?: string;
  readonly snapshot?: string;
}

/** A run that wrote nothing: what it knew, asked and was answered, and what it told. */
interface Look {
  readonly format: 1;
  /** ISO 8601. */
  readonly at: string;
  /** Of all that it knew before it asked anything. */
  readonly known: string;
  /** Of what it left to be looked at: the snapshot and the diff. */
  readonly left: string;
  readonly reads: readonly HeardRead[];
  readonly told: Told;
}

type Told = Pick<
  Result,
  "exitCode" | "summary" | "changes" | "consequences" | "diagnostics" | "headline" | "next"
>;

/** How a run ends that did all it could, and leaves the rest to people. */
const endings = [exitCodes.done, exitCodes.partial, exitCodes.expectation] as const;

/** Of more that waits for people nothing is kept: it is read and told as one piece. */
const mostChanges = 1_000;

const schema = z.looseObject({
  format: z.literal(1),
  at: z.string(),
  known: z.string(),
  left: z.string(),
  reads: z.array(
    z.looseObject({
      side: z.enum(["source", "target"]),
      method: z.string(),
      path: z.string(),
      route: z.string(),
      query: z.string(),
      body: z.string().optional(),
      status: z.number(),
      print: z.string(),
      isLater: z.literal(true).optional(),
    }),
  ),
  told: z.looseObject({
    exitCode: z.literal(endings),
    summary: z.record(z.string(), z.number()),
    changes: z.array(z.looseObject({ id: z.string(), action: z.string(), kind: z.string() })),
    consequences: z.array(z.looseObject({})).optional(),
    diagnostics: z.array(z.looseObject({ severity: z.string(), code: z.string(), summary: z.string() })),
    headline: z.string().optional(),
    next: z.array(z.string()).optional(),
  }),
  sum: z.string(),
});

/**
 * The result of the whole run, or what the last one has told where nothing can be otherwise. Of an approved diff, and of
 * a snapshot, it is asked whether they fit what is now.
 */
export async function unlessAsBefore(
  migration: Migration,
  state: WritingState,
  options: LookOptions,
  whole: () => Promise<Result>,
): Promise<Result> {
  const isOfNow = options.diff === undefined && options.snapshot === undefined;
  const look = isOfNow ? await LastLook.begin(migration, state, options) : undefined;
  try {
    const before = await look?.again();
    if (before !== undefined) return before;
    const result = await whole();
    await look?.keep(result);
    return result;
  } finally {
    // However it ends: who goes on with the same migration asks anew for all that this one has read ahead.
    migration.recording.stop();
  }
}

/**
 * What an apply does follows from what is known (the plan, the mapping, what people have decided) and from what both sides
 * answer. Where a run wrote nothing, and one that knows the same asks the same and hears the same, byte for byte, there is
 * nothing to write again: nothing has to be parsed or compared to know it, and what waits for people waits as it did.
 * Anything else, and the run goes its whole way, with the answers that were read by then.
 *
 * It is left out where more decides: rows, flows of the service, what earlier runs have left open, what was read before.
 */
class LastLook {
  readonly #migration: Migration;
  readonly #command: string;
  readonly #known: string;

  private constructor(migration: Migration, command: string, known: string) {
    this.#migration = migration;
    this.#command = command;
    this.#known = known;
  }

  /** Undefined where more decides. From here on it is heard what the run reads. */
  static async begin(
    migration: Migration,
    state: WritingState,
    options: LookOptions,
  ): Promise<LastLook | undefined> {
    const { plan } = migration;
    const flows = [...(plan.flows?.before ?? []), ...(plan.flows?.after ?? [])];
    const { source, target } = migration.requests();
    // Of what a program has read with it before, such as the metadata model, it goes on to know without asking.
    const hasRead = source.reads + target.reads > 0;
    const isMore =
      hasRead ||
      flows.length > 0 ||
      state.recorded > 0 ||
      state.cut > 0 ||
      state.mapping.hasUnfinished ||
      selectedTables(migration).length > 0 ||
      (await leftBehind(migration)).length > 0;
    if (isMore) return undefined;
    const look = new LastLook(
      migration,
      options.command ?? "apply",
      await knownTo(migration, state, options),
    );
    migration.recording.start();
    return look;
  }

  /** The result, where nothing is otherwise than when nothing was to be done. */
  async again(): Promise<Result | undefined> {
    const migration = this.#migration;
    const last = await lastLook(migration);
    if (last === undefined) return undefined;
    if (last.known === this.#known && last.left === (await leftBy(migration))) {
      migration.report({ type: "stage", stage: "ask again", detail: `what was asked at ${last.at}` });
      const kept = migration.recording.keepAhead(() => migration.store.work.openScratch());
      const clients = { source: migration.source(), target: migration.target() };
      if (await isHeardAgain(last.reads, clients, kept)) return this.#resultOf(last);
    }
    // Where something changes in each run, each would ask twice for what it takes to see that.
    await save(migration, undefined);
    return undefined;
  }

  /** Kept for the next run where this one wrote nothing, and heard all that it went by. */
  async keep(result: Result): Promise<void> {
    const migration = this.#migration;
    const reads = migration.recording.stop();
    if (reads === undefined || !hasWrittenNothing(result)) return;
    const { exitCode, summary, changes, consequences, diagnostics, headline, next } = result;
    const look: Look = {
      format: 1,
      at: new Date(migration.now()).toISOString(),
      known: this.#known,
      left: await leftBy(migration),
      reads,
      told: {
        exitCode,
        summary,
        changes,
        ...(consequences === undefined ? {} : { consequences }),
        diagnostics,
        ...(headline === undefined ? {} : { headline }),
        ...(next === undefined ? {} : { next }),
      },
    };
    await save(migration, { ...look, sum: sumOf(look) });
  }

  #resultOf({ at, told }: Look): Result {
    const migration = this.#migration;
    const same: Diagnostic = {
      severity: "info",
      code: "as-before",
      summary: `all that was asked of both sides was answered byte for byte as at ${at}, when nothing was to be written`,
    };
    const result = resultOf(migration, { command: this.#command, exitCode: told.exitCode });
    const changes = packed(told.changes);
    return { ...result, ...told, changes, diagnostics: [...told.diagnostics, same] };
  }
}

/** Nothing was written, nor is on record of it; what it tells waits for people, or for a flag, and will wait in the next run. */
function hasWrittenNothing({ exitCode, changes, summary, run }: Result): boolean {
  const isEnded = endings.some((code) => code === exitCode) && summary.inDoubt + summary.failed === 0;
  return isEnded && run === undefined && changes.length <= mostChanges;
}

/** It is a help for the next run, and no more: trouble with it takes nothing from what this one came to. */
async function save({ store: { work } }: Migration, look: object | undefined): Promise<void> {
  try {
    await work.saveLook(look);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

async function lastLook(migration: Migration): Promise<Look | undefined> {
  const { success, data } = schema.safeParse(await migration.store.work.lastLook());
  if (!success) return undefined;
  const { sum, ...look } = data as unknown as Look & { readonly sum: string };
  if (sumOf(look) !== sum) return undefined;
  return { ...look, told: { ...look.told, summary: { ...emptySummary(), ...look.told.summary } } };
}

function sumOf(look: Look): string {
  return digest(stableText(look as unknown as Json));
}

/** What the run goes by before it asks anything. Acknowledged findings hold until a day. */
async function knownTo(migration: Migration, state: WritingState, options: LookOptions): Promise<string> {
  const { plan, whole, narrowed, tool, store } = migration;
  const content = {
    tool,
    plan: withoutSecrets(plan),
    ...(whole === undefined ? {} : { whole: withoutSecrets(whole) }),
    narrowed,
    options,
    mapping: state.digest,
    abandoned: [...(await store.state.abandoned())],
    decided: [...(await store.state.decided())],
    // What both sides are brought together by, and by what it is told what somebody else has changed.
    applied: (await store.state.appliedDigest()) ?? null,
    notOffered: [...(await store.work.notOffered())].sort(),
    today: (plan.acknowledged ?? []).length === 0 ? "" : new Date(migration.now()).toISOString().slice(0, 10),
  };
  // What asks a person, and is a function, decides nothing where nothing is to be asked.
  const text = JSON.stringify(content, (_name, value: unknown) =>
    value instanceof Set ? [...(value as Set<string>)].toSorted() : value,
  );
  return digest(stableText(JSON.parse(text) as Json));
}

/** Secrets say nothing of what is to be done, and no print of them is kept. */
function withoutSecrets({ source, target, ...others }: Plan): object {
  const open = ({ clientSecret: _secret, masterData, ...known }: PlanEnvironment): object => ({
    ...known,
    ...(masterData === undefined ? {} : { masterData: { ...masterData, password: "" } }),
  });
  return { ...others, source: open(source), target: open(target) };
}

/** People and later commands look at these: a run that finds nothing new leaves them as they are, and makes anew what cannot be read. */
async function leftBy({ store: { work } }: Migration): Promise<string> {
  const [diff, snapshot] = [await work.diffDigest(), await work.snapshotKept()];
  const { digest: print = null, size = null } = snapshot ?? {};
  return digest(stableText({ diff: diff ?? null, snapshot: print, size }));
}
