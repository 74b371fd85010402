import type { Deed } from "../engine/apply/undo.ts";
import { asNew } from "../engine/apply/undo.ts";
import type { MovedKind } from "../kinds/kind.ts";
import type { JsonObject } from "../model/json.ts";
import { isObject, own } from "../model/json.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import { subEntityKeys } from "../model/sub-entity.ts";
import { formatUrn, parseUrn, uuidOf } from "../model/urn.ts";
import { walk } from "../model/walk.ts";

/**
 * What a run deleted comes back under a new URN, and its parts under new keys: whatever else comes back refers to
 * those. The mapping knows them, so that a rollback that was killed goes on where it was.
 */
export class Returning {
  readonly #mapping: MappingTable;
  /** By UUID of what was deleted, and of its parts: whose it is. */
  readonly #owners = new Map<string, Deed>();

  constructor(deeds: readonly Deed[], mapping: MappingTable) {
    this.#mapping = mapping;
    for (const deed of deeds) {
      if (deed.what !== "deleted") continue;
      this.#owners.set(uuidOf(deed.target), deed);
      if (isObject(deed.intent.undo))
        for (const key of subEntityKeys(deed.intent.undo)) this.#owners.set(key, deed);
    }
  }

  /** The deleted objects that a body refers to, itself not among them. */
  referredBy(body: JsonObject, self?: Deed): ReadonlySet<Deed> {
    const found = new Set<Deed>();
    walk(body, (form, value) => {
      const owner = form === "key" ? undefined : this.#owners.get(uuidIn(value));
      if (owner !== undefined && owner !== self) found.add(owner);
      return value;
    });
    return found;
  }

  /** Fields that may hold a circle of returning objects: left out at first, as at the first creation. */
  deferred(kind: MovedKind, body: JsonObject): readonly string[] {
    if (kind.update === undefined) return [];
    return (kind.shape.deferrable ?? []).filter((field) => {
      const value = own(body, field);
      return value !== undefined && this.referredBy({ [field]: value }).size > 0;
    });
  }

  /** The body with what has come back by now in the place of what it was. */
  rewrite(body: JsonObject): JsonObject {
    return walk(body, (form, value) => {
      if (form === "key") return value;
      const fresh = this.#fresh(uuidIn(value));
      const parts = parseUrn(value);
      if (fresh === undefined) return value;
      return parts === undefined ? fresh : formatUrn({ ...parts, uuid: fresh });
    });
  }

  #fresh(uuid: string): string | undefined {
    const owner = this.#owners.get(uuid);
    const entry = owner === undefined ? undefined : this.#mapping.get(owner.source);
    if (owner === undefined || entry === undefined || entry.target === owner.target) return undefined;
    if (uuid === uuidOf(owner.target)) return uuidOf(entry.target);
    return entry.keys !== undefined && Object.hasOwn(entry.keys, uuid) ? entry.keys[uuid] : undefined;
  }
}

/** A deleted object as it can be created again: its parts as new ones. */
export function bodyOf({ intent }: Deed): JsonObject | undefined {
  const body = intent.undo === undefined ? undefined : asNew(intent.undo);
  return isObject(body) ? body : undefined;
}

function uuidIn(value: string): string {
  return parseUrn(value)?.uuid ?? value;
}
