import type { MappingEntry, Parties, Party } from "../../model/mapping.ts";

/**
 * The mapping of one kind, `<kind>.json`: meant to be committed and reviewed, so an unchanged entry is an
 * unchanged line.
 *
 *     {
 *       "format": 1,
 *       "tool": "<name and version of the tool that wrote it last>",
 *       "kind": "terms",
 *       "serial": 7,
 *       "source": {"name":"dev","baseUrl":"https://dev.example.com","tenant":"acme"},
 *       "target": {"name":"prod","baseUrl":"https://prod.example.com","tenant":"acme"},
 *       "entries": {
 *         "<source URN>": {"name":"Email","target":"<target URN>","origin":"created", ...},
 *         "<source URN>": {...}
 *       }
 *     }
 *
 * One entry a line, sorted by source URN (by UTF-16 code unit; URNs are ASCII): renames move no line. Within an
 * entry: name, target, origin, sourceFingerprint, targetFingerprint, keys (sorted), left, former, unfinished,
 * run, then fields that this version does not know, sorted. No spaces in an entry; UTF-8; a line feed at the end. The
 * serial moves by one whenever, and only when, the entries change.
 */
export interface MappingContent {
  readonly format: number;
  readonly tool: string;
  readonly kind: string;
  readonly serial: number;
  readonly parties: Parties;
  /** In the order of the file. */
  readonly entries: ReadonlyMap<string, MappingEntry>;
}

const fields = [
  "name",
  "target",
  "origin",
  "sourceFingerprint",
  "targetFingerprint",
  "keys",
  "left",
  "former",
  "unfinished",
  "run",
];

export function* formatMapping(content: MappingContent): Generator<string> {
  const { format, tool, kind, serial, parties } = content;
  yield "{\n";
  yield `  "format": ${format},\n`;
  yield `  "tool": ${JSON.stringify(tool)},\n`;
  yield `  "kind": ${JSON.stringify(kind)},\n`;
  yield `  "serial": ${serial},\n`;
  yield `  "source": ${formatParty(parties.source)},\n`;
  yield `  "target": ${formatParty(parties.target)},\n`;
  yield `  "entries": {`;
  let separator = "\n";
  for (const line of formatEntries(content.entries)) {
    yield `${separator}    ${line}`;
    separator = ",\n";
  }
  yield separator === "\n" ? "}\n}\n" : "\n  }\n}\n";
}

/** The lines of the entries, without indentation and commas. */
export function* formatEntries(entries: ReadonlyMap<string, MappingEntry>): Generator<string> {
  for (const [source, entry] of entries) yield `${JSON.stringify(source)}: ${formatEntry(entry)}`;
}

export function sortEntries(entries: ReadonlyMap<string, MappingEntry>): Map<string, MappingEntry> {
  return new Map([...entries].sort(byKey));
}

function formatParty({ name, baseUrl, tenant }: Party): string {
  return JSON.stringify({ name, baseUrl, tenant });
}

/** Put together as text: an object would move integer-like names to the front and lose one named `__proto__`. */
function formatEntry(entry: MappingEntry): string {
  const value = new Map<string, unknown>(Object.entries(entry));
  let line = "";
  const add = (name: string): void => {
    const text = name === "keys" ? formatKeys(value.get(name)) : JSON.stringify(value.get(name));
    // A member without a value (`undefined`) is left out, as JSON does.
    if (text !== undefined) line += `${line === "" ? "" : ","}${JSON.stringify(name)}:${text}`;
    value.delete(name);
  };
  for (const name of fields) if (value.has(name)) add(name);
  for (const name of [...value.keys()].sort()) add(name);
  return `{${line}}`;
}

function formatKeys(keys: unknown): string | undefined {
  if (typeof keys !== "object" || keys === null) return undefined;
  const members = Object.entries(keys).sort(byKey);
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : Number(one > other);
}
