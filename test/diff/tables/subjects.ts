import { standsAlone } from "../../../src/engine/facets/standing.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { SourceState, TargetState } from "../support/cells.ts";
import {
  attributeMetadata,
  dashboards,
  entities,
  folders,
  itemMetadata,
  monitors,
  primaries,
  rules,
  sqlItems,
  stewardship,
  termAssignments,
  termDenylist,
  terms,
} from "./sorts.ts";
import { type Sort, Tables } from "./tables.ts";

/** What the matrix looks at, a kind each. */
export interface Subject {
  readonly sort: Sort;
  readonly select: readonly string[];
  /** What its objects refer to: moved before anything else. */
  readonly needs: readonly (readonly [Sort, string])[];
  /** The object that is looked at, and one beside it that nobody touches. */
  readonly label: string;
  readonly neighbour: string;
  /** The fields that `mark` makes differ. */
  readonly fields: readonly string[];
  /** It comes and goes with this given thing. */
  readonly with?: string;
}

/** Versions of a body, told apart by their lengths where a field holds a number. */
export const marks = { source: "at home", target: "over there", twin: "other" } as const;

const named = { label: "Subject", neighbour: "Neighbour", needs: [], fields: ["description"] } as const;

const overlaid = {
  ...named,
  label: "CUSTOMER",
  neighbour: "SALES_ORDER",
  with: "CUSTOMER",
} as const;

export const subjects: readonly Subject[] = [
  { ...named, sort: terms, select: ["terms"] },
  { ...named, sort: folders, select: ["folders"] },
  { ...named, sort: rules, select: ["rules"] },
  {
    ...named,
    sort: monitors,
    select: ["rules", "monitors"],
    needs: [[rules, "Email"]],
    fields: ["invalidSamplesConfiguration"],
  },
  {
    sort: primaries,
    select: ["rules", "monitors"],
    needs: [],
    label: "CUSTOMER",
    neighbour: "SALES_ORDER",
    fields: ["invalidSamplesConfiguration"],
    with: "CUSTOMER",
  },
  { ...named, sort: dashboards, select: ["dashboards"] },
  {
    sort: termAssignments,
    select: ["terms", "term-assignments"],
    needs: ["E-mail", marks.source, marks.target].map((label) => [terms, label]),
    label: "CUSTOMER.EMAIL",
    neighbour: "CUSTOMER.NAME",
    fields: ["termUrns"],
  },
  {
    sort: termDenylist,
    select: ["terms", "term-denylist"],
    needs: ["E-mail", marks.source, marks.target].map((label) => [terms, label]),
    label: "CUSTOMER.EMAIL",
    neighbour: "CUSTOMER.NAME",
    fields: ["termUrns"],
  },
  {
    ...named,
    sort: sqlItems,
    select: ["terms", "folders", "sql-items"],
    needs: [
      [folders, "Views"],
      [terms, "Explained"],
    ],
  },
  {
    ...named,
    sort: entities,
    select: ["terms", "entities"],
    needs: [[terms, "Explained"]],
    fields: ["properties"],
  },
  { ...overlaid, sort: itemMetadata, select: ["item-metadata"] },
  {
    ...overlaid,
    sort: attributeMetadata,
    select: ["attribute-metadata"],
    label: "CUSTOMER.EMAIL",
    neighbour: "CUSTOMER.NAME",
    with: "CUSTOMER.EMAIL",
  },
  { ...overlaid, sort: stewardship, select: ["stewardship"], fields: ["groupUrn"] },
];

/** Both sides in the states of a cell; the object at the source, and its twin. */
export function arrange(
  { sort, needs, label, neighbour, with: item }: Subject,
  from: SourceState,
  to: TargetState,
): { readonly tables: Tables; readonly urn: Urn; readonly twin: Urn } {
  const tables = new Tables();
  const { source, target } = tables;
  for (const [needed, name] of [...needs, [sort, neighbour] as const]) tables.moved(needed, name);
  if (from === "new") {
    tables.put(source, sort, label);
    // What lies over something is there before it is moved.
    if (!standsAlone(sort.kind)) tables.put(target, sort, label);
  } else tables.moved(sort, label);

  if (from === "changed") tables.put(source, sort, label, marks.source);
  if (from === "gone") tables.drop(source, sort, label);
  if (to === "changed") tables.put(target, sort, label, marks.target);
  if (to === "gone") {
    tables.drop(target, sort, label);
    if (item !== undefined) tables.targetLacks(item);
  }
  if (to === "twin" || to === "two-twins") tables.put(target, sort, "Another", undefined, label);
  if (to === "two-twins") tables.put(target, sort, "A third", undefined, label);
  if (to === "other-twin") tables.put(target, sort, "Another", marks.twin, label);
  return { tables, urn: sort.urn(source, label), twin: sort.urn(target, label) };
}
