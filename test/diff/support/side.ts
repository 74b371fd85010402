import type { Tenant } from "../../../src/emulator/index.ts";
import { isObject, type JsonObject } from "../../../src/emulator/json.ts";
import { isUrn, type Urn } from "../../../src/model/urn.ts";
import type { World } from "../../support/world.ts";

/** One environment, its things by name: both sides hold the same given things under their own URNs. */
export class Side {
  readonly tenant: Tenant;

  constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  item(name: string): Urn {
    return wanted([...this.tenant.items.values()].find((item) => item.name === name)?.urn, name);
  }

  attribute(item: string, name: string): Urn {
    const found = this.tenant.attributes
      .valuesIn(`item:${this.item(item)}`)
      .find((attribute) => attribute.name === name);
    return wanted(found?.urn, `${item}.${name}`);
  }

  primary(item: string): Urn {
    return wanted(this.tenant.items.get(this.item(item))?.primaryMonitorUrn, item);
  }

  dimension(name: string): Urn {
    return wanted(
      [...this.tenant.dimensions.values()].find((dimension) => dimension.name === name)?.urn,
      name,
    );
  }

  result(dimension: string, name: string): Urn {
    const results = this.tenant.dimensions.get(this.dimension(dimension))?.results;
    return wanted(results?.find((result) => result.name === name)?.urn, name);
  }

  detectionRule(name: string): Urn {
    const found = this.tenant.entities
      .valuesIn("type:detectionRule")
      .find((rule) => rule.properties["name"] === name);
    return wanted(found?.urn, name);
  }

  /** Of a generic type of the metadata model. */
  entity(type: string, name: string): Urn {
    const found = this.tenant.entities
      .valuesIn(`type:${type}`)
      .find((entity) => entity.properties["name"] === name);
    return wanted(found?.urn, `${type} ${name}`);
  }

  group(name: string): Urn {
    const found = this.tenant.entities
      .valuesIn("type:group")
      .find((group) => group.properties["name"] === name);
    return wanted(found?.urn, name);
  }

  /** The source that holds CUSTOMER. */
  source(): Urn {
    return wanted(this.tenant.items.get(this.item("CUSTOMER"))?.sourceUrn, "source");
  }

  folder(name: string): Urn {
    return wanted([...this.tenant.folders.values()].find((folder) => folder.name === name)?.urn, name);
  }

  term(name: string): Urn {
    return wanted([...this.tenant.terms.values()].find((term) => term.published?.name === name)?.urn, name);
  }

  rule(name: string): Urn {
    return wanted([...this.tenant.rules.values()].find((rule) => rule.published?.name === name)?.urn, name);
  }

  monitor(name: string): Urn {
    const found = [...this.tenant.monitors.values()].find((monitor) => monitor.published?.["name"] === name);
    return wanted(found?.urn, name);
  }

  dashboard(name: string): Urn {
    const found = [...this.tenant.dashboards.values()].find(
      (dashboard) => dashboard.published?.["name"] === name,
    );
    return wanted(found?.urn, name);
  }

  /** An input or a parameter of a rule, by its name. */
  part(ruleUrn: string, name: string): Urn {
    const found = partsOf(this.tenant.rules.get(ruleUrn)?.published ?? null).find(
      (part) => part["name"] === name,
    );
    const urn = found?.["urn"];
    return wanted(isUrn(urn) ? urn : undefined, name);
  }

  /** The published body of whatever a URN names, as it is stored. */
  body(urn: string): JsonObject {
    const { terms, rules, monitors, dashboards, folders, items, attributes, entities } = this.tenant;
    const whole = folders.get(urn) ?? items.get(urn) ?? attributes.get(urn) ?? entities.get(urn);
    if (whole !== undefined) return JSON.parse(JSON.stringify(whole)) as JsonObject;
    const row = terms.get(urn) ?? rules.get(urn) ?? monitors.get(urn) ?? dashboards.get(urn);
    return wanted(row?.published, urn);
  }
}

/** Everything in a body that has a URN and a name of its own. */
function partsOf(value: unknown): JsonObject[] {
  if (!isObject(value)) return [];
  return [value, ...Object.values(value).flatMap(partsOf)];
}

/** The key of the sub-entity of a map that has this value in a field. */
export function keyOf(map: unknown, field: string, value: unknown): string {
  const entries = isObject(map) ? Object.entries(map) : [];
  return wanted(entries.find(([, entry]) => isObject(entry) && entry[field] === value)?.[0], String(value));
}

/** The only key of a map. */
export function onlyKey(map: unknown): string {
  const keys = isObject(map) ? Object.keys(map) : [];
  if (keys.length !== 1) throw new Error(`one key was expected, there are ${keys.length}`);
  return wanted(keys[0], "a key");
}

/** Names of objects, in alphabetical order. */
export function names(
  objects: Iterable<{ readonly published?: { readonly [field: string]: unknown } }>,
): string[] {
  return Array.from(objects, ({ published }) =>
    JSON.stringify(published?.["name"] ?? "").slice(1, -1),
  ).sort();
}

export function wanted<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
}

export function sides(world: World): { readonly source: Side; readonly target: Side } {
  return { source: new Side(world.emulator.tenant("dev")), target: new Side(world.emulator.tenant("prod")) };
}
