import type { Deed } from "./deed.ts";
import { asNew, returningKeys, undoAll } from "./deeds.ts";
import type { MovedKind } from "../../kinds/kind.ts";
import { memberField } from "../../model/fields.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject, own } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { sourceKeyOf, subEntityKeys } from "../../model/sub-entity.ts";
import { formatUrn, parseUrn, uuidOf } from "../../model/urn.ts";
import { walk } from "../../model/walk.ts";

/**
 * What a run deleted comes back under a new URN, and its parts under new keys, as do the parts that a change took
 * away: whatever else comes back refers to those. The mapping knows them, so that a rollback that was killed goes on
 * where it was.
 */
export class Returning {
  readonly #mapping: MappingTable;
  /** By UUID of what was deleted, and of the parts that come back: whose it is. */
  readonly #owners = new Map<string, Deed>();
  #former: ReadonlyMap<string, string> | undefined;

  constructor(deeds: readonly Deed[], mapping: MappingTable) {
    this.#mapping = mapping;
    for (const deed of deeds) {
      if (deed.what === "changed") for (const key of returningKeys(deed.undos)) this.#owners.set(key, deed);
      if (deed.what !== "deleted") continue;
      this.#owners.set(uuidOf(deed.target), deed);
      for (const key of subEntityKeys(bodyOf(deed) ?? {})) this.#owners.set(sourceKeyOf(key), deed);
    }
  }

  /** The deleted objects, and those with parts that come back, that a body refers to; itself not among them. */
  referredBy(body: JsonObject, self?: Deed): ReadonlySet<Deed> {
    const found = new Set<Deed>();
    walk(body, (form, value) => {
      const owner = form === "key" ? undefined : this.#owners.get(uuidIn(value));
      if (owner !== undefined && owner !== self) found.add(owner);
      return value;
    });
    return found;
  }

  /**
   * What may hold a circle of returning objects, and no more than that: left out at first, as at the first creation. An
   * entity without its name, which a service may refuse, could not be known again when its answer is lost.
   */
  deferred(kind: MovedKind, body: JsonObject): readonly string[] {
    if (kind.update === undefined) return [];
    const { deferrable = [], later = [], memberwise = [] } = kind.shape;
    const isInCircle = (part: JsonObject): boolean => this.referredBy(part).size > 0;
    return [...new Set([...later, ...deferrable])].flatMap((field) => {
      const value = own(body, field);
      if (value === undefined) return [];
      if (later.includes(field)) return [field];
      if (!memberwise.includes(field) || !isObject(value))
        return isInCircle({ [field]: value }) ? [field] : [];
      return Object.entries(value)
        .filter(([member, part]) => isInCircle({ [member]: part }))
        .map(([member]) => memberField(field, member));
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

  /** The body as it was before anything came back under another name, to be compared with what was known then: for planning. */
  original(body: JsonObject): JsonObject {
    const old = (this.#former ??= this.#formerNames());
    if (old.size === 0) return body;
    return walk(body, (_form, value) => {
      const before = old.get(uuidIn(value));
      const parts = parseUrn(value);
      if (before === undefined) return value;
      return parts === undefined ? before : formatUrn({ ...parts, uuid: before });
    });
  }

  #formerNames(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#owners.keys()].flatMap((uuid): [string, string][] => {
        const fresh = this.#fresh(uuid);
        return fresh === undefined ? [] : [[fresh, uuid]];
      }),
    );
  }

  #fresh(uuid: string): string | undefined {
    const owner = this.#owners.get(uuid);
    const entry = owner === undefined ? undefined : this.#mapping.row(owner.kind, owner.source);
    if (owner === undefined || entry === undefined) return undefined;
    if (owner.what === "changed") return freshPart(uuid, owner, entry);
    if (entry.target === owner.target) return undefined;
    if (uuid === uuidOf(owner.target)) return uuidOf(entry.target);
    return entry.keys !== undefined && Object.hasOwn(entry.keys, uuid) ? entry.keys[uuid] : undefined;
  }
}

/** A part that a reverse patch brought back: by the key that it had, or by the one that it has at the source. */
function freshPart(uuid: string, { keys: then }: Deed, { keys: now = {} }: MappingEntry): string | undefined {
  if (Object.hasOwn(now, uuid)) return now[uuid];
  const [source] = Object.entries(then).find(([, key]) => key === uuid) ?? [];
  const fresh = source !== undefined && Object.hasOwn(now, source) ? now[source] : undefined;
  return fresh === uuid ? undefined : fresh;
}

/** A deleted object as it can be created again: its parts as new ones, and without what the run changed before. */
export function bodyOf({ intent, undos }: Deed): JsonObject | undefined {
  if (!isObject(intent.undo)) return undefined;
  const patch = undos.length === 0 ? {} : undoAll(undos, intent.undo);
  if (patch === undefined) return undefined;
  const body = asNew(mergePatch(intent.undo, patch));
  return isObject(body) ? body : undefined;
}

function uuidIn(value: string): string {
  return parseUrn(value)?.uuid ?? value;
}
