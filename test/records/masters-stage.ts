import { onTestFinished } from "vitest";
import type { MasterData } from "../../src/emulator/index.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { asText } from "../../src/emulator/json.ts";
import type { ColumnType } from "../../src/emulator/master-data/model.ts";
import type { MasterRow } from "../../src/emulator/master-data/rows.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Result } from "../../src/model/result.ts";
import type { ApplyPlanOptions } from "../../src/operations/apply.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import type { DiffPlanOptions } from "../../src/operations/diff.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import type { World, WorldOptions } from "../support/world.ts";
import { world } from "../support/world.ts";

type Entity = Plan["records"]["masterData"][number];
export type InstanceEntity = Extract<Entity, { layer: "instance" }>;
export type MasterEntity = Extract<Entity, { layer: "master" }>;

export const [crm, crmProd] = ["crm#party#Dev", "crm#party#Prod"];
export const [adr, adrProd] = ["crm#address#Dev", "crm#address#Prod"];

export const party: InstanceEntity = {
  layer: "instance",
  entity: "party",
  origins: { [crm]: crmProd },
  columns: ["src_*"],
  filter: {},
  relationships: [],
  overrides: false,
  activity: false,
};
export const address: InstanceEntity = { ...party, entity: "address", origins: { [adr]: adrProd } };

/** Made by people alone: nothing is merged into them. */
export const segment: MasterEntity = {
  layer: "master",
  view: "codes",
  entity: "segment",
  key: ["cmo_code"],
  columns: ["cmo_*"],
  filter: {},
  authored: "all",
  relationships: [],
  overrides: false,
  activity: false,
};
/** Beside those that are merged. */
export const masterParty: MasterEntity = {
  layer: "master",
  view: "masters",
  entity: "party",
  key: ["cmo_code"],
  columns: ["cmo_*"],
  filter: { published_by: "steward*" },
  relationships: [],
  overrides: false,
  activity: false,
};

const texts = (...names: readonly string[]) => names.map((name) => ({ name, type: "STRING" as const }));

/** Masters of one entity, `org`, that lead to one another. */
export const orgModel = {
  entities: [{ name: "org", columns: texts("src_name"), computed: [], rules: [] }],
  relationships: [
    { name: "org_tree", parent: "org", child: "org", parentRole: "boss", childRole: "reports" },
  ],
  views: [{ name: "v", entities: [{ name: "org", columns: texts("cmo_code", "cmo_name") }] }],
};

export interface Stage {
  readonly made: World;
  readonly dev: MasterData;
  readonly prod: MasterData;
  plan: Plan;
  /** With other entities from now on. */
  name(...entities: readonly Entity[]): void;
  diff(options?: DiffPlanOptions): Promise<Result>;
  apply(options?: Partial<ApplyPlanOptions>, world?: WorldOptions): Promise<Result>;
  /** Of the last run where none is named. */
  back(allowDelete?: boolean, run?: string): Promise<Result>;
  /** Requests that change something. */
  writes(): number;
}

export async function stage(entities: readonly Entity[], remove = false): Promise<Stage> {
  const made = await world("empty", { kept: "memory", masterData: {} });
  onTestFinished(() => made.close());
  const { emulator } = made;
  const here: Stage = {
    made,
    dev: emulator.masterData("dev"),
    prod: emulator.masterData("prod"),
    plan: made.plan({
      select: { kinds: ["master-data"] },
      records: { referenceData: [], masterData: [...entities], remove },
    }),
    name: (...others) => {
      here.plan = { ...here.plan, records: { ...here.plan.records, masterData: [...others] } };
    },
    diff: async (options) => diffPlan(made.migration({}, { plan: here.plan }), options),
    apply: async (options, more) =>
      applyPlan(made.migration({}, { plan: here.plan, ...more }), {
        confirm: async () => true,
        verify: true,
        ...options,
      }),
    back: async (allowDelete = true, run?: string) =>
      rollbackRun(made.migration({}, { plan: here.plan }), { run, allowDelete, confirm: async () => true }),
    writes: () => emulator.log.entries.filter(isWrite).length,
  };
  return here;
}

export function isWrite({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method !== "GET" && !/\/(search|identify|filter)$|openid-connect\/token$/.test(path);
}

export function put(
  data: MasterData,
  sourceId: string,
  attributes: JsonObject,
  more: Partial<books.SeedInstance> = {},
): ReturnType<typeof books.putInstance> {
  const origin = data.name === "dev" ? crm : crmProd;
  return books.putInstance(data, { entity: "party", origin, sourceId, attributes, ...more });
}

export function author(data: MasterData, attributes: JsonObject, entity = "segment"): MasterRow {
  return books.authorMaster(data, { entity, attributes, by: "steward" });
}

/** What people have authored, by its code: whoever wrote it, and whatever its id is. */
export function authored(
  data: MasterData,
  entity = "segment",
): Readonly<Record<string, JsonObject & { readonly active: boolean }>> {
  const rows = (data.masters(entity)?.rows ?? []).filter((row) => row.authored !== undefined);
  return Object.fromEntries(
    rows.map((row) => {
      const values = row.authored?.values ?? {};
      const active = row.activity ?? row.authored?.active ?? true;
      return [asText(values["cmo_code"]), { ...values, active }];
    }),
  );
}

/** The code of segments is of this type from now on. */
export function codesAre(data: MasterData, type: ColumnType): void {
  columnIs(data, "segment", "cmo_code", type);
}

/** Of masters of an entity. */
export function columnIs(data: MasterData, entity: string, name: string, type: ColumnType): void {
  const views = data.model.views.map((view) => ({
    ...view,
    entities: view.entities.map((one) => ({
      ...one,
      columns:
        one.name === entity
          ? one.columns.map((column) => (column.name === name ? { ...column, type } : column))
          : one.columns,
    })),
  }));
  data.model = { ...data.model, views };
}
