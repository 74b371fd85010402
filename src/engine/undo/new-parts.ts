import type { Json, JsonObject } from "../../model/json.ts";
import { isArray, isObject, pointerToken } from "../../model/json.ts";
import { isTemporaryKey, subEntityKeys } from "../../model/sub-entity.ts";
import { takesTemporaryKeys } from "../../model/translate.ts";

/**
 * Where a part that comes back under a new key is named by a field that takes no temporary one: the service would keep it
 * as a text that leads nowhere.
 */
export function namedInVain(body: JsonObject): string | undefined {
  const parts = subEntityKeys(body);
  const find = (value: Json, pointer: string): string | undefined => {
    if (typeof value === "string")
      return isTemporaryKey(value) && parts.has(value) && !takesTemporaryKeys(pointer) ? pointer : undefined;
    if (!isArray(value) && !isObject(value)) return undefined;
    for (const [name, inner] of Object.entries(value)) {
      const found = find(inner, `${pointer}/${pointerToken(name)}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(body, "");
}
