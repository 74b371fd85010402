import { isArray, isObject, type Json, type JsonObject, pointerStep } from "../json.ts";
import { invalid } from "../problem.ts";
import type { CatalogItem } from "../state.ts";
import type { Tenant } from "../tenant.ts";

type Test = (item: CatalogItem) => boolean;
type TextTest = (value: string | undefined) => boolean;

/**
 * The filter of POST /catalog-items/filter (document 1, "Filter body"). Several fields of one filter object
 * must all hold. The shapes of connection, aliases and attributes are not shown there: connection is taken
 * like source, aliases and attributes like termAssignments (`any` of them).
 */
export function matchesFilter(tenant: Tenant, filter: JsonObject, pointer: string): Test {
  const tests = Object.entries(filter).map(([field, value]) =>
    fieldTest(tenant, field, value, `${pointer}/${pointerStep(field)}`),
  );
  return (item) => tests.every((test) => test(item));
}

function fieldTest(tenant: Tenant, field: string, value: Json, pointer: string): Test {
  switch (field) {
    case "and":
    case "or": {
      if (!isArray(value)) throw invalid(`${field} must be an array of filters.`, pointer);
      const tests = value.map((entry, index) => {
        if (!isObject(entry)) throw invalid("A filter must be an object.", `${pointer}/${index}`);
        return matchesFilter(tenant, entry, `${pointer}/${index}`);
      });
      if (field === "and") return (item) => tests.every((test) => test(item));
      return (item) => tests.some((test) => test(item));
    }
    case "urn":
    case "name":
    case "description":
    case "originPath": {
      const test = textTest(value, pointer);
      return (item) => test(item[field]);
    }
    case "source":
    case "connection": {
      const nested = fieldsTest(value, ["urn", "name"], pointer);
      return (item) => {
        const urn = field === "source" ? item.sourceUrn : item.connectionUrn;
        return nested({ urn, name: nameOf(tenant, urn) });
      };
    }
    case "aliases": {
      const nested = fieldsTest(anyOf(value, pointer), ["type", "value"], `${pointer}/any`);
      return (item) => item.aliases.some(nested);
    }
    case "attributes": {
      const fields = ["urn", "name", "description", "dataType", "columnType"];
      const nested = fieldsTest(anyOf(value, pointer), fields, `${pointer}/any`);
      return (item) =>
        tenant.attributes
          .bucket(`item:${item.urn}`)
          .some((row) => nested(row.value as unknown as JsonObject));
    }
    case "termAssignments": {
      const nested = fieldsTest(anyOf(value, pointer), ["termUrn"], `${pointer}/any`);
      return (item) => item.termUrns.some((termUrn) => nested({ termUrn }));
    }
    default:
      throw invalid(`Items cannot be filtered by ${field}.`, pointer);
  }
}

function nameOf(tenant: Tenant, urn: string | undefined): string | undefined {
  const name = urn === undefined ? undefined : tenant.entities.get(urn)?.properties["name"];
  return typeof name === "string" ? name : undefined;
}

function anyOf(value: Json, pointer: string): Json {
  const any = isObject(value) && Object.keys(value).length === 1 ? value["any"] : undefined;
  if (any === undefined) throw invalid("Expected an object with any.", pointer);
  return any;
}

function fieldsTest(
  value: Json,
  allowed: readonly string[],
  pointer: string,
): (object: Readonly<Record<string, Json | undefined>>) => boolean {
  if (!isObject(value)) throw invalid("Expected an object of operators by field.", pointer);
  const tests = Object.entries(value).map(([field, operators]) => {
    if (!allowed.includes(field))
      throw invalid(`${field} cannot be filtered by here.`, `${pointer}/${field}`);
    return [field, textTest(operators, `${pointer}/${field}`)] as const;
  });
  return (object) =>
    tests.every(([field, test]) => {
      const found = object[field];
      return test(typeof found === "string" ? found : undefined);
    });
}

/** The string operators; several in one object must all hold. */
function textTest(value: Json, pointer: string): TextTest {
  if (!isObject(value) || Object.keys(value).length === 0) {
    throw invalid("Expected an object of string operators.", pointer);
  }
  const tests = Object.entries(value).map(([operator, operand]) =>
    operatorTest(operator, operand, `${pointer}/${pointerStep(operator)}`),
  );
  return (text) => tests.every((test) => test(text));
}

function operatorTest(operator: string, operand: Json, pointer: string): TextTest {
  switch (operator) {
    case "contains":
    case "notContains": {
      const wanted = textOperand(operand, pointer);
      return (text) => (text ?? "").includes(wanted) === (operator === "contains");
    }
    case "equals":
    case "notEquals": {
      const wanted = textOperand(operand, pointer);
      return (text) => (text === wanted) === (operator === "equals");
    }
    case "in":
    case "notIn": {
      if (!isArray(operand)) throw invalid(`${operator} takes an array.`, pointer);
      const wanted = new Set(operand.map((entry, index) => textOperand(entry, `${pointer}/${index}`)));
      return (text) => (text !== undefined && wanted.has(text)) === (operator === "in");
    }
    case "isNull":
    case "isNotNull": {
      if (typeof operand !== "boolean") throw invalid(`${operator} takes true or false.`, pointer);
      const wantsNull = (operator === "isNull") === operand;
      return (text) => (text === undefined) === wantsNull;
    }
    default:
      throw invalid(`${operator} is not a string operator.`, pointer);
  }
}

function textOperand(value: Json, pointer: string): string {
  if (typeof value !== "string") throw invalid("The operand must be a string.", pointer);
  return value;
}
