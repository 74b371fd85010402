import { stableText } from "../../model/canonical.ts";
import { spelt } from "../../model/exact-number.ts";
import type { Json } from "../../model/json.ts";
import { isExact, own } from "../../model/json.ts";
import type { MasterDataReadClient, MasterEntity, StoredRecord, WantedRecords } from "../../service/index.ts";
import { isNotTaken } from "./answers.ts";
import { addressPieces } from "./address-pieces.ts";
import { keyText } from "./master-rows.ts";
import type { ColumnText } from "./master-rows.ts";
import { seamed, uncarried } from "./record-query.ts";
import { formsOf, shown } from "./row-values.ts";

/** Keys of one look-up: of a search they stand in its body, of a list in its address. */
export function perLookUp(preload: readonly string[]): number {
  return preload.length === 0 ? 500 : 100;
}

/**
 * What the target has under keys, by the text of its key. Values of several columns combine, so more is found than is
 * meant, and what is not is left out. A key that no request can carry is not asked for: it would have all others refused. A search takes any value; relations come along with a list alone, where a `*`
 * finds more than it says.
 */
export async function mastersByKey(
  client: MasterDataReadClient,
  of: MasterEntity,
  columns: readonly string[],
  keys: readonly (readonly Json[])[],
  textOf: ColumnText,
  preload: readonly string[] = [],
): Promise<ReadonlyMap<string, readonly StoredRecord[]>> {
  const carried = keys.filter(isCarried);
  if (carried.length === 0) return new Map();
  return inForms(columns, carried, textOf, async (forms) =>
    searched(client, of, columns, carried, { textOf, preload, forms }),
  );
}

async function searched(
  { records }: MasterDataReadClient,
  of: MasterEntity,
  columns: readonly string[],
  keys: readonly (readonly Json[])[],
  {
    textOf,
    preload,
    forms,
  }: { readonly textOf: ColumnText; readonly preload: readonly string[]; readonly forms: Forms },
): Promise<ReadonlyMap<string, readonly StoredRecord[]>> {
  const found = new Map<string, StoredRecord[]>();
  // What a search is asked for stands in its body.
  const parts = preload.length === 0 ? [keys] : inAddresses(keys, forms);
  for (const some of parts) {
    if (some.length === 0) continue;
    const wanted = new Set(some.map((key) => keyText(columns, byColumn(columns, key), textOf)));
    const valuesOf = (index: number): readonly Json[] => [
      ...new Map(
        some.flatMap((key) => forms(key[index] ?? "", index).map((form) => [shown(form), form] as const)),
      ).values(),
    ];
    const pages =
      preload.length === 0
        ? records.search(
            of,
            Object.fromEntries(columns.map((name, index) => [name, valuesOf(index).map(scalar)])),
            seamed,
          )
        : records.records(
            of,
            {
              matching: Object.fromEntries(columns.map((name, index) => [name, valuesOf(index).map(shown)])),
              preload,
            },
            seamed,
          );
    for await (const page of pages)
      for (const record of page.records) {
        const text = keyText(
          columns,
          byColumn(
            columns,
            columns.map((name) => own(record.attributes, name) ?? null),
          ),
          textOf,
        );
        if (text === undefined || !wanted.has(text)) continue;
        found.set(text, [...(found.get(text) ?? []), record]);
      }
  }
  return found;
}

/**
 * Of these keys those that a list shows which is filtered as the plan says. No request names a column twice: what is known to fit a filter
 * of its key (`doFit`: it was in such a list) is asked for by its key, and the list is not read once more for each look.
 */
export async function keysInList(
  client: MasterDataReadClient,
  of: MasterEntity,
  columns: readonly string[],
  keys: readonly (readonly Json[])[],
  textOf: ColumnText,
  matching: Readonly<Record<string, readonly string[]>>,
  { doFit }: { readonly doFit: boolean },
): Promise<ReadonlySet<string>> {
  return inForms(columns, keys, textOf, async (forms) =>
    listed(client, of, columns, keys, { textOf, matching, doFit, forms }),
  );
}

async function listed(
  { records }: MasterDataReadClient,
  of: MasterEntity,
  columns: readonly string[],
  keys: readonly (readonly Json[])[],
  {
    textOf,
    matching,
    doFit,
    forms,
  }: {
    readonly textOf: ColumnText;
    readonly matching: Readonly<Record<string, readonly string[]>>;
    readonly doFit: boolean;
    readonly forms: Forms;
  },
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const some of inAddresses(keys, forms)) {
    const wanted = new Set(some.map((key) => keyTextOf(columns, key, textOf)));
    // A column with a value that a list cannot be asked for is not asked for, nor one of whose filter nobody knows whether these
    // fit it: more comes, and is left out.
    const equal = new Map(
      columns
        .map((name, index) => {
          const all = some.flatMap((key) => forms(key[index] ?? null, index));
          return [name, [...new Set(all.map((form) => shown(form)))]] as const;
        })
        .filter(([name, values]) => !values.some(cannotBeAsked) && (doFit || !Object.hasOwn(matching, name))),
    );
    const others = Object.entries(matching).filter(([name]) => !equal.has(name));
    const query = { matching: Object.fromEntries(others), equal: Object.fromEntries(equal) };
    for await (const page of records.records(of, query, seamed))
      for (const { attributes } of page.records) {
        const text = keyText(columns, attributes, textOf);
        if (text !== undefined && wanted.has(text)) found.add(text);
      }
  }
  return found;
}

export function isCarried(key: readonly Json[]): boolean {
  return key.every((value) => uncarried(shown(value)) === undefined);
}

function cannotBeAsked(value: string): boolean {
  return value === "" || value.includes("*") || uncarried(value) !== undefined;
}

type Forms = (value: Json, index: number) => readonly Json[];

/** Asks in all forms in which a server may have written the values; where it takes one alone, in that of the source. */
async function inForms<T>(
  columns: readonly string[],
  keys: readonly (readonly Json[])[],
  textOf: ColumnText,
  ask: (forms: Forms) => Promise<T>,
): Promise<T> {
  const forms: Forms = (value, index) =>
    formsOf(value, textOf(columns[index] ?? "", value) === stableText(value));
  try {
    return await ask(forms);
  } catch (error) {
    const isAny = keys.some((key) => key.some((value, index) => forms(value, index).length > 1));
    if (!isNotTaken(error) || !isAny) throw error;
    return ask((value) => [value]);
  }
}

function inAddresses(
  keys: readonly (readonly Json[])[],
  forms: Forms,
): readonly (readonly (readonly Json[])[])[] {
  return addressPieces(keys, (key) =>
    key.flatMap((value, at) => forms(value, at).map((form) => shown(form))),
  );
}

export function keyTextOf(columns: readonly string[], key: readonly Json[], textOf: ColumnText): string {
  return keyText(columns, byColumn(columns, key), textOf) ?? "";
}

function byColumn(columns: readonly string[], key: readonly Json[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(columns.map((name, index) => [name, key[index] ?? null]));
}

/** A number stays one: no document says that text is looked for as a number where a column holds these. */
function scalar(value: Json): WantedRecords[string][number] {
  if (isExact(value)) return JSON.rawJSON(spelt(value));
  return typeof value === "number" || typeof value === "boolean" ? value : shown(value);
}
