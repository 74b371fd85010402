import type { RowTask } from "../../kinds/kind.ts";
import { digest } from "../../model/canonical.ts";
import { parseJson } from "../../model/json-text.ts";
import type { Action } from "../../model/change.ts";
import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import {
  fromEntries,
  isArray,
  isObject,
  own,
  pointerToken,
  setOwn,
  text,
  tokensOf,
} from "../../model/json.ts";
import { partWritten } from "../../model/row-print.ts";
import type { ValueChange } from "./prints.ts";

/** What would be done with a row, and why: a line of the table's file, for people and for apply. */
export interface RowLine {
  readonly action: Extract<
    Action,
    "create" | "update" | "delete" | "unchanged" | "blocked" | "manual" | "drift" | "conflict"
  >;
  readonly name: string;
  /** The digest of its key. */
  readonly key?: string;
  readonly reason?: string;
  readonly address?: string;
  readonly fields?: readonly ValueChange[];
  /** What the target has of it. */
  readonly before?: JsonObject;
  /** What it has, or had, in attributes that are not moved, where it goes or is made again. */
  readonly unmoved?: JsonObject;
  /** What people have given to other rows at the target, and this one takes away from them; each ends a sentence about it. */
  readonly takes?: readonly string[];
  /** Prints of it now, and as of the last apply. */
  readonly print?: readonly [source: string, target: string];
  readonly was?: readonly [source: string, target: string];
  /** Where it is taken back: as it is known until then. */
  readonly stood?: readonly [source: string, target: string];
  /** What was asked about it for people; nothing is bound to it. */
  readonly identify?: JsonObject;
  readonly history?: readonly JsonObject[];
}

export const rowActions = [
  "create",
  "update",
  "delete",
  "unchanged",
  "blocked",
  "manual",
  "drift",
  "conflict",
] as const satisfies readonly RowLine["action"][];

/** As it is written down. */
export function lineText(line: RowLine): string {
  const { action, name, key, reason, address, fields, before, takes, print, was, identify, history } = line;
  const { unmoved, stood } = line;
  const told = fields?.map(({ name: field, from, to }) => ({ path: pathOf(field), from, to }));
  // What is undefined is not written.
  return JSON.stringify({
    action,
    name,
    reason,
    fields: told,
    address,
    before,
    unmoved,
    takes,
    key,
    print,
    was,
    stood,
    identify,
    history,
  });
}

export function lineJson(line: RowLine): JsonObject {
  return parseJson(lineText(line)) as JsonObject;
}

/** A line as it was written down; what is no action there is taken for one that is only told. */
export function lineOf(json: JsonObject): RowLine {
  const [action, key, reason, address] = [
    text(json, "action"),
    text(json, "key"),
    text(json, "reason"),
    text(json, "address"),
  ];
  const fields = own(json, "fields");
  const [before, takes] = [own(json, "before"), own(json, "takes")];
  const unmoved = own(json, "unmoved");
  const [identify, history] = [own(json, "identify"), own(json, "history")];
  const [print, was, stood] = [own(json, "print"), own(json, "was"), own(json, "stood")].map(pair);
  return {
    action: rowActions.find((one) => one === action) ?? "blocked",
    name: text(json, "name") ?? "",
    ...(key === undefined ? {} : { key }),
    ...(reason === undefined ? {} : { reason }),
    ...(address === undefined ? {} : { address }),
    ...(isArray(fields) ? { fields: fields.filter((field) => isObject(field)).map(fieldOf) } : {}),
    ...(isObject(before) ? { before } : {}),
    ...(isObject(unmoved) ? { unmoved } : {}),
    ...(isArray(takes) ? { takes: takes.filter((one) => typeof one === "string") } : {}),
    ...(print === undefined ? {} : { print }),
    ...(was === undefined ? {} : { was }),
    ...(stood === undefined ? {} : { stood }),
    ...(isObject(identify) ? { identify } : {}),
    ...(isArray(history) ? { history: history.filter((one) => isObject(one)) } : {}),
  };
}

function fieldOf(field: JsonObject): ValueChange {
  return { name: nameIn(text(field, "path") ?? ""), from: own(field, "from"), to: own(field, "to") };
}

/** Binds an approval to what it was given for. */
export function lineDigest(before: string, line: string): string {
  return digest(before + line);
}

/** What a line asks for. */
export interface PlannedRow {
  readonly task: RowTask;
  readonly print: readonly [source: string, target: string] | undefined;
  readonly was: readonly [source: string, target: string] | undefined;
  readonly stood?: readonly [source: string, target: string] | undefined;
  /** Of a change: what the target has in attributes that are not moved, as it was looked at right before. It is not written down. */
  readonly aside?: JsonObject;
  /** What it said when it was compared, where somebody may have changed another part of it since, and before this run: that is not ours. */
  readonly compared?: JsonObject;
  /** It takes away from other rows what people have given to them. */
  readonly takes?: true;
  /** Its place in the table's file. */
  readonly line?: number;
  /** A part of it was refused after another was written. */
  readonly isShort?: true;
  /** It was sent before, and a part of it is there, at this address. */
  readonly partAt?: string | undefined;
  /** A create that was sent before, of something that was not there: the address that it has by now was given to it then. */
  readonly isNew?: true;
  /** A rollback has left it: it is taken back, whoever brings it to its end, and beside whatever else. */
  readonly isBack?: true;
}

/** The request whose answer was lost may still arrive. */
export function sentBefore(row: PlannedRow): PlannedRow {
  return row.task.action === "create" && row.task.address === undefined ? { ...row, isNew: true } : row;
}

/** Of a row of which a part is written, or will be: whoever looks next finds what is left. */
export function withoutRest<T extends Pick<PlannedRow, "print">>(row: T): T {
  return row.print === undefined ? row : { ...row, print: [partWritten, row.print[1]] };
}

export function plannedOf(line: JsonObject, at: number): PlannedRow | undefined {
  const action = text(line, "action");
  const key = text(line, "key");
  if (key === undefined || (action !== "create" && action !== "update" && action !== "delete"))
    return undefined;
  const fields = own(line, "fields");
  const values: MutableJson = {};
  for (const field of isArray(fields) ? fields : [])
    if (isObject(field)) setOwn(values, nameIn(text(field, "path") ?? ""), own(field, "to") ?? null);
  const address = text(line, "address");
  const before = own(line, "before") ?? placeOf(action, address, fields);
  const unmoved = own(line, "unmoved");
  const task: RowTask = { action, key, name: text(line, "name") ?? "", values };
  return {
    task:
      address === undefined && !isObject(before) && !isObject(unmoved)
        ? task
        : {
            ...task,
            ...(isObject(before) ? { before } : {}),
            ...(isObject(unmoved) ? { unmoved } : {}),
            ...(address === undefined ? {} : { address }),
          },
    print: pair(own(line, "print")),
    was: pair(own(line, "was")),
    stood: pair(own(line, "stood")),
    ...(own(line, "takes") === undefined ? {} : { takes: true }),
    line: at,
  };
}

/**
 * What stands where a row is made again in the place of one that does not count any more, as far as it is written over: whoever goes on
 * with a killed run finds by it that nobody has been there.
 */
function placeOf(
  action: "create" | "update" | "delete",
  address: string | undefined,
  fields: Json | undefined,
): JsonObject | undefined {
  if (action !== "create" || address === undefined || !isArray(fields)) return undefined;
  return fromEntries(
    fields
      .filter((field) => isObject(field))
      .map((field): [string, Json] => [nameIn(text(field, "path") ?? ""), own(field, "from") ?? null])
      .filter(([, value]) => value !== null),
  );
}

function pair(value: Json | undefined): readonly [string, string] | undefined {
  if (!isArray(value)) return undefined;
  const [one, other] = value;
  return typeof one === "string" && typeof other === "string" ? [one, other] : undefined;
}

function pathOf(field: string): string {
  return `/${field.includes("~") || field.includes("/") ? pointerToken(field) : field}`;
}

/** The attribute that a pointer of one step names. */
export function nameIn(path: string): string {
  return path.includes("~") ? (tokensOf(path)[0] ?? "") : path.slice(1);
}
