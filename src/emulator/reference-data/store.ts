import type { Urn } from "../../model/urn.ts";
import { asText, compact, type Json, type JsonObject } from "../json.ts";
import { notFound } from "../problem.ts";
import type { RecordState, Table, TableRecord } from "./table.ts";

/** When the published dataset shows what was published (document 2: after a short delay). */
export type Delay = "at-once" | { readonly afterReads: number } | { readonly afterMilliseconds: number };

interface Pending {
  readonly table: Table;
  readonly shown: readonly { readonly record: TableRecord; readonly values: JsonObject | undefined }[];
  readonly turn: number;
  readsLeft: number;
  readonly until: number;
}

/** A review task: copies of records that wait for somebody to approve them. */
export interface Review {
  readonly urn: Urn;
  readonly table: Table;
  readonly records: Set<TableRecord>;
  readonly name: string;
  readonly priority: string;
  readonly description: string;
  readonly createdAt: string;
}

/** The reference data of a tenant. */
export class ReferenceData {
  readonly tables = new Map<Urn, Table>();
  readonly reviews = new Map<Urn, Review>();
  /** Publishing is asynchronous: what was accepted and is not shown yet, in order. */
  #pending: Pending[] = [];
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  table(urn: string): Table {
    const table = this.tables.get(urn as Urn);
    if (table === undefined) throw notFound(`The table ${urn} does not exist.`);
    return table;
  }

  publish(table: Table, records: readonly TableRecord[], delay: Delay): void {
    const shown = records.map((record) => ({
      record,
      values: record.state === "DELETED" ? undefined : record.draft,
    }));
    for (const { record, values } of shown) if (values !== undefined) table.setState(record, "UNCHANGED");
    const readsLeft = typeof delay === "object" && "afterReads" in delay ? delay.afterReads : 0;
    const wait = typeof delay === "object" && "afterMilliseconds" in delay ? delay.afterMilliseconds : 0;
    this.#pending.push({ table, shown, turn: table.turn(), readsLeft, until: this.#clock() + wait });
    if (delay === "at-once") this.#showDue();
  }

  /** A look at the published dataset. */
  look(table: Table): void {
    for (const pending of this.#pending) if (pending.table === table) pending.readsLeft -= 1;
    this.#showDue();
  }

  /** As if enough time had gone by. */
  settle(): void {
    for (const { table, shown, turn } of this.#pending)
      for (const { record, values } of shown) table.show(record, values, turn);
    this.#pending = [];
  }

  /** Of one table in order; no table waits for another one, which nobody may look at any more. */
  #showDue(): void {
    const waiting = new Set<Table>();
    this.#pending = this.#pending.filter(({ table, shown, turn, readsLeft, until }) => {
      if (readsLeft > 0 || this.#clock() < until) waiting.add(table);
      if (waiting.has(table)) return true;
      for (const { record, values } of shown) table.show(record, values, turn);
      return false;
    });
  }

  /** Everything as plain JSON. */
  dump(): JsonObject {
    const tables: [string, Json][] = [...this.tables.values()].map((table) => [
      table.urn,
      {
        urn: table.urn,
        name: table.name,
        attributes: table.columns.map((column) => ({ ...column })),
        records: table
          .records()
          .map(({ urn, draft, state, published }) => compact({ urn, draft, state, published })),
      },
    ]);
    const reviews: [string, Json][] = [...this.reviews.values()].map((review) => [
      review.urn,
      {
        urn: review.urn,
        table: review.table.urn,
        name: review.name,
        records: [...review.records].map(({ urn }) => urn),
      },
    ]);
    return { tables: Object.fromEntries(tables), reviews: Object.fromEntries(reviews) };
  }
}

export function showRecord(record: TableRecord, values: JsonObject, state: RecordState): JsonObject {
  const entries = Object.entries(values).map(([name, value]) => ({ name, value }));
  return { urn: record.urn, values: entries, state };
}

/** Null in values is the same as absent; names are what the table has. */
export function valuesOf(entries: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(entries.map((entry) => [asText(entry["name"]), entry["value"] ?? null]));
}
