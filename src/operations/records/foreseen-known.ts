import type { KnownRows, Lease, SortedPrints } from "../../store/index.ts";
import { mergedPrints } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import { sensesOf } from "./as-then.ts";
import { learnedAll } from "./begun.ts";
import { keepFormerNames } from "./former-names.ts";
import type { Keeping } from "./known-senses.ts";
import { forgetElsewhere } from "./known-senses.ts";
import { rollbacksOf } from "./rollbacks.ts";
import type { OpenedTable } from "./tables.ts";

/** Nothing is written to what is shared, so that nobody has to have the target for it. */
const noLease: Lease = {
  token: 0,
  release: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};

/** What is known of rows, with what somebody who only looks has learned beside it: that is gone when it is closed. */
class Beside implements Keeping {
  readonly store: Keeping["store"];
  readonly #learned = new Map<string, { readonly sense: string; readonly prints: SortedPrints }>();
  readonly #all: SortedPrints[] = [];

  constructor({ store: { state, work } }: Keeping) {
    const knownRows = async (table: string): Promise<KnownRows | undefined> => {
      const learned = this.#learned.get(table);
      return learned === undefined ? state.knownRows(table) : shown(learned);
    };
    this.store = {
      work,
      state: {
        knownRows,
        saveKnownRows: async (_lease, table, sense, changes) => {
          const before = await knownRows(table);
          const sorter = await work.sortPrints();
          try {
            const kept = before?.sense === sense ? before : [];
            for (const print of mergedPrints(kept, changes)) await sorter.add(print);
            const prints = await sorter.finish();
            this.#all.push(prints);
            this.#learned.set(table, { sense, prints });
          } finally {
            before?.close();
            await sorter.abandon();
          }
        },
      },
    };
  }

  close(): void {
    for (const prints of this.#all) prints.close();
  }
}

/** For one who asks: whoever asks next has the same. */
function shown({ sense, prints }: { readonly sense: string; readonly prints: SortedPrints }): KnownRows {
  return {
    sense,
    size: prints.size,
    get: (key) => prints.get(key),
    close: () => undefined,
    [Symbol.iterator]: () => prints[Symbol.iterator](),
  };
}

/**
 * What an apply would know of the rows of a table: it first learns what runs that did not come to their end have brought to its own. Without
 * that a colleague's word on those rows would be nobody's. Whoever asks closes it.
 */
export async function foreseenKnown(
  migration: Migration,
  opened: OpenedTable,
): Promise<Keeping & { close(): void }> {
  const beside = new Beside(migration);
  try {
    await keepFormerNames(migration, noLease, opened, beside);
    const { table } = opened;
    const all = await migration.store.state.rowLogs();
    const logs = all.filter((log) => log.isOpen && log.table === table.id);
    if (logs.length === 0) return beside;
    const [senses, rollbacks] = [await sensesOf(logs), await rollbacksOf(migration)];
    await learnedAll(beside, noLease, table, { logs, senses, rollbacks }, []);
    for (const log of logs)
      await forgetElsewhere(beside, noLease, { ...table, sense: senses.get(log.run) ?? table.sense }, log);
    return beside;
  } catch (error) {
    beside.close();
    throw error;
  }
}
