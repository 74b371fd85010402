import type { Tenant } from "../../src/emulator/index.ts";
import { asText, isObject, type Json, type JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { BookKind } from "./books.ts";

/** Types of which something is moved. */
const types = ["term", "catalogItem", "attribute", "dataProduct", "dataPart"] as const;

type Definition = ReturnType<typeof seed.seedMetadataType>;
type Property = Definition["properties"][number];

/** What an administrator changes of a tenant's metadata model: types and properties come, go, and are made otherwise. */
export class ModelChanges {
  /** Types, and `type/property`, that the model has otherwise than at the beginning. */
  readonly otherwise = new Set<string>();
  readonly #tenant: Tenant;
  readonly #before: ReadonlyMap<string, Definition>;

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
    this.#before = new Map(
      types.flatMap((name) => {
        const type = tenant.model.get(name);
        return type === undefined ? [] : [[name, type]];
      }),
    );
  }

  /** In words; `which` chooses the property, `how` what is done to it. */
  change(which: number, how: number): string {
    const places = [...this.#before].flatMap(([type, { properties }]) =>
      properties.filter(isWritable).map((property) => ({ type, property })),
    );
    const place = places[which % Math.max(1, places.length)];
    if (place === undefined) return "changes nothing of the model";
    const { type, property } = place;
    const what = `the property ${property.name} of ${type}`;
    this.#back(type);
    switch (how % 6) {
      case 0:
        return `brings back ${type} as it was`;
      case 1:
        this.#property(type, property, { editable: false });
        return `makes ${what} read-only`;
      case 2:
        seed.removeMetadataProperty(this.#tenant, type, property.name);
        this.otherwise.add(`${type}/${property.name}`);
        return `takes away ${what}`;
      case 3:
        this.#property(type, property, turned(property));
        return `makes ${what} something else`;
      case 4:
        seed.seedMetadataProperty(this.#tenant, type, { name: "hint" });
        return `adds a property to ${type}`;
      default:
        return this.#type(type);
    }
  }

  /** As it was at the beginning. */
  rest(): void {
    for (const type of this.#before.keys()) this.#back(type);
  }

  #property(type: string, { name }: Property, changes: Partial<Property>): void {
    seed.changeMetadataProperty(this.#tenant, type, name, changes);
    this.otherwise.add(`${type}/${name}`);
  }

  /** Only of those that the tenant has defined itself: of the others the service has none without them. */
  #type(type: string): string {
    if (!type.startsWith("data")) return "changes nothing of the model";
    this.otherwise.add(type);
    seed.removeMetadataType(this.#tenant, type);
    return `takes away the type ${type}`;
  }

  #back(type: string): void {
    const before = this.#before.get(type);
    if (before !== undefined && this.#tenant.model.get(type) !== before) this.#tenant.model.put(before);
    for (const name of this.otherwise)
      if (name === type || name.startsWith(`${type}/`)) this.otherwise.delete(name);
  }
}

/** Nobody takes the names of things away. */
function isWritable({ name, editable, type }: Property): boolean {
  return editable && !type.endsWith("EMBEDDED") && name !== "name";
}

/** What has the value that it has now finds no place in it. */
function turned({ type }: Property): Partial<Property> {
  return type === "SCALAR"
    ? { scalarType: "boolean" }
    : type === "ARRAY_REFERENCE"
      ? { type: "SINGLE_REFERENCE" }
      : { type: "SCALAR", scalarType: "string" };
}

/** Without what the model of one side has otherwise than it had it: that does not travel as it did. */
export function without(kind: BookKind | undefined, body: Json, otherwise: ReadonlySet<string>): Json {
  if (otherwise.size === 0 || !isObject(body)) return body;
  const type = typeOf(kind, body);
  if (type === undefined) return body;
  if (otherwise.has(type)) return {};
  const pruned = ["extraProperties", "properties"].flatMap((at): [string, Json][] => {
    const values = body[at];
    if (!isObject(values)) return [];
    return [
      [at, Object.fromEntries(Object.entries(values).filter(([name]) => !otherwise.has(`${type}/${name}`)))],
    ];
  });
  return { ...body, ...Object.fromEntries(pruned) };
}

function typeOf(kind: BookKind | undefined, body: JsonObject): string | undefined {
  switch (kind) {
    case "terms":
      return "term";
    case "item-metadata":
    case "sql-items":
      return "catalogItem";
    case "attribute-metadata":
      return "attribute";
    case "entities":
      return asText(body["concreteType"]);
    default:
      return undefined;
  }
}
