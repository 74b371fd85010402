import type { AppliedChange } from "../../model/change.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";

/** Some of its steps are done, in this run or in the interrupted one that it continues, and others are not. */
export function isBegun({ at, change: { action, work } }: Task): boolean {
  return at > 0 || ((action === "create" || action === "replace") && work?.unfinished !== undefined);
}

export interface Begun {
  readonly reason: string;
  /** What is known of it now, and was not when the change was worked out. */
  readonly fields: Pick<AppliedChange, "left" | "target">;
}

/** Of a change that nobody brought to its end: what of it is there; undefined where nothing of it was sent. */
export function begunOf(parts: readonly Task[], mapping: MappingTable): Begun | undefined {
  const open = parts.find(({ outcome }) => outcome !== "done");
  // What a second pass fills in is left of an object that is there.
  const isSecond = open !== undefined && open !== parts[0];
  if (open === undefined || !(open.outcome === "begun" || (isSecond && open.outcome === "not-started")))
    return undefined;
  const { change, kind, reason = "the run was stopped before" } = open;
  const { action, source } = change;
  const made = source === undefined ? undefined : mapping.get(kind.name, source.urn);
  const target = action === "update" || action === "delete" ? change.target?.urn : made?.target;
  const left = currentStep(open).name;
  const where = target === undefined ? "" : ` (${target})`;
  return {
    reason: `it was begun at the target${where}; its ${left} is still to be done: ${reason}`,
    fields: {
      left,
      ...(target === undefined || change.target !== undefined
        ? {}
        : { target: { urn: target, name: made?.name ?? source?.name ?? "" } }),
    },
  };
}
