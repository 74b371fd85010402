import { z } from "zod";
import { doneIn } from "../../engine/records/known-from-logs.ts";
import type { FormerReading, RowTable } from "../../kinds/kind.ts";
import { digest } from "../../model/canonical.ts";
import type { RowIntent } from "../../model/journal.ts";
import { listIn } from "../../model/json-text.ts";
import { forgotten } from "../../model/row-print.ts";
import type { KnownRows, Lease, PrintSorter, RowLog, SortedPrints, Store } from "../../store/index.ts";

/*
 * Two plans may move one table, each other parts of it (columns, origins), and a plan is changed: what is known of its rows in one sense is
 * kept beside what is known in the others. What a run writes is known in its own sense alone from then on, so that all that is known is
 * true: whatever stands otherwise at the target is somebody's word.
 */

/** So many senses are kept beside the first one; what was kept longest ago goes. */
const most = 3;

type Reading = Pick<Store["state"], "knownRows">;
/** Where it is kept what is known of rows. */
export interface Keeping {
  readonly store: {
    readonly state: Pick<Store["state"], "knownRows" | "saveKnownRows">;
    readonly work: Pick<Store["work"], "sortPrints">;
  };
}
type InSense = Pick<RowTable, "id" | "sense">;

/** Names what there is beside the first one; no table is called so. */
function listOf(table: string): string {
  return `${table}--senses`;
}

function besideOf(table: string, sense: string): string {
  return `${table}--${digest(sense).slice(0, 12)}`;
}

/** What is known in this sense; whoever asks closes it. */
export async function knownIn(state: Reading, { id, sense }: InSense): Promise<KnownRows | undefined> {
  const first = await state.knownRows(id);
  if (first === undefined || first.sense === sense) return first;
  first.close();
  const beside = await state.knownRows(besideOf(id, sense));
  if (beside?.sense === sense) return beside;
  beside?.close();
  return undefined;
}

/** The same, and what there is in the other senses, as far as the rows are read now as they were then. */
export async function formersOf(
  state: Reading,
  table: Pick<RowTable, "id" | "sense" | "formerly">,
): Promise<readonly { readonly known: KnownRows; readonly reading: FormerReading }[]> {
  return (await othersOf(state, table)).flatMap(({ known }) => {
    const reading = table.formerly?.(known.sense);
    if (reading !== undefined) return [{ known, reading }];
    known.close();
    return [];
  });
}

/**
 * What is known of rows that were told apart otherwise (by key and origin), where nothing is known yet of any that are told apart as the
 * plan does by now; whoever asks closes it. A sense begins with the words of its naming.
 */
export async function knownOtherwise(
  state: Reading,
  table: InSense & Pick<RowTable, "naming">,
): Promise<readonly KnownRows[]> {
  const own = await knownIn(state, table);
  own?.close();
  const others = (await othersOf(state, table)).map(({ known }) => known);
  const count = listIn(table.naming)?.length ?? 0;
  const isNew = own === undefined && others.every(({ sense }) => namingIn(sense, count) !== table.naming);
  const told = isNew ? others.filter(({ size }) => size > 0) : [];
  for (const known of others) if (!told.includes(known)) known.close();
  return told;
}

/** The words of a sense that say by what rows are told apart: so many. */
export function namingIn(sense: string, words: number): string {
  return JSON.stringify(listIn(sense)?.slice(0, words));
}

export async function keepKnown(
  { store: { state, work } }: Keeping,
  lease: Lease,
  { id, sense }: InSense,
  changes: SortedPrints,
): Promise<void> {
  const first = await state.knownRows(id);
  first?.close();
  const isFirst = first === undefined || first.sense === sense;
  if (isFirst) return state.saveKnownRows(lease, id, sense, changes);
  const name = besideOf(id, sense);
  const listed = await listedOf(state, id);
  if (listed.at(-1) !== name) {
    const all = [...listed.filter((one) => one !== name), name];
    const none = await (await work.sortPrints()).finish();
    for (const old of all.slice(0, -most)) await state.saveKnownRows(lease, old, "", none);
    // It is named before it is there: what nobody finds would stand for ever.
    await state.saveKnownRows(lease, listOf(id), JSON.stringify(all.slice(-most)), none);
    none.close();
  }
  return state.saveKnownRows(lease, name, sense, changes);
}

/** What this log has brought to its end, whatever became of its run, is known as it was before in no other sense. */
export async function forgetElsewhere(
  { store: { state, work } }: Keeping,
  lease: Lease,
  table: Pick<RowTable, "id" | "sense" | "readIn">,
  log: Pick<RowLog, "records">,
): Promise<void> {
  for (const { name, known } of await othersOf(state, table)) {
    const gone = await work.sortPrints();
    try {
      await touchedBy(log, known, table.readIn?.(known.sense), gone);
      const changes = await gone.finish();
      if (changes.size > 0) await state.saveKnownRows(lease, name, known.sense, changes);
      changes.close();
    } finally {
      known.close();
      await gone.abandon();
    }
  }
}

async function touchedBy(
  log: Pick<RowLog, "records">,
  known: KnownRows,
  reading: FormerReading | undefined,
  gone: PrintSorter,
): Promise<void> {
  for await (const { intent } of doneIn([log])) {
    // By which keys these rows are known there nobody can tell.
    if (reading === undefined) {
      for (const print of known) await gone.add({ ...print, source: forgotten });
      return;
    }
    const print = known.get(intent.key);
    if (isCarried(intent)) continue;
    if (print !== undefined && isOf(intent, reading)) await gone.add({ ...print, source: forgotten });
  }
}

/** Made by a run of another sense, and brought to its end by this one: what is known of it was kept by then. */
function isCarried({ action, print, was, back }: RowIntent): boolean {
  return action === "create" && print === undefined && was === undefined && back !== true;
}

function isOf({ action, values = {} }: RowIntent, reading: FormerReading): boolean {
  return action !== "update" || Object.keys(values).some((name) => reading.isOurs(name));
}

interface Beside {
  readonly name: string;
  readonly known: KnownRows;
}

/** In all senses but this one. */
async function othersOf(state: Reading, { id, sense }: InSense): Promise<readonly Beside[]> {
  const found: Beside[] = [];
  for (const name of [id, ...(await listedOf(state, id))]) {
    const known = await state.knownRows(name);
    if (known === undefined) continue;
    if (known.sense === sense || known.sense === "") known.close();
    else found.push({ name, known });
  }
  return found;
}

const names = z.array(z.string());

async function listedOf(state: Reading, id: string): Promise<readonly string[]> {
  const kept = await state.knownRows(listOf(id));
  if (kept === undefined) return [];
  kept.close();
  // What somebody has made of it names nothing.
  return names.safeParse(listIn(kept.sense)).data ?? [];
}
