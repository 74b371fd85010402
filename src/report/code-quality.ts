import type { Severity } from "../model/diagnostic.ts";
import type { Result } from "../model/result.ts";
import type { Finding } from "./findings.ts";
import { findingsOf } from "./findings.ts";
import { viewOf } from "./view.ts";

const bySeverity: Readonly<Record<Severity, string>> = { error: "critical", warning: "major", info: "info" };

/** GitLab's code-quality report: an array, each entry with a fingerprint by which runs are compared. */
export function renderCodeQuality(result: Result): string {
  const path = planFile(result.plan);
  const entries = findingsOf(viewOf(result)).map((found) => ({
    description: `${found.title}: ${found.message.replaceAll("\n", " | ")}`,
    check_name: `ferry/${found.code}`,
    fingerprint: found.fingerprint,
    severity: severityOf(found),
    location: { path, lines: { begin: 1 } },
  }));
  return `${JSON.stringify(entries, undefined, 2)}\n`;
}

function severityOf(found: Finding): string {
  if (found.state === "inDoubt") return "blocker";
  return found.state === "drift" || found.state === "manual" ? "minor" : bySeverity[found.severity];
}

/** A finding has to be somewhere in the repository: the plan is the file that a person would change. */
function planFile(plan: string): string {
  return `plans/${plan.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^\.+/u, "")}.yaml`;
}
