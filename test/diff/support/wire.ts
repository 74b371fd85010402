import { expect } from "vitest";
import type { Result } from "../../../src/model/result.ts";
import type { PlanChanges } from "../../support/world.ts";
import { objectsIn } from "../../kinds/support/requests.ts";
import { arrange } from "./arrange.ts";
import { cellOf, type Expected, type SourceState, type TargetState } from "./cells.ts";
import { writes, written } from "./log.ts";
import { apply, changeOf, diff, stage } from "./run.ts";
import { type Subject, subjects } from "./subjects.ts";

/** A cell of the matrix with what it expects. */
export interface WireRow {
  readonly subject: Subject;
  readonly source: SourceState;
  readonly target: TargetState;
  readonly expected: Expected;
  readonly action: Expected["action"];
}

/** The cells of a kind that there are. */
export function rowsOf(
  subject: Subject,
  sources: readonly SourceState[],
  targets: readonly TargetState[],
): WireRow[] {
  return sources.flatMap((source) =>
    targets.flatMap((target): WireRow[] => {
      const cell = cellOf(subject.kind, source, target);
      return "impossible" in cell ? [] : [{ subject, source, target, expected: cell, action: cell.action }];
    }),
  );
}

export function subjectOf(kind: string): Subject {
  const found = subjects.find((subject) => subject.kind === kind);
  if (found === undefined) throw new Error(`no subject ${kind}`);
  return found;
}

function expectCell(result: Result, urn: string, { action, reason }: Expected): void {
  const change = changeOf(result, urn);
  if (action === "nothing" || action === "unchanged") {
    expect(change).toBeUndefined();
    expect(result.changes).toEqual([]);
    return;
  }
  expect({ action: change?.action, reason: change?.reason }).toEqual({
    action,
    reason: expect.stringContaining(reason),
  });
  // Nothing else is touched: neither the neighbour nor what was there before.
  expect(result.changes).toHaveLength(1);
}

export function planOf({ select, entityTypes = [] }: Subject): PlanChanges {
  return { select: { kinds: select, entityTypes } };
}

/** Brings both sides there over HTTP: what the diff says, what apply does, and what a second run finds. */
export async function expectOverHttp(row: WireRow): Promise<void> {
  const { subject, expected } = row;
  const at = await stage();
  const plan = planOf(subject);
  const { urn, twin } = await arrange(at, subject, row, plan);
  expectCell(await diff(at, plan), urn, expected);
  const done = await apply(at, plan, { allowDelete: true });
  expectCell(done, urn, expected);
  expect(written(at.world)).toEqual(expected.writes === "none" ? [] : subject[expected.writes]);
  if (expected.writes === "update" || expected.writes === "remove") {
    // The twin and nothing else, whatever else has its name.
    const address = subject.kind === "primary-monitors" ? "/primary" : (twin ?? "no twin");
    for (const entry of writes(at.world)) {
      expect(objectsIn(entry)).toBe(1);
      expect(`${decodeURIComponent(entry.path)} ${JSON.stringify(entry.body)}`).toContain(address);
    }
  }

  const settled = ["unchanged", "nothing", "create", "update", "adopt", "delete"].includes(expected.action);
  const again = await apply(at, plan, { allowDelete: true });
  expect(written(at.world)).toEqual([]);
  if (settled) expect(again.changes).toEqual([]);
  else expectCell(again, urn, expected);
}
