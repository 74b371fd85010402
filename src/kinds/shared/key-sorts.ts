import { display } from "../../model/display.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isExact, own } from "../../model/json.ts";
import type { Row } from "../kind.ts";

const words = {
  number: "a number",
  boolean: "a truth value",
  text: "text",
  day: "a day",
  instant: "an instant",
} as const;

type Sort = keyof typeof words;

/**
 * Of what sort the keys of the source are: text is no number. Where a service tells no types, the values do; a row of the target whose key
 * is of another sort may be one of the source's, and none of those that a look at the source finds.
 */
export class KeySorts {
  readonly #key: readonly string[];
  readonly #isText: (column: string) => boolean;
  readonly #seen = new Map<string, Set<Sort>>();

  /** `isText`: both sides say that a column holds text, of which any letters are just that; a number in it is none. */
  constructor(key: readonly string[], isText: (column: string) => boolean) {
    this.#key = key;
    this.#isText = isText;
  }

  /** A row of the source. */
  note(values: JsonObject): void {
    for (const column of this.#key) {
      const sort = this.#sortOf(column, values);
      if (sort === undefined) continue;
      const seen = this.#seen.get(column);
      if (seen === undefined) this.#seen.set(column, new Set([sort]));
      else seen.add(sort);
    }
  }

  /** A row of the target: with what keeps it from being told from those of the source. */
  told(row: Row): Row {
    const bad = row.bad ?? this.unlike(row.values);
    return bad === undefined ? row : { ...row, bad };
  }

  /** Why it is none of theirs; the beginning of a sentence. */
  unlike(values: JsonObject): string | undefined {
    for (const column of this.#key) {
      const [sort, seen = []] = [this.#sortOf(column, values), this.#seen.get(column)];
      const [one, ...more] = seen;
      if (sort === undefined || one === undefined || [one, ...more].some((other) => mayBeOne(sort, other)))
        continue;
      return `its key ${display(column)} is ${words[sort]}, and at the source ${words[one]}`;
    }
    return undefined;
  }

  #sortOf(column: string, values: JsonObject): Sort | undefined {
    const sort = sortOfValue(own(values, column));
    return isWritten(sort) && this.#isText(column) ? "text" : sort;
  }
}

/** Text may look like anything that is written as text. */
function mayBeOne(one: Sort, other: Sort): boolean {
  return one === other || (isWritten(one) && isWritten(other) && (one === "text" || other === "text"));
}

function isWritten(sort: Sort | undefined): boolean {
  return sort === "text" || sort === "day" || sort === "instant";
}

function sortOfValue(value: Json | undefined): Sort | undefined {
  if (isExact(value) || typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  if (typeof value !== "string" || value === "") return undefined;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return "day";
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? "instant" : "text";
}
