import type { RecordedRelations } from "../../kinds/kind.ts";
import type { JournalRecord } from "../../model/journal.ts";
import type { JsonObject } from "../../model/json.ts";
import { text } from "../../model/json.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { UuidPool } from "../../model/packed/uuid-pool.ts";
import { packed } from "./ended-rows.ts";
import { doneIn } from "./known-from-logs.ts";
import { keyDigest } from "./prints.ts";

type Logs = readonly { readonly records: () => AsyncIterable<JournalRecord> }[];

/** By the ids of tables. */
interface Sources {
  readonly logs: (table: string) => Promise<Logs>;
  /** What is to be done with its rows; present where a run is taken back, undefined of a table that this is not about. */
  readonly lines?: (table: string) => AsyncIterable<readonly JsonObject[]> | undefined;
}

/** Few rows that go are led to by others: until then nothing is read, and each log once. */
export class MadeRelations implements RecordedRelations {
  readonly #sources: Sources;
  readonly #made = new Map<string, Promise<TextSet>>();
  readonly #going = new Map<string, Promise<TextSet>>();
  readonly goes: RecordedRelations["goes"];

  constructor(sources: Sources) {
    this.#sources = sources;
    const { lines } = sources;
    this.goes = lines === undefined ? undefined : async (table, key) => this.#goes(table, key, lines);
  }

  async made(table: string, key: string, attribute: string): Promise<boolean> {
    const known = this.#made.get(table) ?? this.#read(table);
    this.#made.set(table, known);
    return (await known).has(packed(keyDigest(key), attribute));
  }

  async #read(table: string): Promise<TextSet> {
    const found = new TextSet([], new UuidPool());
    for await (const { intent } of doneIn(await this.#sources.logs(table)))
      // What a row has beside its columns is in brackets.
      for (const [name, value] of Object.entries(intent.values ?? {}))
        if (value === true && name.startsWith("(")) found.add(packed(intent.key, name));
    return found;
  }

  async #goes(table: string, key: string, linesOf: NonNullable<Sources["lines"]>): Promise<boolean> {
    const lines = linesOf(table);
    if (lines === undefined) return false;
    const known = this.#going.get(table) ?? deletedIn(lines);
    this.#going.set(table, known);
    return (await known).has(packed(keyDigest(key), ""));
  }
}

async function deletedIn(pages: AsyncIterable<readonly JsonObject[]>): Promise<TextSet> {
  const found = new TextSet([], new UuidPool());
  for await (const lines of pages)
    for (const line of lines)
      if (text(line, "action") === "delete") found.add(packed(text(line, "key") ?? "", ""));
  return found;
}
