import type { Json, JsonObject } from "./json.ts";
import { isArray, isObject, text } from "./json.ts";
import { isUuid } from "./urn.ts";

/**
 * Sub-entities stand in maps under a key that the service assigns (document 2, "Sub-entity identifiers"). A new one
 * is named by a temporary key: `new_` and up to 36 characters, which a UUID fills exactly.
 */
export const temporaryPrefix = "new_";

export function temporaryKey(sourceKey: string): string {
  return temporaryPrefix + sourceKey;
}

export function isTemporaryKey(key: string): boolean {
  return key.startsWith(temporaryPrefix);
}

/** The source key inside a temporary one. */
export function sourceKeyOf(key: string): string {
  return isTemporaryKey(key) ? key.slice(temporaryPrefix.length) : key;
}

export function isAssignedKey(key: string): boolean {
  if (key.length === 36) return isUuid(key);
  return key.length === 40 && isTemporaryKey(key) && isUuid(key.slice(temporaryPrefix.length));
}

/** A map is one of sub-entities when it has keys and every one of them is assigned or temporary (page 04). */
export function isSubEntityMap(value: Json | undefined): boolean {
  if (!isObject(value)) return false;
  let any = false;
  // The first field name of an ordinary object ends the search.
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (!isAssignedKey(key)) return false;
    any = true;
  }
  return any;
}

/** Every sub-entity key in a body, at every level. */
export function subEntityKeys(body: Json, into: Set<string> = new Set()): Set<string> {
  if (isArray(body)) {
    for (const item of body) subEntityKeys(item, into);
  } else if (isObject(body)) {
    const keys = Object.keys(body);
    // As `isSubEntityMap` has it: the first field name of an ordinary object ends the search.
    const isMap = keys.every(isAssignedKey);
    for (const key of keys) {
      if (isMap) into.add(key);
      const value = body[key];
      if (typeof value === "object" && value !== null) subEntityKeys(value, into);
    }
  }
  return into;
}

/**
 * The pairs of temporary and stored keys in a response that shows new sub-entities under their assigned key with
 * the temporary one in correlationId (document 2, "Sub-entity identifiers" 3). Source key to stored key.
 */
export function correlatedKeys(body: Json, into: Record<string, string> = {}): Record<string, string> {
  if (isArray(body)) {
    for (const item of body) correlatedKeys(item, into);
  } else if (isObject(body)) {
    for (const [key, value] of Object.entries(body)) {
      if (isObject(value)) {
        const temporary = text(value, "correlationId");
        if (temporary !== undefined && isTemporaryKey(temporary)) into[sourceKeyOf(temporary)] = key;
      }
      correlatedKeys(value, into);
    }
  }
  return into;
}

/** `correlationIds` of a batch answer (temporary key to stored key) as source key to stored key. */
export function keysFromCorrelationIds(correlationIds: JsonObject | undefined): Record<string, string> {
  const keys: Record<string, string> = {};
  for (const [temporary, stored] of Object.entries(correlationIds ?? {})) {
    if (typeof stored === "string") keys[sourceKeyOf(temporary)] = stored;
  }
  return keys;
}
