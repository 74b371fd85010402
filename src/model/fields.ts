import type { Json, JsonObject } from "./json.ts";
import { fromEntries, isObject } from "./json.ts";

/**
 * A field of a body, or a member of one: `description`, `properties/owner`. Only the first slash parts; what is behind
 * it is the member's whole name.
 */
export function memberField(field: string, member: string): string {
  return `${field}/${member}`;
}

/** A body less some of its fields and members. */
export function without(body: JsonObject, fields: readonly string[]): JsonObject {
  return fields.length === 0 ? body : parted(body, (field) => !fields.includes(field));
}

/** Some fields and members of a body, and nothing else. */
export function only(body: JsonObject, fields: readonly string[]): JsonObject {
  return parted(body, (field) => fields.includes(field), fields);
}

function parted(
  body: JsonObject,
  isWanted: (field: string) => boolean,
  wanted?: readonly string[],
): JsonObject {
  return fromEntries(
    Object.entries(body).flatMap(([field, value]): [string, Json][] => {
      if (wanted !== undefined && wanted.includes(field)) return [[field, value]];
      if (wanted === undefined && !isWanted(field)) return [];
      if (!isObject(value)) return wanted === undefined ? [[field, value]] : [];
      const members = Object.entries(value).filter(([member]) => isWanted(memberField(field, member)));
      if (wanted === undefined && members.length === Object.keys(value).length) return [[field, value]];
      return members.length === 0 && wanted !== undefined ? [] : [[field, fromEntries(members)]];
    }),
  );
}
