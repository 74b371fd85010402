import { waitTold } from "../engine/waiting.ts";
import type { Recorder } from "../engine/apply/recorder.ts";
import { Quiet } from "../engine/settle/quiet.ts";
import type { Doubt } from "../engine/settle/subtraction.ts";
import { goingOnWithOpen } from "./ending.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { wordFor } from "../engine/word-for.ts";
import { effectOf } from "../model/journal.ts";
import type { Key } from "../model/key.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { shellWord } from "../model/shell-word.ts";
import { plural } from "../model/plural.ts";
import type { Abandoned, AbandonedList } from "../store/index.ts";
import { AfterWrites, unordered } from "./after-writes.ts";
import { doubtLine } from "./diff.ts";
import { codeOfDoubts } from "./doubts.ts";
import type { Migration } from "./migration.ts";
import type { Decision } from "./resolve-check.ts";
import {
  isAmong,
  isMeant,
  meantOf,
  refuseAccepted,
  refuseAmbiguous,
  refuseContradictions,
  refuseIfMade,
  refuseUnknown,
} from "./resolve-check.ts";
import type { OpenQuestion } from "./resolve-questions.ts";
import { questionsOf } from "./resolve-questions.ts";
import { goneAtSource, letGo } from "./let-go.ts";
import { nothingInDoubt, withRows } from "./resolve-rows.ts";
import { refuseIfThere } from "./resolve-retake.ts";
import { withStarts } from "./resolve-starts.ts";
import { forgettingRows } from "./records/forget-rows.ts";
import { recordTake } from "./resolve-take.ts";
import { resultOf } from "./result.ts";
import { beginRun, recorderFor } from "./run.ts";
import type { WritingState } from "./state.ts";
import { saveMapping, writing } from "./state.ts";

export type { Decision } from "./resolve-check.ts";
export type { OpenQuestion } from "./resolve-questions.ts";

export interface ResolveOptions {
  readonly decisions: readonly Decision[];
  /** Asked for each doubt that no decision names; undefined leaves it open. */
  readonly ask?: (question: OpenQuestion) => Promise<Decision | undefined>;
}

interface Decided {
  readonly question: OpenQuestion;
  readonly decision: Decision;
}

/** Lists what is in doubt, with the candidates for each, and records what a person decides. */
export async function resolveDoubts(migration: Migration, options: ResolveOptions): Promise<Result> {
  return writing(migration, async (run, state) => {
    const decisions: Decision[] = [];
    const forgetting: (() => Promise<void>)[] = [];
    const interrupted = new Set(state.replayed.open.map((open) => open.run));
    // A table by its kind and name: what is open of its rows a person has seen to.
    for (const decision of options.decisions) {
      const isOfRows = decision.decision === "abandon" && !decision.source.startsWith("urn:");
      const forget = isOfRows
        ? await forgettingRows(migration, state.lease, decision.source, interrupted)
        : undefined;
      if (forget === undefined) decisions.push(decision);
      else forgetting.push(forget);
    }
    // Where one of the others is refused, none was done.
    const resolution = new Resolution(migration, run, state);
    const result = await resolution.go({ ...options, decisions });
    const after = new AfterWrites({ isSaidOnce: true });
    for (const [index, forget] of forgetting.entries()) {
      const left = `${plural(forgetting.length - index, "table")} of rows not forgotten.`;
      if (!resolution.isWhole) after.add(left, untold);
      else if (!resolution.hasDone && index === 0) await forget();
      else await after.tried(left, forget);
      if (!resolution.isWhole || after.fatal !== undefined) break;
    }
    const told = after.onto(result);
    const { again, isWhole } = resolution;
    if (!isWhole || after.fatal !== undefined) return told;
    const ofRows = await withRows(migration, told, { again, forgotten: forgetting.length });
    return withStarts(migration, ofRows, state.replayed, again);
  });
}

/** What hindered it is told already. */
const untold = { exitCode: exitCodes.failed, headline: "", diagnostics: [] };

class Resolution {
  readonly #migration: Migration;
  readonly #state: WritingState;
  readonly #recorder: Recorder;
  /** Since then nobody else is at work on this target. */
  readonly #quiet: Quiet;
  /** All that was decided is recorded; and whether anything is. */
  isWhole = true;
  hasDone = false;

  constructor(migration: Migration, run: string, state: WritingState) {
    this.#migration = migration;
    this.#state = state;
    this.#quiet = new Quiet(migration.plan.limits.quietPeriodMs);
    const journal = beginRun(migration, state.journal, { run, command: "resolve" });
    this.#recorder = recorderFor(migration, run, journal, state.mapping);
  }

  async go({ decisions, ask }: ResolveOptions): Promise<Result> {
    const migration = this.#migration;
    const { mapping, replayed } = this.#state;
    const abandoned = await migration.store.state.abandoned();
    const inDoubt = replayed.doubts.map(({ kind, item }): Key => ({ kind, id: item.source }));
    refuseUnknown(migration, decisions, inDoubt, abandoned);
    refuseAmbiguous(migration, decisions, inDoubt);

    const questions = await questionsOf(migration, this.#state);
    const decided: Decided[] = [];
    const open: OpenQuestion[] = [];
    for (const question of questions) {
      const { kind, item } = question.doubt;
      const given = decisions.filter(({ source }) => isMeant(source, { kind, id: item.source }));
      // What was taken in this very dialogue is offered to nobody else.
      const asked = given.length === 0 ? await ask?.(less(question, decided)) : undefined;
      const all = asked === undefined ? given : [asked];
      for (const decision of all) decided.push({ question, decision });
      if (all.length === 0) open.push(question);
    }
    refuseContradictions(decided, mapping, this.again);
    refuseAccepted(decided, this.again);
    await this.#awaitQuiet(decided);
    const again = takenUp(decisions, inDoubt, abandoned);
    const gone = await goneAtSource(
      migration,
      again.filter(({ kind, source }) => mapping.get(kind, source) === undefined),
    );
    await refuseIfThere(
      migration,
      this.#state,
      again.filter((entry) => !gone.includes(entry)),
    );

    await this.#keepAbandoned(abandoned, decided, decisions, inDoubt);
    const after = new AfterWrites({ isSaidOnce: true });
    this.hasDone = again.length > 0;
    const recorded = await this.#recordAll(decided, after);
    const left = decided.slice(recorded.length);
    open.push(...left.map(({ question }) => question));
    const done = decisions.filter((one) => left.every(({ decision }) => decision !== one));
    const isAny = decided.length + again.length + decisions.length > 0;
    // What the journal did not take whole the next run reads from it.
    if (this.isWhole && isAny) await after.tried(unordered, async () => saveMapping(migration, this.#state));
    else if (this.isWhole) await saveMapping(migration, this.#state);
    const result = this.#result(done, recorded, open, abandoned);
    const letOff = gone.map((entry) => letGo(migration, entry));
    return after.onto({ ...result, diagnostics: [...result.diagnostics, ...letOff] });
  }

  /**
   * What is to be sent again must not be there, nor turn up after all: nothing is, before as long has passed as a server may still
   * work on it. Then the target is looked at once more, also where a person, or a long list, has taken as long: what was
   * offered was listed before.
   */
  async #awaitQuiet(decided: readonly Decided[]): Promise<void> {
    const migration = this.#migration;
    const retried = decided.filter(({ decision }) => decision.decision === "retry");
    if (retried.length === 0) return;
    const offered = retried.map(({ question }) => question);
    refuseIfMade(offered, offered, this.again);
    const ms = this.#quiet.left(retried.map(({ question }) => question.doubt));
    if (ms > 0) {
      const reason = `${plural(retried.length, "request")} may still take effect; it is sent again only after the quiet period`;
      await waitTold(migration, ms, reason);
    }
    const doubts = offered.map(({ doubt }) => doubt);
    refuseIfMade(await questionsOf(migration, this.#state, doubts), offered, this.again);
  }

  /**
   * The list of what is abandoned comes before the outcomes: killed in between, the object is in doubt and on the
   * list, and neither way is it sent again.
   */
  async #keepAbandoned(
    abandoned: AbandonedList,
    decided: readonly Decided[],
    decisions: readonly Decision[],
    inDoubt: readonly Key[],
  ): Promise<void> {
    const before = abandoned.size;
    const at = new Date(this.#migration.now()).toISOString();
    let changed = false;
    for (const { question, decision } of decided) {
      const { kind, step, item } = question.doubt;
      if (decision.decision === "abandon")
        abandoned.set({ kind, source: item.source, name: item.name, step, at });
      else abandoned.delete(kind, item.source);
      changed ||= decision.decision === "abandon";
    }
    for (const { kind, source } of takenUp(decisions, inDoubt, abandoned)) abandoned.delete(kind, source);
    if (!changed && abandoned.size === before) return;
    await this.#migration.store.state.saveAbandoned(this.#state.lease, abandoned);
  }

  /** Those that are recorded. Where the journal takes no more after the first, what it has is told; the rest is still in doubt. */
  async #recordAll(decided: readonly Decided[], after: AfterWrites): Promise<readonly Decided[]> {
    for (const [index, { question, decision }] of decided.entries()) {
      const record = async (): Promise<void> => this.#record(question, decision);
      if (!this.hasDone) await record();
      else await after.tried(`${plural(decided.length - index, "decision")} could not be recorded.`, record);
      this.isWhole = after.fatal === undefined;
      if (!this.isWhole) return decided.slice(0, index);
      this.hasDone = true;
    }
    return decided;
  }

  async #record(question: OpenQuestion, decision: Decision): Promise<void> {
    const { doubt, candidates } = question;
    const { source } = doubt.item;
    if (decision.decision === "take") {
      const candidate = candidates.find(({ urn }) => urn === decision.target);
      if (candidate !== undefined)
        await recordTake(
          this.#migration,
          this.#recorder,
          doubt,
          candidate,
          this.#state.mapping.get(doubt.kind, source),
        );
      return;
    }
    const result = decision.decision === "retry" ? "not-done" : "abandoned";
    await this.#recorder.outcome(doubt.kind, doubt.op, [{ source, result, reason: "a person decided" }]);
  }

  /**
   * Where nothing was decided and no run waits to be gone on with there is nothing to apply either. What was approved is not done with
   * something of it abandoned: it is refused.
   */
  #afterAll(decided: number, isAbandoned: boolean): readonly string[] {
    const { open } = this.#state.replayed;
    const isIdle = decided === 0 && open.length === 0;
    const isOther = isAbandoned && open.some(({ diff }) => diff !== undefined);
    return [isIdle || isOther ? `ferry diff ${this.#migration.plan.name}` : this.again];
  }

  /** The command that goes on with what is open. */
  get again(): string {
    return goingOnWithOpen(this.#migration.plan.name, this.#state.replayed);
  }

  #result(
    decisions: readonly Decision[],
    decided: readonly Decided[],
    open: readonly OpenQuestion[],
    abandoned: AbandonedList,
  ): Result {
    const migration = this.#migration;
    const left = decided.filter(({ decision }) => decision.decision === "abandon");
    const isTakenUp = decisions.length > decided.length;
    const count = isTakenUp ? decisions.length : decided.length;
    // What the next run settles alone is no question to a person.
    const doubts = { all: open.length, asked: open.filter(({ settlesItself }) => !settlesItself).length };
    const standing = abandoned.size === 0 ? "" : ` ${plural(abandoned.size, "object")} abandoned.`;
    return resultOf(migration, {
      command: "resolve",
      exitCode: codeOfDoubts(doubts) ?? exitCodes.done,
      diagnostics: left.map(({ question }) => stays(migration, question.doubt)),
      headline:
        count + open.length === 0
          ? `${nothingInDoubt}${standing}`
          : `${plural(count, "operation")} decided, ${open.length} still in doubt.${standing}`,
      next:
        open.length > 0 ? suggestions(migration, open, this.again) : this.#afterAll(count, left.length > 0),
      details: {
        inDoubt: open.map(({ doubt, candidates, settlesItself }) => ({
          what: doubtLine(doubt),
          settlesItself,
          source: doubt.item.source,
          candidates: candidates.map(({ urn, name, same }) => ({ urn, name, sameContent: same })),
        })),
        ...(abandoned.size === 0 ? {} : { abandoned: [...abandoned].map((entry) => ({ ...entry })) }),
      } satisfies DoubtDetails,
    });
  }
}

/** What is in doubt, with what it may be, and what was abandoned. */
export interface DoubtDetails {
  readonly inDoubt: readonly {
    readonly what: string;
    /** The next apply does. */
    readonly settlesItself: boolean;
    readonly source: string;
    readonly candidates: readonly {
      readonly urn: string;
      readonly name: string;
      readonly sameContent: boolean;
    }[];
  }[];
  readonly abandoned?: readonly Abandoned[];
}

/** What was abandoned, and is to be moved again. */
function takenUp(
  decisions: readonly Decision[],
  inDoubt: readonly Key[],
  abandoned: AbandonedList,
): readonly Abandoned[] {
  return decisions.flatMap(({ decision, source }) =>
    decision !== "retry" || isAmong(source, inDoubt) ? [] : meantOf(source, abandoned),
  );
}

/** What abandoning means, said when it is done. */
function stays(migration: Migration, { kind, item }: Doubt): Diagnostic {
  return {
    severity: "info",
    code: "abandoned",
    coordinate: { kind, urn: item.source, name: item.name },
    summary: "it stays as it is at the target, and out of every run from now on",
    suggestion: `To have it moved again: ferry resolve ${migration.plan.name} --retry ${wordFor(migration.registry, kind, item.source)}`,
  };
}

function less(question: OpenQuestion, decided: readonly Decided[]): OpenQuestion {
  const taken = new Set(
    decided.map(({ decision }) => (decision.decision === "take" ? decision.target : undefined)),
  );
  return { ...question, candidates: question.candidates.filter(({ urn }) => !taken.has(urn)) };
}

/** Each candidate is suggested once: identical twins are interchangeable, but not the same object. */
function suggestions(migration: Migration, open: readonly OpenQuestion[], again: string): readonly string[] {
  const { name } = migration.plan;
  const taken = new Set<string>();
  const lines = new Set<string>();
  for (const { doubt, candidates, settlesItself } of open) {
    const word = wordFor(migration.registry, doubt.kind, doubt.item.source);
    const free = candidates.find(({ urn }) => !taken.has(urn));
    if (settlesItself) {
      lines.add(again);
      // Of what is no creation only an apply can tell; when that has looked, the person's word is the last.
      if (effectOf(doubt) !== "creates" && doubt.handle === undefined)
        lines.add(`ferry resolve ${name} --retry ${word}`);
    } else if (free === undefined) {
      lines.add(`ferry resolve ${name} --retry ${word}`);
    } else {
      taken.add(free.urn);
      lines.add(`ferry resolve ${name} --take ${word}=${shellWord(free.urn)}`);
    }
  }
  return [...lines].slice(0, 5);
}
