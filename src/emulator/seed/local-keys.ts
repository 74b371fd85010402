import { isUrn, isUuid, type Urn } from "../../model/urn.ts";
import { asText, isObject, type JsonObject } from "../json.ts";
import type { Shape } from "../quality/sub-entities.ts";

/** Lets a seed write sub-entity maps under any keys: each becomes a temporary key, and is found again after. */
export class LocalKeys {
  readonly #shape: Shape;
  /** Path of local keys to temporary key. */
  readonly #temporary = new Map<string, string>();

  constructor(shape: Shape) {
    this.#shape = shape;
  }

  rename(body: JsonObject): JsonObject {
    const renamed = this.#object(this.#shape, body, "");
    return this.#joins(renamed);
  }

  #object(shape: Shape, body: JsonObject, path: string): JsonObject {
    const result: JsonObject = {};
    for (const [key, value] of Object.entries(body)) {
      const map = shape.maps?.[key];
      const object = shape.objects?.[key];
      const place = path === "" ? key : `${path}.${key}`;
      if (map !== undefined && isObject(value)) result[key] = this.#map(map, value, place);
      else if (object !== undefined && isObject(value)) result[key] = this.#object(object, value, place);
      else result[key] = value;
    }
    return result;
  }

  #map(shape: Shape, map: JsonObject, path: string): JsonObject {
    const result: JsonObject = {};
    for (const [key, value] of Object.entries(map)) {
      const place = `${path}.${key}`;
      // A key that is stored already stays, so that a seed may change what it made before.
      const name = isUuid(key) ? key : `new_${this.#temporary.size}`;
      if (!isUuid(key)) this.#temporary.set(place, name);
      result[name] = isObject(value) ? this.#object(shape, value, place) : value;
    }
    return result;
  }

  /** joinConfigurationKey names a join by its local key. */
  #joins(body: JsonObject): JsonObject {
    const instances = body["manualRuleInstances"];
    if (!isObject(instances)) return body;
    for (const instance of Object.values(instances)) {
      const mappings = isObject(instance) ? instance["connectedMappings"] : undefined;
      if (!isObject(mappings)) continue;
      for (const mapping of Object.values(mappings)) {
        if (!isObject(mapping)) continue;
        const name = this.#temporary.get(`joinConfigurations.${asText(mapping["joinConfigurationKey"])}`);
        if (name !== undefined) mapping["joinConfigurationKey"] = name;
      }
    }
    return body;
  }

  /** Stored keys and URNs by local key; see Seeded. */
  found(
    value: JsonObject,
    assigned: ReadonlyMap<string, string>,
  ): { readonly keys: Readonly<Record<string, string>>; readonly urns: Readonly<Record<string, Urn>> } {
    const urnByKey = new Map<string, Urn>();
    collectUrns(value, urnByKey);
    const paths = [...this.#temporary].map(([path, name]) => ({ path, key: assigned.get(name) ?? "" }));
    const bare = (path: string): string => path.split(".").at(-1) ?? path;
    const keys: Record<string, string> = {};
    const urns: Record<string, Urn> = {};
    for (const { path, key } of paths) {
      const names =
        paths.filter((other) => bare(other.path) === bare(path)).length === 1 ? [path, bare(path)] : [path];
      const urn = urnByKey.get(key);
      for (const name of names) {
        keys[name] = key;
        if (urn !== undefined) urns[name] = urn;
      }
    }
    return { keys, urns };
  }
}

function collectUrns(value: JsonObject, found: Map<string, Urn>): void {
  for (const [key, field] of Object.entries(value)) {
    if (!isObject(field)) continue;
    for (const name of ["urn", "ruleInstanceUrn"]) {
      const urn = field[name];
      if (isUrn(urn) && urn.endsWith(key)) found.set(key, urn);
    }
    collectUrns(field, found);
  }
}
