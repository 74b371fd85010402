import type { MovedKind } from "../../kinds/kind.ts";
import type { IntentItem } from "../../model/journal.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isObject, own } from "../../model/json.ts";
import type { SnapshotReader } from "../../store/index.ts";
import type { TargetState } from "../read/target.ts";

/** The fields of an object without which no request can name it. */
export function addressOf(kind: MovedKind, whole: JsonObject): JsonObject {
  return fieldsOf(whole, kind.addressedBy ?? []);
}

function fieldsOf(whole: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field): [string, Json][] => {
      const value = own(whole, field);
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

export function isAddressable(kind: MovedKind, whole: JsonObject): boolean {
  return (kind.addressedBy ?? []).every((field) => own(whole, field) !== undefined);
}

/** What paths need is kept with the intent: the object may be gone from the listing when it is settled. */
export function addressed(kind: MovedKind, whole: JsonObject): Pick<IntentItem, "whole"> {
  const { addressedBy, remembers = [] } = kind;
  if (addressedBy === undefined && remembers.length === 0) return {};
  return { whole: fieldsOf(whole, [...(addressedBy ?? []), ...remembers]) };
}

/** An object as it was read; empty where no list showed it. */
export function wholeAt(snapshot: SnapshotReader, kind: MovedKind, urn: string): JsonObject {
  return snapshot.has(kind.name, urn) ? snapshot.body(kind.name, urn) : {};
}

/** What is known of an object at the target: as it was read, else what its intent remembers. */
export function wholeOf(
  kind: MovedKind,
  urn: string,
  remembered: Json | undefined,
  { snapshot }: TargetState,
): JsonObject {
  return { ...(isObject(remembered) ? remembered : {}), ...wholeAt(snapshot, kind, urn) };
}
