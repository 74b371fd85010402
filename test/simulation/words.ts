import type { Policy } from "../../src/model/plan.ts";
import type { Result } from "../../src/model/result.ts";
import type { Command, TimedAct } from "./story.ts";

/** A story for people: who did what when. */

export function endOf(result: Result | undefined, error: Error | undefined): string {
  if (result === undefined) return error === undefined ? "" : `${error.name}: ${error.message}`;
  const changes = result.changes.map(({ action, outcome, kind, source, target, reason, diagnostics }) => {
    const urn = (source?.urn ?? target?.urn ?? "").slice(-36, -28);
    return `\n         ${action} ${kind} "${source?.name ?? target?.name ?? ""}" (${urn})${outcome === undefined ? "" : ` ${outcome}`}: ${reason}${outcome === "failed" ? `: ${diagnostics.at(-1)?.summary ?? ""}` : ""}`;
  });
  return `exit ${result.exitCode}: ${result.headline ?? ""}${changes.join("")}`;
}

export function wordsOf(command: Command): string {
  const { does, ...options } = command;
  const set = Object.entries(options).flatMap(([name, value]) =>
    value === true ? [` --${name}`] : typeof value === "number" ? [` --${name} ${value}`] : [],
  );
  return `ferry ${does}${set.join("")}`;
}

export function changedPolicy(policy: Partial<Policy>): string {
  const entries = Object.entries(policy);
  return entries.length === 0
    ? ""
    : ` under ${entries.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")}`;
}

export function inWords(when: TimedAct["when"]): string {
  switch (when.at) {
    case "before":
      return "before it";
    case "event":
      return `at event ${when.nth}`;
    case "write":
      return `when write ${when.nth} is ${when.phase}`;
    case "moment":
      return `at moment ${when.nth}`;
    case "hook":
      return `at ${when.point} ${when.nth}`;
    case "death":
      return "as it dies";
    case "late":
      return `when what was sent is ${when.phase}`;
  }
}
