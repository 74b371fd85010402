import { createHash } from "node:crypto";
import type { Json, JsonObject, Tenant } from "../../../src/emulator/index.ts";
import { isExcluded } from "./excluded.ts";
import { givenNames, type Renames } from "./given.ts";
import { isObject, stable, text } from "./json.ts";

/** A term, rule, monitor or dashboard: what a URN of its own names. */
export interface Thing {
  readonly urn: string;
  readonly kind: string;
  /** Without its content: several things may share it. */
  readonly label: string;
  readonly body: JsonObject;
}

/** A sub-entity: the steps that lead to it inside its owner. */
interface Part {
  readonly owner: Thing;
  readonly steps: readonly { readonly map: string; readonly key: string; readonly body: JsonObject }[];
}

const uuidText = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const isUuid = new RegExp(`^${uuidText}$`);
const references = new RegExp(
  `urn:[^:\\s"'<>]+:[^:\\s"'<>]+:[^:\\s"'<>]+:[^:\\s"'<>]+:${uuidText}|${uuidText}`,
  "g",
);

/**
 * Says what a body means: ids become descriptions of what they name, maps of sub-entities become sorted lists.
 * What a reference names is described with a hash of its content, and within that hash by its label alone, so that
 * circles of references end.
 */
export class Describer {
  /** References that several things answer to: whoever compares must not go by them. */
  readonly ambiguous = new Set<string>();
  readonly #things = new Map<string, Thing>();
  readonly #parts = new Map<string, Part>();
  readonly #partsOf = new Map<Thing, string[]>();
  readonly #given = new Map<string, string>();
  readonly #byUuid = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #shared = new Map<string, Set<string>>();
  readonly #tenant: string;

  constructor(
    tenant: Tenant,
    renames: Renames,
    things: (nameOf: (urn: string) => string) => Iterable<Thing>,
  ) {
    this.#tenant = tenant.name;
    for (const [urn, name] of givenNames(tenant, renames)) {
      this.#given.set(urn, name);
      this.#know(urn);
    }
    for (const thing of things((urn) => this.#given.get(urn) ?? `unknown ${urn}`)) {
      this.#things.set(thing.urn, thing);
      this.#know(thing.urn);
      this.#findParts(thing, thing.body, []);
    }
    for (const id of [...this.#given.keys(), ...this.#things.keys()]) this.#share(id);
  }

  get things(): Iterable<Thing> {
    return this.#things.values();
  }

  /** The whole of a thing. */
  describe(thing: Thing): Json {
    return this.#value(thing.body, thing, [], false) ?? {};
  }

  /** What a URN (or the key of a part) names, told apart by content. */
  nameOf(id: string): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const name = this.#name(id);
    this.#names.set(id, name);
    return name;
  }

  isAmbiguous(id: string): boolean {
    const owner = this.#parts.get(id)?.owner;
    if (owner !== undefined) {
      // The name of a part begins with that of its owner, so only the owner's own parts can share it.
      for (const part of this.#partsOf.get(owner) ?? []) this.#share(part);
      this.#partsOf.delete(owner);
      if (this.isAmbiguous(owner.urn)) return true;
    }
    return (this.#shared.get(this.nameOf(id))?.size ?? 0) > 1;
  }

  #share(id: string): void {
    const name = this.nameOf(id);
    this.#shared.set(name, (this.#shared.get(name) ?? new Set()).add(id));
  }

  #name(id: string): string {
    const given = this.#given.get(id);
    if (given !== undefined) return given;
    const thing = this.#things.get(id);
    if (thing !== undefined) return `${thing.label}#${hash(this.#value(thing.body, thing, [], true))}`;
    const part = this.#parts.get(id);
    if (part === undefined) return `unknown ${id}`;
    const steps = part.steps.map(({ map, key, body }) => {
      return `${map} ${text(body, "name")}#${hash(this.#entry(key, body, part.owner, [], true))}`;
    });
    return [this.nameOf(part.owner.urn), ...steps].join(" > ");
  }

  #label(id: string): string {
    const part = this.#parts.get(id);
    const last = part?.steps.at(-1);
    if (part !== undefined && last !== undefined) {
      return `${part.owner.label} > ${last.map} ${text(last.body, "name")}`;
    }
    return this.#given.get(id) ?? this.#things.get(id)?.label ?? `unknown ${id}`;
  }

  #know(urn: string): void {
    this.#byUuid.set(urn.slice(-36), urn);
  }

  #findParts(owner: Thing, value: Json | undefined, steps: Part["steps"], map = ""): void {
    if (!isObject(value)) return;
    for (const [key, field] of Object.entries(value)) {
      const isPart = isUuid.test(key) && isObject(field);
      const reached = isPart ? [...steps, { map, key, body: field }] : steps;
      if (isPart) {
        const id = ownUrn(key, field, this.#tenant)?.[1] ?? key;
        this.#parts.set(id, { owner, steps: reached });
        this.#partsOf.set(owner, [...(this.#partsOf.get(owner) ?? []), id]);
        this.#byUuid.set(key, id);
      }
      this.#findParts(owner, field, reached, isPart ? map : key);
    }
  }

  #value(value: Json | undefined, owner: Thing, path: readonly string[], shallow: boolean): Json | undefined {
    if (value === undefined || isExcluded(path)) return undefined;
    if (typeof value === "string") {
      if (path.at(-1) === "joinConfigurationKey") return this.#join(value, owner, shallow);
      return value.replaceAll(references, (id) => this.#reference(id, shallow));
    }
    if (Array.isArray(value)) {
      return value.length === 0
        ? undefined
        : value.map((item) => this.#value(item, owner, [...path, "*"], shallow) ?? null);
    }
    if (!isObject(value)) return value ?? undefined;
    if (Object.keys(value).some((key) => isUuid.test(key))) return this.#map(value, owner, path, shallow);
    const fields = Object.entries(value).map(
      ([key, field]) =>
        [this.#key(key, shallow), this.#value(field, owner, [...path, key], shallow)] as const,
    );
    // Document 1, "Partial update" and "Extra properties": null, {} and [] all mean that nothing is set.
    const set = fields.filter((field): field is readonly [string, Json] => field[1] !== undefined);
    return set.length === 0 ? undefined : Object.fromEntries(set);
  }

  #key(key: string, shallow: boolean): string {
    return key.replaceAll(references, (id) => this.#reference(id, shallow));
  }

  /** The keys are the server's; the order of a map means nothing. */
  #map(map: JsonObject, owner: Thing, path: readonly string[], shallow: boolean): Json {
    const entries = Object.entries(map).map(([key, entry]): Json => {
      if (isUuid.test(key)) return this.#entry(key, entry, owner, path, shallow);
      return { [`at ${key}`]: this.#value(entry, owner, [...path, key], shallow) ?? null };
    });
    return entries.sort((left, right) => (stable(left) < stable(right) ? -1 : 1));
  }

  /** A sub-entity; its own URN is the server's, when it is as it should be. */
  #entry(key: string, entry: Json, owner: Thing, path: readonly string[], shallow: boolean): Json {
    if (!isObject(entry)) return entry;
    const own = ownUrn(key, entry, this.#tenant)?.[0];
    const body = own === undefined ? entry : { ...entry, [own]: "its own" };
    return this.#value(body, owner, [...path, key], shallow) ?? {};
  }

  /** A join is known by its key in the same monitor only. */
  #join(key: string, owner: Thing, shallow: boolean): Json {
    const joins = owner.body["joinConfigurations"];
    const join = isObject(joins) ? joins[key] : undefined;
    if (!isObject(joins) || join === undefined) return `no join ${key}`;
    const described = stable(this.#entry(key, join, owner, ["joinConfigurations"], shallow));
    const others = Object.entries(joins).filter(
      ([other, body]) =>
        other !== key &&
        stable(this.#entry(other, body, owner, ["joinConfigurations"], shallow)) === described,
    );
    if (others.length > 0) this.ambiguous.add(`join of ${owner.label}: ${described}`);
    return { join: described };
  }

  #reference(found: string, shallow: boolean): string {
    const isUrn = found.startsWith("urn:");
    const id = isUrn ? found : (this.#byUuid.get(found) ?? found);
    const known = this.#given.has(id) || this.#things.has(id) || this.#parts.has(id);
    if (!known) return `«unknown ${found}»`;
    if (shallow) return `«${this.#label(id)}»`;
    if (this.isAmbiguous(id)) this.ambiguous.add(this.nameOf(id));
    return `«${isUrn ? "" : "id of "}${this.nameOf(id)}»`;
  }
}

/** The field that holds a sub-entity's own URN, and the URN: its UUID is the key (document 2). */
function ownUrn(
  key: string,
  entry: JsonObject,
  tenant: string,
): readonly [field: string, urn: string] | undefined {
  for (const field of ["urn", "ruleInstanceUrn"]) {
    const urn = entry[field];
    if (typeof urn === "string" && urn.split(":")[2] === tenant && urn.endsWith(`:${key}`))
      return [field, urn];
  }
  return undefined;
}

function hash(value: Json | undefined): string {
  return createHash("sha256").update(stable(value)).digest("hex").slice(0, 12);
}
