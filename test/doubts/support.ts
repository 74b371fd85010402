import type { WorldOptions } from "../support/world.ts";
import { expect } from "vitest";
import type { FaultEffect } from "../../src/emulator/index.ts";
import { isObject, type JsonObject } from "../../src/emulator/json.ts";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import { applyPlan, type ApplyPlanOptions } from "../../src/operations/apply.ts";
import { registry } from "../../src/kinds/index.ts";
import type { Environment, Feed, MovedKind } from "../../src/kinds/kind.ts";
import { Registry } from "../../src/kinds/registry.ts";
import type { Result } from "../../src/model/result.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { StorePoint } from "../../src/store/hooks.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedRule, seedTerm } from "../diff/support/content.ts";
import { apply, type Stage, stage, twinOf } from "../diff/support/run.ts";

const monitor = "/api/data-quality/v1/catalog-items/:item/dq-monitors/:monitor";

export const routes = {
  createTerms: "POST /api/catalog/v1/terms/bulk",
  patchTerm: "PATCH /api/catalog/v1/terms/:urn",
  readRule: "GET /api/data-quality/v1/rules/:urn",
  patchRule: "PATCH /api/data-quality/v1/rules/:urn",
  publishRule: "POST /api/data-quality/v1/rules/:urn/publish",
  patchMonitor: `PATCH ${monitor}`,
  publishMonitor: `POST ${monitor}/publish`,
  publishDashboard: "POST /api/data-quality/v1/dq-dashboards/:urn/publish",
} as const;

export const terms: PlanChanges = { select: { kinds: ["terms"] } };
export const rules: PlanChanges = { select: { kinds: ["rules"] } };

/** A rule that was moved. */
export async function movedRule(): Promise<{ readonly at: Stage; readonly urn: Urn; readonly twin: Urn }> {
  const at = await stage();
  const urn = seedRule(at.source, "Email");
  await apply(at, rules);
  return { at, urn, twin: (await twinOf(at, urn)) as Urn };
}

/** The next request of this route loses its answer in this way. */
export function lose({ world }: Stage, route: string, effect: FaultEffect): void {
  world.emulator.faults.add({ match: { route }, when: { times: 1 }, effect });
}

/** A request that is answered by nothing, and done later. */
export const late = { type: "late-commit", ms: 120 } as const;

/** What arrives late does not before this is called. */
export function held({
  world: { emulator },
}: {
  readonly world: Pick<Stage["world"], "emulator">;
}): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  emulator.on(async ({ phase, entry }) => {
    if (phase === "before-commit" && entry.fault === late.type) await promise;
  });
  return resolve;
}

/**
 * The next patch of a rule loses its answer in this way. A question comes before it: an empty patch that shows whether
 * somebody has a draft.
 */
export function losePatchOfRule({ world }: Stage, effect: FaultEffect): void {
  world.emulator.faults.add({
    match: { route: routes.patchRule },
    when: { skip: 1, times: 1 },
    effect,
  });
}

/** The bodies of the requests that a fault befell. */
export function befallen({ world }: Stage): readonly unknown[] {
  return world.emulator.log.entries.flatMap(({ fault, body }) => (fault === undefined ? [] : [body]));
}

/** What somebody else does right after the next commit of this route. */
export function afterCommit({ world }: Stage, route: string, act: () => void): void {
  const off = world.emulator.on(({ phase, entry: { route: reached, body } }) => {
    const changes = !isObject(body) || Object.keys(body).length > 0;
    if (phase !== "after-commit" || reached !== route || !changes) return;
    off();
    act();
  });
}

/** What happens as soon as the next request of this route arrives. */
export function onArrival({ world }: Stage, route: string, act: () => void): void {
  const off = world.emulator.on(({ entry }) => {
    if (entry.route !== route) return;
    off();
    act();
  });
}

/** An apply with something else about its migration; the log is cleared before. */
export async function applyWith(
  { world }: Stage,
  plan: PlanChanges,
  migration: WorldOptions,
  options: Partial<ApplyPlanOptions> = {},
): Promise<Result> {
  world.emulator.log.clear();
  return applyPlan(world.migration(plan, migration), { confirm: async () => true, ...options });
}

/** The answer to the next creation of terms is lost, and somebody makes terms of these names at that moment. */
export function loseBesideOthers({ world, target }: Stage, names: readonly string[]): void {
  const route = "POST /api/catalog/v1/terms/bulk";
  const effect = { type: "drop-after-commit" } as const;
  world.emulator.faults.add({ match: { route }, when: { times: 1 }, effect });
  const off = world.emulator.on(({ phase, entry }) => {
    if (phase !== "after-commit" || entry.route !== route) return;
    off();
    for (const name of names) seedTerm(target, name);
  });
}

/** An apply that dies when it comes by this point for the nth time: what comes after is never recorded. */
export async function killedAt(
  at: Stage,
  plan: PlanChanges,
  point: EnginePoint | StorePoint,
  nth = 1,
  options: Partial<ApplyPlanOptions> = {},
  migration: WorldOptions = {},
): Promise<void> {
  let seen = 0;
  const reached = (here: string): void => {
    if (here !== point) return;
    seen += 1;
    if (seen >= nth) throw new Error("killed");
  };
  await expect(applyWith(at, plan, { ...migration, hooks: { reached } }, options)).rejects.toThrow("killed");
}

/** The names of the entries of a map of parts, in alphabetical order. */
export function partNames(map: unknown): readonly string[] {
  const parts = isObject(map) ? Object.values(map) : [];
  return parts.map((part) => JSON.stringify(isObject(part) ? part["name"] : part).slice(1, -1)).sort();
}

/** What the diagnostics of the only change say. */
export function said({ changes }: Result): string {
  return changes.flatMap(({ diagnostics }) => diagnostics.map(({ summary }) => summary)).join("; ");
}

/** A parameter that a rule gets. */
export const more: JsonObject = { parameters: { more: { name: "more", dataType: "STRING" } } };

/** An export that a monitor gets from somebody else. */
export const foreign: JsonObject = {
  exportDefinitions: {
    foreign: { name: "Theirs", type: "INVALID_RECORDS", format: "CSV", enabled: true },
  },
};

/** Kinds with other listings: what stands in the way of a whole answer. */
export function withFeeds(change: (feed: Feed) => Feed): Registry {
  const feeds = new Map<Feed, Feed>();
  const changed = (feed: Feed): Feed => {
    const known = feeds.get(feed) ?? change(feed);
    feeds.set(feed, known);
    return known;
  };
  return new Registry([...registry.given(), ...registry.moved().map((kind) => changedKind(kind, changed))]);
}

/** Also as it is once it is opened for an environment. */
function changedKind(kind: MovedKind, changed: (feed: Feed) => Feed): MovedKind {
  const opens = {
    open: async (on: Environment) => changedKind((await kind.open?.(on)) ?? kind, changed),
  };
  return { ...kind, feed: changed(kind.feed), ...(kind.open === undefined ? {} : opens) };
}

/**
 * Lists that do not show an object, the first few times: they are not isolated from concurrent changes (document 2),
 * and a page that moves up skips one.
 */
export function hiding(urn: string, times = 1): Registry {
  let hidden = 0;
  return withFeeds((feed) => ({
    name: feed.name,
    async *pages(client, context) {
      for await (const page of feed.pages(client, context)) {
        const shown = page.filter((body) => body["urn"] !== urn || hidden >= times);
        hidden += page.length - shown.length;
        yield shown;
      }
    },
  }));
}
