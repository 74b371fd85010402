import { appendFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import {
  renderAnnotations,
  renderCodeQuality,
  renderHtml,
  renderJson,
  renderMarkdown,
  renderText,
} from "../report/index.ts";
import { redact } from "../service/index.ts";
import { writeAtomic } from "../store/index.ts";
import type { CommonFlags, Format } from "./flags.ts";
import type { Io, Output } from "./io.ts";

/** Prints a result in the format asked for, writes the report files, tells the CI runner; gives the exit code. */
export async function present(options: {
  readonly io: Io;
  readonly flags: Pick<CommonFlags, "json" | "format" | "verbose" | "color">;
  readonly result: Result;
  readonly secrets: readonly string[];
  /** Where `report.*` go; absent when there are none. */
  readonly folder?: string;
  /** The changes were shown already: text tells what became of them. */
  readonly brief?: boolean;
}): Promise<number> {
  const { io, flags, result, folder } = options;
  const safe = (text: string): string => redact(text, options.secrets);
  const format: Format = flags.json === true ? "json" : (flags.format ?? "text");
  // A failure without a single object would take the place of a report that somebody may still be reading.
  const seen = result.changes.length > 0 || result.summary.unchanged > 0;
  if (folder !== undefined && (seen || result.exitCode === exitCodes.done))
    await writeReports(folder, result, safe, io);
  if (folder !== undefined) tellRunner(io, result, safe);

  if (format === "html" && io.stdout.isTerminal && folder !== undefined) {
    io.stdout.write(`The report is in ${join(folder, "report.html")}\n`);
    return result.exitCode;
  }
  // A failure is all there is to tell: it has no changes to be brief about.
  const brief = options.brief === true && result.changes.length > 0;
  const whole = brief && folder !== undefined ? join(relative(io.cwd, folder), "report.html") : undefined;
  io.stdout.write(
    safe(render(format, result, io, { ...flags, brief, ...(whole === undefined ? {} : { whole }) })),
  );
  return result.exitCode;
}

function render(
  format: Format,
  result: Result,
  io: Io,
  flags: Pick<CommonFlags, "verbose" | "color"> & { readonly brief: boolean; readonly whole?: string },
): string {
  switch (format) {
    case "json":
      return renderJson(result);
    case "markdown":
      return renderMarkdown(result);
    case "html":
      return renderHtml(readable(result));
    case "text":
      return renderText(result, {
        color: wantsColor(io, io.stdout, flags),
        width: io.stdout.columns,
        verbose: flags.verbose,
        brief: flags.brief,
        ...(flags.whole === undefined ? {} : { whole: flags.whole }),
      });
  }
}

export function wantsColor(io: Io, output: Output, flags: Pick<CommonFlags, "color">): boolean {
  const noColor = io.env["NO_COLOR"] !== undefined && io.env["NO_COLOR"] !== "";
  return flags.color && !noColor && output.isTerminal;
}

/** A page that a browser can still open: what needs a person and what changes goes before what is merely new. */
function readable(result: Result): Result {
  const most = 10_000;
  if (result.changes.length <= most) return result;
  const plain = (change: Result["changes"][number]): boolean =>
    change.action === "create" && (change.outcome === undefined || change.outcome === "done");
  const ordered = [...result.changes.filter((change) => !plain(change)), ...result.changes.filter(plain)];
  const summary = `${result.changes.length - most} of ${result.changes.length} changes are not in this page; report.json has them all`;
  return {
    ...result,
    changes: ordered.slice(0, most),
    diagnostics: [{ severity: "warning", code: "report-cut", summary }, ...result.diagnostics],
  };
}

async function writeReports(
  folder: string,
  result: Result,
  safe: (text: string) => string,
  io: Io,
): Promise<void> {
  try {
    await Promise.all([
      writeAtomic(join(folder, "report.json"), safe(renderJson(result))),
      writeAtomic(join(folder, "report.md"), safe(renderMarkdown(result))),
      writeAtomic(join(folder, "report.html"), safe(renderHtml(readable(result)))),
      writeAtomic(join(folder, "report.txt"), safe(renderText(result, { width: 100, verbose: 1 }))),
    ]);
  } catch (error) {
    io.stderr.write(
      `the reports cannot be written: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}

/** Annotations and a summary where GitHub or GitLab runs the command; stdout stays the result alone. */
function tellRunner(io: Io, result: Result, safe: (text: string) => string): void {
  const { GITHUB_ACTIONS, GITLAB_CI, GITHUB_STEP_SUMMARY, FERRY_CODE_QUALITY } = io.env;
  if (GITHUB_ACTIONS !== undefined || GITLAB_CI !== undefined) {
    io.stderr.write(
      safe(renderAnnotations(result, { GITHUB_ACTIONS: GITHUB_ACTIONS ?? "", GITLAB_CI: GITLAB_CI ?? "" })),
    );
  }
  try {
    if (GITHUB_STEP_SUMMARY !== undefined && GITHUB_STEP_SUMMARY !== "") {
      appendFileSync(GITHUB_STEP_SUMMARY, safe(renderMarkdown(result)));
    }
    if (FERRY_CODE_QUALITY !== undefined && FERRY_CODE_QUALITY !== "") {
      writeFileSync(FERRY_CODE_QUALITY, safe(renderCodeQuality(result)));
    }
  } catch (error) {
    io.stderr.write(
      `the runner's summary cannot be written: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}
