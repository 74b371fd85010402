import type { Node, Pair, YAMLMap, YAMLSeq } from "yaml";
import { display, displayJson } from "../model/display.ts";
import { isCollection, isMap, isScalar, isSeq, parseDocument, stringify } from "yaml";
import { asItIs } from "./interpolate.ts";

/** A value to be put into a plan: with a key into a map, without one at the end of a list. */
export interface Added {
  readonly key?: string;
  readonly value: unknown;
  /** Behind it, for who reads the plan. */
  readonly comment?: string;
}

type Whole = Node & { readonly range: readonly [number, number, number] };

/**
 * The text of a plan with one more value at a path; everything else stays as the person wrote it: comments, order,
 * quotes, spaces. Undefined where the text is not understood well enough to be sure of that.
 */
export function addTo(text: string, path: readonly string[], added: Added): string | undefined {
  const before = parseDocument(text);
  if (before.errors.length > 0) return undefined;
  const words = wordsOf(text);
  const written = { ...added, value: asItIs(added.value) };
  const found = spliced(text, path, written, words);
  if (found === undefined || !words.isWhole(found)) return undefined;
  const changed = withLineEnds(text, found);
  return says(changed, () => withAdded(before.toJS(), path, written)) ? changed : undefined;
}

/** At its place alone: what an alias has in common with it stays as it is. */
function withValue(whole: unknown, [first, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (first === undefined) return value;
  if (Array.isArray(whole))
    return whole.map((item: unknown, at) => (at === first ? withValue(item, rest, value) : item));
  const map = typeof whole === "object" && whole !== null ? (whole as Record<string, unknown>) : {};
  return { ...map, [first]: withValue(map[first], rest, value) };
}

/** An alias whose anchor went with what gave way stands for nothing any more, which is no error before its value is wanted. */
function says(text: string, wanted: () => unknown): boolean {
  const document = parseDocument(text);
  if (document.errors.length > 0) return false;
  try {
    return JSON.stringify(document.toJS()) === JSON.stringify(wanted());
  } catch {
    return false;
  }
}

/** Takes the place of an item of a list; the others, and what stands around it, stay. */
export function replaceItem(
  text: string,
  path: readonly string[],
  index: number,
  value: unknown,
): string | undefined {
  const document = parseDocument(text);
  const node = document.getIn([...path, index], true);
  if (document.errors.length > 0 || !isWhole(node)) return undefined;
  const [start, end] = node.range;
  const kept = text.slice(start, end);
  // A block has lines of its own: it ends in front of the line break that belongs to what follows.
  const rest = kept.slice(kept.trimEnd().length);
  const words = wordsOf(text);
  const written = asItIs(value);
  const changed = withLineEnds(
    text,
    `${text.slice(0, start)}${words.value(written)}${rest}${text.slice(end)}`,
  );
  const wanted = (): unknown => withValue(document.toJS(), [...path, index], written);
  return words.isWhole(changed) && says(changed, wanted) ? changed : undefined;
}

/** Where every line ends as Windows ends it, the new ones do too. */
function withLineEnds(before: string, after: string): string {
  const isOfWindows = before.includes("\r\n") && !/(?<!\r)\n/.test(before);
  return isOfWindows ? after.replaceAll(/\r?\n/g, "\r\n") : after;
}

/** A value of a map, in the place of what is there; everything else stays. */
export function replaceValue(text: string, path: readonly string[], value: string): string | undefined {
  const document = parseDocument(text);
  const node = document.getIn(path, true);
  if (document.errors.length > 0 || !isScalar(node) || !isWhole(node)) return undefined;
  const [start, end] = node.range;
  const written = asItIs(value);
  const changed = `${text.slice(0, start)}${displayJson(JSON.stringify(written))}${text.slice(end)}`;
  return says(changed, () => withValue(document.toJS(), path, written)) ? changed : undefined;
}

/** How keys and values are written: a plan in JSON stays JSON. */
interface Words {
  key(key: string): string;
  value(value: unknown): string;
  /** What came of it is of the same language. */
  isWhole(text: string): boolean;
}

const yamlWords: Words = { key: keyText, value: flow, isWhole: () => true };
const jsonWords: Words = {
  key: (key) => displayJson(JSON.stringify(key)),
  value: (value) => displayJson(JSON.stringify(value)),
  isWhole: isJson,
};

function wordsOf(text: string): Words {
  return isJson(text) ? jsonWords : yamlWords;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function spliced(text: string, path: readonly string[], added: Added, words: Words): string | undefined {
  const document = parseDocument(text);
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isCollection(node) && isWhole(node)) {
    if (isSeq(node) === (added.key !== undefined)) return undefined;
    return node.flow === true
      ? inFlow(text, node, added, words)
      : inBlock(text, node, added, path.length === 0);
  }
  const last = path.at(-1);
  if (last === undefined) return undefined;
  const parent = path.slice(0, -1);
  const wrapped = added.key === undefined ? [added.value] : { [added.key]: added.value };
  if (node === undefined || node === null) {
    const pair = pairAt(parent.length === 0 ? document.contents : document.getIn(parent, true), last);
    if (pair === undefined) {
      const { comment } = added;
      const whole = { key: last, value: wrapped, ...(comment === undefined ? {} : { comment }) };
      return spliced(text, parent, whole, words);
    }
  }
  if (!isScalar(node) || node.value !== null || !isWhole(node)) return undefined;
  // The key stands there with nothing behind it.
  const at = node.range[0];
  return `${text.slice(0, at)}${text[at - 1] === ":" ? " " : ""}${words.value(wrapped)}${text.slice(at)}`;
}

function inFlow(
  text: string,
  node: (YAMLMap | YAMLSeq) & Whole,
  { key, value }: Added,
  words: Words,
): string {
  const close = node.range[1] - 1;
  const inner = text.slice(node.range[0] + 1, close);
  const kept = inner.trimEnd();
  const isEmpty = kept.trim() === "";
  const pad = isEmpty ? " " : inner.slice(kept.length);
  const before = isEmpty ? " " : `${kept}${kept.endsWith(",") ? "" : ","} `;
  const entry = `${key === undefined ? "" : `${words.key(key)}: `}${words.value(value)}`;
  return `${text.slice(0, node.range[0] + 1)}${before}${entry}${pad}${text.slice(close)}`;
}

function inBlock(
  text: string,
  node: (YAMLMap | YAMLSeq) & Whole,
  added: Added,
  isTop: boolean,
): string | undefined {
  const first = isMap(node) ? node.items[0]?.key : node.items[0];
  if (!isWhole(first)) return undefined;
  const start = text.lastIndexOf("\n", isMap(node) ? first.range[0] : node.range[0]) + 1;
  const indent = /^ */.exec(text.slice(start))?.[0] ?? "";
  const dash = isSeq(node) ? "- " : "";
  const comment =
    added.comment === undefined ? "" : ` # ${display(added.comment.replaceAll(/[\r\n]+/g, " "))}`;
  const line = `${indent}${dash}${isTop ? topEntry(added) : entryOf(added)}${comment}\n`;
  if (isTop) return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}`;
  const lastItem = node.items.at(-1);
  const last = isMap(node) ? ((lastItem as Pair).value ?? (lastItem as Pair).key) : lastItem;
  if (!isWhole(last)) return undefined;
  // What is behind it on its line belongs to it.
  const content = last.range[0] + text.slice(last.range[0], last.range[1]).trimEnd().length;
  const end = text.indexOf("\n", content);
  return end < 0 ? `${text}\n${line}` : `${text.slice(0, end + 1)}${line}${text.slice(end + 1)}`;
}

/** At the top a list has a line an item, as a person would write it. */
function topEntry({ key = "", value }: Added): string {
  if (!Array.isArray(value)) return entryOf({ key, value });
  return `${keyText(key)}:\n${value.map((item) => `  - ${flow(item)}`).join("\n")}`;
}

function entryOf({ key, value }: Added): string {
  return key === undefined ? flow(value) : `${keyText(key)}: ${flow(value)}`;
}

function keyText(key: string): string {
  const text = stringify(key, {
    lineWidth: 0,
    defaultStringType: /^[\w-]+$/.test(key) ? "PLAIN" : "QUOTE_DOUBLE",
  }).trimEnd();
  return isPlainLine(text) ? text : displayJson(JSON.stringify(key));
}

/** On one line; JSON where that holds marks that nobody would see in it, or a text of several lines. */
function flow(value: unknown): string {
  const text = stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trimEnd();
  return isPlainLine(text) ? text : displayJson(JSON.stringify(value));
}

function isPlainLine(text: string): boolean {
  return displayJson(text) === text && !/[\r\n]/.test(text);
}

function pairAt(node: unknown, key: string): Pair | undefined {
  if (!isMap(node)) return undefined;
  return node.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function isWhole(node: unknown): node is Whole {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
}

function withAdded(value: unknown, [first, ...rest]: readonly string[], added: Added): unknown {
  if (first === undefined) {
    if (added.key === undefined) return [...(Array.isArray(value) ? value : []), added.value];
    return { ...(typeof value === "object" ? value : {}), [added.key]: added.value };
  }
  const map = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return { ...map, [first]: withAdded(map[first], rest, added) };
}
