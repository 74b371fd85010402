import { display } from "../../model/display.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isArray, isExact, isObject, own, text } from "../../model/json.ts";
import type { Row } from "../kind.ts";
import { isNotTaken, isRefused } from "./answers.ts";
import { areUnlike, isOfOtherSort, sortOf } from "./column-fit.ts";
import type { KeySorts } from "./key-sorts.ts";
import { formsOf, namesOf, shown, valuesOf, valueText } from "./row-values.ts";

/** Types by attribute; undefined where the service does not tell (document 2: fields of a table are not shown). */
export type Columns = ReadonlyMap<string, string> | undefined;

export function columnsOf(table: JsonObject): Columns {
  const attributes = own(table, "attributes");
  if (!isArray(attributes)) return undefined;
  const columns = attributes.flatMap((attribute): [string, string][] => {
    if (!isObject(attribute)) return [];
    const name = text(attribute, "name");
    const type = text(attribute, "type") ?? text(attribute, "dataType") ?? "";
    return name === undefined ? [] : [[name, type.toUpperCase()]];
  });
  return columns.length === 0 ? undefined : new Map(columns);
}

/** Why a value will not be taken, as far as types are told. */
function misfit(value: Json, type: string | undefined): string | undefined {
  if (typeof value === "object" && !isExact(value)) return "is neither text, number nor truth value";
  return isOfOtherSort(value, type) ? `is no ${type}` : undefined;
}

/** The operators that an attribute is looked up by (document 2, "Filter operators on record attributes"). */
function operatorsOf(value: Json, type: string): string {
  if (sortOf(type) === "number" || typeof value === "number" || isExact(value)) return "number";
  if (typeof value === "boolean") return "boolean";
  return type.startsWith("DATE") ? "date" : "string";
}

function isDateLike(value: Json | undefined): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d(?:T|$)/.test(value);
}

/** How rows of one table are read: its key, and what is told of its attributes. */
export class ReferenceTable {
  readonly key: readonly string[];
  readonly #columns: Columns;
  readonly #seen = new Set<string>();
  /** Of a service that does not tell types: texts that look like dates are dates, as it has said. */
  #areDates = false;
  /** Instants are asked for in the form that they have at the source. */
  #asWritten = false;

  constructor(key: readonly string[], columns: Columns) {
    this.key = key;
    this.#columns = columns;
  }

  /** Of a service that does not tell: what was seen until now. */
  has(attribute: string): boolean {
    return this.#columns?.has(attribute) ?? this.#seen.has(attribute);
  }

  /** The service tells which attributes there are. */
  get isTold(): boolean {
    return this.#columns !== undefined;
  }

  /** Of a service that does not tell: whoever takes up what was begun, or takes it back, reads no rows of the source before. */
  async learn(
    pages: AsyncIterable<{ readonly items: readonly JsonObject[] }>,
    sorts: KeySorts,
  ): Promise<void> {
    for await (const { items } of pages) {
      for (const record of items) {
        for (const name of namesOf(record)) this.#seen.add(name);
        sorts.note(valuesOf(record));
      }
      return;
    }
  }

  lacks(attribute: string): boolean {
    return this.#columns !== undefined && !this.#columns.has(attribute);
  }

  /** What it says that an attribute holds. */
  typeOf(attribute: string): string | undefined {
    return this.#columns?.get(attribute);
  }

  /** No value of the one is a value of the other, as far as both tell. */
  isUnlike(attribute: string, other: ReferenceTable): boolean {
    return areUnlike(this.typeOf(attribute), other.typeOf(attribute));
  }

  text(attribute: string, value: Json): string {
    return valueText(value, this.#columns?.get(attribute) === "STRING");
  }

  /** `to` is the table that it is to be sent to. */
  rowOf(record: JsonObject, to?: ReferenceTable): Row {
    const values = valuesOf(record);
    if (this.#columns === undefined) for (const name of namesOf(record)) this.#seen.add(name);
    // One key on both sides, whatever each of them says that its column holds.
    const keyed = to ?? this;
    const noKey = this.#noKey(values);
    const key = noKey === undefined ? keyed.#keyIn(values) : undefined;
    const address = text(record, "urn") ?? "";
    const name = this.key.map((attribute) => shown(own(values, attribute))).join(" / ");
    const row = { key, name: name === "" ? address : name, values, address };
    const bad = to === undefined ? undefined : (noKey ?? to.#unfit(values));
    return bad === undefined ? row : { ...row, bad };
  }

  keyOf(values: JsonObject): string | undefined {
    return this.#noKey(values) === undefined ? this.#keyIn(values) : undefined;
  }

  #keyIn(values: JsonObject): string {
    return JSON.stringify(this.key.map((attribute) => this.text(attribute, own(values, attribute) ?? null)));
  }

  /** What its columns hold by now, where that is told; of a row that was written down before. */
  keyNow(values: JsonObject): { readonly key?: string } | undefined {
    const key = this.keyOf(values);
    if (key === undefined) return undefined;
    const isOther = this.key.some((name) => isOfOtherSort(own(values, name) ?? null, this.typeOf(name)));
    return isOther ? {} : { key };
  }

  #noKey(values: JsonObject): string | undefined {
    const empty = this.key.find((attribute) => {
      const value = own(values, attribute);
      return value === undefined || value === "";
    });
    return empty === undefined ? undefined : `its key attribute ${display(empty)} is empty`;
  }

  #unfit(values: JsonObject): string | undefined {
    for (const attribute of Object.keys(values)) {
      const value = values[attribute] ?? null;
      if (this.lacks(attribute))
        return `the target's table has no attribute ${display(attribute)}, and the row has a value in it`;
      const why = misfit(value, this.#columns?.get(attribute));
      if (why !== undefined) return `its ${display(attribute)} ${why}`;
    }
    return undefined;
  }

  /**
   * Asks for the rows with these keys. A service may take instants in one form alone, and one that tells no types may have a date where
   * a text is meant: it refuses the one and takes the other, and is asked in that way from then on. Throws ServiceError.
   */
  async ask<T>(
    rows: readonly { readonly values: JsonObject }[],
    by: (filter: JsonObject) => Promise<T>,
  ): Promise<T> {
    // Several ask at once: what the first refusal has taught counts for those that were on their way.
    const [asDates, asWritten] = [this.#areDates, this.#asWritten];
    const isAny = (has: (name: string, value: Json) => boolean): boolean =>
      rows.some(({ values }) => this.key.some((name) => has(name, own(values, name) ?? null)));
    try {
      return await by(this.filterOf(rows));
    } catch (error) {
      if (!isRefused(error)) throw error;
      const isAsBefore = this.#areDates === asDates && this.#asWritten === asWritten;
      if (!isAsBefore) return await this.ask(rows, by);
      if (!asWritten && isNotTaken(error) && isAny((name, value) => this.#allForms(name, value).length > 1))
        this.#asWritten = true;
      else if (this.#columns === undefined && !asDates && isAny((_name, value) => isDateLike(value)))
        [this.#areDates, this.#asWritten] = [true, false];
      else throw error;
      return await this.ask(rows, by);
    }
  }

  /** What finds the rows with these keys, and hardly any others. */
  filterOf(rows: readonly { readonly values: JsonObject }[]): JsonObject {
    const [only = "", ...more] = this.key;
    if (more.length === 0) {
      const values = rows.flatMap((row) => this.#forms(only, own(row.values, only) ?? null));
      const byType = [...Map.groupBy(values, (value) => operatorsOf(value, this.#typeOf(only, value)))];
      const filters = byType.map(([operators, list]) => attributeFilter(only, operators, { in: list }));
      return filters.length === 1 ? (filters[0] ?? {}) : { or: filters };
    }
    const each = rows.map(({ values }) => ({
      and: this.key.map((attribute) => {
        const value = own(values, attribute) ?? null;
        const operators = operatorsOf(value, this.#typeOf(attribute, value));
        const forms = this.#forms(attribute, value);
        return attributeFilter(attribute, operators, forms.length === 1 ? { equals: value } : { in: forms });
      }),
    }));
    return { or: each };
  }

  #forms(attribute: string, value: Json): readonly Json[] {
    return this.#asWritten ? [value] : this.#allForms(attribute, value);
  }

  #allForms(attribute: string, value: Json): readonly Json[] {
    return formsOf(value, this.#columns?.get(attribute) === "STRING");
  }

  #typeOf(attribute: string, value: Json): string {
    return this.#columns?.get(attribute) ?? (this.#areDates && isDateLike(value) ? "DATE" : "");
  }
}

function attributeFilter(attribute: string, operators: string, test: JsonObject): JsonObject {
  return { attribute: { attributeName: { equals: attribute }, [operators]: test } };
}
