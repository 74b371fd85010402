import { EngineError } from "../../engine/progress.ts";
import { addressText } from "../../model/address.ts";
import { display } from "../../model/display.ts";
import type { Lease } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import type { OpenedTable, SelectedTable } from "./tables.ts";

const sides = ["source", "target"] as const;
type Servers = Readonly<Record<(typeof sides)[number], string>>;

/** Names what is kept of whose rows those of a table are; no table is called so. */
function serversOf(table: string): string {
  return `${table}--servers`;
}

/** The servers beside the platforms that the plan has its rows on; undefined where they are on the platforms. */
function servers({ plan }: Migration, { kind }: SelectedTable): Servers | undefined {
  const { source, target } = plan;
  if (kind.service === undefined || source.masterData === undefined || target.masterData === undefined)
    return undefined;
  return { source: addressText(source.masterData.baseUrl), target: addressText(target.masterData.baseUrl) };
}

/**
 * What is known of rows, and what runs did to them, is so of one server: at another one rows would be deleted that nobody made
 * there, and what people set would be taken for ours. What was kept by versions that did not write the server down is taken for
 * that of the plan.
 */
export async function refuseOtherServers(migration: Migration, selected: SelectedTable): Promise<void> {
  const now = servers(migration, selected);
  if (now === undefined) return;
  const kept = await migration.store.state.knownRows(serversOf(selected.table.id));
  if (kept === undefined) return;
  kept.close();
  const before = JSON.parse(kept.sense) as Partial<Servers>;
  const side = sides.find((one) => before[one] !== now[one]);
  if (side === undefined) return;
  throw new EngineError(
    side === "target" ? "wrong-target" : "wrong-source",
    `what was moved of "${selected.table.name}" stands on another master-data server: its ${side} was ${display(before[side] ?? "")}, the plan's is ${display(now[side])}`,
    "Check masterData.baseUrl in the plan; give environments that differ names that differ, or choose another folder with --mappings-dir.",
  );
}

/** Before the first row is written: what is kept from then on is of these servers. */
export async function keepServers(migration: Migration, lease: Lease, opened: OpenedTable): Promise<void> {
  const now = servers(migration, opened);
  if (now === undefined || opened.open === undefined) return;
  const { state, work } = migration.store;
  const name = serversOf(opened.table.id);
  const kept = await state.knownRows(name);
  kept?.close();
  if (kept !== undefined) return;
  const prints = await work.sortPrints();
  try {
    const none = await prints.finish();
    await state.saveKnownRows(lease, name, JSON.stringify(now), none);
    none.close();
  } finally {
    await prints.abandon();
  }
}
