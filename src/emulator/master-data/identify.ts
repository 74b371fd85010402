import { type Answer, ok } from "../http/call.ts";
import { child, isArray, isObject, type JsonObject } from "../json.ts";
import type { MasterPlace, Route } from "./call.ts";
import { bodyObject, masterPlace, onlyFields, onlyParameters, routesOf } from "./call.ts";
import type { MasterData } from "./master-data.ts";
import { mastersFor } from "./merge.ts";
import { misfit, rolesOf, type EntityModel, type MatchRule } from "./model.ts";
import { badRequest } from "./problems.ts";
import { attributesOf, showMaster } from "./show.ts";

/** Document 3, "Identify": the input is cleansed and matched as an instance record would be, and not kept. */
export const identifyRoutes: readonly Route[] = routesOf("master", {
  "READ /master/:view/:entity/identify": (call): Answer => {
    onlyParameters(call, []);
    const place = masterPlace(call);
    const model = call.data.entityModel(place.entity);
    if (model === undefined) throw badRequest(`${place.entity} is not merged from instances.`);
    const source = sourceOf(call.data, model, bodyObject(call));
    const values = { ...source, ...computedOf(model, source) };
    const keys = model.rules.map((rule) => rule.key(values));
    return answer(call.data, place, mastersFor(call.data, place.entity, keys));
  },
});

interface Found {
  readonly rule: MatchRule;
  readonly masterId: number;
  readonly relatedId: number;
}

function answer(data: MasterData, place: MasterPlace, found: readonly Found[]): Answer {
  const match = found.find(({ rule }) => rule.proposes !== true);
  const proposed = found.filter((one) => one !== match);
  // "If nothing matches the output is nothing."
  if (found.length === 0) return { status: 200 };
  const isShort = proposed.length > data.quirks.maxCount;
  const full = (one: Found): JsonObject => ({
    matchMetadata: metadataOf(one),
    record: recordOf(data, place, one),
  });
  const proposals = proposed.map((one) =>
    isShort ? { masterId: one.masterId, ...metadataOf(one) } : full(one),
  );
  return ok({ ...(match === undefined ? {} : full(match)), proposals });
}

function metadataOf({ rule, relatedId }: Found): JsonObject {
  return { matchRelatedId: relatedId, matchQuality: rule.quality, matchRuleName: rule.name };
}

function recordOf(data: MasterData, place: MasterPlace, { masterId }: Found): JsonObject {
  const row = place.table.get(masterId);
  if (row === undefined) throw new Error(`Master ${masterId} is matched and not there.`);
  return showMaster(data, row, attributesOf(place));
}

function sourceOf(data: MasterData, model: EntityModel, body: JsonObject): JsonObject {
  onlyFields(body, ["sourceSystem", "record"], "The body");
  if (typeof body["sourceSystem"] !== "string") throw badRequest("sourceSystem is required.");
  const record = body["record"];
  if (!isObject(record)) throw badRequest("record is required.");
  onlyFields(record, ["attributes", "relationships"], "record");
  const roles = rolesOf(data.model, model.name);
  for (const [name, records] of Object.entries(child(record, "relationships"))) {
    const role = roles.find((one) => one.name === name);
    const related = role === undefined ? undefined : data.entityModel(role.entity);
    if (related === undefined || !isArray(records))
      throw badRequest(`${model.name} has no relationship ${name}.`);
    for (const one of records) checkSource(related, isObject(one) ? one["attributes"] : undefined);
  }
  return checkSource(model, record["attributes"]);
}

/** Source attributes of one record: what is computed is not sent. */
export function checkSource(model: EntityModel, values: unknown): JsonObject {
  if (!isObject(values)) throw badRequest("attributes must be an object.");
  for (const [name, value] of Object.entries(values)) {
    const column = model.columns.find((one) => one.name === name);
    if (column === undefined) throw badRequest(`${name} is no source attribute of ${model.name}.`);
    const why = misfit(column, value);
    if (why !== undefined) throw badRequest(why);
  }
  return values;
}

function computedOf(model: EntityModel, source: JsonObject): JsonObject {
  return Object.fromEntries(model.computed.map(({ name, compute }) => [name, compute(source)]));
}
