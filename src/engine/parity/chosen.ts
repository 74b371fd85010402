import type { MovedKind } from "../../kinds/kind.ts";
import { keyText } from "../../model/key.ts";
import type { Selection, Selector } from "../../model/plan.ts";
import type { Selectable } from "../read/selection.ts";
import { select } from "../read/selection.ts";
import type { MonitorList } from "./monitor-list.ts";

/** A row of the mapping. */
export interface Row {
  readonly kind: MovedKind;
  readonly source: string;
  readonly target: string;
  readonly name: string;
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * The rows that the plan selects, as a diff selects them: by what monitors are called at the source now, and not when
 * they were moved. A selector that fits no monitor there is refused.
 */
export async function chosenOf(
  rows: readonly Row[],
  source: MonitorList,
  kinds: readonly MovedKind[],
  selection: Selection,
): Promise<readonly Row[]> {
  const own = new Set(kinds.map(({ selectedAs }) => selectedAs));
  const isAbout = ({ kind }: Pick<Selector, "kind">): boolean => kind === undefined || own.has(kind);
  const isMixed = selection.kinds.some((kind) => !own.has(kind));
  // Of other kinds nothing is read here: what is about them, or may be, has to fit none of these.
  const narrowed = (selector: Selector): Selector =>
    isAbout(selector) && !(selector.kind === undefined && isMixed)
      ? selector
      : { ...selector, mayBeIdle: true };
  const selectors = [...selection.include, ...selection.exclude];
  const isSelected = selection.kinds.some((kind) => own.has(kind));
  const isNamed =
    isSelected && selectors.some((selector) => selector.name !== undefined && isAbout(selector));
  if (isNamed) await source.readNames();
  const objects: Selectable[] = [];
  for (const { kind, source: urn, name } of rows)
    objects.push(selectable(kind, urn, source.nameOf(urn) ?? name));
  for (const [urn, { kind, name }] of source.others)
    objects.push(selectable(kind, urn, source.nameOf(urn) ?? name));
  const { why } = select(objects, {
    ...selection,
    include: selection.include.map(narrowed),
    exclude: selection.exclude.map(narrowed),
    dependencies: "mapped-only",
  });
  return rows.filter(({ kind, source: urn }) => why.has(keyText(kind.name, urn)));
}

function selectable({ selectedAs, name: kind }: MovedKind, urn: string, name: string): Selectable {
  return { selectedAs, kind, owns: true, urn, name, refersTo: [] };
}
