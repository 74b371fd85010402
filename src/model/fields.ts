import type { Json, JsonObject } from "./json.ts";
import { fromEntries, isObject } from "./json.ts";

/**
 * A field of a body, or a member of one: `description`, `properties/owner`. Only the first slash parts; what is behind
 * it is the member's whole name.
 */
export function memberField(field: string, member: string): string {
  return `${field}/${member}`;
}

/** A body less some of its fields and members; a field that has lost all its members goes with them. */
export function without(body: JsonObject, fields: readonly string[]): JsonObject {
  if (fields.length === 0) return body;
  return parted(body, (field, of) => !fields.includes(field) && (of === undefined || !fields.includes(of)));
}

/** Some fields and members of a body, and nothing else. */
export function only(body: JsonObject, fields: readonly string[]): JsonObject {
  return parted(body, (field, of) => fields.includes(field) || (of !== undefined && fields.includes(of)));
}

/** `isWanted` is asked of members, with the field that they are of, and of fields that have none. */
function parted(body: JsonObject, isWanted: (field: string, of?: string) => boolean): JsonObject {
  const kept = Object.entries(body).flatMap(([field, value]): [string, Json][] => {
    if (!isObject(value) || Object.keys(value).length === 0) return isWanted(field) ? [[field, value]] : [];
    const all = Object.entries(value);
    const members = all.filter(([member]) => isWanted(memberField(field, member), field));
    if (members.length === all.length) return [[field, value]];
    return members.length === 0 ? [] : [[field, fromEntries(members)]];
  });
  return fromEntries(kept);
}
