import { isUrn } from "../../model/urn.ts";
import type { Checker } from "../check.ts";
import { entryOf, isArray, isObject, type Json, type JsonObject, pointerStep, setEntry } from "../json.ts";
import { type Call, queryList } from "../http/call.ts";
import { invalid } from "../problem.ts";
import type { PropertyDefinition } from "../state.ts";
import type { Tenant } from "../tenant.ts";

/** Fields of their own in the catalog resources, so not extra properties there. */
const ownFields = new Set(["name", "description", "originPath", "dataType", "columnType", "query"]);

function isExtra(property: PropertyDefinition): boolean {
  return !ownFields.has(property.name) && !property.type.endsWith("EMBEDDED");
}

/** Checks an extraProperties map of a create or PATCH body (document 1, "Conventions", Extra properties). */
export function checkExtra(
  tenant: Tenant,
  type: string,
  value: Json | undefined,
  pointer: string,
  checker: Checker,
): void {
  if (value === undefined) return;
  const map = checker.object(value, pointer);
  for (const [name, entry] of Object.entries(map)) {
    const place = `${pointer}/${pointerStep(name)}`;
    const property = tenant.model.property(type, name);
    if (property === undefined || !isExtra(property)) {
      checker.fail(place, `${name} is not an extra property of ${type}.`);
    } else checkProperty(tenant, property, entry, place, checker);
  }
}

export function checkProperty(
  tenant: Tenant,
  property: PropertyDefinition,
  value: Json,
  pointer: string,
  checker: Checker,
): void {
  const { name } = property;
  if (!property.editable) {
    checker.fail(pointer, `${name} is read-only.`);
    return;
  }
  switch (property.type) {
    case "SCALAR":
      if (value !== null && !isOfType(value, property.scalarType ?? "string")) {
        checker.fail(pointer, `${name} must be of type ${property.scalarType ?? "string"}.`);
      }
      return;
    case "SINGLE_REFERENCE":
      if (value !== null) checkReference(tenant, property, value, pointer, checker);
      return;
    case "ARRAY_REFERENCE":
      // A scalar is cleared with null, a reference array with [] (document 1).
      if (!isArray(value)) checker.fail(pointer, `${name} must be an array of URNs; [] clears it.`);
      else {
        for (const [index, entry] of value.entries()) {
          checkReference(tenant, property, entry, `${pointer}/${index}`, checker);
        }
      }
      return;
    case "SINGLE_EMBEDDED":
    case "ARRAY_EMBEDDED":
      checker.fail(pointer, `${name} holds entities of their own and cannot be written.`);
  }
}

function checkReference(
  tenant: Tenant,
  property: PropertyDefinition,
  value: Json,
  pointer: string,
  checker: Checker,
): void {
  const wanted = property.entityName ?? "";
  if (typeof value !== "string" || !isUrn(value)) {
    checker.fail(pointer, `${property.name} must refer to a ${wanted} by its URN.`);
    return;
  }
  const type = tenant.typeOf(value);
  if (type === undefined) checker.fail(pointer, `${value} does not exist.`);
  else if (!tenant.model.isA(type, wanted)) checker.fail(pointer, `${value} is a ${type}, not a ${wanted}.`);
}

/**
 * Values may be arrays of scalars too, and the documents do not show how the model says so: here by `[]` after
 * the name of the scalar type.
 */
function isOfType(value: Json, scalarType: string): boolean {
  if (!scalarType.endsWith("[]")) return isScalar(value, scalarType);
  return isArray(value) && value.every((entry) => isScalar(entry, scalarType.slice(0, -2)));
}

function isScalar(value: Json, scalarType: string): boolean {
  switch (scalarType) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
    case "long":
      return typeof value === "number" && Number.isInteger(value);
    case "number":
    case "float":
    case "double":
    case "decimal":
      return typeof value === "number";
    case "date":
      return (
        typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
      );
    case "datetime":
      return (
        typeof value === "string" && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value))
      );
    default:
      return typeof value === "string";
  }
}

/** Only the listed properties are modified; null and [] clear. */
export function mergeExtra(before: JsonObject, patch: Json | undefined): JsonObject {
  if (!isObject(patch)) return before;
  const result = { ...before };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || (isArray(value) && value.length === 0)) delete result[name];
    else setEntry(result, name, value);
  }
  return result;
}

/** The names a request asks for; each must match the metadata model of some type below `root` exactly. */
export function requestedExtra(call: Call, root: string): string[] {
  const names = queryList(call, "extraProperties");
  for (const name of names) {
    const property = call.tenant.model.propertyBelow(root, name);
    if (property === undefined || !isExtra(property))
      throw invalid(`${name} is not an extra property of ${root}.`);
  }
  return names;
}

/** The requested properties that the type has; null or [], or nothing at all, where nothing is set. */
export function shownProperties(
  tenant: Tenant,
  type: string,
  values: JsonObject,
  names: readonly string[],
): JsonObject {
  const shown: JsonObject = {};
  for (const name of names) {
    const property = tenant.model.property(type, name);
    if (property === undefined) continue;
    const value = entryOf(values, name);
    if (value !== undefined) setEntry(shown, name, value);
    else if (tenant.quirks.unset === "null")
      setEntry(shown, name, property.type === "ARRAY_REFERENCE" ? [] : null);
  }
  return shown;
}
