import { expect, onTestFinished } from "vitest";
import { EngineError } from "../../../src/engine/progress.ts";
import { applyPlan, type ApplyPlanOptions } from "../../../src/operations/apply.ts";
import { contested, decide } from "../../../src/operations/decide.ts";
import { diffPlan } from "../../../src/operations/diff.ts";
import { readState } from "../../../src/operations/state.ts";
import type { Action, AppliedChange } from "../../../src/model/change.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import type { Result } from "../../../src/model/result.ts";
import { type PlanChanges, type Surroundings, type World, world } from "../../support/world.ts";
import { sourceWrites, writes } from "./log.ts";
import { type Side, sides, wanted } from "./side.ts";
import { removeItem } from "./web.ts";

/** Two environments with the same given things and nothing to move, for one test. */
export interface Stage {
  readonly world: World;
  readonly source: Side;
  readonly target: Side;
}

export async function stage(options: Surroundings = {}): Promise<Stage> {
  const made = await world("empty", { kept: "memory", ...options });
  onTestFinished(async () => made.close());
  const all = sides(made);
  for (const side of [all.source, all.target]) keepItems(side);
  return { world: made, ...all };
}

/** A few tables are enough here, and every primary monitor is read and compared. */
const kept = new Set(["CUSTOMER", "CUSTOMER_ADDRESS", "SALES_ORDER", "PRODUCT"]);

function keepItems(side: Side): void {
  for (const { urn, name } of Array.from(side.tenant.items.values()))
    if (!kept.has(name)) removeItem(side, urn);
}

/** Applies with a clear log before it; the source is never written. */
export async function apply(
  { world }: Stage,
  plan: PlanChanges = {},
  options: Partial<ApplyPlanOptions> = {},
): Promise<Result> {
  world.emulator.log.clear();
  const result = await applyPlan(world.migration(plan), { confirm: async () => true, ...options });
  expect(sourceWrites(world)).toEqual([]);
  return result;
}

/** What a run would do; it writes nothing. */
export async function diff({ world }: Stage, plan: PlanChanges = {}, out?: string): Promise<Result> {
  world.emulator.log.clear();
  const result = await diffPlan(world.migration(plan), out === undefined ? {} : { out });
  expect(writes(world)).toEqual([]);
  expect(sourceWrites(world)).toEqual([]);
  return result;
}

/** Promise 7: a further run writes nothing and finds nothing. */
export async function expectAtRest(
  at: Stage,
  plan: PlanChanges = {},
  options: Partial<ApplyPlanOptions> = {},
): Promise<void> {
  const again = await apply(at, plan, options);
  expect(writes(at.world)).toEqual([]);
  expect(again.changes).toEqual([]);
  expect(again.exitCode).toBe(0);
}

/** A person has the target's version of the one thing stay that a diff leaves to people; its kind. */
export async function keepTarget(at: Stage, plan: PlanChanges): Promise<string | undefined> {
  return decideOne(at, plan, "keep-target");
}

/** Whichever side's version a person wants. */
export async function decideOne(
  at: Stage,
  plan: PlanChanges,
  choice: "keep-target" | "take-source",
): Promise<string | undefined> {
  await diff(at, plan);
  return decideContested(at, plan, choice);
}

/** The same of the last run's word, without a look of one's own. */
export async function decideContested(
  at: Stage,
  plan: PlanChanges,
  choice: "keep-target" | "take-source",
): Promise<string | undefined> {
  const migration = at.world.migration(plan);
  const open = await contested(migration);
  expect(open).toHaveLength(1);
  await decide(
    migration,
    open.map((of) => ({ of, choice })),
  );
  await migration.close();
  return open[0]?.kind;
}

/** The change of a source object; undefined when it is unchanged or not looked at. */
export function changeOf(result: Result, source: string): AppliedChange | undefined {
  return result.changes.find((change) => change.source?.urn === source);
}

export function expectChange(
  result: Result,
  source: string,
  action: Action,
  reason: string | RegExp,
): AppliedChange {
  const change = wanted(changeOf(result, source), `change of ${source}`);
  expect({ action: change.action, reason: change.reason }).toEqual({ action, reason: matching(reason) });
  return change;
}

function matching(text: string | RegExp): unknown {
  return typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text);
}

/** The row of the mapping of a source object, journal included. */
export async function entryOf({ world }: Stage, source: string): Promise<MappingEntry | undefined> {
  const { mapping } = await readState(world.migration());
  return mapping.all(source)[0]?.entry;
}

/** The target twin of a source object. */
export async function twinOf(at: Stage, source: string): Promise<string> {
  return wanted((await entryOf(at, source))?.target, `twin of ${source}`);
}

/** What an operation refuses with. */
export async function refusal(work: () => Promise<unknown>): Promise<EngineError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}
