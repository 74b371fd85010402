import type { Tenant } from "../../../src/emulator/index.ts";
import { asText, type JsonObject } from "../../../src/emulator/json.ts";
import { changeQuery, deleteItem, sqlItemType } from "../../../src/emulator/catalog/sql-items.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Given } from "../../properties/estates/given.ts";
import { pathOf } from "./folders.ts";
import type { SimulatedKind } from "./kind.ts";
import { itself, learn, saying, sourceIn } from "./shared.ts";

interface SqlPlan {
  readonly name: string;
  readonly description: string | undefined;
  /** A column more or less. */
  readonly columns: number;
  /** Which of the folders it lies in. */
  readonly folder: number;
}

const names = ["Email", "Phone", "email"];
const columns = ["ID", "EMAIL", "PHONE"];

function queryOf(count: number): string {
  return `SELECT ${columns.slice(0, 1 + (count % columns.length)).join(", ")} FROM CUSTOMER`;
}

function connectionIn(given: Given): Urn | undefined {
  return given.all.get("connection main");
}

/** SQL items: each lies in a folder, and gets its attributes from what its query yields. */
export const sqlItems: SimulatedKind<SqlPlan> = {
  name: "sql-items",
  isOver: false,
  prepare(tenant, given) {
    const { urn } = seed.seedConnection(tenant, { name: "main", sourceUrn: sourceIn(given) });
    learn(given, "connection main", urn);
  },
  draw: (dice) =>
    Array.from({ length: 1 + dice.below(3) }, () => ({
      name: dice.pick(names),
      description: dice.chance(0.5) ? undefined : "What it means",
      columns: dice.below(3),
      folder: dice.below(3),
    })),
  seed(tenant, given, plans) {
    for (const { name, description, columns: count, folder } of plans)
      make(tenant, given, { name, query: queryOf(count), folder, description });
  },
  shelves: (tenant) => [
    { rows: tenant.items, of: (urn, row) => (row?.["type"] === sqlItemType ? urn : undefined) },
    {
      rows: tenant.entities,
      of: (_urn, row) => (row?.["concreteType"] === "dslQuery" ? asText(row["parentUrn"]) : undefined),
    },
  ],
  urns: (tenant) =>
    [...tenant.items.values()].filter(({ type }) => type === sqlItemType).map(({ urn }) => urn),
  body(tenant, urn) {
    const item = tenant.items.get(urn);
    if (item?.type !== sqlItemType) return undefined;
    const [query] = tenant.entities.valuesIn(`type:dslQuery parent:${urn}`);
    const { name, description = "", connectionUrn = "", parentUrn, aliases, extraProperties } = item;
    const said = saying({ description, aliases: [...aliases], extraProperties });
    return { urn, name, connectionUrn, parentUrn, query: asText(query?.properties["query"]), ...said };
  },
  label: (tenant, body) => `SQL item ${pathOf(tenant, body)}`,
  hows: ["text", "text", "rename", "remove", "remove", "create", "more"],
  put(tenant, urn, { query, ...body }) {
    const { description: _before, ...item } = tenant.items.get(urn) ?? {};
    changeQuery(tenant, urn as Urn, asText(query));
    tenant.items.put({ ...item, aliases: [], extraProperties: {}, ...body, urn } as never);
  },
  change: (_tenant, body, value) => ({
    ...body,
    description: `changed ${value}`,
    ...(value % 4 === 0 ? { query: queryOf(value >> 2) } : {}),
  }),
  named: (body, name) => ({ ...body, name }),
  moved(tenant, body, value) {
    const all = [...tenant.folders.values()].filter(({ urn }) => urn !== body["parentUrn"]);
    const parentUrn = all[value % Math.max(1, all.length)]?.urn;
    return parentUrn === undefined ? undefined : { ...body, parentUrn };
  },
  create: (tenant, given, name, value) =>
    make(tenant, given, { name, query: queryOf(value), folder: value, description: undefined }),
  remove(tenant, urn) {
    const item = tenant.items.get(urn);
    if (item !== undefined) deleteItem(tenant, item);
  },
  writes: [
    "POST /api/catalog/v1/catalog-items",
    "PATCH /api/catalog/v1/catalog-items/:urn",
    "DELETE /api/catalog/v1/catalog-items/:urn",
  ],
};

function make(
  tenant: Tenant,
  given: Given,
  { folder, description, ...fields }: Omit<SqlPlan, "columns"> & { readonly query: string },
): void {
  const connectionUrn = connectionIn(given);
  const folders = [...tenant.folders.values()];
  const parentUrn = folders[folder % Math.max(1, folders.length)]?.urn;
  if (connectionUrn === undefined || parentUrn === undefined) return;
  const about: JsonObject = description === undefined ? {} : { description };
  const { item } = seed.seedCatalogItem(tenant, { ...fields, ...about, parentUrn, connectionUrn });
  seed.runQuery(tenant, itself(item.urn) as Urn);
}
