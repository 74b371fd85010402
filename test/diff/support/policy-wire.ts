import { expect } from "vitest";
import type { Action } from "../../../src/model/change.ts";
import type { Policy } from "../../../src/model/plan.ts";
import type { PlanChanges } from "../../support/world.ts";
import { arrange } from "./arrange.ts";
import type { SourceState, TargetState } from "./cells.ts";
import { written } from "./log.ts";
import { apply, diff, entryOf, expectAtRest, expectChange, stage } from "./run.ts";
import { planOf, subjectOf } from "./wire.ts";

interface Row {
  readonly policy: Partial<Policy>;
  readonly kinds: readonly string[];
  readonly source: SourceState;
  readonly target: TargetState;
  readonly action: Action;
  readonly reason: string;
  readonly writes: "create" | "update" | "none";
}

const entities = ["terms", "rules", "monitors", "folders", "sql-items", "entities"];
const words = ["item-metadata", "attribute-metadata", "stewardship"];
const all = [...entities, "primary-monitors", ...words];
export const noWay = "the service offers no way to change one";

/** What a policy makes of a cell of the matrix; the kinds that it says nothing to are left out. */
const rows: readonly Row[] = [
  {
    policy: { drift: "overwrite" },
    kinds: all,
    source: "same",
    target: "changed",
    action: "update",
    reason: "it was changed at the target; policy.drift says to overwrite",
    writes: "update",
  },
  {
    policy: { drift: "overwrite" },
    kinds: ["dashboards"],
    source: "same",
    target: "changed",
    action: "manual",
    reason: `it was changed at the target; policy.drift says to overwrite, and ${noWay}`,
    writes: "none",
  },
  {
    policy: { drift: "overwrite" },
    kinds: all,
    source: "changed",
    target: "changed",
    action: "conflict",
    reason: "both sides",
    writes: "none",
  },
  {
    policy: { conflict: "source-wins" },
    kinds: all,
    source: "changed",
    target: "changed",
    action: "update",
    reason: "policy.conflict says that the source wins",
    writes: "update",
  },
  {
    policy: { conflict: "source-wins" },
    kinds: all,
    source: "same",
    target: "changed",
    action: "drift",
    reason: "at the target",
    writes: "none",
  },
  {
    policy: { conflict: "source-wins" },
    kinds: words,
    source: "new",
    target: "changed",
    action: "update",
    reason: "first contact: the source says how it should be",
    writes: "update",
  },
  {
    policy: { missingTarget: "recreate" },
    kinds: [...entities, "dashboards"],
    source: "same",
    target: "gone",
    action: "create",
    reason: "policy.missingTarget says to create it again",
    writes: "create",
  },
  {
    policy: { missingTarget: "recreate" },
    kinds: ["primary-monitors", ...words],
    source: "same",
    target: "gone",
    action: "blocked",
    reason: "what it lies over has no twin at the target",
    writes: "none",
  },
  {
    policy: { adopt: "by-name" },
    kinds: entities,
    source: "new",
    target: "other-twin",
    action: "adopt",
    reason: "the same natural key",
    writes: "update",
  },
  {
    policy: { adopt: "by-name" },
    kinds: ["dashboards"],
    source: "new",
    target: "other-twin",
    action: "manual",
    reason: `the target has one with the same natural key, and ${noWay}`,
    writes: "none",
  },
  {
    policy: { adopt: "by-name" },
    kinds: [...entities, "dashboards"],
    source: "new",
    target: "two-twins",
    action: "blocked",
    reason: "candidates:",
    writes: "none",
  },
  {
    policy: { adopt: "never" },
    kinds: [...entities, "dashboards"],
    source: "new",
    target: "twin",
    action: "create",
    reason: "nothing at the target stands for it",
    writes: "create",
  },
  {
    policy: { replace: "allow" },
    kinds: ["dashboards"],
    source: "changed",
    target: "same",
    action: "replace",
    reason: "the old one stays until a person removes it",
    writes: "create",
  },
  {
    policy: { replace: "allow" },
    kinds: entities,
    source: "changed",
    target: "same",
    action: "update",
    reason: "it changed at the source",
    writes: "update",
  },
];

export interface PolicyCase extends Row {
  readonly kind: string;
  readonly said: string;
}

export const cases: readonly PolicyCase[] = rows.flatMap((row) =>
  row.kinds.map((kind) => ({
    ...row,
    kind,
    said: JSON.stringify(row.policy),
  })),
);

/** Brings both sides there over HTTP: what the diff says under the policy, what apply does, and then it is at rest. */
export async function expectPolicyOverHttp({ kind, policy, ...row }: PolicyCase): Promise<void> {
  const at = await stage();
  const subject = subjectOf(kind);
  const chosen = planOf(subject);
  const { urn, twin } = await arrange(at, subject, row, chosen);
  const plan: PlanChanges = { ...chosen, policy };

  expectChange(await diff(at, plan), urn, row.action, row.reason);
  const done = await apply(at, plan);
  expectChange(done, urn, row.action, row.reason);
  expect(written(at.world)).toEqual(row.writes === "none" ? [] : subject[row.writes]);
  if (row.writes === "none") {
    expect(done.exitCode).toBe(4);
    return;
  }

  expect(done.exitCode).toBe(0);
  const entry = await entryOf(at, urn);
  // What was recreated or replaced has a twin of its own; what was updated or adopted keeps it.
  if (row.writes === "create") expect(entry?.target).not.toBe(twin);
  else if (twin !== undefined) expect(entry?.target).toBe(twin);
  if (row.action === "adopt") expect(entry?.origin).toBe("adopted");
  await expectAtRest(at, plan);
}
