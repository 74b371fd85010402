import { z } from "zod";
import type { JsonObject } from "../model/json.ts";
import { child, fromEntries, isArray, isObject, own, text } from "../model/json.ts";
import type { Shape } from "../model/shape.ts";
import { duration, rename } from "../plan/values.ts";
import type { PlanSection } from "../plan/section.ts";
import type { ReadClient } from "../service/index.ts";
import { belowMoved } from "./checks/below-moved.ts";
import { connectionOfSource } from "./checks/connection-of-source.ts";
import { droppedProperties } from "./checks/dropped-properties.ts";
import { folderNotShown } from "./checks/folder-not-shown.ts";
import { queryPlaces } from "./checks/query-places.ts";
import type { Births, ByHand, EntityKind, Environment, Found, Step } from "./kind.ts";
import { attributeFields, attributeTypes } from "./shared/attribute-feed.ts";
import { about } from "./shared/batch.ts";
import { all, chunks, itemsOf, listed, toFound } from "./shared/found.ts";
import { fittingExtra } from "./shared/extra-fit.ts";
import { isPlacedInFolder } from "./shared/in-folder.ts";
import { itemFields } from "./shared/item-fields.ts";
import { draftOfPrimary } from "./shared/monitor.ts";
import type { TypeDefinition } from "./shared/model.ts";
import { modelOf, typesOf, withCleared, writableNames } from "./shared/model.ts";
import { usersByProperty } from "./shared/users-by-property.ts";
import { deletion, single } from "./shared/single.ts";
import { itemType, queriesOf, queryOf } from "./shared/sql-queries.ts";
import { propertiesMayReferTo } from "./shared/extra-properties.ts";
import { modelGaps } from "./shared/model-gaps.ts";

declare module "../model/plan.ts" {
  interface Pairing {
    /** What queries say of the source in the target's words, in order. */
    readonly queries: readonly { readonly pattern: string; readonly replace: string }[];
  }
  interface Limits {
    /** How long the attributes of a new SQL item are waited for. */
    readonly attributesWaitMs: number;
  }
}

const settings = {
  pairing: {
    queries: {
      schema: z
        .array(rename)
        .default([])
        .describe("Renames within the queries of SQL items, applied in order."),
      after: "paths",
    },
  },
  limits: {
    attributesWaitMs: {
      schema: duration.prefault("30s").describe("How long the attributes of a new SQL item are waited for."),
      written: "attributesWait",
      after: "answerSize",
    },
  },
} satisfies PlanSection;

/** SQL items (document 1, "Catalog items"): queries that stand in folders, each with the attributes it yields. */
const shape: Shape = {
  known: ["urn", "name", "description", "connectionUrn", "folderUrn", "query", "aliases", "extraProperties"],
  serverOwned: ["/urn"],
  // "The type and folder of an SQL catalog item cannot be changed", and PATCH takes neither name nor connection.
  fixed: ["name", "connectionUrn", "folderUrn"],
  sets: ["/aliases"],
  memberwise: ["extraProperties"],
  deferrable: ["aliases", "extraProperties", "description"],
  // The creation takes neither.
  later: ["aliases", "extraProperties"],
};

/** Fields of a catalog item that are the service's, or stand in ours under another name. */
const others = new Set([
  "connection",
  "source",
  "folders",
  "locations",
  "originPath",
  "termAssignments",
  "primaryDqMonitor",
  "effectiveStewardship",
  "effectiveCriticality",
  "type",
]);

function bodyOf(item: JsonObject, query: string): JsonObject {
  const kept = Object.entries(item).filter(([field]) => !others.has(field));
  const connection = child(item, "connection");
  const folders = own(item, "folders");
  const [folder] = isArray(folders) ? folders : [];
  return fromEntries([
    ...kept,
    ["connectionUrn", (connection === undefined ? undefined : text(connection, "urn")) ?? ""],
    // "Ordered closest parent first".
    ["folderUrn", (isObject(folder) ? text(folder, "urn") : undefined) ?? ""],
    ["query", query],
  ]);
}

function withoutQuery(body: JsonObject): ByHand | undefined {
  if ((text(body, "query") ?? "") !== "") return undefined;
  return {
    action: "blocked",
    code: "query-not-shown",
    reason: "its query is not shown",
    suggestion:
      "Give the API client of the source the permission to read the query of the item, and run again; or make the item by hand.",
  };
}

/** Where it is to stand is told by its folder alone, and its creation takes no other place. */
function withoutFolder(body: JsonObject): ByHand | undefined {
  if ((text(body, "folderUrn") ?? "") !== "") return undefined;
  return {
    action: "blocked",
    code: "folder-not-shown",
    reason: "its folder is not shown",
    suggestion:
      "Run again: the folder was deleted or made while the source was read. If it stays so, give the API client of the source the permission to read the folder of the item.",
  };
}

/** Of what is there nobody can say whether it is what it should be. */
function hiddenAtTarget(body: JsonObject): ByHand | undefined {
  const found = notShown(body);
  if (found === undefined) return undefined;
  const what = found.code === "folder-not-shown" ? "folder" : "query";
  return {
    ...found,
    reason: `${found.reason} at the target`,
    suggestion: `Give the API client of the target the permission to read the ${what} of the item, and run again.`,
  };
}

function notShown(body: JsonObject): ByHand | undefined {
  return withoutQuery(body) ?? withoutFolder(body);
}

async function* pages(client: ReadClient, names: readonly string[]): AsyncGenerator<readonly JsonObject[]> {
  for await (const queries of queriesOf(client)) yield* itemsWith(client, queries, names);
}

async function* itemsWith(
  client: ReadClient,
  queries: ReadonlyMap<string, string>,
  extraProperties: readonly string[],
): AsyncGenerator<readonly JsonObject[]> {
  for (const chunk of chunks(queries.keys(), 100)) {
    const found = client.catalog.filterCatalogItems({ urn: { in: chunk } }, { extraProperties });
    for await (const page of itemsOf(found)) {
      yield page.map((item) => bodyOf(item, queries.get(text(item, "urn") ?? "") ?? ""));
    }
  }
}

async function readOne(
  client: ReadClient,
  urn: string,
  extraProperties: readonly string[],
): Promise<JsonObject | undefined> {
  const item = await client.catalog.catalogItem(urn, { extraProperties });
  if (item === undefined) return undefined;
  return bodyOf(item, (await queryOf(client, urn)).get(urn) ?? "");
}

const create = single({
  name: "create",
  effect: "creates",
  settle: "by-listing",
  async send(client, item) {
    const body = await client.catalog.createCatalogItem({ type: itemType, ...item.body });
    const target = text(body, "urn");
    return target === undefined || text(body, "name") !== text(item.body, "name")
      ? { state: "unknown", reason: "the answer names another item" }
      : { state: "done", target };
  },
});

function patch(names: readonly string[], types: readonly TypeDefinition[]): Step {
  return single({
    name: "patch",
    effect: "changes",
    settle: "by-reading",
    async send(client, item) {
      const sent = withCleared(item.body, types);
      return {
        state: "done",
        target: about(await client.catalog.patchCatalogItem(item.target ?? "", sent), item),
      };
    },
    readBack: (client, item) => readOne(client, item.target ?? "", names),
  });
}

const remove = deletion(async (client, item) => client.catalog.deleteCatalogItem(item.target ?? ""));

/** Knows the extra properties of the environment, and what the plan makes of queries. */
async function open({ client, plan }: Environment): Promise<EntityKind> {
  const model = await modelOf(client);
  const types = typesOf(model, "catalogItem");
  const type = model.get(itemType) ?? model.get("catalogItem");
  const ownTypes = type === undefined ? [] : [type];
  const fit = fittingExtra(model, ownTypes, itemType);
  const names = writableNames(types, [...itemFields, ...shape.known]);
  const columns = writableNames(await attributeTypes(client), attributeFields);
  const renames = plan.pairing.queries.map((rule) => ({
    pattern: new RegExp(rule.pattern, "gu"),
    replace: rule.replace,
  }));
  const reword = (tree: JsonObject): JsonObject => {
    const query = text(tree, "query");
    if (query === undefined || renames.length === 0) return tree;
    const renamed = renames.reduce((result, rule) => result.replace(rule.pattern, rule.replace), query);
    return { ...tree, query: renamed };
  };
  return {
    ...sqlItems,
    feed: { name: "sql-items", pages: (reader) => pages(reader, names) },
    one: (reader, urn) => readOne(reader, urn, names),
    update: [patch(names, ownTypes)],
    misfits: fit.misfits,
    asked: () => new Set(names),
    checks: [
      connectionOfSource,
      droppedProperties("sql-items", fit.misfits),
      belowMoved,
      folderNotShown,
      queryPlaces({ pairing: plan.pairing, reword, target: plan.target.name }),
    ],
    adapt: fit.adapt,
    births: { ...births, read: async (reader, urn) => attributesIn(reader, urn, columns) },
    reword,
  };
}

const births: Births = {
  kinds: ["attributes"],
  as: "catalog-items",
  isOne: ({ body }) => isPlacedInFolder(body),
  patience: (limits) => limits.attributesWaitMs,
  read: async (client, urn) => attributesIn(client, urn, []),
  why: (body, nameOf) => {
    const connection = text(body, "connectionUrn") ?? "";
    return `the service runs its query on the connection "${nameOf(connection)}" to find them, and its creation, or a change of the query, succeeds even when that fails; check the query and the connection, and run again where this run is only just changing it`;
  },
};

async function attributesIn(
  client: ReadClient,
  item: string,
  extraProperties: readonly string[],
): Promise<readonly Found[]> {
  const asked = extraProperties.length === 0 ? {} : { extraProperties };
  return (await all(client.catalog.attributes({ catalogItemUrn: item, ...asked }))).map(toFound);
}

/** Its attributes go with an item. */
async function attributesOf(
  client: ReadClient,
  items: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const reads = items.map(async (item) => {
    const attributes = await all(client.catalog.attributes({ catalogItemUrn: item }));
    return attributes.map((attribute): [string, string] => [text(attribute, "urn") ?? "", item]);
  });
  return new Map((await Promise.all(reads)).flat());
}

async function primariesOf(
  client: ReadClient,
  items: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const reads = items.map(async (item): Promise<readonly [string, string][]> => {
    const record = await client.catalog.catalogItem(item);
    const primary = record === undefined ? undefined : child(record, "primaryDqMonitor");
    const urn = primary === undefined ? undefined : text(primary, "urn");
    return urn === undefined ? [] : [[urn, item]];
  });
  return new Map((await Promise.all(reads)).flat());
}

export const sqlItems: EntityKind = {
  name: "sql-items",
  selectedAs: "sql-items",
  mode: "entity",
  urnTypes: ["catalog:catalog-item"],
  settings,
  shape,
  open,
  feed: { name: "sql-items", pages: (client) => pages(client, []) },
  accept: listed,
  typeOf: () => itemType,
  byHand: notShown,
  hidden: hiddenAtTarget,
  one: (client, urn) => readOne(client, urn, []),
  modelGaps: async (source, target) => modelGaps(source, target, ["catalogItem"]),
  refersTo: ["folders", "connections"],
  mayReferTo: propertiesMayReferTo,
  checks: [connectionOfSource],
  othersReferring: [
    {
      what: "monitors",
      // They would go with the item.
      async find(client, urns) {
        const reads = urns.map(async (item) => {
          const monitors = await all(client.quality.monitors({ catalogItemUrn: item }));
          return monitors.map((monitor) => ({
            what: "monitor",
            urn: text(monitor, "urn") ?? "",
            name: text(monitor, "name") ?? "",
            refersTo: [item],
          }));
        });
        return (await Promise.all(reads)).flat();
      },
    },
    usersByProperty({
      types: [itemType, "catalogItem", "attribute"],
      hasChildren: true,
      but: ["dslQuery", "attribute"],
      parts: attributesOf,
    }),
  ],
  goingAlong: { as: "primary-monitors", find: primariesOf },
  draftWithin: (client, { urn }) => draftOfPrimary(client, urn),
  naturalKey: (body) => [text(body, "folderUrn") ?? "", text(body, "name") ?? ""],
  births,
  create: [create],
  update: [patch([], [])],
  remove,
};
