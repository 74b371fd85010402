import { vi } from "vitest";
import type { ApplyPlanOptions } from "../../../src/operations/apply.ts";
import { applyPlan } from "../../../src/operations/apply.ts";
import { readState } from "../../../src/operations/state.ts";
import type { MappingTable } from "../../../src/model/mapping-table.ts";
import type { Result } from "../../../src/model/result.ts";
import { uuidOf } from "../../../src/model/urn.ts";
import type { PlanChanges, World } from "../../support/world.ts";
import { world } from "../../support/world.ts";
import { seedGiven } from "./given.ts";
import type { Sides } from "./likeness.ts";

/** Two environments with the same given things, and a plan that pairs them. */
export interface Scene extends Sides {
  readonly world: World;
  readonly plan: PlanChanges;
}

/** Runs on it and takes it down. */
export async function onScene<T>(plan: PlanChanges, work: (scene: Scene) => Promise<T>): Promise<T> {
  const made = await world("nothing");
  // The client waits between attempts by a random part of a second; here there is nobody to be kind to.
  const random = vi.spyOn(Math, "random").mockReturnValue(0.01);
  try {
    const [source, target] = [made.emulator.tenant("dev"), made.emulator.tenant("prod")];
    const given = { source: seedGiven(source, false), target: seedGiven(target, true) };
    const groups = { [uuidOf(given.source.group)]: uuidOf(given.target.group) };
    const pairing = { sources: {}, connections: {}, paths: [], groups };
    return await work({ world: made, plan: { ...plan, pairing }, source, target, given });
  } finally {
    random.mockRestore();
    await made.emulator.idle();
    await made.close();
  }
}

/** One run; an error that ends it is told like a result. */
export async function applyOnce(
  { world, plan }: Scene,
  options: Partial<ApplyPlanOptions> & { readonly stop?: AbortSignal } = {},
): Promise<Result | Error> {
  const { stop, ...others } = options;
  const migration = world.migration(plan, stop === undefined ? {} : { stop });
  try {
    return await applyPlan(migration, { confirm: async () => true, ...others });
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  } finally {
    await migration.close();
  }
}

export async function mappingOf({ world, plan }: Scene): Promise<MappingTable> {
  return (await readState(world.migration(plan))).mapping;
}

/** In one line, for the message of a failure. */
export function told(result: Result | Error): string {
  if (result instanceof Error) return `${result.name}: ${result.message}`;
  const changes = result.changes.map(({ action, kind, source, reason, outcome, diagnostics }) => {
    const said = diagnostics.map(({ summary }) => summary).join("; ");
    return `  ${action} ${kind} ${source?.name ?? ""}: ${outcome ?? ""} ${reason} (${said})`;
  });
  const found = result.diagnostics.map(({ severity, summary }) => `  ${severity}: ${summary}`);
  return [`exit ${result.exitCode}: ${result.headline ?? ""}`, ...changes, ...found].join("\n");
}

/** Requests that can change something: all but reads, the token, and the filter, which is a question in a body. */
export function writesTo({ world }: Scene, tenant: string): readonly string[] {
  return world.emulator.log.entries
    .filter((entry) => entry.tenant === tenant && entry.method !== "GET")
    .filter(({ path }) => !path.includes("/openid-connect/token") && !path.endsWith("/catalog-items/filter"))
    .map(({ method, path }) => `${method} ${path}`);
}
