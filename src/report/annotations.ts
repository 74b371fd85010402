import type { Severity } from "../model/diagnostic.ts";
import { severities } from "../model/diagnostic.ts";
import type { Result } from "../model/result.ts";
import type { Finding } from "./findings.ts";
import { findingsOf } from "./findings.ts";
import { viewOf } from "./view.ts";

export interface RunnerEnv {
  readonly GITHUB_ACTIONS?: string | undefined;
  readonly GITLAB_CI?: string | undefined;
}

/** GitHub shows ten annotations of a level for a step and drops the rest: the tenth says how many there are. */
const shownByGitHub = 10;
const commands = { error: "error", warning: "warning", info: "notice" } as const;

/** What the runner shows beside the log; the empty string where nothing is a runner. */
export function renderAnnotations(result: Result, env: RunnerEnv): string {
  if (env.GITHUB_ACTIONS === "true") return gitHub(result);
  return env.GITLAB_CI === undefined || env.GITLAB_CI === "" ? "" : gitLab(result);
}

function gitHub(result: Result): string {
  const findings = findingsOf(viewOf(result));
  const lines = severities.flatMap((severity) =>
    level(
      severity,
      findings.filter((found) => found.severity === severity),
    ),
  );
  return lines.map((line) => `${line}\n`).join("");
}

function level(severity: Severity, findings: readonly Finding[]): readonly string[] {
  const whole = findings.length <= shownByGitHub;
  const shown = whole ? findings : findings.slice(0, shownByGitHub - 1);
  const lines = shown.map((found) => workflowCommand(severity, found.title, found.message));
  const left = findings.length - shown.length;
  return left === 0
    ? lines
    : [...lines, workflowCommand(severity, `${left} more`, "The report lists all of them.")];
}

/** Escaped by the runner's rules: a name can neither end the command nor start another one. */
function workflowCommand(severity: Severity, title: string, message: string): string {
  const data = (text: string): string =>
    text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${commands[severity]} title=${property(title)}::${data(message)}`;
}

/** The log of GitLab knows no annotations; the code-quality report carries them into the merge request. */
function gitLab(result: Result): string {
  const view = viewOf(result);
  const findings = findingsOf(view);
  const lines = findings.map(
    (found) => `  ${found.severity}: ${found.title}: ${found.message.replaceAll("\n", "\n    ")}`,
  );
  return [`ferry: ${view.headline}`, ...lines].map((line) => `${line}\n`).join("");
}
