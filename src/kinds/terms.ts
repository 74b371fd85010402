import { printOf } from "../model/canonical.ts";
import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own, text } from "../model/json.ts";
import type { Shape } from "../model/shape.ts";
import type { ReadClient } from "../service/index.ts";
import { droppedProperties } from "./checks/dropped-properties.ts";
import type { EntityKind, Environment, Misfit, Step, StepAnswer, StepItem } from "./kind.ts";
import { about, pointedAt } from "./shared/batch.ts";
import { all, chunks, itemsOf, listed } from "./shared/found.ts";
import { extraProperties, propertiesMayReferTo } from "./shared/extra-properties.ts";
import { fitting } from "./shared/extra-fit.ts";
import type { Place } from "./shared/misfits.ts";
import { extraMisfits, withoutType } from "./shared/misfits.ts";
import { listingWith, modelSoFar, ofModel, typesOf } from "./shared/model.ts";
import { usersByProperty } from "./shared/users-by-property.ts";
import { deletion, single } from "./shared/single.ts";
import { modelGaps } from "./shared/model-gaps.ts";

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

/**
 * Fields that the model may name as properties. Its type is none of them: among entities that is the `concreteType` (document 1,
 * "Generic entity envelope"), and a property of the name `type` is one that people have defined.
 */
const fields = [
  ...shape.known.filter((field) => field !== "type"),
  "effectiveCriticality",
  "effectiveStewardship",
];

const create: Step = {
  name: "create",
  effect: "creates",
  atMost: 100,
  atomic: true,
  settle: "by-listing",
  async send(client, items) {
    const created = await client.catalog.createTerms(items.map((item) => item.body));
    const called = Map.groupBy(items, ({ body }) => JSON.stringify([text(body, "type"), text(body, "name")]));
    const namesakes = new Map(
      [...called.values()].flatMap((alike) => alike.map((item) => [item, alike] as const)),
    );
    return items.map((item, index) => {
      const answered = matchByPosition(item, created[index], created.length === items.length);
      return isOfAnother(answered, item, namesakes.get(item) ?? []) ? ofAnother : answered;
    });
  },
  blame: (pointers) => pointedAt(pointers, /^#?\/terms\/(\d+)(\/|$)/),
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

/**
 * No document says that the answer keeps the order of the request, and names are not unique: of two terms of one type and name the one
 * that says what the other was sent is not in its place. Extra properties are in no answer.
 */
function isOfAnother(answered: StepAnswer, item: StepItem, namesakes: readonly StepItem[]): boolean {
  if (namesakes.length < 2 || answered.state !== "done" || answered.body === undefined) return false;
  const said = printOf(answered.body, shown);
  return said !== printOf(item.body, shown) && namesakes.some(({ body }) => said === printOf(body, shown));
}

/** What the answer to a creation shows. */
const shown: Shape = { ...shape, serverOwned: [...shape.serverOwned, "/extraProperties"] };

const ofAnother: StepAnswer = {
  state: "unknown",
  reason: "the answer of the bulk request names another term of the same type and name in its place",
};

const extra = extraProperties("term", fields);

async function readTerm(client: ReadClient, urn: string): Promise<JsonObject | undefined> {
  return client.catalog.term(urn, { extraProperties: await extra.names(client) });
}

const patch = single({
  name: "patch",
  effect: "changes",
  settle: "by-reading",
  send: async (client, item) => {
    const body = await client.catalog.patchTerm(item.target ?? "", item.body);
    return {
      state: "done",
      target: about(body, item),
      ...(own(body, "extraProperties") === undefined ? {} : { body }),
    };
  },
  readBack: (client, item) => readTerm(client, item.target ?? ""),
});

const remove = deletion(async (client, item) => client.catalog.deleteTerm(item.target ?? ""));

function assignedTerms(item: JsonObject): readonly string[] {
  const assignments = own(item, "termAssignments");
  if (!isArray(assignments)) return [];
  return assignments.flatMap((assignment) =>
    isObject(assignment) ? (text(assignment, "termUrn") ?? []) : [],
  );
}

/** The service has found it by one of these: where it shows none of its terms, it may be any. */
function assignedOf(terms: readonly string[], item: JsonObject): readonly string[] {
  return isArray(own(item, "termAssignments")) ? assignedTerms(item) : terms;
}

const namesTypes = ofModel((model) => typesOf(model, "term").some(({ supers }) => supers.includes("term")));

/** Only a model that names types of terms, or nothing of terms at all, says which of them there are. */
function misfitsIn(body: JsonObject, place: Place): readonly Misfit[] {
  const { model } = place;
  const name = text(body, "type");
  const type = model.get(name ?? "");
  if (name !== undefined && type === undefined && (namesTypes(model) || !model.has("term")))
    return [withoutType(name)];
  return extraMisfits(body, type ?? model.get("term") ?? "term", place);
}

export const terms: EntityKind = {
  name: "terms",
  selectedAs: "terms",
  mode: "entity",
  urnTypes: ["catalog:term"],
  modelType: "term",
  typeOf: (body) => text(body, "type"),
  shape,
  /** Nothing that is listed waits for the model but what has extra properties. */
  async open({ client }: Environment): Promise<EntityKind> {
    const fit = fitting(() => modelSoFar(client), misfitsIn);
    const feed = listingWith(client, this.feed);
    const asked = (): ReadonlySet<string> | undefined => extra.known(client);
    return { ...this, ...fit, feed, asked, checks: [droppedProperties("terms", fit.misfits)] };
  },
  feed: {
    name: "terms",
    async *pages(client) {
      yield* itemsOf(client.catalog.terms({ extraProperties: await extra.listed(client) }));
    },
  },
  accept: listed,
  one: readTerm,
  modelGaps: async (source, target) => modelGaps(source, target, ["term"]),
  refersTo: ["detection-rules"],
  mayReferTo: propertiesMayReferTo,
  othersReferring: [
    {
      what: "catalog items",
      async find(client, urns) {
        const reads = chunks(urns, 100).map(async (chunk) => {
          const filter = { termAssignments: { any: { termUrn: { in: chunk } } } };
          return (await all(client.catalog.filterCatalogItems(filter))).map((item) => ({
            what: "catalog item",
            urn: text(item, "urn") ?? "",
            name: text(item, "name") ?? "",
            refersTo: assignedOf(chunk, item),
          }));
        });
        return (await Promise.all(reads)).flat();
      },
    },
    usersByProperty({ types: ["term"], hasChildren: true }),
  ],
  naturalKey: (body) => [text(body, "type") ?? "", text(body, "name") ?? ""],
  create: [create],
  update: [patch],
  remove,
};
