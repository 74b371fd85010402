import { isUrn, parseUrn, type Urn } from "../model/urn.ts";
import { isArray, isObject, type Json, type JsonObject, pointerStep } from "./json.ts";
import { type FieldError, invalidAll } from "./problem.ts";

/** Collects every fault of a body before it refuses, each with the pointer of its place. */
export class Checker {
  readonly errors: FieldError[] = [];

  fail(pointer: string, detail: string): void {
    this.errors.push({ detail, pointer });
  }

  get failed(): boolean {
    return this.errors.length > 0;
  }

  refuseIfFailed(): void {
    if (this.failed) throw invalidAll(this.errors);
  }

  object(value: Json | undefined, pointer: string): JsonObject {
    if (isObject(value)) return value;
    this.fail(pointer, `${at(pointer)} must be an object.`);
    return {};
  }

  /** Text that must be there and not be empty. */
  requiredText(object: JsonObject, key: string, pointer: string): string {
    const value = object[key];
    if (typeof value === "string" && value.trim() !== "") return value;
    this.fail(`${pointer}/${key}`, `${key} is required and must be a non-empty string.`);
    return "";
  }

  /** Checks a field that may be absent; `nullable` says whether null may clear it. */
  optional(object: JsonObject, key: string, type: FieldType, pointer: string, nullable: boolean): void {
    const value = object[key];
    if (value === undefined || (value === null && nullable)) return;
    if (!hasType(value, type)) this.fail(`${pointer}/${key}`, `${key} must be ${article(type)}.`);
  }

  /** Fields that a request may not carry. */
  refuseFields(object: JsonObject, keys: readonly string[], pointer: string, why: string): void {
    for (const key of keys) if (key in object) this.fail(`${pointer}/${key}`, `${key} ${why}.`);
  }

  onlyFields(object: JsonObject, keys: readonly string[], pointer: string): void {
    for (const key of Object.keys(object)) {
      if (!keys.includes(key)) this.fail(`${pointer}/${pointerStep(key)}`, `${key} cannot be set here.`);
    }
  }

  /** A well-formed URN of something that `exists`; false answers are refused with what was expected. */
  reference(value: Json | undefined, exists: (urn: Urn) => boolean, what: string, pointer: string): void {
    if (typeof value !== "string" || !isUrn(value))
      this.fail(pointer, `${at(pointer)} must be the URN of ${what}.`);
    else if (!exists(value)) this.fail(pointer, `${value} is not ${what} of this tenant.`);
  }
}

type FieldType = "string" | "boolean" | "number" | "integer" | "object" | "array" | "strings";

function hasType(value: Json, type: FieldType): boolean {
  switch (type) {
    case "string":
    case "boolean":
    case "number":
      return typeof value === type;
    case "integer":
      return typeof value === "number" && Number.isInteger(value);
    case "object":
      return isObject(value);
    case "array":
      return isArray(value);
    default:
      return isArray(value) && value.every((entry) => typeof entry === "string");
  }
}

function article(type: FieldType): string {
  if (type === "strings") return "an array of strings";
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function at(pointer: string): string {
  return pointer === "#" ? "The body" : (pointer.split("/").at(-1) ?? pointer);
}

/** A URN of another tenant means nothing here, wherever in a body it stands (page 04: the tenant segment). */
export function checkTenant(
  value: Json | undefined,
  tenant: string,
  pointer: string,
  checker: Checker,
): void {
  if (typeof value === "string") {
    const parts = parseUrn(value);
    if (parts !== undefined && parts.tenant !== tenant) {
      checker.fail(pointer, `${value} belongs to tenant ${parts.tenant}, not to ${tenant}.`);
    }
  } else if (isArray(value)) {
    for (const [index, entry] of value.entries()) checkTenant(entry, tenant, `${pointer}/${index}`, checker);
  } else if (isObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      const place = `${pointer}/${pointerStep(key)}`;
      checkTenant(key, tenant, place, checker);
      checkTenant(field, tenant, place, checker);
    }
  }
}
