import type { Tenant } from "../../../src/emulator/index.ts";
import { asText, isObject, type JsonObject } from "../../../src/emulator/json.ts";
import { removeEntity } from "../../../src/emulator/catalog/entities.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { SimulatedKind } from "./kind.ts";
import { itself } from "./shared.ts";

interface EntityPlan {
  readonly name: string;
  readonly note: string | undefined;
  /** An earlier product, of which it is a part; a product when it says nothing. */
  readonly parent: number | undefined;
  /** Products and parts that it refers to, itself included. */
  readonly related: readonly number[];
}

export const entityTypes = ["dataProduct", "dataPart"];
const names = ["Email", "Phone", "email", "urn:x"];

function isOurs(type: unknown): boolean {
  return entityTypes.includes(asText(type as never));
}

/** Entities of types that a tenant has defined: products with parts, that refer to each other. */
export const entities: SimulatedKind<EntityPlan> = {
  name: "entities",
  isOver: false,
  prepare(tenant) {
    seed.seedMetadataType(tenant, { name: "dataProduct" });
    seed.seedMetadataType(tenant, { name: "dataPart", nodePaths: ["/dataProducts/parts"] });
    for (const type of entityTypes) {
      seed.seedMetadataProperty(tenant, type, { name: "name" });
      seed.seedMetadataProperty(tenant, type, { name: "note" });
      seed.seedMetadataProperty(tenant, type, {
        name: "related",
        type: "ARRAY_REFERENCE",
        entityName: "dataProduct",
      });
    }
    seed.seedMetadataProperty(tenant, "dataProduct", {
      name: "parts",
      type: "ARRAY_EMBEDDED",
      entityName: "dataPart",
    });
  },
  draw: (dice) =>
    Array.from({ length: 1 + dice.below(4) }, (_, index) => ({
      name: dice.pick(names),
      note: dice.chance(0.4) ? undefined : dice.pick(["What it means", "<b>bold</b>"]),
      parent: index === 0 || dice.chance(0.5) ? undefined : dice.below(index),
      related: dice.some(2, () => dice.below(4)),
    })),
  seed(tenant, _given, plans) {
    if (tenant.model.get("dataProduct") === undefined) return;
    const made: { readonly urn: Urn; readonly isProduct: boolean }[] = [];
    for (const { name, note, parent } of plans) {
      const above = parent === undefined ? undefined : made[parent];
      const properties = { name, ...(note === undefined ? {} : { note }) };
      const isProduct = above?.isProduct !== true;
      const { urn } = seed.seedEntity(
        tenant,
        isProduct
          ? { concreteType: "dataProduct", parentProperty: "dataProducts", properties }
          : { concreteType: "dataPart", parentUrn: above.urn, parentProperty: "parts", properties },
      );
      made.push({ urn, isProduct });
    }
    for (const [index, { related }] of plans.entries()) {
      const urns = related.flatMap((other) => {
        const found = made[other];
        return found?.isProduct === true ? [found.urn] : [];
      });
      const row = tenant.entities.get(made[index]?.urn ?? "");
      if (row !== undefined && urns.length > 0)
        tenant.entities.put({ ...row, properties: { ...row.properties, related: [...new Set(urns)] } });
    }
  },
  shelves: (tenant) => [
    { rows: tenant.entities, of: (urn, row) => (isOurs(row?.["concreteType"]) ? urn : undefined) },
  ],
  urns: (tenant) =>
    [...tenant.entities.values()].filter(({ concreteType }) => isOurs(concreteType)).map(({ urn }) => urn),
  body(tenant, urn) {
    const row = tenant.entities.get(urn);
    return row !== undefined && isOurs(row.concreteType) ? (row as unknown as JsonObject) : undefined;
  },
  label: (tenant, body) => `${asText(body["concreteType"])} ${pathOf(tenant, body)}`,
  hows: ["text", "text", "rename", "swap", "remove", "remove", "create", "more"],
  put: (tenant, urn, body) => void tenant.entities.put({ ...body, urn } as never),
  change: (_tenant, body, value) => withProperties(body, { note: `changed ${value}` }),
  named: (body, name) => withProperties(body, { name }),
  moved(tenant, body, value) {
    const here = asText(body["parentUrn"]);
    const others = [...tenant.entities.values()].filter(
      ({ urn, concreteType }) => concreteType === "dataProduct" && urn !== here,
    );
    const to = others[value % Math.max(1, others.length)]?.urn;
    return body["concreteType"] === "dataPart" && to !== undefined ? { ...body, parentUrn: to } : undefined;
  },
  create(tenant, _given, name) {
    if (tenant.model.get("dataProduct") === undefined) return;
    seed.seedEntity(tenant, {
      concreteType: "dataProduct",
      parentProperty: "dataProducts",
      properties: { name },
    });
  },
  remove: (tenant, urn) => removeEntity(tenant, itself(urn) as Urn),
  isHeld: (tenant, urn) => tenant.entities.bucket(`parent:${urn}`).length > 0,
  writes: [
    "POST /api/catalog/v1/entities/batch/create",
    "POST /api/catalog/v1/entities/batch/patch",
    "POST /api/catalog/v1/entities/batch/delete",
  ],
};

function withProperties(body: JsonObject, changes: JsonObject): JsonObject {
  const properties = isObject(body["properties"]) ? body["properties"] : {};
  return { ...body, properties: { ...properties, ...changes } };
}

function pathOf(tenant: Tenant, body: JsonObject): string {
  const parent = tenant.entities.get(asText(body["parentUrn"]));
  const properties = isObject(body["properties"]) ? body["properties"] : {};
  const name = asText(properties["name"]);
  return parent === undefined ? name : `${pathOf(tenant, parent as unknown as JsonObject)}/${name}`;
}
