import type { EntityKind } from "../../kinds/kind.ts";
import { fingerprint, stableText } from "../../model/canonical.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";

/** The natural key of a body of one environment, as a text: the same one for the same key. */
export function naturalKeyText(kind: EntityKind, body: JsonObject): string {
  return keyPartsText(kind, kind.naturalKey(body));
}

/** What has no name is known by all that it says: by its print, since the order of most lists means nothing. */
export function keyPartsText({ shape }: Pick<EntityKind, "shape">, parts: readonly Json[]): string {
  return stableText(parts.map((part) => (isObject(part) ? fingerprint(part, shape) : part)));
}
