import type { Emulator } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";
import { asText } from "../../../src/emulator/json.ts";
import type { Table, TableRecord } from "../../../src/emulator/reference-data/table.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Estate } from "../estates/estate.ts";
import type { Entry, RowBooks } from "./estate.ts";
import { booksBy, rowsOnly } from "./rows-only.ts";

const columns = { code: "STRING", name: "STRING", area: "NUMBER", since: "DATE" } as const;

const row = (prefix: string, number: number): JsonObject => ({
  code: `${prefix}${number}`,
  name: `${prefix} ${number}`,
  ...(number % 3 === 0 ? {} : { area: number / 2 }),
  ...(number % 4 === 0 ? { since: "1999-12-31" } : {}),
});
const rows = (prefix: string, count: number): JsonObject[] =>
  Array.from({ length: count }, (_, index) => row(prefix, index));

const tables = ["Countries", "Currencies"] as const;

function tableOf(emulator: Emulator, tenant: string, name: string): Table {
  const found = [...emulator.tenant(tenant).referenceData.tables.values()].find((one) => one.name === name);
  if (found === undefined) throw new Error(`${tenant} has no table ${name}`);
  return found;
}

const recordOf = (table: Table, code: string): TableRecord | undefined =>
  table.records().find(({ published, draft }) => (published ?? draft)["code"] === code);

/** More rows than fit into two requests; of some the target has another version, or the same one, or a colleague's draft. */
function prepare(emulator: Emulator): void {
  const [dev, prod] = [emulator.tenant("dev"), emulator.tenant("prod")];
  const make = (tenant: typeof dev, name: string, content: JsonObject[]): Table =>
    seed.seedReferenceTable(tenant, { name, columns, rows: content });
  make(dev, "Countries", rows("C", 230));
  make(dev, "Currencies", rows("M", 120));
  const old = rows("C", 40).map((one, index) => (index < 20 ? one : { ...one, name: "as it was", area: 7 }));
  const countries = make(prod, "Countries", [
    ...old,
    { code: "OWN1", name: "of prod alone" },
    { code: "OWN2" },
  ]);
  const currencies = make(prod, "Currencies", [
    { code: "M5", name: "as it was" },
    { code: "OWN", area: 1 },
  ]);
  // What a colleague has open: something new, and a change of what is as it should be.
  seed.draftRecord(prod, countries, { code: "THEIRS", name: "not yet" });
  seed.draftRecord(prod, currencies, { code: "THEIRS", name: "not yet" });
  const edited = recordOf(countries, "C3");
  if (edited !== undefined) countries.change(edited, { name: "a colleague is at it" });
}

function books(emulator: Emulator, tenant: "dev" | "prod"): RowBooks {
  return booksBy(tables, (name) =>
    tableOf(emulator, tenant, name)
      .records()
      .map((record): readonly [string, Entry] => {
        const { draft, published, state } = record;
        const entry = { shown: published, state };
        return [asText((published ?? draft)["code"]), state === "UNCHANGED" ? entry : { ...entry, draft }];
      }),
  );
}

/** Every review that is open is approved, in the web application. */
function decide(emulator: Emulator): boolean {
  const prod = emulator.tenant("prod");
  const open = [...prod.referenceData.reviews.values()].filter(({ records }) => records.size > 0);
  for (const { urn } of open) seed.decideReview(prod, urn, "approve");
  return open.length > 0;
}

/** What is new in the draft and no colleague's, with the reviews that are open. */
function publish(emulator: Emulator): readonly string[] {
  decide(emulator);
  const prod = emulator.tenant("prod");
  for (const name of tables) {
    const table = tableOf(emulator, "prod", name);
    const ours = table.open().filter(({ state, draft }) => state === "NEW" && draft["code"] !== "THEIRS");
    prod.referenceData.publish(table, ours, "at-once");
  }
  return tables.map((name) => `reference-data:${name}`);
}

function touch(emulator: Emulator): number {
  for (const [name, code] of [
    ["Countries", "C30"],
    ["Currencies", "M5"],
  ] as const) {
    const table = tableOf(emulator, "prod", name);
    const record = recordOf(table, code);
    if (record !== undefined) seed.editRecord(table, record, { name: "a colleague's word" });
  }
  return tables.length;
}

const recordsOf = (publish: readonly [string, string], remove: boolean): object => ({
  referenceData: tables.map((table, index) => ({ table, key: ["code"], publish: publish[index] })),
  remove,
});

const common = { ...rowsOnly("reference-data"), prepare };

/** One table is published directly, the other one by a review that the run approves itself; rows of the target go. */
export const tableRows: Estate = {
  ...common,
  name: "table-rows",
  flags: ["--allow-delete"],
  // A review whose name died with the run that asked for it is a person's to approve.
  waits: 4,
  rows: { records: recordsOf(["direct", "approve"], true), removes: true, books, touch, decide, publish },
};

/** The same where a service shows drafts: those that a run has left are its own, and those of others are not. */
export const shownDrafts: Estate = {
  ...tableRows,
  name: "shown-drafts",
  prepare(emulator) {
    prepare(emulator);
    emulator.tenant("prod").quirks.draftFilter = "offered";
  },
};

/** Both stop at a review, which a person approves between the runs. */
export const reviewedRows: Estate = {
  ...common,
  name: "reviewed-rows",
  flags: [],
  waits: 4,
  rows: { records: recordsOf(["review", "review"], false), books, touch, decide, publish },
};

/** Of tables of several pages, whose comparison is kept at each of them; what only the target has stays. */
export const comparedRows: Estate = {
  ...common,
  name: "compared-rows",
  flags: [],
  prepare(emulator) {
    prepare(emulator);
    for (const name of tables)
      for (const fresh of rows("P", 400))
        seed.seedRecord(emulator.tenant("dev"), tableOf(emulator, "dev", name), fresh);
  },
  rows: { records: recordsOf(["direct", "direct"], false), leaps: true, books, touch, decide, publish },
};

/** The run after the approval. */
export const approvedRows: Estate = {
  ...reviewedRows,
  name: "approved-rows",
  change: (_source, emulator) => void decide(emulator),
};

/** Changes, new rows and rows that are gone, on top of a first run. */
export const tableRowsChanged: Estate = {
  ...tableRows,
  name: "table-rows-changed",
  change(source, emulator) {
    for (const [name, prefix] of [
      ["Countries", "C"],
      ["Currencies", "M"],
    ] as const) {
      const table = tableOf(emulator, "dev", name);
      for (let number = 20; number < 90; number += 1) {
        const record = recordOf(table, `${prefix}${number}`);
        if (record !== undefined) seed.editRecord(table, record, { name: `new ${number}`, area: null });
      }
      for (const number of [10, 11, 12]) {
        const record = recordOf(table, `${prefix}${number}`);
        if (record !== undefined) seed.removeRecord(table, record);
      }
      for (const fresh of rows("N", 30)) seed.seedRecord(source, table, fresh);
    }
  },
};

export const tableRowsBack: Estate = { ...tableRowsChanged, name: "table-rows-back", back: true };
