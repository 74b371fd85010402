import type { AppliedChange } from "../../src/model/change.ts";
import type { Cause } from "../../src/model/diagnostic.ts";
import { urnOf } from "./urns.ts";

export const sourceCause: Cause = {
  key: "urn:data:dev:catalog:source:1",
  summary: 'source "Snowflake DEV" has no twin at the target',
  detail: 'sources "Snowflake DEV": the nearest there is "Snowflake PROD"',
  suggestion:
    'In the plan, under pairing.sources, add `"Snowflake DEV": "Snowflake PROD"` (a guess: check it)',
};

/** Blocked for these causes; the first says why. */
export function blocked(kind: string, index: number, name: string, causes: readonly Cause[]): AppliedChange {
  const urn = urnOf("acme-dev", kind, index);
  return {
    id: `${kind}:${urn}`,
    action: "blocked",
    kind,
    source: { urn, name },
    reason: `the item of ${name} has no twin (and 3 more)`,
    fields: [],
    diagnostics: causes.map((cause, at) => ({
      severity: "error",
      code: "unresolved-reference",
      coordinate: { kind, urn, name },
      pointer: `/field${at}`,
      summary: `the reference ${at} of ${name} has no target`,
      ...(cause.suggestion === undefined ? {} : { suggestion: cause.suggestion }),
      cause,
    })),
    dependsOn: [],
  };
}

/** So many monitors, and half as many rules, that one source keeps. */
export function blockedBySource(count: number): readonly AppliedChange[] {
  return Array.from({ length: count }, (_, index) =>
    index % 3 === 2
      ? blocked("rules", index, `Rule ${index}`, [sourceCause])
      : blocked("monitors", index, `Monitor ${index}`, [sourceCause]),
  );
}
