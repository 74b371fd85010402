import type { FieldChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { severities } from "../../model/diagnostic.ts";
import { formatCoordinate } from "../../model/coordinate.ts";
import { display } from "../../model/display.ts";
import type { Party } from "../../model/mapping.ts";
import { inTurn } from "../../model/packed/listed.ts";
import { TextNumbers } from "../../model/packed/numbers.ts";
import type { CauseGroup } from "../causes.ts";
import { byKind, sizeOf } from "../causes.ts";
import { detailLines } from "../details.ts";
import type { Item } from "../item.ts";
import { labels, personStates, symbols } from "../states.ts";
import { areBreaksMixed, baseSide, blockValue, fromSide, toSide } from "../values.ts";
import { richTextsOf } from "../rich-text.ts";
import type { Side } from "../values.ts";
import type { Section, View } from "../view.ts";
import { graphOf } from "./graph.ts";
import type {
  Body,
  CauseEntry,
  Entry,
  Field,
  HeaderData,
  Link,
  Note,
  PageData,
  Port,
  Value,
} from "./payload.ts";

export function payloadOf(view: View): PageData {
  const isNew = ({ key }: Section): boolean => key === "create";
  const ordered = inTurn(
    [
      view.person,
      view.deletes,
      // What changes something that is there comes before what is merely new.
      ...view.sections.filter((section) => !isNew(section)),
      ...view.sections.filter(isNew),
      view.acknowledged,
    ].map(({ items }) => items),
  );
  const groupOf = (item: Item): Entry["group"] => {
    if (personStates.includes(item.state)) return "person";
    if (item.state === "acknowledged") return "known";
    return item.state === "delete" || item.state === "create" ? item.state : "change";
  };
  const at = new TextNumbers();
  for (const [index, { id }] of ordered.entries()) at.set(id, index);
  const link = linker(ordered, at);
  const neededBy = reverse(ordered, at);
  return {
    ...headerOf(view),
    counts: view.counts,
    kinds: view.kinds.map(display),
    ...chunked(
      ordered,
      (item, index) => ({ at: index, id: item.id, group: groupOf(item), ...rowOf(item) }),
      (item, index) => ({
        ...insideOf(item),
        ...pulledIn(item, at),
        needs: item.dependsOn.map(link),
        neededBy: (neededBy.get(index) ?? []).map((user) => link(ordered[user]?.id ?? "")),
      }),
    ),
    causes: view.byCause.causes.map((group) => causeOf(group, link)),
    graph: graphOf(ordered, view.kinds.map(display)),
  };
}

/** A page of more entries than this reads what is inside of them when it is opened. */
const inOnePiece = 2_000;
const chunkSize = 500;

type Row = Omit<Entry, keyof Body>;

/** Of many entries only what the rows show is parsed at once; the rest stands in chunks of its own. */
function chunked(
  items: readonly Item[],
  row: (item: Item, index: number) => Row,
  inside: (item: Item, index: number) => Body,
): Pick<PageData, "items" | "chunks" | "bodies"> {
  const { length } = items;
  if (length <= inOnePiece) {
    const entries = items.map((item, index): Entry => ({ ...row(item, index), ...inside(item, index) }));
    return { items: entries, chunks: 0, bodies: [] };
  }
  const nothing = { steps: [], needs: [], neededBy: [], fields: [], notes: [] };
  const rows = {
    length,
    *[Symbol.iterator](): Generator<Entry> {
      for (const [index, item] of items.entries()) {
        const chunk = Math.floor(index / chunkSize);
        yield { ...row(item, index), chunk, size: item.change.fields.length, ...nothing };
      }
    },
  };
  const bodies = {
    *[Symbol.iterator](): Generator<readonly Body[]> {
      for (let at = 0; at < length; at += chunkSize)
        yield items.slice(at, at + chunkSize).map((item, index) => inside(item, at + index));
    },
  };
  return { items: rows, chunks: Math.ceil(length / chunkSize), bodies };
}

/** What a page says of the run as a whole; the list below it is the page's own. */
export function headerOf(view: View): HeaderData {
  const { result } = view;
  return {
    command: display(result.command),
    plan: display(result.plan),
    version: display(result.version),
    ...(result.run === undefined ? {} : { run: display(result.run) }),
    ...(result.source === undefined ? {} : { source: portOf(result.source) }),
    ...(result.target === undefined ? {} : { target: portOf(result.target) }),
    tone: view.tone,
    headline: view.headline,
    cost: view.cost,
    next: view.next,
    consequences: view.consequences,
    deletes: view.deletes.title,
    notes: view.notes.map(noteOf),
    details: detailLines(result.details, 100),
    items: [],
  };
}

/** So many of a kind are named beside the cause; all of them are rows of their own. */
const linksInCause = 8;

function causeOf(group: CauseGroup, link: (id: string) => Link): CauseEntry {
  return {
    state: group.state,
    symbol: symbols[group.state],
    summary: group.summary,
    size: sizeOf(group),
    ...(group.detail === undefined ? {} : { detail: group.detail }),
    steps: group.steps,
    kinds: [...byKind(group)].map(([kind, items]) => ({
      kind,
      count: items.length,
      links: items.slice(0, linksInCause).map((item) => ({ ...link(item.id), text: item.name })),
    })),
  };
}

function linker(items: readonly Item[], at: TextNumbers): (id: string) => Link {
  return (id) => {
    const index = at.get(id);
    const item = index === undefined ? undefined : items[index];
    if (index === undefined || item === undefined) return { text: display(id) };
    return { text: `${item.kind} "${item.name}"`, at: index };
  };
}

/** By place: the places of those that depend on it. */
function reverse(items: readonly Item[], at: TextNumbers): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const [user, item] of items.entries()) {
    for (const id of item.dependsOn) {
      const index = at.get(id);
      const list = index === undefined ? [] : found.get(index);
      if (list !== undefined) list.push(user);
      else if (index !== undefined) found.set(index, [user]);
    }
  }
  return found;
}

function pulledIn(item: Item, at: TextNumbers): { readonly pulledInBy?: Link } {
  const { pulledInBy } = item.change;
  if (pulledInBy === undefined || item.pulledInBy === undefined) return {};
  const index = at.get(`${pulledInBy.kind}:${pulledInBy.urn}`);
  return {
    pulledInBy: index === undefined ? { text: item.pulledInBy } : { text: item.pulledInBy, at: index },
  };
}

function rowOf(item: Item): Omit<Row, "at" | "id" | "group"> {
  return {
    state: item.state,
    action: item.change.action,
    symbol: item.symbol,
    label: item.note ?? labels[item.state],
    kind: item.kind,
    name: item.name,
    urn: item.urn,
    reason: item.reason,
    ...saidOf(item),
  };
}

/** Whoever reads the rows alone must see where more is said. */
function saidOf(item: Item): Pick<Row, "said"> {
  const notes = notesOf(item).map(({ severity }) => severity);
  const severity = severities.find((one) => notes.includes(one)) ?? notes[0];
  return severity === undefined ? {} : { said: { count: notes.length, severity } };
}

function insideOf(item: Item): Pick<Body, "otherUrn" | "steps" | "fields" | "notes"> {
  return {
    ...(item.otherUrn === undefined ? {} : { otherUrn: item.otherUrn }),
    steps: item.steps,
    fields: item.change.fields.map(fieldOf),
    notes: notesOf(item),
  };
}

function notesOf(item: Item): readonly Note[] {
  return [
    ...item.change.diagnostics.flatMap((found) => ownNotesOf(found, item)),
    ...(item.change.inBrief === true ? [inBrief] : []),
  ];
}

/** Said with each: who opens it must not take it for empty. */
const inBrief: Note = {
  severity: "warning",
  code: "creates-in-brief",
  text: "There are so many creates that the fields of this one are not listed: they stand in the snapshot of the source.",
};

/** What the entry says is not said again: its reason, nor what it is; steps stand below all notes. */
function ownNotesOf(found: Diagnostic, item: Item): readonly Note[] {
  const { coordinate, ...rest } = found;
  const { source, target } = item.change;
  const isOwn = coordinate !== undefined && [source?.urn, target?.urn].includes(coordinate.urn);
  const { step: _, ...note } = noteOf(isOwn ? rest : found);
  if (note.text !== item.reason) return [note];
  return note.where === undefined && note.detail === undefined ? [] : [{ ...note, text: "" }];
}

function fieldOf(field: FieldChange): Field {
  const sides = inWords(fromSide(field), toSide(field), baseSide(field));
  const [from, to, base] = sides;
  const plain = [from, to].every((side) => side === undefined || isPlain(side));
  const isMixed = areBreaksMixed(sides);
  const shown = (side: Side, isText = plain): Value => valueOf(side, isText, isMixed);
  return {
    path: display(field.path),
    ...(field.base === undefined
      ? {}
      : {
          base:
            base === undefined
              ? { text: "", plain: false, absent: true }
              : shown(base, plain && isPlain(base)),
        }),
    ...(from === undefined ? {} : { from: shown(from) }),
    ...(to === undefined ? {} : { to: shown(to) }),
  };
}

/** Rich text is read as text; where only its marks differ, it is shown as it is. */
function inWords(...sides: readonly (Side | undefined)[]): readonly (Side | undefined)[] {
  const texts = richTextsOf(sides.map((side) => side?.value));
  const isRich = sides.every((side, at) => side === undefined || texts[at] !== undefined);
  const [from, to] = texts;
  if (!isRich || (from !== undefined && from === to)) return sides;
  return texts.map((text) => (text === undefined ? undefined : { value: text === "" ? " " : text }));
}

/** Where one side is no text, the other is quoted: "5" and 5 must not look alike. */
function valueOf(side: Side, plain: boolean, isMixed: boolean): Value {
  const text =
    plain || typeof side.value !== "string"
      ? blockValue(side.value, isMixed)
      : display(JSON.stringify(side.value));
  return side.name === undefined ? { text, plain } : { text, plain, name: display(side.name) };
}

function isPlain({ value }: Side): boolean {
  return typeof value === "string" && value.trim() === value && value !== "";
}

function noteOf(found: Diagnostic): Note {
  const { coordinate, pointer } = found;
  const where = [coordinate && formatCoordinate(coordinate), pointer && display(pointer)]
    .filter(Boolean)
    .join(" ");
  return {
    severity: found.severity,
    code: display(found.code),
    text: display(found.summary),
    ...(where === "" ? {} : { where }),
    ...(found.detail === undefined ? {} : { detail: display(found.detail) }),
    ...(found.suggestion === undefined ? {} : { step: display(found.suggestion) }),
  };
}

function portOf(party: Party): Port {
  return { name: display(party.name), tenant: display(party.tenant), baseUrl: display(party.baseUrl) };
}
