import type { Row, RowPage } from "../../kinds/kind.ts";
import type { RowPrint } from "../../model/row-print.ts";
import type { SortedPrints } from "../../store/index.ts";
import { EngineError } from "../progress.ts";
import { behind, pageDigest } from "./compare-draft.ts";
import type { CompareInput } from "./compare-input.ts";
import { withHandWork } from "./by-hand.ts";
import { decide } from "./decide.ts";
import { knownFormerly } from "./former.ts";
import type { RowLine } from "./line.ts";
import { ahead, chunks } from "./pages.ts";
import { keysAtSource } from "./look-up.ts";
import { keyDigest, unmovedOf } from "./prints.ts";
import { blockRepeated, repeatedKeys } from "./repeated.ts";
import type { Compared } from "./taken.ts";
import { takenBy } from "./taken.ts";
import { TableTally } from "./tally.ts";
import type { TableDiff } from "./tally.ts";

/**
 * Reads the source page by page, looks each page up at the target, and writes down what is to be done: only what is in
 * flight is in memory.
 */
export async function compareTable(input: CompareInput): Promise<TableDiff> {
  const { table, open, work, draft, settled } = input;
  const { begun } = draft ?? {};
  const tally = new TableTally(draft?.rows ?? (await work.writeRows(table.id)), open, begun?.tally);
  const keys = await work.sortPrints();
  let sorted: SortedPrints | undefined;
  try {
    const note = (print: RowPrint): void | Promise<void> => {
      const isSettled = print.source !== zero;
      const [noted, kept] = [
        keys.add({ key: print.key, source: zero, target: zero }),
        isSettled ? settled?.add(print) : undefined,
      ];
      if (noted !== undefined || kept !== undefined) return Promise.all([noted, kept]).then(() => undefined);
    };
    if (draft?.begun !== undefined) for (const print of draft.rows.keptPrints()) await note(print);
    const pages = behind(open.rows(begun?.from), begun);
    const looked = async (page: RowPage): Promise<ComparedPage> => ({
      page,
      rows: await decided(input, page.rows),
    });
    for await (const { page, rows } of ahead(pages, input.plan.limits.concurrency, looked)) {
      for (const { line, print, isLeft, anew } of rows) {
        if (print !== undefined) {
          const found = settledOf(line) ?? anew ?? { key: print, source: zero, target: zero };
          const noted = note(found);
          if (noted !== undefined) await noted;
          const kept = draft?.rows.addPrint(found);
          if (kept !== undefined) await kept;
        }
        const told = isLeft === true ? tally.left(line) : tally.add(line);
        if (told !== undefined) await told;
      }
      stopped(input);
      if (draft?.isDue() === true)
        await draft.keep({ from: page.from, page: pageDigest(page.rows), tally: tally.diff() });
      input.report({ type: "read", side: "source", kind: table.name, count: tally.rows });
    }
    sorted = await keys.finish();
    if (table.removes) await onlyAtTarget(input, sorted, tally);
    for (const [key, line] of input.left)
      if (sorted.get(key) === undefined) await tally.left({ ...line, key });
    await tally.finish();
    const repeated = repeatedKeys(sorted);
    const counted = { ...tally.diff(), gone: table.removes ? 0 : goneOf(input.known, sorted) };
    for (const others of input.others ?? []) others.unmet(goneOf(others.known, sorted));
    return repeated.size === 0 ? counted : await blockRepeated(input, counted, repeated);
  } finally {
    await tally.abandon();
    await keys.abandon();
    sorted?.close();
  }
}

const zero = "0".repeat(16);

interface ComparedPage {
  readonly page: RowPage;
  readonly rows: readonly Decided[];
}

interface Decided {
  readonly line: RowLine;
  /** The digest of its key, where it has one. */
  readonly print: string | undefined;
  /** A run has left it open. */
  readonly isLeft?: true;
  /** What is known of it, in another sense than it was: it would be known no more. */
  readonly anew?: RowPrint;
}

async function decided(input: CompareInput, rows: readonly Row[]): Promise<readonly Decided[]> {
  const { open, known, formers = [], plan, left } = input;
  const wanted = rows.filter(({ key, bad }) => key !== undefined && bad === undefined);
  const found = new Map<string, Row[]>();
  for (const chunk of chunks(wanted, open.perLookUp)) {
    for (const row of await open.lookUp(chunk)) {
      if (row.key === undefined) continue;
      const same = found.get(row.key);
      if (same === undefined) found.set(row.key, [row]);
      else same.push(row);
    }
  }
  const decideOn = (row: Row): Decided => {
    const { key, name, bad } = row;
    if (key === undefined)
      return { line: { action: "blocked", name, reason: bad ?? "it has no key" }, print: undefined };
    const print = keyDigest(key);
    if (bad !== undefined) return { line: { action: "blocked", name, key: print, reason: bad }, print };
    const open_ = left.get(print);
    if (open_ !== undefined) return { line: { ...open_, name, key: print }, print, isLeft: true };
    const atTarget = found.get(key) ?? [];
    const kept = known?.get(print);
    const anew =
      kept === undefined ? knownFormerly({ ...row, key }, atTarget, print, { formers, open }) : undefined;
    const line = decide({ ...row, key }, atTarget, kept ?? anew, plan.policy, open);
    const told = { line: { ...withHandWork(line, row, atTarget[0]), key: print }, print };
    return anew === undefined ? told : { ...told, anew: { key: print, ...anew } };
  };
  const first = rows.map(decideOn);
  if (open.bared !== undefined) {
    const unlike = first.flatMap(({ line }, at) => (differs.has(line.action) ? [at] : []));
    const bared = await open.bared(unlike.flatMap((at) => rows[at] ?? []));
    for (const [index, at] of unlike.entries()) {
      const row = bared[index];
      if (row !== undefined) first[at] = decideOn(row);
    }
  }
  if (open.losers === undefined) return first;
  const compared = first.flatMap(({ line }, at): readonly Compared[] => {
    const row = rows[at];
    return row === undefined ? [] : [{ line, row, there: found.get(row.key ?? "")?.[0] }];
  });
  const lines = await takenBy(compared, input);
  return first.map((one, at) => ({ ...one, line: lines[at] ?? one.line }));
}

/** What is under it at the source matters: it would be written, or told as different. */
const differs: ReadonlySet<RowLine["action"]> = new Set(["create", "update", "drift", "conflict"]);

/** What is alike on both sides is known from now on. */
function settledOf({ action, key, print, was }: RowLine): RowPrint | undefined {
  if (key === undefined || print === undefined) return undefined;
  // What a person has to do about it is none of its values.
  if (action !== "unchanged" && action !== "manual") return undefined;
  const [source, target] = print;
  // Unlike on both sides and unchanged since: what is known stays.
  if (was !== undefined && source !== target) return undefined;
  if (was?.[0] === source && was[1] === target) return undefined;
  return { key, source, target };
}

async function onlyAtTarget(input: CompareInput, sorted: SortedPrints, tally: TableTally): Promise<void> {
  const { open, table, report, known, left } = input;
  let count = 0;
  for await (const page of open.targetRows()) {
    const others = page.filter(({ key }) => {
      const print = key === undefined ? undefined : keyDigest(key);
      return print === undefined || (sorted.get(print) === undefined && !left.has(print));
    });
    const absent = others.filter((row) => namelessFor(row) === undefined);
    for (const row of others) {
      const why = namelessFor(row);
      if (why === undefined) continue;
      const { name, values } = row;
      await tally.staying({ action: "manual", name, before: values, reason: why });
    }
    const unlisted = await shownAfterAll(open, absent);
    const times =
      open.keepsRows === undefined ? await timesAtTarget(open, absent) : new Map<string, number>();
    for (const row of absent) {
      const { key = "", name, values, address = "" } = row;
      const print = keyDigest(key);
      if (unlisted.has(key)) {
        const reason = "the source has it, and its list did not show it: rows came or went while it was read";
        await tally.staying({ action: "blocked", name, key: print, before: values, reason });
        continue;
      }
      if (open.keepsRows !== undefined) {
        // Nothing is wrong with it that could be mended at the source.
        const reason = `the source has no such row, and ${open.keepsRows}`;
        await tally.staying({ action: "manual", name, key: print, before: values, reason });
        continue;
      }
      const found = times.get(key) ?? 1;
      if (found > 1) {
        const reason = `its key occurs ${found} times at the target, and which of them is to go nobody says`;
        await tally.staying({ action: "blocked", name, key: print, before: values, reason });
        continue;
      }
      const before = known?.get(print);
      await tally.add({
        action: "delete",
        name,
        key: print,
        address,
        before: values,
        ...unmovedOf(row),
        reason:
          table.isFiltered === true
            ? "the source shows no such row under the plan's filter"
            : "the source has no such row",
        ...(before === undefined ? {} : { was: [before.source, before.target] }),
      });
    }
    stopped(input);
    count += page.length;
    report({ type: "read", side: "target", kind: table.name, count });
  }
}

/** Why a row of the target cannot be told from what the source has, or no request can take it away. */
function namelessFor({ key, address, bad }: Row): string | undefined {
  const untold = "so whether the source has it cannot be told, and it is not removed";
  if (key === undefined) return `its key is empty, ${untold}`;
  if (bad !== undefined) return `${bad}, ${untold}`;
  return address === undefined ? "it has no id that a request could remove it by" : undefined;
}

/** By key, how often each of these is at the target: one that is not alone is not deleted by its key. */
async function timesAtTarget(
  open: CompareInput["open"],
  rows: readonly Row[],
): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (const chunk of chunks(rows, open.perLookUp))
    for (const [key, found] of Map.groupBy(await open.lookUp(chunk), (row) => row.key ?? ""))
      times.set(key, found.length);
  return times;
}

/** An absence is believed when the row itself was asked for. */
async function shownAfterAll(open: CompareInput["open"], rows: readonly Row[]): Promise<ReadonlySet<string>> {
  return open.keepsRows === undefined ? keysAtSource(open, rows) : new Set();
}

/** Rows that were moved once and that the source has no more; both are in one order. */
function goneOf(known: Iterable<RowPrint> | undefined, sorted: SortedPrints): number {
  if (known === undefined) return 0;
  let gone = 0;
  const there = sorted[Symbol.iterator]();
  let head = there.next();
  for (const { key } of known) {
    while (head.done !== true && head.value.key < key) head = there.next();
    if (head.done === true || head.value.key !== key) gone += 1;
  }
  return gone;
}

function stopped({ stop }: CompareInput): void {
  if (!stop.aborted) return;
  throw new EngineError(
    "interrupted",
    "interrupted while rows were compared; nothing of them was written",
    "Run the same command again.",
  );
}
