import type { Urn } from "../../../model/urn.ts";
import {
  seedCatalogItem,
  seedConnection,
  seedDetectionRule,
  seedDimension,
  seedFlowConfiguration,
  seedLocation,
  seedSource,
  seedTransformation,
} from "../../seed.ts";
import type { Tenant } from "../../tenant.ts";
import { extendModel } from "./model.ts";
import type { AttributeSpec, GivenSpec, ItemSpec, Side } from "./spec.ts";

/** What a tenant has before anything is moved to it, by the keys of the content. */
export interface Estate {
  readonly tenant: Tenant;
  readonly sources: ReadonlyMap<string, Urn>;
  readonly connections: ReadonlyMap<string, Urn>;
  readonly items: ReadonlyMap<string, PlacedItem>;
  readonly dimensions: ReadonlyMap<string, PlacedDimension>;
  /** By `name datatype`. */
  readonly transformations: ReadonlyMap<string, Urn>;
  readonly detectionRules: ReadonlyMap<string, Urn>;
  readonly groups: ReadonlyMap<string, Urn>;
}

export interface PlacedItem {
  readonly urn: Urn;
  readonly primaryMonitorUrn: Urn;
  readonly attributes: ReadonlyMap<string, Urn>;
}

interface PlacedDimension {
  readonly urn: Urn;
  readonly results: ReadonlyMap<string, Urn>;
}

/**
 * Puts the given things into a tenant. The target gets them in another order: whoever pairs by position, or
 * by the UUIDs that an equal order gives, pairs wrongly.
 */
export function buildEstate(tenant: Tenant, side: Side, given: GivenSpec): Estate {
  const inOrder = <T>(list: readonly T[]): readonly T[] => (side === "source" ? list : list.toReversed());
  extendModel(tenant);
  const dimensions = mapOf(inOrder(given.dimensions), ({ name, results }) => {
    const placed = seedDimension(tenant, {
      name,
      results: inOrder(results).map(([result, passed]) => ({ name: result, passedOverallResult: passed })),
    });
    return [
      name,
      { urn: placed.urn, results: new Map(placed.results.map((result) => [result.name, result.urn])) },
    ];
  });
  const transformations = mapOf(inOrder(given.transformations), ([name, inputDataType]) => {
    return [`${name} ${inputDataType}`, seedTransformation(tenant, { name, inputDataType }).urn];
  });
  const detectionRules = mapOf(inOrder(given.detectionRules), (name) => {
    return [name, seedDetectionRule(tenant, { name }).urn];
  });
  const groups = mapOf(inOrder(given.groups), ({ name, [side]: uuid }) => {
    const urn = tenant.urnFor("iam:group", uuid);
    tenant.entities.put({ urn, concreteType: "group", parentProperty: "groups", properties: { name } });
    return [name, urn];
  });
  for (const flow of inOrder(given.flows)) seedFlowConfiguration(tenant, flow);
  const places = new Places(tenant, side, given);
  const items = mapOf(inOrder(given.items), (item) => [
    item.key,
    places.item(item, inOrder(item.attributes)),
  ]);
  const { sources, connections } = places;
  return { tenant, sources, connections, items, dimensions, transformations, detectionRules, groups };
}

/** Sources with their connections, and locations as items ask for them. */
class Places {
  readonly sources = new Map<string, Urn>();
  readonly connections = new Map<string, Urn>();
  readonly #locations = new Map<string, Urn>();
  readonly #tenant: Tenant;
  readonly #rename: (path: string) => string;

  constructor(tenant: Tenant, side: Side, given: GivenSpec) {
    this.#tenant = tenant;
    const pattern = new RegExp(given.rename.pattern);
    this.#rename = (path) => (side === "source" ? path : path.replace(pattern, given.rename.replace));
    for (const source of side === "source" ? given.sources : given.sources.toReversed()) {
      const { urn } = seedSource(tenant, { name: source.names[side] });
      this.sources.set(source.key, urn);
      for (const { key, names } of source.connections) {
        const { urn: connection } = seedConnection(tenant, { name: names[side], sourceUrn: urn });
        this.connections.set(key, connection);
      }
    }
  }

  item(item: ItemSpec, attributes: readonly AttributeSpec[]): PlacedItem {
    const path = item.locations.join("/");
    const seeded = seedCatalogItem(this.#tenant, {
      name: item.name,
      ...(item.description !== undefined && { description: item.description }),
      originPath: this.#rename(`${path}/${item.name}`),
      connectionUrn: wanted(this.connections, item.connection),
      parentUrn: this.#location(item.source, path),
      attributes,
    });
    return {
      urn: seeded.item.urn,
      primaryMonitorUrn: seeded.primaryMonitor.urn,
      attributes: new Map(Object.values(seeded.attributes).map(({ name, urn }) => [name, urn])),
    };
  }

  #location(source: string, path: string): Urn {
    const known = this.#locations.get(`${source} ${path}`);
    if (known !== undefined) return known;
    const end = path.lastIndexOf("/");
    const parentUrn = end < 0 ? wanted(this.sources, source) : this.#location(source, path.slice(0, end));
    const renamed = this.#rename(path);
    const name = renamed.slice(renamed.lastIndexOf("/") + 1);
    const { urn } = seedLocation(this.#tenant, { name, parentUrn });
    this.#locations.set(`${source} ${path}`, urn);
    return urn;
  }
}

function mapOf<T, V>(list: readonly T[], entry: (value: T) => readonly [string, V]): Map<string, V> {
  return new Map(list.map(entry));
}

/** What the content refers to; a key that names nothing is a mistake in the content. */
export function wanted<V>(map: ReadonlyMap<string, V>, key: string): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The scenario refers to ${key}, which it does not have.`);
  return value;
}
