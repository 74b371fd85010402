import type { RowTable } from "../../kinds/kind.ts";
import type { Lease, PrintSorter } from "../../store/index.ts";
import type { Keeping } from "./known-senses.ts";
import { keepKnown } from "./known-senses.ts";

type Table = Pick<RowTable, "id" | "sense">;

/** Keeps what is known of rows of a table from now on. */
export async function remember(
  keeping: Keeping,
  lease: Lease,
  table: Table,
  known: PrintSorter,
): Promise<void> {
  const changes = await known.finish();
  if (changes.size > 0) await keepKnown(keeping, lease, table, changes);
  changes.close();
}

/** The same of what is learned by some work; of work that breaks off nothing is kept. */
export async function remembering<T>(
  keeping: Keeping,
  lease: Lease,
  table: Table,
  work: (known: PrintSorter) => Promise<T>,
): Promise<T> {
  const known = await keeping.store.work.sortPrints();
  try {
    const found = await work(known);
    await remember(keeping, lease, table, known);
    return found;
  } finally {
    await known.abandon();
  }
}
