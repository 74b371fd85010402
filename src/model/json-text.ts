import type { ExactNumber, Json } from "./json.ts";
import { endOfString, readNamed } from "./escaped-names.ts";
import { isArray, isObject } from "./json.ts";

/**
 * Reads JSON as it was written: a number that JavaScript cannot hold, or would write otherwise, is kept as its text
 * (README, promise 3), and no nesting is so deep that a walk over the value runs out of stack.
 */
declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): ExactNumber;
    isRawJSON(value: unknown): value is ExactNumber;
  }
}

/** Levels of a body; what is nested deeper can neither be compared nor sent. */
export const mostLevels = 200;
/** Levels that are read: a body's, and those of the answer or the record that it stands in. */
const mostRead = mostLevels + 16;
/** From so many characters on the text is looked at first: even the parser keeps something for each open level. */
const large = 1 << 20;

/**
 * A number that may come out otherwise than it went in: many digits, an exponent, a zero at the end of a fraction or
 * many at its beginning, a zero below zero. It stands between marks of JSON, so that no UUID, URN or time looks like
 * one; a text that does is only looked at twice.
 */
const odd =
  /[:,[]\s*(?:-0\s*[,\]}]|-?(?:0\.0{6}|\d[\d.]{15,}\s*[,\]}]|\d+\.\d*0\s*[,\]}]|[\d.]+[eE][+-]?\d+\s*[,\]}]))/;

/**
 * Throws SyntaxError as `JSON.parse` does. What is nested deeper than can be read is null: the value is still deeper
 * than `mostLevels` there, so that nobody takes it for whole.
 */
export function parseJson(text: string): Json {
  return readNamed(text, parsed);
}

/** The list that a text holds; undefined where it holds none: it comes from a file that somebody may have edited. */
export function listIn(text: string): readonly Json[] | undefined {
  try {
    const value = parseJson(text);
    return isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function parsed(text: string): Json {
  const begin = text.length > large ? cutDeeper(text, mostRead) : text;
  const value = JSON.parse(begin) as Json;
  // Each level opens and closes.
  const isDeep = begin.length > 2 * mostRead && isDeeper(value, mostRead);
  const kept = isDeep ? cutDeeper(begin, mostRead) : begin;
  // A number that is all of the text stands between no marks.
  if (typeof value === "number" || odd.test(kept)) return JSON.parse(kept, asWritten) as Json;
  return isDeep ? (JSON.parse(kept) as Json) : value;
}

function asWritten(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== "number" || source === undefined || JSON.stringify(value) === source) return value;
  return JSON.rawJSON(source);
}

/** Whether objects and arrays are nested in each other more than so many times. Looks no deeper than that. */
export function isDeeper(value: Json | undefined, most: number): boolean {
  if (isArray(value)) {
    if (most === 0) return true;
    for (const item of value) if (typeof item === "object" && isDeeper(item, most - 1)) return true;
  } else if (isObject(value)) {
    if (most === 0) return true;
    for (const name in value) {
      const field = value[name];
      if (typeof field === "object" && isDeeper(field, most - 1)) return true;
    }
  }
  return false;
}

const quote = 0x22;

/** The same text with null in the place of what is nested deeper. What is no JSON stays none. */
function cutDeeper(text: string, most: number): string {
  const pieces: string[] = [];
  let depth = 0;
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charCodeAt(at);
    if (mark === quote) {
      at = endOfString(text, at);
    } else if (mark === 0x5b || mark === 0x7b) {
      depth += 1;
      if (depth === most + 1) pieces.push(text.slice(kept, at), "null");
    } else if (mark === 0x5d || mark === 0x7d) {
      if (depth === most + 1) kept = at + 1;
      depth -= 1;
    }
  }
  if (pieces.length === 0) return text;
  // A text that ends within what is left out is cut off.
  return depth > most ? pieces.join("") : pieces.join("") + text.slice(kept);
}
