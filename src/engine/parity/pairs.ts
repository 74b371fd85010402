import type { MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { Selection } from "../../model/plan.ts";
import type { MonitorPlace, ReadClient } from "../../service/index.ts";
import { bounded, looksAtOnce } from "../bounded.ts";
import type { Row } from "./chosen.ts";
import { chosenOf } from "./chosen.ts";
import { MonitorList } from "./monitor-list.ts";
import { printInUse } from "./print-in-use.ts";

/** A pair of monitors that the mapping knows, and where each of them is. */
export interface MonitorPair {
  readonly kind: string;
  readonly source: Placed;
  readonly target: Placed;
  /** Keys of sub-entities: UUID at the source to UUID at the target. */
  readonly keys: Readonly<Record<string, string>>;
  /** Of the one at the target with what it uses; undefined where it was not found. */
  readonly print: string | undefined;
}

export interface Placed {
  readonly urn: string;
  readonly name: string;
  /** Undefined where it was not found. */
  readonly place: MonitorPlace | undefined;
  /** Why it was not found, in a clause; empty where it was. */
  readonly why: string;
  /** None of its rules is switched on by now. */
  readonly isIdle: boolean;
}

interface Options {
  readonly registry: Registry;
  readonly mapping: MappingTable;
  readonly selection: Selection;
  readonly source: ReadClient;
  readonly target: ReadClient;
}

export interface MonitorPairs {
  readonly pairs: readonly MonitorPair[];
  /** Pairs that evaluate nothing at either side, such as primary monitors that nobody configured. */
  readonly idle: number;
  /** All that were moved, selected or not. */
  readonly moved: number;
}

/** The pairs of the kinds whose runs are evaluated, as the plan selects them. */
export async function pairsOf(options: Options): Promise<MonitorPairs> {
  const { registry, mapping, selection } = options;
  const kinds = registry.moved().filter(({ evaluated }) => evaluated !== undefined);
  const rows = kinds.flatMap((kind) => rowsOf(kind, mapping));
  if (rows.length === 0) return { pairs: [], idle: 0, moved: 0 };
  const source = new MonitorList(kinds, options.source, new Map(rows.map((row) => [row.source, row.kind])));
  const targets = new Map(rows.map((row) => [row.target, row.kind]));
  const target = new MonitorList(kinds, options.target, targets, (kind, urn, body) =>
    printInUse(kind, urn, body, mapping),
  );
  // Where no monitors are selected there is nothing to list; a selector of theirs fits nothing then.
  if (kinds.some(({ selectedAs }) => selection.kinds.includes(selectedAs)))
    await Promise.all([source.read(), target.read()]);
  const chosen = await chosenOf(rows, source, kinds, selection);
  await askForMissing(rows, chosen, source, target, mapping);
  const busy = chosen.filter(
    (row) => source.get(row.source)?.isIdle !== true || target.get(row.target)?.isIdle !== true,
  );
  const pairs = busy.map((row): MonitorPair => ({
    kind: row.kind.name,
    source: placed(source, row.source, row.name),
    target: placed(target, row.target, row.name),
    keys: row.keys,
    print: target.get(row.target)?.print,
  }));
  return { pairs, idle: chosen.length - busy.length, moved: rows.length };
}

function rowsOf(kind: MovedKind, mapping: MappingTable): readonly Row[] {
  return [...mapping.entries(kind.name)].map(([source, { target, name, keys = {} }]): Row => ({
    kind,
    source,
    target,
    name,
    keys,
  }));
}

function placed(list: MonitorList, urn: string, name: string): Placed {
  const seen = list.get(urn);
  return {
    urn,
    name: seen?.name ?? name,
    place: seen?.place,
    why: seen === undefined ? list.why(urn) : "",
    isIdle: seen?.isIdle === true,
  };
}

/**
 * A monitor is asked for through its catalog item. Which items are twins is told by the pairs that both lists show, and
 * where that is not enough by the primary monitors, which the items themselves name.
 */
async function askForMissing(
  rows: readonly Row[],
  chosen: readonly Row[],
  source: MonitorList,
  target: MonitorList,
  mapping: MappingTable,
): Promise<void> {
  const isOpen = (row: Row): boolean => !source.isKnown(row.source) || !target.isKnown(row.target);
  for (const elsewhere of [false, true]) {
    const missing = chosen.filter(isOpen);
    if (missing.length === 0) return;
    if (elsewhere) await Promise.all([source.readNames(), target.readNames()]);
    const [there, here] = [new Map<string, string>(), new Map<string, string>()];
    for (const row of rows) {
      const [from, to] = [source.itemOf(row.source), target.itemOf(row.target)];
      if (from === undefined || to === undefined) continue;
      there.set(from, to);
      here.set(to, from);
    }
    const asked = missing.flatMap((row) => {
      const [from, to] = [source.itemOf(row.source), target.itemOf(row.target)];
      return [
        {
          list: source,
          urn: row.source,
          item: from ?? twinOf(to, here, (urn) => mapping.claimedBy(urn)?.source),
        },
        { list: target, urn: row.target, item: to ?? twinOf(from, there, (urn) => mapping.twin(urn)) },
      ];
    });
    await bounded(asked, looksAtOnce, async ({ list, urn, item }) => {
      if (item !== undefined) await list.ask(urn, item);
    });
  }
}

function twinOf(
  item: string | undefined,
  twins: ReadonlyMap<string, string>,
  mapped: (urn: string) => string | undefined,
): string | undefined {
  return item === undefined ? undefined : (twins.get(item) ?? mapped(item));
}
