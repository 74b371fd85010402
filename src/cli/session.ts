import { relative, resolve } from "node:path";
import type { Logger } from "winston";
import type { EngineHooks } from "../engine/apply/recorder.ts";
import type { Progress } from "../engine/progress.ts";
import { AppliedLog } from "./applied-log.ts";
import { Migration, partiesOf } from "../operations/migration.ts";
import { registry } from "../kinds/index.ts";
import { display } from "../model/display.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { shellWord } from "../model/shell-word.ts";
import type { Plan } from "../model/plan.ts";
import type { LoadedPlan } from "../plan/load.ts";
import { loadPlan } from "../plan/load.ts";
import { redact, ServiceError } from "../service/index.ts";
import type { StoreHooks } from "../store/index.ts";
import type { FileStoreOptions, Places } from "../store/index.ts";
import { fileStore, openEventLog, placesOf } from "../store/index.ts";
import type { CommonFlags } from "./flags.ts";
import { inWords } from "./in-words.ts";
import { environment } from "./env-file.ts";
import { failureResult } from "./failure.ts";
import type { Io } from "./io.ts";
import { openLogger } from "./logger.ts";
import type { Deciding, Said } from "./next-steps.ts";
import type { Kept } from "./out-file.ts";
import { refuseElsewhere, usualMappings } from "./mappings-elsewhere.ts";
import { narrowing, nextSteps, withAdvice } from "./next-steps.ts";
import { refuseNoPlace } from "./idle-words.ts";
import { secretNotes } from "./secret-notes.ts";
import { networkNotes, proxyInUse, proxySecrets } from "./network-notes.ts";
import { overridden } from "./overrides.ts";
import { whenMany } from "./many-objects.ts";
import { present } from "./present.ts";
import { ProgressLine } from "./progress-line.ts";
import { ProgressLog } from "./progress-log.ts";
import { stoppingText } from "./stopping-text.ts";
import { rewritePlan } from "./rewrite-plan.ts";
import { screenOf } from "./screen.ts";
import type { PlanEdit } from "./rewrite-plan.ts";
import { claimWork } from "./work-folder.ts";
import { guarded, levelOf, tell, tellRequest } from "./telling.ts";
import { toolName, toolVersion } from "./version.ts";

export interface SessionOptions {
  readonly io: Io;
  readonly command: string;
  readonly plan: string;
  readonly flags: CommonFlags & Deciding;
  readonly hooks?: (EngineHooks & StoreHooks) | undefined;
  /** Write `report.*` beside the snapshot, and tell the CI runner. */
  readonly report?: boolean;
  /** Nothing of how far it is, and no diff before it is done: whoever calls has shown it. */
  readonly quiet?: boolean | undefined;
  /** It reads files alone: the plan's secrets need not be there. */
  readonly offline?: boolean | undefined;
  /** What is printed in the place of the result's text, where there is something. */
  readonly present?: () => string | undefined;
}

export interface Session {
  readonly migration: Migration;
  /** Where the files are, for a person who wants to see one. */
  readonly places: Places;
  readonly logger: Logger;
  readonly planPath: string;
  /** What no result may be written over. */
  readonly kept: Kept;
  /** Changes the plan's text as it is now. Throws UsageError where no command could read it any more. */
  readonly rewritePlan: (edit: PlanEdit) => Promise<void>;
  /** What a person should know of the way to both environments. */
  readonly notes: readonly Diagnostic[];
  /** Takes the progress line away, before something else is written. */
  readonly clear: () => void;
  /** Shows on stderr what is about to be done: the result is then about what became of it. */
  readonly show: (text: string) => void;
  /** A result with what only the command line knows. */
  readonly advised: (result: Result) => Result;
}

/** Loads the plan, runs one operation on it and presents its result: the one way through every command on a plan. */
export async function runOnPlan(
  options: SessionOptions,
  work: (session: Session) => Promise<Result>,
): Promise<number> {
  const run = new PlanRun(options);
  return run.present(await run.result(work));
}

/** One command on a plan, from its file to what a person reads; how far it came is known wherever it ends. */
class PlanRun {
  readonly #options: SessionOptions;
  readonly #line: ProgressLine;
  readonly #log: ProgressLog | undefined;
  readonly #applied = new AppliedLog();
  /** What is shown nowhere, as far as it is known by now. */
  #secrets: readonly string[] = [];
  #planName: string;
  #places: Places | undefined;
  #migration: Migration | undefined;
  #said: Said | undefined;
  /** Somebody has read what was to be done: the result tells what became of it. */
  #isBrief = false;

  constructor(options: SessionOptions) {
    const { io, plan, quiet } = options;
    // Not the clock on the wall: one that is set back would silence them for as long.
    const steady = (): number => performance.now();
    this.#options = options;
    this.#planName = plan;
    const screen = screenOf(io);
    this.#line = new ProgressLine(screen, steady);
    this.#log = screen.isTerminal || quiet === true ? undefined : new ProgressLog(steady);
    io.onInterrupt?.(() => {
      this.#line.clear();
      return inWords(stoppingText(this.#line.state()), io.stderr);
    });
  }

  /** What the operation has to say, or what kept it from saying it. */
  async result(work: (session: Session) => Promise<Result>): Promise<Result> {
    try {
      return await this.#worked(work);
    } catch (error) {
      return this.#failed(error);
    } finally {
      this.#line.clear();
      await this.#migration?.close();
    }
  }

  async present(result: Result): Promise<number> {
    const { io, flags, command, plan, present: own, report } = this.#options;
    const told = this.#advised(result);
    const text = told.exitCode === exitCodes.done ? own?.() : undefined;
    if (text !== undefined) {
      // A page was made without them when it was kept, and is none any more where what it is made of is masked.
      io.stdout.write(flags.format === "html" ? text : redact(text, this.#secrets));
      return told.exitCode;
    }
    const [migration, places] = [this.#migration, this.#places];
    const keep =
      report !== true || places === undefined || migration === undefined
        ? undefined
        : {
            work: migration.store.work,
            folder: places.work,
            startedAt: migration.started,
            command: ["ferry", ...(io.words ?? [command, plan]).map(shellWord)].join(" "),
          };
    return present({
      io,
      flags,
      result: told,
      secrets: this.#secrets,
      brief: this.#isBrief,
      ...(keep === undefined ? {} : { keep }),
    });
  }

  async #worked(work: (session: Session) => Promise<Result>): Promise<Result> {
    const { io, flags, command, quiet } = this.#options;
    refuseNoPlace(flags);
    const variables = environment(io, flags);
    const hidden = proxySecrets(io.env);
    const loaded = this.#load(variables.env, hidden);
    const plan = overridden(loaded.plan, flags, command);
    const at = filesOf(plan, flags, io.cwd);
    const places = placesOf(at);
    if (flags.mappingsDir === usualMappings) refuseElsewhere(places.mapping, loaded.path, io.cwd);
    claimWork(places.work, loaded.path, io.cwd);
    this.#places = places;
    const logger = openLogger({
      output: guarded(io, this.#line),
      level: levelOf(flags),
      json: flags.logFormat === "json",
      secrets: this.#secrets,
    });
    const notes = [...networkNotes(plan, io.env), ...variables.notes, ...secretNotes(plan)];
    // The doctor's are part of its result.
    if (command !== "doctor" && quiet !== true)
      for (const { summary, suggestion = "" } of notes) logger.warn(`${summary}. ${suggestion}`);
    const events = openEventLog(places.events, (error) => {
      logger.warn(
        `the event log cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    const migration = this.#migrate({ plan, whole: loaded.plan, at, hidden, logger, events });
    this.#migration = migration;
    try {
      return await work({
        migration,
        places,
        logger,
        planPath: loaded.path,
        kept: { plan: loaded.path, envFile: flags.envFile, places },
        rewritePlan: async (edit) => rewritePlan(loaded, edit, places),
        notes,
        clear: () => this.#line.clear(),
        show: (text) => this.#show(text),
        advised: (result) => this.#advised(result),
      });
    } finally {
      this.#tellRest(logger);
      events.close();
    }
  }

  #load(env: Io["env"], hidden: readonly string[]): LoadedPlan {
    const { io, plan, command, flags, offline } = this.#options;
    const loaded = loadPlan({
      plan,
      cwd: io.cwd,
      folder: resolve(io.cwd, "plans"),
      env,
      selectable: registry.selectable(),
      sections: registry.sections(),
      offline: offline === true,
    });
    const { name } = loaded.plan;
    this.#secrets = [...loaded.secrets, ...hidden];
    this.#planName = name;
    this.#said = { plan, name, path: loaded.path, cwd: io.cwd, command, flags };
    return loaded;
  }

  #migrate({ plan, whole, at, hidden, logger, events }: Opened): Migration {
    const { io, command, flags, hooks } = this.#options;
    const counted = whenMany(registry, () => io.saveMemory?.(), command === "rollback" ? 2 : 1);
    return new Migration({
      plan,
      registry,
      tool: toolName(),
      version: toolVersion(),
      store: fileStore({ ...at, tool: toolName(), hooks }),
      secrets: hidden,
      stop: io.stop,
      narrowed: narrowing(flags),
      whole,
      report: (progress) => {
        counted(progress);
        this.#report(progress, logger);
        if (progress.type === "applied" || progress.type === "stage" || progress.type === "waiting")
          events.write({ at: new Date().toISOString(), ...progress });
      },
      onClientEvent: (side, event) => {
        this.#line.hear(event);
        tellRequest(logger, side, event);
      },
      ...(hooks === undefined ? {} : { hooks }),
    });
  }

  #report(progress: Progress, logger: Logger): void {
    this.#line.show(progress);
    const said = this.#log?.line(progress);
    // With -v every stage is told on a terminal as well: once is enough.
    if (said !== undefined && !(progress.type === "stage" && this.#options.flags.verbose > 0))
      logger.info(said);
    if (progress.type !== "applied" && progress.type !== "work") this.#tellRest(logger);
    tell(logger, this.#applied, progress);
  }

  #tellRest(logger: Logger): void {
    for (const text of this.#applied.rest()) logger.warn(text);
  }

  #show(text: string): void {
    this.#isBrief = true;
    if (this.#options.quiet === true) return;
    this.#line.clear();
    this.#options.io.stderr.write(redact(text, this.#secrets));
  }

  #failed(error: unknown): Result {
    const { io, command, flags } = this.#options;
    const migration = this.#migration;
    const requests = migration?.requests();
    const begun = requests !== undefined && requests.source.reads + requests.target.reads > 0;
    const failed = behindProxy(
      failureResult(error, command, this.#planName, toolVersion(), begun),
      error,
      io.env,
    );
    // The result goes where the output was sent: whoever looks at the terminal sees nothing of it.
    if (io.stderr.isTerminal && !io.stdout.isTerminal) {
      this.#line.clear();
      const said = failed.diagnostics[0]?.summary ?? failed.headline ?? "";
      io.stderr.write(`ferry: ${display(redact(said, this.#secrets))}\n`);
    }
    if (flags.verbose >= 2 && error instanceof Error) {
      const stack = redact(error.stack ?? error.message, this.#secrets);
      io.stderr.write(`${stack.split("\n").map(display).join("\n")}\n`);
    }
    if (migration === undefined || requests === undefined) return failed;
    // Under its own name in the journal it is one run with its report: under another one it would count as killed, too.
    const run = migration.begun === undefined ? {} : { run: migration.begun };
    return { ...failed, ...run, requests, durationMs: migration.durationMs };
  }

  /** With what only the command line knows: where files are, and what a next command has to say again. */
  #advised(result: Result): Result {
    const { io, quiet } = this.#options;
    const said = this.#said;
    const at = this.#places === undefined ? result : located(result, this.#places, io.cwd);
    // Whoever plays the job itself says what comes next.
    const asked = quiet === true ? { ...at, next: [] } : at;
    if (said === undefined) return asked;
    const advised = withAdvice(asked, said);
    return advised.next === undefined ? advised : { ...advised, next: nextSteps(advised.next, said) };
  }
}

/** What a run of a plan works with. */
interface Opened {
  readonly plan: Plan;
  /** As it is written, without what the command line says otherwise. */
  readonly whole: Plan;
  readonly at: FileStoreOptions;
  readonly hidden: readonly string[];
  readonly logger: Logger;
  readonly events: ReturnType<typeof openEventLog>;
}

function filesOf(plan: Plan, flags: CommonFlags, cwd: string): FileStoreOptions {
  return {
    plan: plan.name,
    parties: partiesOf(plan),
    workDir: resolve(cwd, flags.workDir),
    mappingsDir: resolve(cwd, flags.mappingsDir),
  };
}

/** Where nothing answers, and a proxy is on the way, it may be that one: the platform does not say which. */
function behindProxy(failed: Result, error: unknown, env: Io["env"]): Result {
  const proxy = proxyInUse(env);
  if (proxy === undefined || !(error instanceof ServiceError) || error.kind !== "unreachable") return failed;
  const [first, ...rest] = failed.diagnostics;
  if (first === undefined) return failed;
  const said = `Requests may go through a proxy (${proxy}): what does not answer, or refuses, may be that one.`;
  const suggestion = [first.suggestion, said].filter((one) => one !== undefined).join(" ");
  return { ...failed, diagnostics: [{ ...first, suggestion }, ...rest] };
}

/** What stands in a file is there to be looked at: where that is only the command line knows. */
function located(result: Result, { snapshot }: Places, cwd: string): Result {
  const diagnostics = result.diagnostics.map((found) =>
    found.code === "creates-in-brief"
      ? { ...found, detail: `${found.detail ?? ""} It is ${relative(cwd, snapshot) || snapshot}.` }
      : found,
  );
  return { ...result, diagnostics };
}
