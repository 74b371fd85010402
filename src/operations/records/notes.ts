import type { RowTrouble } from "../../engine/records/written.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { NoteRecord, TableRecord } from "../../model/journal.ts";
import type { Migration } from "../migration.ts";
import type { RunJournal } from "../run.ts";
import type { OpenedTable } from "./tables.ts";

/** Something to know about the rows of a table. */
export function noteOn({ kind, table }: OpenedTable, summary: string): Diagnostic {
  const coordinate = { kind: kind.name, urn: table.id, name: table.name };
  return { severity: "info", code: "row-note", coordinate, summary };
}

/** What runs have found out about rows and told nobody, since they came to no end. */
export function untoldNotes({ untold }: Migration): readonly Diagnostic[] {
  const all = untold.map(({ kind, table, name, severity, text }): Diagnostic => ({
    severity,
    code: "row-note",
    coordinate: { kind, urn: table, name },
    summary: text,
  }));
  return [...new Map(all.map((note) => [JSON.stringify(note), note])).values()];
}

/** What a run does to a table, in the journal. */
export class TableRecords {
  readonly #migration: Migration;
  readonly #opened: OpenedTable;
  readonly #notes: Diagnostic[] = [];
  readonly #noted: NoteRecord[] = [];
  #journal: { readonly run: string; readonly journal: RunJournal } | undefined;

  constructor(migration: Migration, opened: OpenedTable) {
    this.#migration = migration;
    this.#opened = opened;
  }

  /** What a person should know of how it was compared. */
  get notes(): readonly Diagnostic[] {
    return this.#notes;
  }

  /** What was found out about its rows, as it is on record. */
  get noted(): readonly NoteRecord[] {
    return this.#noted;
  }

  tell(...notes: readonly Diagnostic[]): void {
    this.#notes.push(...notes);
  }

  /** The same of what no later look finds. */
  async keep(notes: readonly Diagnostic[]): Promise<void> {
    for (const { summary } of notes) await this.#note("info", summary);
    this.tell(...notes);
  }

  /** It writes rows of it: what it does to them stands in the table's own log. */
  async begin(run: string, journal: RunJournal): Promise<void> {
    this.#journal = { run, journal };
    await journal.append({ type: "table", ...this.#about(run) });
  }

  /** It is told in the result besides. */
  readonly noteRow = async ({ name, reason }: RowTrouble): Promise<void> =>
    this.#note("warning", `the row ${name}: ${reason}`);

  async #note(severity: "info" | "warning", text: string): Promise<void> {
    if (this.#journal === undefined) throw new Error("nothing of the table is on record yet");
    const { run, journal } = this.#journal;
    const note: NoteRecord = { type: "note", ...this.#about(run), severity, text };
    await journal.append(note);
    this.#noted.push(note);
  }

  #about(run: string): Omit<TableRecord, "type"> {
    const { kind, table } = this.#opened;
    const at = new Date(this.#migration.now()).toISOString();
    return { run, at, kind: kind.name, table: table.id, name: table.name };
  }
}
