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
import { loadPlan } from "../plan/load.ts";
import type { ClientEvent } from "../service/index.ts";
import { redact, ServiceError } from "../service/index.ts";
import type { StoreHooks } from "../store/index.ts";
import type { FileStoreOptions, Places } from "../store/index.ts";
import { fileStore, openEventLog, placesOf } from "../store/index.ts";
import type { CommonFlags } from "./flags.ts";
import { environment } from "./env-file.ts";
import { failureResult } from "./failure.ts";
import type { Io } from "./io.ts";
import { openLogger } from "./logger.ts";
import type { Level } from "./logger.ts";
import type { Deciding, Said } from "./next-steps.ts";
import { narrowing, nextSteps, withAdvice } from "./next-steps.ts";
import { refuseNoPlace } from "./idle-words.ts";
import { secretNotes } from "./secret-notes.ts";
import { networkNotes, proxyInUse, proxySecrets } from "./network-notes.ts";
import { overridden } from "./overrides.ts";
import { whenMany } from "./many-objects.ts";
import { present } from "./present.ts";
import { ProgressLine } from "./progress-line.ts";
import { ProgressLog } from "./progress-log.ts";
import { retryText } from "./retry-text.ts";
import { stoppingText } from "./stopping-text.ts";
import { rewritePlan } from "./rewrite-plan.ts";
import type { PlanEdit } from "./rewrite-plan.ts";
import { claimWork } from "./work-folder.ts";
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
  /** Changes the plan's text as it is now. Throws UsageError where no command could read it any more. */
  readonly rewritePlan: (edit: PlanEdit) => Promise<void>;
  /** What a person should know of the way to both environments. */
  readonly notes: readonly Diagnostic[];
  /** Takes the progress line away, before something else is written. */
  readonly clear: () => void;
  /** Shows on stderr what is about to be done: the result is then about what became of it. */
  readonly show: (text: string) => void;
}

/** Loads the plan, runs one operation on it and presents its result: the one way through every command on a plan. */
export async function runOnPlan(
  options: SessionOptions,
  work: (session: Session) => Promise<Result>,
): Promise<number> {
  const { io, command, flags } = options;
  // Not the clock on the wall: one that is set back would silence them for as long.
  const steady = (): number => performance.now();
  const line = new ProgressLine(io.stderr, steady);
  io.onInterrupt?.(() => {
    line.clear();
    return stoppingText(line.state());
  });
  const log = io.stderr.isTerminal || options.quiet === true ? undefined : new ProgressLog(steady);
  let secrets: readonly string[] = [];
  let planName = options.plan;
  let migration: Migration | undefined;
  let places: Places | undefined;
  let result: Result;
  let brief = false;
  let said: Said | undefined;
  const show = (text: string): void => {
    brief = true;
    if (options.quiet === true) return;
    line.clear();
    io.stderr.write(redact(text, secrets));
  };
  try {
    refuseNoPlace(flags);
    const variables = environment(io, flags);
    const loaded = loadPlan({
      plan: options.plan,
      cwd: io.cwd,
      folder: resolve(io.cwd, "plans"),
      env: variables.env,
      selectable: registry.selectable(),
      sections: registry.sections(),
      offline: options.offline === true,
    });
    const hidden = proxySecrets(io.env);
    secrets = [...loaded.secrets, ...hidden];
    planName = loaded.plan.name;
    const plan = overridden(loaded.plan, flags, command);
    const { name } = loaded.plan;
    said = { plan: options.plan, name, path: loaded.path, cwd: io.cwd, command, flags };
    const at: FileStoreOptions = {
      plan: plan.name,
      parties: partiesOf(plan),
      workDir: resolve(io.cwd, flags.workDir),
      mappingsDir: resolve(io.cwd, flags.mappingsDir),
    };
    const own = placesOf(at);
    claimWork(own.work, loaded.path, io.cwd);
    places = own;
    const logger = openLogger({
      output: guarded(io, line),
      level: levelOf(flags),
      json: flags.logFormat === "json",
      secrets,
    });
    const notes = [...networkNotes(plan, io.env), ...variables.notes, ...secretNotes(plan)];
    // The doctor's are part of its result.
    if (command !== "doctor" && options.quiet !== true)
      for (const { summary, suggestion = "" } of notes) logger.warn(`${summary}. ${suggestion}`);
    const applied = new AppliedLog();
    const tellRest = (): void => {
      for (const text of applied.rest()) logger.warn(text);
    };
    const events = openEventLog(own.events, (error) => {
      logger.warn(
        `the event log cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    const counted = whenMany(registry, () => io.saveMemory?.());
    migration = new Migration({
      plan,
      registry,
      tool: toolName(),
      version: toolVersion(),
      store: fileStore({ ...at, tool: toolName(), hooks: options.hooks }),
      secrets: hidden,
      stop: io.stop,
      narrowed: narrowing(flags),
      whole: loaded.plan,
      report: (progress) => {
        counted(progress);
        line.show(progress);
        const said = log?.line(progress);
        // With -v every stage is told on a terminal as well: once is enough.
        if (said !== undefined && !(progress.type === "stage" && flags.verbose > 0)) logger.info(said);
        if (progress.type !== "applied" && progress.type !== "work") tellRest();
        tell(logger, applied, progress);
        if (progress.type === "applied" || progress.type === "stage" || progress.type === "waiting") {
          events.write({ at: new Date().toISOString(), ...progress });
        }
      },
      onClientEvent: (side, event) => {
        line.hear(event);
        tellRequest(logger, side, event);
      },
      ...(options.hooks === undefined ? {} : { hooks: options.hooks }),
    });
    try {
      result = await work({
        migration,
        places: own,
        logger,
        planPath: loaded.path,
        rewritePlan: async (edit) => rewritePlan(loaded, edit, own),
        notes,
        clear: () => line.clear(),
        show,
      });
    } finally {
      tellRest();
      events.close();
    }
  } catch (error) {
    const requests = migration?.requests();
    const begun = requests !== undefined && requests.source.reads + requests.target.reads > 0;
    const failed = behindProxy(failureResult(error, command, planName, toolVersion(), begun), error, io.env);
    result =
      migration === undefined
        ? failed
        : { ...failed, requests: migration.requests(), durationMs: migration.durationMs };
    // The result goes where the output was sent: whoever looks at the terminal sees nothing of it.
    if (io.stderr.isTerminal && !io.stdout.isTerminal) {
      line.clear();
      const said = failed.diagnostics[0]?.summary ?? failed.headline ?? "";
      io.stderr.write(`ferry: ${display(redact(said, secrets))}\n`);
    }
    if (flags.verbose >= 2 && error instanceof Error)
      io.stderr.write(
        `${redact(error.stack ?? error.message, secrets)
          .split("\n")
          .map(display)
          .join("\n")}\n`,
      );
  } finally {
    line.clear();
    await migration?.close();
  }
  if (places !== undefined) result = located(result, places, io.cwd);
  // Whoever plays the job itself says what comes next.
  if (options.quiet === true) result = { ...result, next: [] };
  if (said !== undefined) result = withAdvice(result, said);
  if (said !== undefined && result.next !== undefined)
    result = { ...result, next: nextSteps(result.next, said) };
  const text = result.exitCode === exitCodes.done ? options.present?.() : undefined;
  if (text !== undefined) {
    io.stdout.write(redact(text, secrets));
    return result.exitCode;
  }
  return present({
    io,
    flags,
    result,
    secrets,
    brief,
    ...(options.report === true && places !== undefined && migration !== undefined
      ? {
          keep: {
            work: migration.store.work,
            folder: places.work,
            startedAt: migration.started,
            command: ["ferry", ...(io.words ?? [command, options.plan])].join(" "),
          },
        }
      : {}),
  });
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

function levelOf(flags: CommonFlags): Level {
  if (flags.verbose >= 2) return "debug";
  return flags.verbose === 1 ? "verbose" : "info";
}

/** Log lines and the progress line share stderr: the line goes before a log line is written. */
function guarded(io: Io, line: ProgressLine): Io["stderr"] {
  const { stderr } = io;
  return {
    isTerminal: stderr.isTerminal,
    columns: stderr.columns,
    write(text) {
      line.clear();
      stderr.write(text);
    },
  };
}

function tell(logger: Logger, applied: AppliedLog, progress: Progress): void {
  switch (progress.type) {
    case "stage":
      logger.verbose(progress.detail === undefined ? progress.stage : `${progress.stage} ${progress.detail}`);
      break;
    case "waiting":
      logger.warn(`waiting ${Math.ceil(progress.ms / 1_000)} s: ${progress.reason}`);
      break;
    case "applied": {
      const text = applied.line(progress);
      // What was not begun is counted when the run is interrupted, and listed in its result.
      const isExpected = ["done", "begun", "not-started"].includes(progress.state);
      if (text !== undefined) logger.log(isExpected ? "verbose" : "warn", text);
      break;
    }
    case "read":
    case "work":
      break;
  }
}

function tellRequest(logger: Logger, side: string, event: ClientEvent): void {
  if (!logger.isDebugEnabled()) {
    if (event.type === "throttled")
      logger.verbose(`${side}: the service asks to wait ${Math.ceil(event.waitMs / 1_000)} s`);
    // Retries may take two minutes: nobody should have to wonder what is going on.
    if (event.type === "retry" && event.waitMs >= 1_000) logger.warn(retryText(event));
    return;
  }
  switch (event.type) {
    case "done":
    case "failed":
      logger.debug(
        `${side} ${event.method} ${event.path} ${event.type === "done" ? event.status : event.kind} ${Math.round(event.durationMs)} ms`,
      );
      break;
    case "retry":
      logger.debug(retryText(event));
      break;
    case "throttled":
      logger.debug(`${side}: the service asks to wait ${Math.ceil(event.waitMs / 1_000)} s`);
      break;
    case "concurrency":
      logger.debug(`${side}: from now on at most ${event.limit} requests at once`);
      break;
    case "sent":
    case "ended":
    case "listed":
      break;
    case "token":
      logger.debug(`${side}: signed in, for ${Math.round(event.lifetimeMs / 1_000)} s`);
      break;
  }
}
