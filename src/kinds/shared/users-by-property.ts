import type { JsonObject } from "../../model/json.ts";
import { child, isArray, own, text } from "../../model/json.ts";
import type { ReadClient } from "../../service/index.ts";
import type { OthersReferring, OtherUser } from "../kind.ts";
import type { Model, PropertyDefinition, TypeDefinition } from "./model.ts";
import { isEmbedded, modelOf, typesToList } from "./model.ts";
import { entitiesOf } from "./own-lists.ts";

export interface Sought {
  /** What the metadata model calls the things; of any type where nothing is said. */
  readonly types?: readonly string[];
  /** What stands below one goes with it, though others made it. */
  readonly hasChildren?: boolean;
  /** Types of which that is said elsewhere, or that are a part of it: a query of its item. */
  readonly but?: readonly string[];
  /** More URNs that references may have, by the URN of the thing that they go with. */
  readonly parts?: (client: ReadClient, urns: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/**
 * Who refers to something through a property of the metadata model, whatever a plan selects: each type that has such a
 * property is listed once, by pages, with the types below it. What the service computes is no reference of anybody's.
 */
export function usersByProperty({ types, hasChildren = false, but = [], parts }: Sought): OthersReferring {
  return {
    what: "things with properties that may refer to it",
    async find(client, urns) {
      const model = await modelOf(client);
      const owners = new Map(urns.map((urn) => [urn, urn]));
      for (const [part, owner] of (await parts?.(client, urns)) ?? []) owners.set(part, owner);
      const refers = (property: PropertyDefinition): boolean =>
        property.editable &&
        property.type.endsWith("_REFERENCE") &&
        (types === undefined || types.some((type) => isRelated(model, type, property.of)));
      const isBelow = (type: TypeDefinition): boolean =>
        hasChildren &&
        type.editable &&
        ![type.name, ...type.supers].some((name) => but.includes(name)) &&
        holdersOf(model, type).some((holder) => types?.includes(holder) !== false);
      const concerned = [...model.values()].filter(
        (type) => isBelow(type) || [...type.properties.values()].some(refers),
      );
      const listed = typesToList(
        model,
        concerned.map(({ name }) => name),
      );
      const lists = listed.map(async ([entityType, line]) => {
        const names = new Set(
          line.flatMap(({ properties }) => [...properties.values()].filter(refers).map(({ name }) => name)),
        );
        const hasName = line.every(({ properties }) => properties.has("name"));
        return usersIn(client, model, { entityType, owners, names, hasName, hasChildren });
      });
      return (await Promise.all(lists)).flat();
    },
  };
}

async function usersIn(
  client: ReadClient,
  model: Model,
  options: {
    readonly entityType: string;
    readonly owners: ReadonlyMap<string, string>;
    readonly names: ReadonlySet<string>;
    readonly hasName: boolean;
    readonly hasChildren: boolean;
  },
): Promise<readonly OtherUser[]> {
  const { entityType, owners, names, hasName, hasChildren } = options;
  const found: OtherUser[] = [];
  const properties = [...names, ...(hasName ? ["name"] : [])];
  for await (const items of entitiesOf(client, model, { entityType, properties })) {
    for (const entity of items) {
      const urn = text(entity, "urn") ?? "";
      const values = child(entity, "properties") ?? {};
      const parent = hasChildren ? text(entity, "parentUrn") : undefined;
      const named = [...referencesIn(values, names), ...(parent === undefined ? [] : [parent])];
      const led = named.flatMap((value): (readonly [string, string])[] => {
        const owner = owners.get(value);
        return owner === undefined ? [] : [[value, owner]];
      });
      // It goes itself.
      if (led.length === 0 || owners.has(urn)) continue;
      const parts = new Map(led.filter(([value, owner]) => value !== owner));
      found.push({
        what: text(entity, "concreteType") ?? entityType,
        urn,
        name: text(values, "name") ?? "",
        refersTo: led.map(([, owner]) => owner),
        ...(parts.size === 0 ? {} : { parts }),
      });
    }
  }
  return found;
}

function referencesIn(values: JsonObject, names: ReadonlySet<string>): readonly string[] {
  return [...names].flatMap((name) => {
    const value = own(values, name);
    return (isArray(value) ? value : [value]).filter((one) => typeof one === "string");
  });
}

/** A reference to the one may lead to the other. */
function isRelated(model: Model, one: string, other: string): boolean {
  const is = (type: string, above: string): boolean =>
    type === above || model.get(type)?.supers.includes(above) === true;
  return is(one, other) || is(other, one);
}

/** Types whose things may hold one of this type. */
function holdersOf(model: Model, type: TypeDefinition): readonly string[] {
  const line = new Set([type.name, ...type.supers]);
  return [...model.values()]
    .filter(({ properties }) => [...properties.values()].some((one) => isEmbedded(one) && line.has(one.of)))
    .map(({ name }) => name);
}
