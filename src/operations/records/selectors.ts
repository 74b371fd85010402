import { glob } from "../../engine/read/selection.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { Plan, Selector } from "../../model/plan.ts";

/** One without a kind is about all kinds, tables among them. */
export function isAboutTables({ kind }: Selector, selectedAs: string): boolean {
  return kind === undefined || kind === selectedAs;
}

/** A table has a name in the plan, and no URN. */
export function fitsTable(selector: Selector, selectedAs: string, table: string): boolean {
  const { name, urns } = selector;
  return (
    isAboutTables(selector, selectedAs) &&
    urns === undefined &&
    (name === undefined || glob(name).test(table))
  );
}

/** What a selector means may be tables alone, which are no objects: that it matches none of these is no mistake. */
export function withoutRows(plan: Plan, registry: Registry): Plan {
  const { kinds, include, exclude } = plan.select;
  const records = registry.records();
  const tables = records
    .filter(({ selectedAs }) => kinds.includes(selectedAs))
    .flatMap((kind) => kind.tables(plan).map(({ name }) => ({ kind: kind.selectedAs, name })));
  const isIdle = (selector: Selector): boolean =>
    // Those that name the kind are asked for their tables by themselves (`tables.ts`).
    records.some(({ selectedAs }) => selector.kind === selectedAs) ||
    tables.some(({ kind, name }) => fitsTable(selector, kind, name));
  const idle = (selector: Selector): Selector =>
    isIdle(selector) ? { ...selector, mayBeIdle: true } : selector;
  return { ...plan, select: { ...plan.select, include: include.map(idle), exclude: exclude.map(idle) } };
}
