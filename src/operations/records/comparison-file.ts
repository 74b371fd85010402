import { z } from "zod";
import type { CompareDraft, ComparedPages } from "../../engine/records/compare-draft.ts";
import { lineDigest } from "../../engine/records/line.ts";
import { digest } from "../../model/canonical.ts";
import { child } from "../../model/json.ts";
import type { RowsDraft } from "../../store/index.ts";
import { StoreError } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import { basisOf, samplesIn, tallyJson, tallySchema } from "./plan-file.ts";
import type { OpenedTable } from "./tables.ts";

/** Between two times that it is kept: what is lost with a run that is killed. */
const everyMs = 1_000;
/** What was compared longer ago is compared anew: it is written as the source was then. */
const goodForMs = 60 * 60 * 1_000;

const schema = z.looseObject({
  basis: z.string(),
  at: z.number(),
  from: z.string(),
  page: z.string(),
  tally: tallySchema,
});

/**
 * A comparison that is kept while it is made. Whoever goes on with it goes on with what the source said then; that is so
 * for every long comparison. Where rows that the source lacks are removed nobody goes on: a row that came meanwhile,
 * before the place that was come to, would be taken for one that the source does not have.
 */
export async function openComparison(
  { plan, parties, store, now }: Migration,
  opened: OpenedTable,
  /** Nothing may be left open: its rows would stand as they stood then. */
  goesOn: boolean,
): Promise<CompareDraft | undefined> {
  const { table } = opened;
  if (table.removes) return undefined;
  // Whoever has written rows of it meanwhile, by this plan or another one or taking them back, has made it another thing.
  const logs = (await store.state.rowLogs()).filter((log) => log.table === table.id);
  const servers = [plan.source.masterData?.baseUrl, plan.target.masterData?.baseUrl];
  const basis = digest(JSON.stringify([basisOf(plan, opened), parties, servers, logs.map(({ run }) => run)]));
  let rows = await store.work.draftRows(table.id, goesOn);
  const begun = await begunIn(rows, basis, now());
  if (begun === undefined && rows.kept !== undefined) {
    await rows.abandon();
    rows = await store.work.draftRows(table.id, false);
  }
  let last = now();
  return {
    rows,
    ...(begun === undefined ? {} : { begun }),
    isDue: () => now() - last >= everyMs,
    async keep({ from, page, tally }) {
      last = now();
      await rows.keep({ basis, at: begun?.at ?? last, from, page, tally: tallyJson(tally) });
    },
  };
}

async function begunIn(
  rows: RowsDraft,
  basis: string,
  now: number,
): Promise<(ComparedPages & { readonly at: number }) | undefined> {
  const read = schema.safeParse(rows.kept);
  if (!read.success || read.data.basis !== basis || now - read.data.at > goodForMs) return undefined;
  const { from, page, tally, at } = read.data;
  if ((await digestOf(rows)) !== tally.digest) return undefined;
  return { from, page, at, tally: { ...tally, samples: samplesIn(child(rows.kept ?? {}, "tally")) } };
}

/** Undefined where a line is none: lines are not synced, and what a power loss leaves of them may have holes. */
async function digestOf(rows: RowsDraft): Promise<string | undefined> {
  let sum = "";
  try {
    for await (const lines of rows.keptLines())
      for (const line of lines) sum = lineDigest(sum, JSON.stringify(line));
    return sum;
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}
