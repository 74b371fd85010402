import type { Json, JsonObject } from "../model/json.ts";
import { child, isObject, own, text } from "../model/json.ts";
import type { Shape } from "../model/shape.ts";
import { correlatedKeys } from "../model/sub-entity.ts";
import type { ByHand, EntityKind, Step } from "./kind.ts";
import { one, pairAnswers, withUrn } from "./shared/batch.ts";
import { itemsOf, listed } from "./shared/found.ts";

/** Data-quality rules (document 2, "Endpoints used for migration"; page 04, "The rule resource"). */
const shape: Shape = {
  known: ["urn", "draftType", "name", "description", "inputGroups", "parameters", "implementation"],
  serverOwned: ["/urn", "/draftType"],
  labels: ["name", "stringExpression", "resultUrn", "transformationUrn"],
};

const create: Step = {
  name: "create",
  atMost: 100,
  atomic: false,
  settle: "by-listing",
  async send(client, items) {
    const answer = await client.quality.createRules(items.map((item) => ({ id: item.source, ...item.body })));
    return pairAnswers(items, answer).map(withUrn);
  },
};

const patch: Step = {
  name: "patch",
  atMost: 1,
  atomic: true,
  settle: "by-reading",
  send: async (client, items) =>
    one(items, async (item) => {
      const body = await client.quality.patchRule(item.target ?? "", item.body);
      return { state: "done", target: item.target ?? "", keys: correlatedKeys(body), body };
    }),
  readBack: (client, item) => client.quality.rule(item.target ?? "", { version: "DRAFT" }),
};

const publish: Step = {
  name: "publish",
  atMost: 1,
  atomic: true,
  settle: "repeat",
  send: async (client, items) =>
    one(items, async (item) => {
      await client.quality.publishRule(item.target ?? "");
      return { state: "done", target: item.target ?? "" };
    }),
};

const remove: Step = {
  name: "delete",
  atMost: 1,
  atomic: true,
  settle: "repeat",
  send: async (client, items) =>
    one(items, async (item) => {
      await client.quality.deleteRule(item.target ?? "");
      return { state: "done" };
    }),
};

export const rules: EntityKind = {
  name: "rules",
  selectedAs: "rules",
  mode: "entity",
  urnTypes: ["data-quality:rule"],
  shape,
  feed: { name: "rules", pages: (client) => itemsOf(client.quality.rules()) },
  accept: listed,
  refersTo: ["dimensions", "transformations"],
  ownsParts: true,
  naturalKey: (body) => [text(body, "name") ?? ""],
  byHand: conditionBuilder,
  create: [create],
  update: [patch, publish],
  remove,
  async draft(client, target) {
    const draft = await client.quality.rule(target.urn, { version: "DRAFT" });
    return draft !== undefined && hasDraft(draft) ? draft : undefined;
  },
};

function hasDraft(body: JsonObject): boolean {
  const type = text(body, "draftType");
  return type !== undefined && type !== "NONE";
}

/** Logic built in the condition builder has an empty stringExpression (document 2, Migration rules 6). */
function conditionBuilder(body: JsonObject): ByHand | undefined {
  const implementation = child(body, "implementation");
  if (implementation === undefined || !hasEmptyExpression(implementation)) return undefined;
  return {
    code: "condition-builder",
    reason: "its logic was made in the condition builder, which the interface does not give out",
    suggestion:
      "Rewrite the condition at the source as an advanced expression, publish the rule, and run again; or leave it out with select.exclude.",
  };
}

function hasEmptyExpression(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasEmptyExpression);
  if (!isObject(value)) return false;
  const expression = own(value, "stringExpression");
  if (expression !== undefined && (expression === null || expression === "")) return true;
  return Object.values(value).some(hasEmptyExpression);
}
