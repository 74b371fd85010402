import type { AppliedChange } from "../../src/model/change.ts";
import { idOf } from "./kinds/index.ts";

/** It is not done, and the result says so. */
export function isLeft({ action, outcome }: AppliedChange): boolean {
  return (
    ["blocked", "manual", "drift", "conflict"].includes(action) ||
    ["failed", "blocked", "in-doubt", "begun", "not-started"].includes(outcome ?? "done")
  );
}

export function idOfChange({ kind, source }: AppliedChange): string {
  return idOf(kind, source?.urn ?? "");
}

export function lineOf({ action, kind, source, target, outcome, reason }: AppliedChange): string {
  return `${action} ${kind} "${source?.name ?? target?.name ?? ""}" ${outcome ?? ""} (${reason})`;
}
