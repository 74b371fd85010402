import type { RowTask } from "../../kinds/kind.ts";
import { digest } from "../../model/canonical.ts";
import type { Action } from "../../model/change.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, isArray, isObject, own, pointerToken, text } from "../../model/json.ts";
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
  /** Prints of it now, and as of the last apply. */
  readonly print?: readonly [source: string, target: string];
  readonly was?: readonly [source: string, target: string];
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

export function lineJson(line: RowLine): JsonObject {
  const { action, name, key, reason, address, fields, before, print, was, identify, history } = line;
  const told = fields?.map(({ name: field, from, to }) =>
    defined({ path: `/${pointerToken(field)}`, from, to }),
  );
  return defined({ action, name, reason, fields: told, address, before, key, print, was, identify, history });
}

function defined(values: Readonly<Record<string, Json | undefined>>): JsonObject {
  return fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** Binds an approval to what it was given for. */
export function lineDigest(before: string, line: JsonObject): string {
  return digest(before + JSON.stringify(line));
}

/** What a line asks for; undefined for what is only told. */
export interface PlannedRow {
  readonly task: RowTask;
  readonly print: readonly [source: string, target: string] | undefined;
  readonly was: readonly [source: string, target: string] | undefined;
}

export function plannedOf(line: JsonObject): PlannedRow | undefined {
  const action = text(line, "action");
  const key = text(line, "key");
  if (key === undefined || (action !== "create" && action !== "update" && action !== "delete"))
    return undefined;
  const fields = own(line, "fields");
  const changes = (isArray(fields) ? fields : []).filter((field) => isObject(field));
  const values = fromEntries(
    changes.map((field): [string, Json] => [nameIn(text(field, "path") ?? ""), own(field, "to") ?? null]),
  );
  const before = own(line, "before");
  const address = text(line, "address");
  return {
    task: {
      action,
      key,
      name: text(line, "name") ?? "",
      values,
      ...(isObject(before) ? { before } : {}),
      ...(address === undefined ? {} : { address }),
    },
    print: pair(own(line, "print")),
    was: pair(own(line, "was")),
  };
}

function pair(value: Json | undefined): readonly [string, string] | undefined {
  if (!isArray(value)) return undefined;
  const [one, other] = value;
  return typeof one === "string" && typeof other === "string" ? [one, other] : undefined;
}

/** The attribute that a pointer of one step names. */
export function nameIn(path: string): string {
  return path.slice(1).replaceAll("~1", "/").replaceAll("~0", "~");
}
