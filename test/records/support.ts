import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import { expect, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { Table } from "../../src/emulator/reference-data/table.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Tenant } from "../../src/emulator/tenant.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import type { ApplyPlanOptions } from "../../src/operations/apply.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import type { TableRows } from "../../src/model/change.ts";
import type { PlanChanges, World } from "../support/world.ts";
import { world } from "../support/world.ts";
import type { Surroundings, WorldOptions } from "../support/world.ts";

export const columns = {
  code: "STRING",
  name: "STRING",
  area: "NUMBER",
  member: "BOOLEAN",
  since: "DATETIME",
} as const;

export const rows: readonly JsonObject[] = [
  { code: "DE", name: "Germany", area: 357_022, member: true, since: "1958-01-01T00:00:00Z" },
  { code: "FR", name: "France", area: 551_500 },
  { code: "CH", name: "Switzerland", member: false },
];

/** So many rows. */
export function countries(length: number): readonly { readonly code: string; readonly name: string }[] {
  return Array.from({ length }, (_, index) => ({ code: `C${index}`, name: `Country ${index}` }));
}

export interface RowsStage {
  readonly world: World;
  readonly dev: Tenant;
  readonly prod: Tenant;
  readonly source: Table;
  readonly target: Table;
  changes: PlanChanges;
  diff(changes?: PlanChanges): Promise<Result>;
  apply(options?: Partial<ApplyPlanOptions>, more?: WorldOptions): Promise<Result>;
  /** What the target has published, by key. */
  published(): Readonly<Record<string, JsonObject>>;
  writes(): number;
}

/** One table on both sides, with these rows. */
export async function rowsStage(
  options: {
    readonly source?: Iterable<JsonObject>;
    readonly target?: Iterable<JsonObject>;
    readonly publish?: "direct" | "review" | "approve";
    readonly key?: readonly string[];
    readonly remove?: boolean;
    readonly plan?: PlanChanges;
    readonly columns?: Parameters<typeof seed.seedReferenceTable>[1]["columns"];
  } & Surroundings = {},
): Promise<RowsStage> {
  const { kept = "memory", ...surroundings } = options;
  const made = await world("empty", { kept, ...surroundings });
  onTestFinished(() => made.close());
  const [dev, prod] = [made.emulator.tenant("dev"), made.emulator.tenant("prod")];
  prod.quirks.publishing = "at-once";
  const of = (tenant: Tenant, content: Iterable<JsonObject>): Table =>
    seed.seedReferenceTable(tenant, {
      name: "Countries",
      columns: options.columns ?? columns,
      rows: content,
    });
  const source = of(dev, options.source ?? rows);
  const target = of(prod, options.target ?? []);
  const table = {
    table: "Countries",
    key: [...(options.key ?? ["code"])],
    publish: options.publish ?? "direct",
  };
  const changes: PlanChanges = {
    select: { kinds: ["reference-data"] },
    records: { referenceData: [table], remove: options.remove ?? false },
    ...options.plan,
  };
  const stage: RowsStage = {
    world: made,
    dev,
    prod,
    source,
    target,
    changes,
    diff: async (more) => diffPlan(made.migration({ ...stage.changes, ...more })),
    apply: async (how, more) =>
      applyPlan(made.migration(stage.changes, more), { confirm: async () => true, verify: true, ...how }),
    published: () =>
      Object.fromEntries(
        target.records().flatMap(({ published }) => {
          const code = published?.["code"];
          return published === undefined ? [] : [[typeof code === "string" ? code : "", published]];
        }),
      ),
    writes: () => made.emulator.log.entries.filter(isWrite).length,
  };
  return stage;
}

const readers = /\/(published|draft)\/filter$|\/openid-connect\/token$|\/catalog-items\/filter$/;

export function isWrite({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method !== "GET" && !readers.test(path);
}

/** Ways in which the answer to a request that writes gets lost. */
export const losses = [
  ["before the service has it", { type: "drop-before-commit" }],
  ["after the service has it", { type: "drop-after-commit" }],
  ["to a gateway", { type: "status", code: 504, commit: true }],
  ["to a page of HTML", { type: "garbage" }],
  ["in the middle", { type: "truncate" }],
  ["and arrives late", { type: "late-commit", ms: 20 }],
] as const;

/** A run that ends after so many requests that write; what it had in flight comes to its end. */
export async function cut(stage: RowsStage, after: number): Promise<void> {
  const stop = new AbortController();
  let writes = 0;
  const off = stage.world.emulator.on(({ phase, entry }) => {
    if (phase === "received" && entry.path.endsWith("/draft/batch") && (writes += 1) === after) stop.abort();
  });
  const result = await stage.apply({ verify: false }, { stop: stop.signal });
  off();
  expect(result.exitCode).toBe(exitCodes.interrupted);
}

/** With which codes it ended, run again until it is done; six times at most. */
export async function untilDone(apply: () => Promise<Result>): Promise<readonly number[]> {
  const codes: number[] = [];
  for (let run = 0; run < 6 && codes.at(-1) !== exitCodes.done; run += 1)
    codes.push((await apply()).exitCode);
  return codes;
}

export function countsOf({ changes }: Result): TableRows | undefined {
  return changes.find(({ records }) => records !== undefined)?.records;
}

export function recordOf(table: Table, code: string): ReturnType<Table["get"]> {
  return table.records().find((record) => (record.published ?? record.draft)["code"] === code);
}

class Killed extends Error {}

/** Whether a run dies that is killed when it comes by this point for the n-th time; undefined when it never does. */
export async function diesAt(
  point: EnginePoint,
  nth: number,
  run: (hooks: { reached(at: string): void }) => Promise<unknown>,
): Promise<boolean | undefined> {
  let seen = 0;
  const reached = (at: string): void => {
    if (at !== point) return;
    seen += 1;
    // What a dead process would have done after this never happens.
    if (seen >= nth) throw new Killed();
  };
  const isDead = await run({ reached }).then(
    () => false,
    (error: unknown) => error instanceof Killed,
  );
  return seen < nth ? undefined : isDead;
}
