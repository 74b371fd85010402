import { hash } from "node:crypto";
import type { Diagnostic, Severity } from "../model/diagnostic.ts";
import { display } from "../model/display.ts";
import type { Item } from "./item.ts";
import { labels } from "./states.ts";
import type { State } from "./states.ts";
import type { View } from "./view.ts";

/** What a runner should show beside the log: everything that needs a person, deletes, and notes about the run. */
export interface Finding {
  readonly severity: Severity;
  /** Stable, kebab-case. */
  readonly code: string;
  readonly title: string;
  /** Lines: why, where, what next. Safe for a terminal but for its line breaks. */
  readonly message: string;
  /** The same for the same trouble in every run. */
  readonly fingerprint: string;
  readonly state: State | undefined;
}

const severities: Partial<Readonly<Record<State, Severity>>> = {
  failed: "error",
  inDoubt: "error",
  blocked: "error",
  conflict: "warning",
  drift: "warning",
  manual: "warning",
  delete: "warning",
};

export function findingsOf(view: View): readonly Finding[] {
  const found = [
    ...view.person.items.map(ofItem),
    ...view.deletes.items.map(ofItem),
    ...view.diagnostics.map(ofDiagnostic),
  ];
  const seen = new Map<string, number>();
  return found.map((finding) => {
    const times = seen.get(finding.fingerprint) ?? 0;
    seen.set(finding.fingerprint, times + 1);
    return times === 0
      ? finding
      : Object.assign({}, finding, { fingerprint: digest(finding.fingerprint, String(times)) });
  });
}

function ofItem(item: Item): Finding {
  const code = item.change.diagnostics[0]?.code ?? (item.state === "inDoubt" ? "in-doubt" : item.state);
  const { diagnostics } = item.change;
  const said = diagnostics.some((found) => display(found.summary) === item.reason);
  const lines = [said ? "" : item.reason, ...diagnostics.map(pointed), item.urn];
  const steps = item.steps.map((step) => `next: ${step}`);
  return {
    severity: severities[item.state] ?? "info",
    code,
    title: `${labels[item.state]}: ${item.kind} "${item.name}"`,
    message: [...new Set([...lines, ...steps])].filter((line) => line !== "").join("\n"),
    fingerprint: digest(item.state, code, item.id),
    state: item.state,
  };
}

function ofDiagnostic(found: Diagnostic): Finding {
  const { coordinate } = found;
  const where = coordinate && `${coordinate.kind} "${coordinate.name}" (${coordinate.urn})`;
  const lines = [pointed(found), found.detail, where, found.suggestion && `next: ${found.suggestion}`];
  return {
    severity: found.severity,
    code: found.code,
    title: display(found.code),
    message: lines
      .filter((line): line is string => line !== undefined && line !== "")
      .map((line) => display(line))
      .join("\n"),
    fingerprint: digest(found.code, coordinate?.urn ?? "", found.pointer ?? "", found.summary),
    state: undefined,
  };
}

function pointed(found: Diagnostic): string {
  return display(found.pointer === undefined ? found.summary : `${found.summary} at ${found.pointer}`);
}

function digest(...parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts));
}
