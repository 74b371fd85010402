import type { MappingEntry, Parties, Party } from "../../model/mapping.ts";
import { displayJson } from "../../model/display.ts";
import { PackedRows } from "../../model/packed/rows.ts";

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
 * entry: name, target, origin, sourceFingerprint, ownFingerprint, targetFingerprint, keys (sorted), left, former,
 * unfinished, drifted, over, run, then `kept` and fields that this version does not know, sorted. No spaces in an entry; UTF-8, and
 * marks that nobody sees as escapes; a line feed at the end. The serial moves by one whenever, and only when, the entries change.
 */
export interface MappingContent {
  readonly format: number;
  readonly tool: string;
  readonly kind: string;
  readonly serial: number;
  readonly parties: Parties;
  /** In the order of the file. */
  readonly entries: ReadonlyMap<string, MappingEntry>;
  /** Of the entries, where it was made as they were read. */
  readonly digest?: string | undefined;
  /** What takes their place where they are written: the same as lines. */
  readonly lines?: Iterable<string> | undefined;
}

const fields = [
  "name",
  "target",
  "origin",
  "sourceFingerprint",
  "ownFingerprint",
  "targetFingerprint",
  "keys",
  "left",
  "former",
  "unfinished",
  "drifted",
  "over",
  "run",
];
const named = new Set(fields);

export function* formatMapping(content: MappingContent): Generator<string> {
  const { format, tool, kind, serial, parties } = content;
  yield "{\n";
  yield `  "format": ${format},\n`;
  yield `  "tool": ${displayJson(JSON.stringify(tool))},\n`;
  yield `  "kind": ${displayJson(JSON.stringify(kind))},\n`;
  yield `  "serial": ${serial},\n`;
  yield `  "source": ${formatParty(parties.source)},\n`;
  yield `  "target": ${formatParty(parties.target)},\n`;
  yield `  "entries": {`;
  let separator = "\n";
  for (const line of content.lines ?? formatEntries(content.entries)) {
    yield `${separator}    ${line}`;
    separator = ",\n";
  }
  yield separator === "\n" ? "}\n}\n" : "\n  }\n}\n";
}

/** The lines of the entries, without indentation and commas. */
export function* formatEntries(entries: Iterable<readonly [string, MappingEntry]>): Generator<string> {
  for (const [source, entry] of entries) yield formatEntryLine(source, entry);
}

export function formatEntryLine(source: string, entry: MappingEntry): string {
  return displayJson(`${JSON.stringify(source)}: ${formatEntry(entry)}`);
}

/** In little room. */
export function packEntries(entries: ReadonlyMap<string, MappingEntry>): PackedRows {
  return entries instanceof PackedRows ? entries : PackedRows.of(entries);
}

function formatParty({ name, baseUrl, tenant }: Party): string {
  return displayJson(JSON.stringify({ name, baseUrl, tenant }));
}

/** Put together as text: an object would move integer-like names to the front and lose one named `__proto__`. */
function formatEntry(entry: MappingEntry): string {
  const {
    name,
    target,
    origin,
    sourceFingerprint,
    ownFingerprint,
    targetFingerprint,
    keys,
    left,
    former,
    unfinished,
    drifted,
    over,
    run,
  } = entry;
  const others = Object.keys(entry).filter((field) => !named.has(field));
  // A member without a value (`undefined`) is left out, as JSON does.
  const parts = [
    JSON.stringify({ name, target, origin, sourceFingerprint, ownFingerprint, targetFingerprint }).slice(
      1,
      -1,
    ),
    keys === undefined ? "" : `"keys":${formatKeys(keys)}`,
    JSON.stringify({ left, former, unfinished, drifted, over, run }).slice(1, -1),
    ...others.sort().map((field) => formatOther(entry, field)),
  ];
  return `{${parts.filter((part) => part !== "").join(",")}}`;
}

/** A field that this version does not know. */
function formatOther(entry: MappingEntry, field: string): string {
  const text = JSON.stringify((entry as unknown as Readonly<Record<string, unknown>>)[field]);
  return text === undefined ? "" : `${JSON.stringify(field)}:${text}`;
}

function formatKeys(keys: Readonly<Record<string, string>>): string {
  const names = Object.keys(keys);
  if (names.every((name, index) => index === 0 || (names[index - 1] ?? "") <= name))
    return JSON.stringify(keys);
  const members = Object.entries(keys).sort(byKey);
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : Number(one > other);
}
