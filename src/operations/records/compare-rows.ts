import { compareTable } from "../../engine/records/compare.ts";
import type { CompareDraft } from "../../engine/records/compare-draft.ts";
import { PagesMoved } from "../../engine/records/compare-draft.ts";
import type { CompareInput } from "../../engine/records/compare-input.ts";
import type { TableDiff } from "../../engine/records/tally.ts";
import type { OpenTable } from "../../kinds/kind.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { plural } from "../../model/plural.ts";
import type { PrintSorter } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import { openComparison } from "./comparison-file.ts";
import { foreseenKnown } from "./foreseen-known.ts";
import { broughtElsewhere } from "./former-names.ts";
import { knownByOtherWords, knownInOtherTable } from "./other-words.ts";
import { formersOf, knownIn, knownOtherwise } from "./known-senses.ts";
import type { OpenedTable } from "./tables.ts";
import { noteOn } from "./notes.ts";

export interface ComparedRows {
  readonly diff: TableDiff;
  /** What is as it should be, for whoever writes it down. */
  readonly settled: PrintSorter | undefined;
  readonly notes: readonly Diagnostic[];
}

export interface CompareRows {
  readonly open: OpenTable;
  readonly left: CompareInput["left"];
  /** A run that writes: what it learns is kept. */
  readonly remembers: boolean;
  /** Where a killed run was, unless a diff was approved. */
  readonly goesOn: boolean;
  /** Hears how many rows of the source were compared. */
  readonly compared: (rows: number) => void;
}

/** Compares the rows of a table, from the page on that a killed run had come to. */
export async function compareRows(
  migration: Migration,
  opened: OpenedTable,
  options: CompareRows,
): Promise<ComparedRows> {
  // What stands open is told as it stands now, and not as it stood then.
  const isKept = options.remembers && options.left.size === 0;
  const draft = isKept ? await openComparison(migration, opened, options.goesOn) : undefined;
  const { begun } = draft ?? {};
  if (begun === undefined) return attempt(migration, opened, options, draft, []);
  const told = `${plural(begun.tally.rows, "row")} of the source were compared by an interrupted run`;
  try {
    const wentOn = noteOn(opened, `${told}: this one went on from there`);
    const compared = await attempt(migration, opened, options, draft, [wentOn]);
    return { ...compared, diff: { ...compared.diff, isEarlier: true } };
  } catch (error) {
    const { state, fatal } = troubleOf(error) ?? {};
    const isRefused = state === "refused" && fatal === undefined;
    if (!(error instanceof PagesMoved) && !isRefused) throw error;
    const fresh = await openComparison(migration, opened, false);
    const why = isRefused
      ? "the source does not know the place any more"
      : "the source has other rows there by now";
    return attempt(migration, opened, options, fresh, [
      noteOn(opened, `${told}, and ${why}: all of them were compared anew`),
    ]);
  }
}

async function attempt(
  migration: Migration,
  opened: OpenedTable,
  { open, left, remembers, compared }: CompareRows,
  draft: CompareDraft | undefined,
  notes: readonly Diagnostic[],
): Promise<ComparedRows> {
  const [{ store, plan, report, stop }, { kind, table }] = [migration, opened];
  const settled = remembers ? await store.work.sortPrints() : undefined;
  // A run that writes has kept by now what others had left.
  const foreseen = remembers ? undefined : await foreseenKnown(migration, opened);
  const { state } = (foreseen ?? migration).store;
  const known = await knownIn(state, table);
  const formers = await formersOf(state, table);
  const others = await knownOtherwise(state, table);
  const told = [...notes];
  try {
    const diff = await compareTable({
      kind: kind.name,
      table,
      open,
      work: store.work,
      known,
      formers,
      others: others.map((rows) => ({
        known: rows,
        unmet: (count) => void told.push(...knownByOtherWords(opened, rows.sense, count)),
      })),
      left,
      plan,
      report: (progress) => {
        report(progress);
        if (remembers && progress.type === "read" && progress.side === "source") compared(progress.count);
      },
      stop,
      ...(settled === undefined ? {} : { settled }),
      ...(draft === undefined ? {} : { draft }),
    });
    for (const elsewhere of await broughtElsewhere(migration, opened))
      told.push(knownInOtherTable(opened, open.target.name, elsewhere));
    return { diff, settled, notes: told };
  } catch (error) {
    await settled?.abandon();
    throw error;
  } finally {
    known?.close();
    for (const rows of [...formers.map((former) => former.known), ...others]) rows.close();
    foreseen?.close();
  }
}
