import type { Urn } from "../../../model/urn.ts";
import { changeEntity, checkProperties } from "../../catalog/entities.ts";
import { checkExtra, mergeExtra } from "../../catalog/extra-properties.ts";
import { Checker } from "../../check.ts";
import { asText, type Json, type JsonObject } from "../../json.ts";
import {
  runQuery,
  seedCatalogItem,
  seedDenylist,
  seedEntity,
  seedFolder,
  seedStewardship,
  withoutPrimaryMonitor,
} from "../../seed.ts";
import type { Tenant } from "../../tenant.ts";
import type { CatalogSpec, EntitySpec, FolderSpec, SqlItemSpec, Value, Values } from "./catalog-spec.ts";
import { type Estate, wanted } from "./estate.ts";
import { type Mention, richText } from "./glossary.ts";

/** What people made and wrote in the catalog, over what is given; after the glossary, which it refers to. */
export function buildCatalog(estate: Estate, terms: ReadonlyMap<string, Urn>, spec: CatalogSpec): void {
  const content = new Content(estate, terms);
  for (const folder of spec.folders) content.folder(folder);
  for (const item of spec.sqlItems) content.sqlItem(item);
  for (const entity of spec.entities) content.entity(entity);
  // Entities refer to each other in circles.
  for (const entity of spec.entities) content.fill(entity);
  for (const { item, aliases, extra, ...text } of spec.items) content.item(item, aliases, extra, text);
  for (const { attribute, extra, ...text } of spec.attributes) content.attribute(attribute, extra, text);
  for (const [place, group] of Object.entries(spec.stewards)) {
    const groupUrn = wanted(estate.groups, group);
    seedStewardship(estate.tenant, { entityUrn: content.urnOf(place), groupUrn });
  }
  for (const [attribute, keys] of Object.entries(spec.denied)) {
    const attributeUrn = content.urnOf(`attributes/${attribute}`);
    for (const key of keys) seedDenylist(estate.tenant, { attributeUrn, termUrn: wanted(terms, key) });
  }
}

interface Text {
  readonly description?: string;
  readonly rich?: string;
}

class Content {
  readonly #tenant: Tenant;
  readonly #estate: Estate;
  readonly #places = new Map<string, Urn>();

  constructor(estate: Estate, terms: ReadonlyMap<string, Urn>) {
    this.#tenant = estate.tenant;
    this.#estate = estate;
    for (const [key, urn] of terms) this.#places.set(`terms/${key}`, urn);
    for (const [key, urn] of estate.sources) this.#places.set(key, urn);
    for (const [key, { urn, attributes }] of estate.items) {
      this.#places.set(`items/${key}`, urn);
      for (const [name, attribute] of attributes) this.#places.set(`attributes/${key}.${name}`, attribute);
    }
    for (const { urn, properties } of estate.tenant.entities.valuesIn("type:location"))
      this.#places.set(`locations/${asText(properties["name"])}`, urn);
  }

  urnOf(place: string): Urn {
    return wanted(this.#places, place);
  }

  folder({ key, name, in: place, description, extra }: FolderSpec): void {
    const { urn } = seedFolder(this.#tenant, {
      name,
      parentUrn: this.urnOf(place),
      ...(description !== undefined && { description }),
      extraProperties: this.#values(extra),
    });
    this.#places.set(`folders/${key}`, urn);
  }

  sqlItem({ key, name, folder, connection, query, ...text }: SqlItemSpec): void {
    const { item } = seedCatalogItem(this.#tenant, {
      name,
      parentUrn: this.urnOf(`folders/${folder}`),
      connectionUrn: wanted(this.#estate.connections, connection),
      query,
      ...this.#text(key, text),
    });
    withoutPrimaryMonitor(this.#tenant, item.urn);
    this.#places.set(`items/${key}`, item.urn);
    for (const attribute of runQuery(this.#tenant, item.urn))
      this.#places.set(`attributes/${key}.${attribute.name}`, attribute.urn);
  }

  entity({ key, type, as, in: place }: EntitySpec): void {
    const { urn } = seedEntity(this.#tenant, {
      concreteType: type,
      parentProperty: as,
      ...(place !== undefined && { parentUrn: this.urnOf(`entities/${place}`) }),
    });
    this.#places.set(`entities/${key}`, urn);
  }

  fill({ key, type, values, ...text }: EntitySpec): void {
    const properties = { ...this.#values(values), ...this.#text(key, text) };
    // What the service computes is there, and cannot be written.
    const written = Object.entries(properties).filter(
      ([name]) => this.#tenant.model.property(type, name)?.editable !== false,
    );
    const checker = new Checker();
    checkProperties(this.#tenant, type, Object.fromEntries(written), `#/${key}`, checker);
    checker.refuseIfFailed();
    changeEntity(this.#tenant, this.urnOf(`entities/${key}`), properties);
  }

  item(key: string, aliases: readonly JsonObject[] | undefined, extra: Values | undefined, text: Text): void {
    const item = this.#tenant.items.get(this.urnOf(`items/${key}`));
    if (item === undefined) throw new Error(`${key} is no item.`);
    const extraProperties = this.#extra(item.type, item.extraProperties, extra);
    const described = { ...item, ...this.#text(key, text), extraProperties };
    this.#tenant.items.put(aliases === undefined ? described : { ...described, aliases });
  }

  attribute(key: string, extra: Values | undefined, text: Text): void {
    const attribute = this.#tenant.attributes.get(this.urnOf(`attributes/${key}`));
    if (attribute === undefined) throw new Error(`${key} is no attribute.`);
    const extraProperties = this.#extra("attribute", attribute.extraProperties, extra);
    this.#tenant.attributes.put({ ...attribute, ...this.#text(key, text), extraProperties });
  }

  #extra(type: string, before: JsonObject, extra: Values | undefined): JsonObject {
    const { rowCount, ...values } = this.#values(extra);
    const checker = new Checker();
    checkExtra(this.#tenant, type, values, "#", checker);
    checker.refuseIfFailed();
    return mergeExtra(before, rowCount === undefined ? values : { ...values, rowCount });
  }

  #text(page: string, { description, rich }: Text): { readonly description?: string } {
    const text = rich === undefined ? description : richText(rich, page, this.#mention);
    return text === undefined ? {} : { description: text };
  }

  readonly #mention: Mention = (key) => {
    const urn = this.urnOf(`terms/${key}`);
    return { urn, name: this.#tenant.terms.get(urn)?.published?.name ?? key };
  };

  #values(values: Values = {}): JsonObject {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#value(value)]));
  }

  #value(value: Value): Json {
    if (typeof value !== "object") return value;
    if (!("refers" in value)) return [...value];
    const { refers } = value;
    return typeof refers === "string" ? this.urnOf(refers) : refers.map((place) => this.urnOf(place));
  }
}
