import { EngineError } from "../../engine/progress.ts";
import { MadeRelations } from "../../engine/records/made-relations.ts";
import type { BothSides, OpenTable, RecordedRelations, RecordsKind, RowTable } from "../../kinds/kind.ts";
import type { Selector } from "../../model/plan.ts";
import type { ReadClient } from "../../service/index.ts";
import { ServiceError } from "../../service/index.ts";
import type { Migration } from "../migration.ts";
import { fitsTable, isAboutTables } from "./selectors.ts";

/** A table that the plan names and selects. */
export interface SelectedTable {
  readonly kind: RecordsKind;
  readonly table: RowTable;
}

/** One that was found on both sides, or why it was not. */
export type OpenedTable = SelectedTable &
  (
    | { readonly open: OpenTable; readonly why?: undefined }
    | { readonly open?: undefined; readonly why: { readonly unusable: string; readonly suggestion: string } }
  );

type PlanOf = Pick<Migration, "plan" | "registry">;

/** Throws where a selector fits no table of the plan. */
export function selectedTables(migration: PlanOf): readonly SelectedTable[] {
  const { kinds, include, exclude } = migration.plan.select;
  for (const kind of migration.registry.records()) {
    if (!kinds.includes(kind.selectedAs)) continue;
    const tables = kind.tables(migration.plan);
    for (const selector of [...include, ...exclude])
      if (selector.kind === kind.selectedAs) refuseIdle(kind, tables, selector);
  }
  return plannedTables(migration).filter((one) => isSelected(migration, one));
}

/** Whether a run of the plan looks at a table that it names. */
export function isSelected({ plan }: PlanOf, { kind: { selectedAs }, table }: SelectedTable): boolean {
  const { kinds, include, exclude } = plan.select;
  const fits = (selector: Selector): boolean => fitsTable(selector, selectedAs, table.name);
  const narrowing = include.filter((selector) => isAboutTables(selector, selectedAs));
  return (
    kinds.includes(selectedAs) && (narrowing.length === 0 || narrowing.some(fits)) && !exclude.some(fits)
  );
}

function refuseIdle({ selectedAs }: RecordsKind, tables: readonly RowTable[], selector: Selector): void {
  if (tables.some(({ name }) => fitsTable(selector, selectedAs, name))) return;
  const names = tables.map(({ name }) => `"${name}"`).join(", ");
  const { name, urns } = selector;
  throw new EngineError(
    "selection",
    `no table of ${selectedAs} in the plan ${urns === undefined ? `matches "${name ?? ""}"` : "goes by a URN"}`,
    `Correct the selector, or take it out. Tables: ${names}.`,
  );
}

/** All that the plan names, selected or not. */
export function plannedTables({ plan, registry }: PlanOf): readonly SelectedTable[] {
  return registry.records().flatMap((kind) => kind.tables(plan).map((table) => ({ kind, table })));
}

/** Finds it on both sides: what is missing is known before anything is written. */
export async function openTable(
  migration: Migration,
  selected: SelectedTable,
  client: ReadClient,
  recorded: RecordedRelations = relationsOf(migration),
): Promise<OpenedTable> {
  const [source, target] = [migration.masterDataReads("source"), migration.masterDataReads("target")];
  const sides: BothSides = {
    source: { platform: migration.source(), ...(source === undefined ? {} : { masterData: source }) },
    target: { platform: client, ...(target === undefined ? {} : { masterData: target }) },
  };
  try {
    const open = await selected.table.open(sides, migration.plan, recorded);
    return "unusable" in open ? { ...selected, why: open } : { ...selected, open };
  } catch (error) {
    // What one table is denied says nothing of the others.
    if (!(error instanceof ServiceError) || !["permission", "refused", "not-found"].includes(error.kind))
      throw error;
    const suggestion =
      error.kind === "permission"
        ? "Give the account of the plan the permission to read it, or leave the table out with select.exclude."
        : "Correct it in the plan, or leave the table out with select.exclude.";
    return { ...selected, why: { unusable: error.message, suggestion } };
  }
}

/** Which relations runs on record have made. `compared`: tables of which a run is taken back, once what goes of them is known. */
export function relationsOf({ store }: Migration, compared?: ReadonlySet<string>): RecordedRelations {
  return new MadeRelations({
    logs: async (id) => (await store.state.rowLogs()).filter(({ table }) => table === id),
    ...(compared === undefined
      ? {}
      : { lines: (id) => (compared.has(id) ? store.work.readRows(id) : undefined) }),
  });
}
