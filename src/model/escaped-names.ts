import type { Json, MutableJson } from "./json.ts";
import { isArray, isObject, setOwn } from "./json.ts";

/**
 * V8 13 (Node 24) compares the name of a field with the one that an object of the same form had in its place before by the text
 * as it is written, escapes and all: `{"a\"":0}` is read as `{"a\\":0}` where such a one was read before. So a name that is written
 * with escapes is given another one to be read by, and its own one afterwards.
 */
export function readNamed(text: string, parse: (text: string) => Json): Json {
  if (!hasEscapedName(text)) return parse(text);
  let mark = "~";
  while (text.includes(mark)) mark += "~";
  const names = new Map<string, string>();
  const pieces: string[] = [];
  let kept = 0;
  for (let begin = text.indexOf('"'); begin >= 0;) {
    const end = endOfString(text, begin);
    const name = text.slice(begin, end + 1);
    if (name.includes("\\") && isName(text, end)) {
      const other = `${mark}${names.size}`;
      names.set(other, JSON.parse(name) as string);
      pieces.push(text.slice(kept, begin), `"${other}"`);
      kept = end + 1;
    }
    begin = text.indexOf('"', end + 1);
  }
  return renamed(parse(pieces.join("") + text.slice(kept)), names);
}

/** As `readNamed`, of what has numbers and depths that are our own. */
export function parseNamed(text: string): unknown {
  return readNamed(text, (other) => JSON.parse(other) as Json);
}

function hasEscapedName(text: string): boolean {
  for (let at = text.indexOf("\\"); at >= 0;) {
    const end = endOfString(text, at - 1);
    if (isName(text, end)) return true;
    at = text.indexOf("\\", end + 1);
  }
  return false;
}

/** Whether a colon follows the string that ends here. */
function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (spaces.has(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === colon;
}

function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (isArray(value)) return value.map((item) => renamed(item, names));
  if (!isObject(value)) return value;
  const named: MutableJson = {};
  for (const [name, field] of Object.entries(value))
    setOwn(named, names.get(name) ?? name, renamed(field, names));
  return named;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const spaces: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Of the quotation mark that ends the string that begins here, or of the end of the text. */
export function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    const mark = text.charCodeAt(at);
    if (mark === quote) return at;
    if (mark === backslash) at += 1;
  }
  return text.length;
}
