import type { Urn } from "../../model/urn.ts";
import type { Checker } from "../check.ts";
import { asText, isObject, type JsonObject, pointerStep } from "../json.ts";
import { invalid, notFound } from "../problem.ts";
import type { Entity } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { checkProperty, mergeExtra } from "./extra-properties.ts";
import { checkNewTerm } from "./term-checks.ts";
import { removeTerm, storeTerm } from "./terms.ts";

/** Types of a tenant get an area of their own: `catalog:<type in kebab case>`. */
const urnTypes: Readonly<Record<string, string>> = {
  connection: "processing:connection",
  group: "iam:group",
};

function urnTypeOf(type: string): string {
  const kebab = type.replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
  return urnTypes[type] ?? `catalog:${kebab}`;
}

function readOnlyType(type: string): string {
  return `Entities of type ${type} are managed by the service and cannot be created, updated or deleted.`;
}

/** Places of parents that hold one child only, and that a request has used already. */
export type TakenPlaces = Set<string>;

/** Checks a new entity (document 1, POST /entities); seeds may make read-only types too. */
export function checkNewEntity(
  tenant: Tenant,
  body: JsonObject,
  pointer: string,
  checker: Checker,
  {
    asService = false,
    taken = new Set(),
  }: { readonly asService?: boolean; readonly taken?: TakenPlaces } = {},
): void {
  checker.onlyFields(body, ["concreteType", "parentUrn", "parentProperty", "properties"], pointer);
  const type = checker.requiredText(body, "concreteType", pointer);
  const definition = tenant.model.get(type);
  if (definition === undefined) {
    checker.fail(`${pointer}/concreteType`, `${type} is not a type of the metadata model.`);
    return;
  }
  if (!definition.editable && !asService) {
    checker.fail(`${pointer}/concreteType`, readOnlyType(type));
    return;
  }
  checkParent(tenant, type, body, pointer, checker, taken);
  const properties =
    body["properties"] === undefined ? {} : checker.object(body["properties"], `${pointer}/properties`);
  if (tenant.model.isA(type, "term"))
    checkNewTerm(tenant, termBody(type, properties), `${pointer}/properties`, checker);
  else checkProperties(tenant, type, properties, `${pointer}/properties`, checker);
}

/** parentProperty: the property of the parent, or the path at the metadata root, that holds this type. */
function checkParent(
  tenant: Tenant,
  type: string,
  body: JsonObject,
  pointer: string,
  checker: Checker,
  taken: TakenPlaces,
): void {
  const property = checker.requiredText(body, "parentProperty", pointer);
  const parent = body["parentUrn"] ?? null;
  const types = tenant.model.lineage(type);
  if (parent === null) {
    const paths = types.flatMap((name) => tenant.model.get(name)?.nodePaths ?? []);
    if (!paths.includes(`/${property}`)) {
      checker.fail(`${pointer}/parentProperty`, `The metadata root holds no ${type} in ${property}.`);
    }
    return;
  }
  checker.reference(parent, (urn) => tenant.typeOf(urn) !== undefined, "an entity", `${pointer}/parentUrn`);
  const parentType = typeof parent === "string" ? tenant.typeOf(parent) : undefined;
  if (parentType === undefined) return;
  const held = tenant.model.property(parentType, property);
  if (held?.type.endsWith("EMBEDDED") !== true || !types.includes(held.entityName ?? "")) {
    checker.fail(`${pointer}/parentProperty`, `${parentType} holds no ${type} in ${property}.`);
    return;
  }
  if (held.type !== "SINGLE_EMBEDDED") return;
  const place = `${asText(parent)} ${property}`;
  const before = tenant.entities.valuesIn(`parent:${asText(parent)}`);
  if (taken.has(place) || before.some((entity) => entity.parentProperty === property)) {
    checker.fail(`${pointer}/parentProperty`, `${property} holds one ${type}, and there is one already.`);
  }
  taken.add(place);
}

export function checkProperties(
  tenant: Tenant,
  type: string,
  properties: JsonObject,
  pointer: string,
  checker: Checker,
): void {
  for (const [name, value] of Object.entries(properties)) {
    const place = `${pointer}/${pointerStep(name)}`;
    const property = tenant.model.property(type, name);
    if (property === undefined) checker.fail(place, `${name} is not a property of ${type}.`);
    else checkProperty(tenant, property, value, place, checker);
  }
}

/** Stores what was checked and returns its URN and type. */
export function storeEntity(
  tenant: Tenant,
  body: JsonObject,
): { readonly urn: Urn; readonly concreteType: string } {
  const concreteType = asText(body["concreteType"]);
  const properties = isObject(body["properties"]) ? body["properties"] : {};
  if (tenant.model.isA(concreteType, "term")) {
    return { urn: storeTerm(tenant, termBody(concreteType, properties)).urn, concreteType };
  }
  const parent = body["parentUrn"];
  const entity: Entity = {
    urn: tenant.newUrn(urnTypeOf(concreteType)),
    concreteType,
    ...(typeof parent === "string" && { parentUrn: parent as Urn }),
    parentProperty: asText(body["parentProperty"]),
    properties: mergeExtra({}, properties),
  };
  tenant.entities.put(entity);
  return entity;
}

/** A term is a term, whichever interface creates it: name and description are fields, the rest extra properties. */
function termBody(type: string, properties: JsonObject): JsonObject {
  const { name, description, ...extraProperties } = properties;
  return {
    type,
    ...(name !== undefined && { name }),
    ...(description !== undefined && description !== null && { description }),
    extraProperties,
  };
}

/** Type of an entity that a request wants to write; 404 when there is none, 400 when it is read-only. */
export function writableType(tenant: Tenant, urn: Urn, pointer?: string): string {
  const type = knownType(tenant, urn);
  if (tenant.model.get(type)?.editable !== true) throw invalid(readOnlyType(type), pointer);
  return type;
}

/** What is of no type of the metadata model cannot be asked for. */
export function knownType(tenant: Tenant, urn: Urn): string {
  const type = tenant.typeOf(urn);
  if (type === undefined || tenant.model.get(type) === undefined)
    throw notFound(`Entity ${urn} does not exist.`);
  return type;
}

/** Merges checked properties; null and [] clear. */
export function changeEntity(tenant: Tenant, urn: Urn, properties: JsonObject): void {
  const entity = tenant.entities.get(urn);
  if (entity !== undefined) {
    tenant.entities.put({ ...entity, properties: mergeExtra(entity.properties, properties) });
    return;
  }
  const row = tenant.terms.get(urn);
  if (row?.published === undefined) throw notFound(`Entity ${urn} does not exist.`);
  const { name, description, ...extra } = properties;
  const term = { ...row.published, extraProperties: mergeExtra(row.published.extraProperties, extra) };
  if (typeof name === "string") term.name = name;
  if (typeof description === "string") term.description = description;
  if (description === null) delete term.description;
  tenant.terms.put({ ...row, published: term });
}

/** Deletes an entity and what is below it, whatever the service itself has put there. */
export function removeEntity(tenant: Tenant, urn: Urn, pointer?: string): void {
  writableType(tenant, urn, pointer);
  if (tenant.terms.has(urn)) removeTerm(tenant, urn);
  else removeWithChildren(tenant, urn);
}

function removeWithChildren(tenant: Tenant, urn: Urn): void {
  for (const below of tenant.entities.valuesIn(`parent:${urn}`)) removeWithChildren(tenant, below.urn);
  tenant.stewards.delete(urn);
  tenant.formerStewards.delete(urn);
  tenant.entities.delete(urn);
}
