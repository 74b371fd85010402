import { Recorder } from "../engine/apply/recorder.ts";
import type { Candidate, Doubt } from "../engine/apply/settle.ts";
import { Settler } from "../engine/apply/settler.ts";
import { fingerprint } from "../model/canonical.ts";
import { isObject, text } from "../model/json.ts";
import { pairKeys } from "../model/pair-keys.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { strip } from "../model/shape.ts";
import { EngineError } from "../engine/progress.ts";
import { ensureWritableFolder } from "../store/index.ts";
import { doubtLine } from "./diff.ts";
import type { Job } from "./job.ts";
import { plural, resultOf } from "./result.ts";
import { locked, newRunId, RunJournal } from "./run.ts";
import { openState, saveMapping } from "./state.ts";

/** A person's word on one operation in doubt. */
export type Decision =
  /** It happened: this is the object. */
  | { readonly decision: "take"; readonly source: string; readonly target: string }
  /** It did not happen: send it again. */
  | { readonly decision: "retry"; readonly source: string }
  /** Leave it. */
  | { readonly decision: "abandon"; readonly source: string };

export interface OpenQuestion {
  readonly doubt: Doubt;
  /** New at the target and mapped to nothing; those with the same content first. */
  readonly candidates: readonly (Candidate & { readonly same: boolean })[];
}

export interface ResolveOptions {
  readonly decisions: readonly Decision[];
  /** Asked for each doubt that no decision names; undefined leaves it open. */
  readonly ask?: (question: OpenQuestion) => Promise<Decision | undefined>;
}

/** Lists what is in doubt, with the candidates for each, and records what a person decides. */
export async function resolveJob(job: Job, options: ResolveOptions): Promise<Result> {
  await ensureWritableFolder(job.paths.mapping);
  const run = newRunId(job.now());
  return locked(job, run, async () => {
    const state = await openState(job);
    try {
      const { mapping, replayed, store } = state;
      const unknown = options.decisions.find(
        ({ source }) => !replayed.doubts.some((doubt) => doubt.item.source === source),
      );
      if (unknown !== undefined) {
        throw new EngineError(
          "selection",
          `nothing is in doubt for ${unknown.source}`,
          `See what is: ferry resolve ${job.plan.name}`,
        );
      }
      const journal = new RunJournal(state.journal, {
        type: "run",
        run,
        at: new Date(job.now()).toISOString(),
        command: "resolve",
        plan: job.plan.name,
        tool: job.tool,
        parties: job.parties,
      });
      const recorder = new Recorder({
        run,
        journal,
        mapping,
        now: () => new Date(job.now()),
        hooks: job.hooks,
      });
      const questions = await questionsOf(job, state);
      const open: OpenQuestion[] = [];
      let decided = 0;
      for (const question of questions) {
        const given = options.decisions.find(({ source }) => source === question.doubt.item.source);
        const decision = given ?? (await options.ask?.(question));
        if (decision === undefined) {
          open.push(question);
          continue;
        }
        await record(job, recorder, question, decision, mapping.get(question.doubt.item.source));
        decided += 1;
      }
      await saveMapping(store, mapping);
      return resultOf(job, {
        command: "resolve",
        exitCode: open.length > 0 ? exitCodes.inDoubt : exitCodes.done,
        headline: `${plural(decided, "operation")} decided, ${open.length} still in doubt.`,
        next:
          open.length > 0
            ? open.slice(0, 5).map((question) => suggestion(job, question))
            : [`ferry apply ${job.plan.name}`],
        details: {
          inDoubt: open.map(({ doubt, candidates }) => ({
            what: doubtLine(doubt),
            source: doubt.item.source,
            candidates: candidates.map(({ urn, name, same }) => ({ urn, name, sameContent: same })),
          })),
        },
      });
    } finally {
      await state.journal.close();
    }
  });
}

async function questionsOf(
  job: Job,
  { mapping, replayed }: Awaited<ReturnType<typeof openState>>,
): Promise<readonly OpenQuestion[]> {
  const settler = new Settler({
    client: job.targetReads(),
    registry: job.registry,
    mapping,
    baseline: (run, kind) => replayed.baselines.get(run)?.get(kind),
    quietPeriodMs: job.plan.limits.quietPeriodMs,
    now: job.now,
    sleep: job.sleep,
    report: job.report,
  });
  const listed = new Map<string, readonly Candidate[]>();
  const questions: OpenQuestion[] = [];
  for (const doubt of replayed.doubts) {
    const kind = job.registry.moved().find((candidate) => candidate.name === doubt.kind);
    if (kind === undefined || kind.mode !== "entity" || doubt.step !== "create") {
      questions.push({ doubt, candidates: [] });
      continue;
    }
    const key = `${doubt.run} ${kind.name}`;
    const all = listed.get(key) ?? (await settler.candidates(kind, doubt.run));
    listed.set(key, all);
    const candidates = all
      .map((candidate) => ({
        ...candidate,
        same: fingerprint(strip(candidate.body, kind.shape), kind.shape) === doubt.item.fingerprint,
      }))
      .filter((candidate) => candidate.same || candidate.name === doubt.item.name)
      .sort((left, right) => Number(right.same) - Number(left.same));
    questions.push({ doubt, candidates });
  }
  return questions;
}

async function record(
  job: Job,
  recorder: Recorder,
  { doubt, candidates }: OpenQuestion,
  decision: Decision,
  before: ReturnType<Awaited<ReturnType<typeof openState>>["mapping"]["get"]>,
): Promise<void> {
  const { source } = doubt.item;
  if (decision.decision !== "take") {
    const result = decision.decision === "retry" ? "not-done" : "abandoned";
    await recorder.outcome(doubt.kind, doubt.op, [{ source, result, reason: "a person decided" }]);
    return;
  }
  const candidate = candidates.find(({ urn }) => urn === decision.target);
  const kind = job.registry.moved().find((moved) => moved.name === doubt.kind);
  if (candidate === undefined || kind === undefined) {
    throw new EngineError(
      "selection",
      `${decision.target} is not among the candidates for ${source}`,
      `Candidates: ${candidates.map(({ urn }) => urn).join(", ") || "none"}.`,
    );
  }
  const sent = isObject(doubt.item.body) ? doubt.item.body : {};
  const body = strip(candidate.body, kind.shape);
  const keys = pairKeys(sent, body, kind.shape);
  const next = kind.mode === "entity" ? kind.create[1]?.name : undefined;
  const draft = text(candidate.body, "draftType");
  await recorder.outcome(kind.name, doubt.op, [
    {
      source,
      result: "done",
      target: candidate.urn,
      entry: {
        name: doubt.item.name,
        target: candidate.urn,
        origin: before?.origin ?? "created",
        // Other content than was sent: the next diff compares it afresh and says what differs.
        ...(candidate.same && doubt.item.sourceFingerprint !== undefined
          ? { sourceFingerprint: doubt.item.sourceFingerprint }
          : {}),
        targetFingerprint: fingerprint(body, kind.shape),
        ...(Object.keys(keys).length === 0 ? {} : { keys }),
        ...(next === undefined || draft === "NONE" ? {} : { unfinished: next }),
        run: recorder.run,
      },
    },
  ]);
}

function suggestion(job: Job, { doubt, candidates }: OpenQuestion): string {
  const { source } = doubt.item;
  const [first] = candidates;
  return first === undefined
    ? `ferry resolve ${job.plan.name} --retry ${source}`
    : `ferry resolve ${job.plan.name} --take ${source}=${first.urn}`;
}
