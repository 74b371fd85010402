import { parseNamed } from "./escaped-names.ts";
import type { Json, JsonObject, MutableJson } from "./json.ts";
import { fromEntries, isArray, isObject, own, pointerOf, setOwn, text } from "./json.ts";
import { isUrn, isUuid } from "./urn.ts";
import { isSubEntityMap } from "./sub-entity.ts";

/**
 * The one walker over references: it both collects and rewrites, so that what is seen and what is changed can never
 * differ.
 *
 * - `urn`: a value that is a URN, or the name of a field that is one.
 * - `embedded`: a URN inside a longer text.
 * - `gid`: the bare UUID of an entityReference node in rich text (page 04, "Values seen on live tenants").
 * - `uuid`: a value that is a bare UUID, such as a joinConfigurationKey.
 * - `key`: the key of a sub-entity in its map.
 */
export type ReferenceForm = "urn" | "embedded" | "gid" | "uuid" | "key";

export interface Visit {
  /** The text to stand in its place: the same text to keep it, undefined to leave the field (or item) out. */
  (form: ReferenceForm, value: string, pointer: () => string): string | undefined;
}

/**
 * An id in a text that is no reference to the service: a UUID inside a longer one, or without its hyphens, or a URN that is
 * encoded, as in the address of a page. Nobody rewrites it, since nobody knows what the text makes of it. Each once a text.
 */
interface Mention {
  (value: string, pointer: () => string): void;
}

/** What is left out: the reference alone, or with it the list or object that held nothing else. A part stays, with nothing in it. */
type LeftOut = "alone" | "with what held nothing else";

export function walk(
  body: JsonObject,
  visit: Visit,
  mention?: Mention,
  leftOut: LeftOut = "alone",
): JsonObject {
  return new Walker(visit, mention, leftOut).object(body);
}

/** The values of all references of some forms, without their places. */
export function referenced(body: JsonObject, wanted: readonly ReferenceForm[]): readonly string[] {
  const found: string[] = [];
  walk(body, (form, value) => {
    if (wanted.includes(form)) found.push(value);
    return value;
  });
  return found;
}

/** Every reference of a body, without changing it. */
export function references(body: JsonObject): { form: ReferenceForm; value: string; pointer: string }[] {
  const found: { form: ReferenceForm; value: string; pointer: string }[] = [];
  walk(body, (form, value, pointer) => {
    found.push({ form, value, pointer: pointer() });
    return value;
  });
  return found;
}

const embeddedUrn =
  /urn:[^:\s"'<>]+:[^:\s"'<>]+:[^:\s"'<>]+:[^:\s"'<>]+:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}/g;

const uuidPattern = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
/** Colons that are encoded, once or twice over. */
const encodedColon = /%(?:25)*3[aA]/g;
/** Not a piece of a longer number, such as a checksum. */
const withoutHyphens = "(?<![0-9a-fA-F])[0-9a-fA-F]{32}(?![0-9a-fA-F])";
const mentioned = new RegExp(
  `urn(?:${encodedColon.source}[^:%\\s"'<>]+){4}${encodedColon.source}${uuidPattern}|${uuidPattern}|${withoutHyphens}`,
  "g",
);

/** Most texts hold no UUID, and need no more than this look: the expression takes thirty times as long. */
function hasHyphensOfUuid(value: string): boolean {
  for (let at = value.indexOf("-", 8); at !== -1; at = value.indexOf("-", at + 1))
    if (value[at + 5] === "-" && value[at + 10] === "-" && value[at + 15] === "-") return true;
  return false;
}

/** The same for 32 digits in a row: one of them stands at every 32nd place. */
function hasDigitsOfUuid(value: string): boolean {
  for (let at = 31; at < value.length; at += 32) {
    if (!isDigit(value, at)) continue;
    let first = at;
    while (first > 0 && isDigit(value, first - 1)) first -= 1;
    let last = at;
    while (isDigit(value, last + 1)) last += 1;
    if (last - first === 31) return true;
    at = last;
  }
  return false;
}

function isDigit(value: string, at: number): boolean {
  const unit = value.charCodeAt(at);
  const letter = unit | 0x20;
  return (unit >= 0x30 && unit <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}

/** The URN that a mention encodes; undefined where it is a bare UUID. */
export function mentionedUrn(mention: string): string | undefined {
  return mention.startsWith("urn") ? mention.replaceAll(encodedColon, ":") : undefined;
}

const quotedUuid = /"([0-9a-fA-F-]{36})"/g;

class Walker {
  readonly #visit: Visit;
  readonly #mention: Mention | undefined;
  readonly #leftOut: LeftOut;
  readonly #path: (string | number)[] = [];
  readonly #pointer = (): string => pointerOf(this.#path);

  constructor(visit: Visit, mention: Mention | undefined, leftOut: LeftOut) {
    this.#visit = visit;
    this.#mention = mention;
    this.#leftOut = leftOut;
  }

  /** What is not changed is not copied. */
  object(value: JsonObject): JsonObject {
    const isMap = isSubEntityMap(value);
    const names = Object.keys(value);
    /** The same fields with other values: a spread is many times cheaper than setting field after field. */
    let copy: MutableJson | undefined;
    /** Other fields, once one is renamed or left out. */
    let kept: [string, Json][] | undefined;
    let index = -1;
    for (const name of names) {
      index += 1;
      const field = value[name] ?? null;
      this.#path.push(name);
      const form = isMap ? "key" : isUrn(name) ? "urn" : undefined;
      const key = form === undefined ? name : this.#visit(form, name, this.#pointer);
      const walked =
        key === undefined ? undefined : isMap && isObject(field) ? this.object(field) : this.#value(field);
      if (key !== name || walked === undefined) kept ??= fieldsBefore(names.slice(0, index), copy ?? value);
      if (kept !== undefined) {
        if (key !== undefined && walked !== undefined) kept.push([key, walked]);
      } else if (walked !== undefined && walked !== field) {
        copy ??= { ...value };
        setOwn(copy, name, walked);
      }
      this.#path.pop();
    }
    return kept === undefined ? (copy ?? value) : fromEntries(kept);
  }

  #value(value: Json): Json | undefined {
    if (typeof value === "string") return this.#text(value);
    if (isObject(value)) {
      const walked = this.object(value);
      return walked !== value && this.#isEmptied(Object.keys(walked)) ? undefined : walked;
    }
    if (!isArray(value)) return value;
    /** The items, once one is changed or left out. */
    let items: Json[] | undefined;
    let index = -1;
    for (const item of value) {
      index += 1;
      this.#path.push(index);
      const walked = this.#value(item);
      if (walked !== item) items ??= value.slice(0, index);
      if (items !== undefined && walked !== undefined) items.push(walked);
      this.#path.pop();
    }
    return items !== undefined && this.#isEmptied(items) ? undefined : (items ?? value);
  }

  /** Of what was not empty before. */
  #isEmptied({ length }: { readonly length: number }): boolean {
    return length === 0 && this.#leftOut === "with what held nothing else";
  }

  #text(value: string): string | undefined {
    if (value.length === 36 && isUuid(value)) return this.#visit("uuid", value, this.#pointer);
    if (isUrn(value)) return this.#visit("urn", value, this.#pointer);
    const gids = value.includes("entityReference") ? gidsIn(value) : noGids;
    if (this.#mention !== undefined && value.length >= 32) this.#mentions(value, gids, this.#mention);
    // URNs first: what stands in the place of a gid may hold one, and is not to be visited again.
    const result = value.includes("urn:")
      ? value.replaceAll(embeddedUrn, (urn) => this.#visit("embedded", urn, this.#pointer) ?? urn)
      : value;
    return gids.size === 0 ? result : this.#richText(result, gids);
  }

  #mentions(value: string, gids: ReadonlySet<string>, mention: Mention): void {
    if (!hasHyphensOfUuid(value) && !hasDigitsOfUuid(value)) return;
    const rest = value
      .replaceAll(embeddedUrn, "")
      .replaceAll(quotedUuid, (whole, uuid: string) => (gids.has(uuid) ? "" : whole));
    for (const found of new Set(rest.match(mentioned))) mention(found, this.#pointer);
  }

  /**
   * Only the gids change; the rest of the text stays as somebody wrote it, white space included. All of them change
   * at once: an id of one side may be another object's id on the other.
   */
  #richText(value: string, gids: ReadonlySet<string>): string {
    const replacements = new Map(
      [...gids].map((gid) => [gid, this.#visit("gid", gid, this.#pointer) ?? gid]),
    );
    return value.replaceAll(quotedUuid, (whole, uuid: string) => {
      const replacement = replacements.get(uuid);
      return replacement === undefined ? whole : `"${replacement}"`;
    });
  }
}

/** Rich text is a string that holds a JSON list of nodes; plain strings occur as well (page 04). */
export function parseRichText(value: string): readonly Json[] | undefined {
  if (!value.trimStart().startsWith("[")) return undefined;
  try {
    const parsed = parseNamed(value);
    return Array.isArray(parsed) ? (parsed as readonly Json[]) : undefined;
  } catch {
    return undefined; // A plain text that begins with a bracket.
  }
}

const noGids: ReadonlySet<string> = new Set();

function gidsIn(value: string): ReadonlySet<string> {
  const gids = new Set<string>();
  collectGids(parseRichText(value) ?? null, gids);
  return gids;
}

/** Not by recursion: nobody bounds the depth of a text. */
function collectGids(nodes: Json, into: Set<string>): void {
  const left = [nodes];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (isArray(node)) {
      for (const item of node) left.push(item);
    } else if (isObject(node)) {
      const gid = text(node, "gid");
      if (text(node, "type") === "entityReference" && gid !== undefined && isUuid(gid)) into.add(gid);
      for (const item of Object.values(node)) left.push(item);
    }
  }
}

function fieldsBefore(names: readonly string[], of: JsonObject): [string, Json][] {
  return names.map((name) => [name, own(of, name) ?? null]);
}
