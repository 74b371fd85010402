import type { OpenTable } from "../../kinds/kind.ts";
import type { RowIntent } from "../../model/journal.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, own } from "../../model/json.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { UuidPool } from "../../model/packed/uuid-pool.ts";
import type { DoneRow } from "./done-row.ts";
import type { EndedLog } from "./known-from-logs.ts";
import { doneIn } from "./known-from-logs.ts";
import { asUuid } from "./prints.ts";

/**
 * Rows that runs have written more than once: who goes on with a killed run brings to its end what that has begun, and may then write it
 * anew. They are taken back once, to what was there before the first word. What is written when everything else is there is a word of its own.
 */
export class SeveralWords {
  readonly #open: Words;
  readonly #several: ReadonlySet<string>;
  /** In the order in which they were said. */
  readonly #words = new Map<string, readonly DoneRow[]>();
  readonly #ofLog = new Map<string, DoneRow[]>();

  private constructor(open: Words, several: ReadonlySet<string>) {
    this.#open = open;
    this.#several = several;
  }

  static async of(logs: readonly EndedLog[], open: Words): Promise<SeveralWords> {
    const several = new Set<string>();
    const once = new TextSet([], new UuidPool());
    for await (const { intent } of doneIn(logs)) {
      if (isPart(intent, open)) continue;
      const key = asUuid(intent.key);
      if (once.has(key)) several.add(intent.key);
      else once.add(key);
    }
    return new SeveralWords(open, several);
  }

  /** Whether it is kept until all of them are known. */
  takes(row: DoneRow): boolean {
    const { key } = row.intent;
    if (!this.#several.has(key) || isPart(row.intent, this.#open)) return false;
    const words = this.#ofLog.get(key) ?? [];
    words.push(row);
    this.#ofLog.set(key, words);
    return true;
  }

  /** What comes next is of an earlier log. */
  nextLog(): void {
    for (const [key, words] of this.#ofLog) this.#words.set(key, [...words, ...(this.#words.get(key) ?? [])]);
    this.#ofLog.clear();
  }

  /** One for each row of which anything is left. */
  get rows(): readonly DoneRow[] {
    return [...this.#words.values()].flatMap((words) => {
      let whole: DoneRow | undefined;
      for (const word of words) whole = whole === undefined ? word : joined(whole, word, this.#open);
      return whole ?? [];
    });
  }
}

type Words = Pick<OpenTable, "text" | "isLater">;

function isPart({ action, values = {} }: RowIntent, open: Words): boolean {
  const names = Object.keys(values);
  return action === "update" && names.length > 0 && names.every((name) => open.isLater?.(name) === true);
}

/** Two words about a row as one; undefined where nothing is left of them. */
function joined(earlier: DoneRow, later: DoneRow, open: Words): DoneRow | undefined {
  const [one, two] = [earlier.intent, later.intent];
  const ways = `${one.action} ${two.action}`;
  if (ways === "create delete") return undefined;
  const as = (action: RowIntent["action"], values: JsonObject, before: JsonObject | undefined): DoneRow => {
    const { before: _before, was: _was, stood: _stood, ...rest } = two;
    return {
      ...earlier,
      ...later,
      isShort: earlier.isShort === true || later.isShort === true,
      otherwise: earlier.otherwise ?? later.otherwise,
      intent: {
        ...rest,
        action,
        ...(action === "delete" ? {} : { values }),
        ...(before === undefined ? {} : { before }),
        ...(one.was === undefined ? {} : { was: one.was }),
        ...(one.stood === undefined ? {} : { stood: one.stood }),
      },
    };
  };
  const [first = {}, second = {}] = [one.values, two.values];
  if (ways === "create update") return as("create", { ...first, ...second }, one.before);
  // What was removed is there again: all that it had comes back.
  if (ways === "delete create") return as("update", { ...nothingOf(one.before), ...second }, one.before);
  if (one.action !== "update" || two.action === "create") return later;
  return as(two.action, { ...first, ...second }, beforeBoth(earlier, later, open));
}

function nothingOf(values: JsonObject = {}): JsonObject {
  return fromEntries(Object.keys(values).map((name): [string, Json] => [name, null]));
}

/** What there was before the first of two changes; what somebody has written between them is theirs. */
function beforeBoth(
  { intent: one, shown }: DoneRow,
  { intent: two }: DoneRow,
  { text }: Words,
): JsonObject | undefined {
  const { before: first, values = {} } = one;
  const { before: second } = two;
  if (first === undefined || second === undefined) return undefined;
  const old = Object.entries(values).flatMap(([name, value]): [string, Json][] => {
    const isOurs = shown !== undefined || text(name, own(second, name) ?? null) === text(name, value);
    return isOurs ? [[name, own(first, name) ?? null]] : [];
  });
  return fromEntries(
    Object.entries({ ...second, ...fromEntries(old) }).filter(([, value]) => value !== null),
  );
}
