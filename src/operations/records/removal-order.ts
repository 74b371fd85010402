import type { Leads } from "../../kinds/kind.ts";
import type { OpenedTable } from "./tables.ts";

/**
 * The order in which rows of tables are removed: whose rows lead to others go before these, so that none keeps another that goes in the
 * same run, and none loses a relation in a run that is killed in between. Where nothing tells, or they lead in a circle, the last of the
 * plan first. Throws ServiceError.
 */
export async function inRemovalOrder<T extends { readonly opened: OpenedTable }>(
  tables: readonly T[],
): Promise<readonly T[]> {
  const left = tables.toReversed();
  if (left.length < 2) return left;
  const before = await leaders(left.map(({ opened }) => opened));
  const ids = (): readonly string[] => left.map(({ opened }) => opened.table.id);
  const ordered: T[] = [];
  while (left.length > 0) {
    const at = firstOf(ids(), before);
    ordered.push(...left.splice(at, 1));
  }
  return ordered;
}

/** The ids of those whose rows lead to the rows of each. */
async function leaders(tables: readonly OpenedTable[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const before = new Map(tables.map(({ table }) => [table.id, new Set<string>()]));
  for (const { table, open } of tables) {
    const { here, to }: Leads = (await open?.leads?.()) ?? { here: [], to: [] };
    for (const other of here) before.get(table.id)?.add(other);
    for (const other of to) before.get(other)?.add(table.id);
  }
  return before;
}

/** The first to which none of the others leads, but for those to which it leads itself. */
function firstOf(ids: readonly string[], before: ReadonlyMap<string, ReadonlySet<string>>): number {
  const above = new Map(ids.map((id) => [id, allAbove(id, ids, before)]));
  return ids.findIndex((id) => [...(above.get(id) ?? [])].every((other) => above.get(other)?.has(id)));
}

function allAbove(
  id: string,
  ids: readonly string[],
  before: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (of: string): void => {
    for (const other of before.get(of) ?? []) {
      if (found.has(other) || !ids.includes(other)) continue;
      found.add(other);
      add(other);
    }
  };
  add(id);
  return found;
}
