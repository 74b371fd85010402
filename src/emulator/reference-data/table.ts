import type { Urn } from "../../model/urn.ts";
import { setEntry, type Json, type JsonObject } from "../json.ts";
import { firstAfter } from "../collection.ts";

/** Types of the attributes of a table (document 2, "Filter operators": string, number, date and boolean values). */
export type ColumnType = "STRING" | "NUMBER" | "INTEGER" | "DATE" | "DATETIME" | "BOOLEAN";

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Document 2, "Reference data record states". */
export type RecordState = "NEW" | "CHANGED" | "DELETED" | "UNCHANGED" | "REVIEW";

/** One record: what is in the draft dataset, and what is published. */
export interface TableRecord {
  readonly urn: Urn;
  /** Place in the order of creation. */
  readonly seq: number;
  draft: JsonObject;
  state: RecordState;
  published: JsonObject | undefined;
  /** While it is in a review: the state that it comes back with. */
  before: RecordState | undefined;
  /** The turn of the publication that is shown. */
  shown: number;
}

type Index = Map<string, Set<TableRecord>>;

/**
 * A reference-data table, quick with a million records: what is published is in order of creation, and a column that
 * is looked up by is indexed when that happens for the first time.
 */
export class Table {
  readonly urn: Urn;
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly #records = new Map<string, TableRecord>();
  readonly #inOrder: TableRecord[] = [];
  readonly #indexes = new Map<string, Index>();
  /** Nothing but these has anything in the draft that is not published. */
  readonly #open = new Set<TableRecord>();
  #published = 0;
  #turns = 0;

  constructor(urn: Urn, name: string, columns: readonly TableColumn[]) {
    this.urn = urn;
    this.name = name;
    this.columns = columns;
  }

  get publishedCount(): number {
    return this.#published;
  }

  get(urn: string): TableRecord | undefined {
    return this.#records.get(urn);
  }

  column(name: string): TableColumn | undefined {
    return this.columns.find((column) => column.name === name);
  }

  /** A record without a published version. */
  create(urn: Urn, seq: number, values: JsonObject): TableRecord {
    const record: TableRecord = {
      urn,
      seq,
      draft: clean(values),
      state: "NEW",
      published: undefined,
      before: undefined,
      shown: 0,
    };
    this.#records.set(urn, record);
    this.#inOrder.push(record);
    this.#open.add(record);
    return record;
  }

  /** Only the listed values change; one that is null is cleared. */
  change(record: TableRecord, values: JsonObject): void {
    record.draft = clean({ ...record.draft, ...values });
    if (record.state !== "NEW") record.state = "CHANGED";
    this.#open.add(record);
  }

  setState(record: TableRecord, state: RecordState): void {
    record.state = state;
    if (state === "UNCHANGED") this.#open.delete(record);
    else this.#open.add(record);
  }

  /** The place of a publication among those of the table. */
  turn(): number {
    this.#turns += 1;
    return this.#turns;
  }

  /**
   * What the published dataset shows of the record from now on; undefined takes it away. A publication that was asked for before the
   * one that is shown, and comes after it, shows nothing.
   */
  show(record: TableRecord, values: JsonObject | undefined, turn = this.turn()): void {
    if (turn < record.shown) return;
    record.shown = turn;
    if (record.published !== undefined) this.#unindex(record, record.published);
    this.#published += Number(values !== undefined) - Number(record.published !== undefined);
    record.published = values;
    if (values !== undefined) {
      for (const [name, index] of this.#indexes) put(index, valueKey(values[name]), record);
    }
    if (values === undefined && record.state === "DELETED") this.#forget(record);
  }

  /** Records with something in the draft, under review or waiting to be published. */
  open(): TableRecord[] {
    return [...this.#open].sort((left, right) => left.seq - right.seq);
  }

  records(): readonly TableRecord[] {
    return this.#inOrder;
  }

  /** Published records after a place, in order. */
  *publishedAfter(seq: number): Generator<TableRecord> {
    for (let at = firstAfter(this.#inOrder, seq); at < this.#inOrder.length; at += 1) {
      const record = this.#inOrder[at];
      if (record?.published !== undefined) yield record;
    }
  }

  /** Published records with this value in a column. */
  publishedWith(name: string, value: Json): Iterable<TableRecord> {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = new Map();
      for (const record of this.#inOrder) {
        if (record.published !== undefined) put(index, valueKey(record.published[name]), record);
      }
      this.#indexes.set(name, index);
    }
    return index.get(valueKey(value)) ?? [];
  }

  #unindex(record: TableRecord, values: JsonObject): void {
    for (const [name, index] of this.#indexes) index.get(valueKey(values[name]))?.delete(record);
  }

  #forget(record: TableRecord): void {
    this.#records.delete(record.urn);
    this.#open.delete(record);
    const at = firstAfter(this.#inOrder, record.seq - 1);
    if (this.#inOrder[at] === record) this.#inOrder.splice(at, 1);
  }
}

function put(index: Index, key: string, record: TableRecord): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, new Set([record]));
  else known.add(record);
}

/** Equal values have one key: 1 and 1.0 are one number, and nothing is null. */
export function valueKey(value: Json | undefined): string {
  return value === undefined || value === null ? "null" : `${typeof value}:${JSON.stringify(value)}`;
}

function clean(values: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(values)) if (value !== null) setEntry(result, name, value);
  return result;
}
