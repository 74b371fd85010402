import { appendFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import {
  piecesOfHtml,
  piecesOfJson,
  piecesOfParityHtml,
  renderAnnotations,
  renderCodeQuality,
  renderHtml,
  renderJson,
  renderMarkdown,
  piecesOfText,
  renderText,
  sharingView,
} from "../report/index.ts";
import { maskOf, redactJson } from "../service/index.ts";
import { keepRun, keptRunOf, whoRuns } from "../operations/kept-runs.ts";
import type { Report, Work } from "../store/index.ts";
import { writeAtomic } from "../store/index.ts";
import type { CommonFlags, Format } from "./flags.ts";
import type { Io, Output } from "./io.ts";
import { isDumb } from "./screen.ts";

/** Where a run is kept, and what is known of it that its result does not say. */
export interface Keeping {
  readonly work: Work;
  /** The plan's folder, to name the report to a person. */
  readonly folder: string;
  readonly startedAt: number;
  /** As it was typed. */
  readonly command: string;
}

interface Presenting {
  readonly io: Io;
  readonly flags: Pick<CommonFlags, "json" | "format" | "verbose" | "color">;
  readonly result: Result;
  readonly secrets: readonly string[];
  /** Absent where the command keeps no reports. */
  readonly keep?: Keeping;
  /** The changes were shown already: text tells what became of them. */
  readonly brief?: boolean;
}

/** Prints a result in the format asked for, keeps the run with its reports, tells the CI runner; gives the exit code. */
export function present(options: Presenting): Promise<number> {
  return sharingView(options.result, () => presented(options));
}

async function presented(options: Presenting): Promise<number> {
  const { io, flags, result, keep } = options;
  const safe = safely(options.secrets);
  const wanted: Format = flags.json === true ? "json" : (flags.format ?? "text");
  // A failure without a single object would take the place of a report that somebody may still be reading.
  const seen = result.changes.length > 0 || result.summary.unchanged > 0;
  // What was moved and whether it says the same are two reports: neither takes the place of the other.
  const name = result.command === "parity" ? "parity" : "report";
  const isLatest = seen || result.parity !== undefined || result.exitCode === exitCodes.done;
  const kept = keep !== undefined && (await keepReports(keep, result, safe, isLatest, io));
  if (keep !== undefined) tellRunner(io, result, safe);

  const report = keep === undefined || !kept || !isLatest ? undefined : join(keep.folder, `${name}.html`);
  const isPage = wanted === "html" && io.stdout.isTerminal && keep !== undefined;
  if (isPage && report !== undefined) {
    io.stdout.write(`The report is in ${report}\n`);
    return result.exitCode;
  }
  // Where it could not be written, or a failure left the last one standing, the page that is there is an earlier run's.
  const format = isPage ? "text" : wanted;
  // A failure is all there is to tell: it has no changes to be brief about.
  const brief = options.brief === true && result.changes.length > 0;
  const whole = report === undefined ? undefined : relative(io.cwd, report);
  io.stdout.write(
    render(format, result, io, { ...flags, safe, brief, ...(whole === undefined ? {} : { whole }) }),
  );
  return result.exitCode;
}

/** Without what is secret: in a text of its own, in a document of JSON, and what a page makes of it while it is written. */
interface Safe {
  readonly text: (text: string) => string;
  readonly json: (document: string) => string;
}

function safely(secrets: readonly string[]): Safe {
  return { text: maskOf(secrets), json: (document) => redactJson(document, secrets) };
}

function render(
  format: Format,
  result: Result,
  io: Io,
  flags: Pick<CommonFlags, "verbose" | "color"> & {
    readonly safe: Safe;
    readonly brief: boolean;
    readonly whole?: string;
  },
): string {
  const { safe } = flags;
  switch (format) {
    case "json":
      return safe.json(renderJson(result));
    case "markdown":
      return safe.text(renderMarkdown(result));
    case "html":
      return renderHtml(result, safe.text);
    case "text":
      return safe.text(
        renderText(result, {
          color: wantsColor(io, io.stdout, flags),
          width: io.stdout.columns,
          isTerminal: io.stdout.isTerminal,
          verbose: flags.verbose,
          brief: flags.brief,
          ...(flags.whole === undefined ? {} : { whole: flags.whole }),
        }),
      );
  }
}

export function wantsColor(io: Io, output: Output, flags: Pick<CommonFlags, "color">): boolean {
  const noColor = io.env["NO_COLOR"] !== undefined && io.env["NO_COLOR"] !== "";
  return flags.color && !noColor && output.isTerminal && !isDumb(io.env);
}

/** Characters of a report that are looked through for secrets at a time. */
const pieceSize = 16_384;

/** False when they could not be written, which is told and fails nothing. */
async function keepReports(
  { work, folder, startedAt, command }: Keeping,
  result: Result,
  safe: Safe,
  isLatest: boolean,
  io: Io,
): Promise<boolean> {
  const reports: Readonly<Record<string, Report>> = {
    "report.json": () => inPieces(piecesOfJson(result), safe.json),
    "report.md": () => [safe.text(renderMarkdown(result))],
    "report.html": () => piecesOfHtml(result, safe.text),
    "report.txt": () => inPieces(piecesOfText(result, { width: 100, verbose: 1 }), safe.text),
    // A page of its own, beside the one of the changes.
    ...(result.parity === undefined || result.command === "parity"
      ? {}
      : { "parity.html": () => piecesOfParityHtml(result, safe.text) }),
  };
  try {
    const others = (await work.keptRuns()).map((other) => other.run);
    const by = whoRuns(io.env);
    const run = keptRunOf(result, { startedAt, command: safe.text(command), by, others });
    const isParity = result.command === "parity";
    await keepRun(work, { ...run, headline: safe.text(run.headline) }, reports, isLatest && !isParity);
    if (isParity && isLatest)
      for (const [name, report] of Object.entries(reports))
        await writeAtomic(
          join(folder, name.replace("report", "parity")),
          typeof report === "string" ? report : report(),
        );
    return true;
  } catch (error) {
    io.stderr.write(
      `the reports cannot be written: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return false;
  }
}

/** A secret holds no line break, and a piece ends where a value does. */
function* inPieces(pieces: Iterable<string>, safe: (text: string) => string): Generator<string> {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < pieceSize) continue;
    yield safe(text);
    text = "";
  }
  yield safe(text);
}

/** Annotations and a summary where GitHub or GitLab runs the command; stdout stays the result alone. */
function tellRunner(io: Io, result: Result, safe: Safe): void {
  const { GITHUB_ACTIONS, GITLAB_CI, GITHUB_STEP_SUMMARY, FERRY_CODE_QUALITY } = io.env;
  if (GITHUB_ACTIONS !== undefined || GITLAB_CI !== undefined) {
    const told = safe.text(
      renderAnnotations(result, { GITHUB_ACTIONS: GITHUB_ACTIONS ?? "", GITLAB_CI: GITLAB_CI ?? "" }),
    );
    if (io.stderr.command === undefined) io.stderr.write(told);
    else io.stderr.command(told);
  }
  // Each for itself: a summary that has no place is no reason to leave out the other file.
  tellFile(io, "the runner's summary", GITHUB_STEP_SUMMARY, (path) =>
    appendFileSync(path, safe.text(renderMarkdown(result))),
  );
  tellFile(io, "the code quality report", FERRY_CODE_QUALITY, (path) =>
    writeFileSync(path, safe.json(renderCodeQuality(result))),
  );
}

function tellFile(io: Io, what: string, path: string | undefined, write: (path: string) => void): void {
  if (path === undefined || path === "") return;
  try {
    write(path);
  } catch (error) {
    io.stderr.write(`${what} cannot be written: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
