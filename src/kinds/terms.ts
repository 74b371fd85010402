import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own, text } from "../model/json.ts";
import type { Shape } from "../model/shape.ts";
import type { ReadClient } from "../service/index.ts";
import type { EntityKind, Step, StepAnswer, StepItem } from "./kind.ts";
import { about, one } from "./shared/batch.ts";
import { all, chunks, itemsOf, listed } from "./shared/found.ts";

/** Glossary terms of every type (document 1, "Term" and "Terms"). */
const shape: Shape = {
  known: [
    "urn",
    "type",
    "name",
    "description",
    "detectionRules",
    "attributeToCatalogItemTermRules",
    "extraProperties",
  ],
  serverOwned: ["/urn", "/effectiveCriticality", "/effectiveStewardship"],
  sets: ["/detectionRules/ruleAssignments"],
  fixed: ["type"],
  memberwise: ["extraProperties"],
  deferrable: ["extraProperties", "description", "attributeToCatalogItemTermRules", "detectionRules"],
};

const plainFields = new Set([...shape.known, "effectiveCriticality", "effectiveStewardship"]);

/**
 * Extra properties are returned only when asked for by name (document 1, "Extra properties"), so the names of all
 * writable ones of all term types are taken from the metadata model. Embedded values are not among those that the
 * field can carry.
 */
async function listExtraPropertyNames(client: ReadClient): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const definition of await all(client.catalog.metadataModel())) {
    const supers = own(definition, "superEntities");
    const isTerm = text(definition, "name") === "term" || (isArray(supers) && supers.includes("term"));
    const properties = own(definition, "properties");
    if (!isTerm || !isArray(properties)) continue;
    for (const property of properties) {
      if (!isObject(property) || own(property, "editable") === false) continue;
      const name = text(property, "name");
      const embedded = text(property, "type")?.endsWith("_EMBEDDED") ?? false;
      if (name !== undefined && !embedded && !plainFields.has(name)) names.add(name);
    }
  }
  return [...names].sort();
}

/** For one term after the other: as they were when the terms were listed, so that both readings show the same. */
const namesKnown = new WeakMap<ReadClient, Promise<readonly string[]>>();

function extraPropertyNames(client: ReadClient, afresh = false): Promise<readonly string[]> {
  const known = afresh ? undefined : namesKnown.get(client);
  if (known !== undefined) return known;
  const names = listExtraPropertyNames(client);
  namesKnown.set(client, names);
  names.catch(() => namesKnown.delete(client)); // Whoever waits for them is told; the next one asks again.
  return names;
}

async function readTerm(client: ReadClient, urn: string): Promise<JsonObject | undefined> {
  return client.catalog.term(urn, { extraProperties: await extraPropertyNames(client) });
}

const create: Step = {
  name: "create",
  effect: "creates",
  atMost: 100,
  atomic: true,
  settle: "by-listing",
  async send(client, items) {
    const created = await client.catalog.createTerms(items.map((item) => item.body));
    return items.map((item, index) => matchByPosition(item, created[index], created.length === items.length));
  },
  blame(pointers) {
    const index = pointers
      .map((pointer) => /^#?\/terms\/(\d+)(\/|$)/.exec(pointer)?.[1])
      .find((found) => found !== undefined);
    return index === undefined ? undefined : Number(index);
  },
};

/** The answer of a bulk request has no ids: the position pairs, type and name confirm. */
function matchByPosition(item: StepItem, created: JsonObject | undefined, complete: boolean): StepAnswer {
  const target = created === undefined ? undefined : text(created, "urn");
  if (!complete || created === undefined || target === undefined) {
    return { state: "unknown", reason: "the answer of the bulk request does not list it" };
  }
  const same =
    text(created, "name") === text(item.body, "name") && text(created, "type") === text(item.body, "type");
  return same
    ? { state: "done", target, body: created }
    : { state: "unknown", reason: "the answer of the bulk request names another term in its place" };
}

const patch: Step = {
  name: "patch",
  effect: "changes",
  atMost: 1,
  atomic: true,
  settle: "by-reading",
  send: async (client, items) =>
    one(items, async (item) => {
      const body = await client.catalog.patchTerm(item.target ?? "", item.body);
      return {
        state: "done",
        target: about(body, item),
        ...(own(body, "extraProperties") === undefined ? {} : { body }),
      };
    }),
  readBack: (client, item) => readTerm(client, item.target ?? ""),
};

const remove: Step = {
  name: "delete",
  effect: "removes",
  atMost: 1,
  atomic: true,
  settle: "repeat",
  send: async (client, items) =>
    one(items, async (item) => {
      await client.catalog.deleteTerm(item.target ?? "");
      return { state: "done" };
    }),
};

function assignedTerms(item: JsonObject): readonly string[] {
  const assignments = own(item, "termAssignments");
  if (!isArray(assignments)) return [];
  return assignments.flatMap((assignment) =>
    isObject(assignment) ? (text(assignment, "termUrn") ?? []) : [],
  );
}

export const terms: EntityKind = {
  name: "terms",
  selectedAs: "terms",
  mode: "entity",
  urnTypes: ["catalog:term"],
  shape,
  feed: {
    name: "terms",
    async *pages(client) {
      yield* itemsOf(client.catalog.terms({ extraProperties: await extraPropertyNames(client, true) }));
    },
  },
  accept: listed,
  one: (client, urn) => readTerm(client, urn),
  refersTo: ["detection-rules"],
  othersReferring: {
    what: "catalog items",
    async find(client, urns) {
      const reads = chunks(urns, 100).map(async (chunk) =>
        all(client.catalog.filterCatalogItems({ termAssignments: { any: { termUrn: { in: chunk } } } })),
      );
      return (await Promise.all(reads)).flat().map((item) => ({
        what: "catalog item",
        urn: text(item, "urn") ?? "",
        name: text(item, "name") ?? "",
        refersTo: assignedTerms(item),
      }));
    },
  },
  naturalKey: (body) => [text(body, "type") ?? "", text(body, "name") ?? ""],
  create: [create],
  update: [patch],
  remove,
};
