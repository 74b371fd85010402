import type { FaultEffect, FaultRule } from "./faults.ts";
import { isArray, isObject, type JsonObject } from "./json.ts";

type FieldCheck = (value: unknown) => string | undefined;

const text: FieldCheck = (value) => (typeof value === "string" ? undefined : "must be a string");
const flag: FieldCheck = (value) => (typeof value === "boolean" ? undefined : "must be true or false");
const count: FieldCheck = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0
    ? undefined
    : "must be a whole number, at least 0";
const chance: FieldCheck = (value) =>
  typeof value === "number" && value >= 0 && value <= 1 ? undefined : "must be a number of 0 to 1";
const stage: FieldCheck = (value) =>
  value === "before-commit" || value === "after-commit" ? undefined : "must be before-commit or after-commit";
const code: FieldCheck = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 400 && value <= 599
    ? undefined
    : "must be a status of 400 to 599";
const retryAfter: FieldCheck = (value) => (typeof value === "string" ? undefined : count(value));
const indexes: FieldCheck = (value) =>
  isArray(value) && value.every((entry) => count(entry) === undefined)
    ? undefined
    : "must be an array of indexes";
const path: FieldCheck = (value) => {
  if (typeof value !== "string" || !value.startsWith("/")) return "must start with /";
  if (!/^\/.+\/$/.test(value)) return undefined;
  try {
    return new RegExp(value.slice(1, -1)) instanceof RegExp ? undefined : "is no expression";
  } catch (error) {
    return `is no regular expression: ${error instanceof Error ? error.message : String(error)}`;
  }
};

const texts: FieldCheck = (value) =>
  isObject(value) && Object.values(value).every((one) => typeof one === "string")
    ? undefined
    : "must be a map of strings";

const matchFields = { tenant: text, method: text, path, route: text, query: texts };
const whenFields = { skip: count, times: count, chance };

/** The fields of every effect; those that end with ! in `required` must be there. */
const effectFields: Readonly<Record<FaultEffect["type"], Readonly<Record<string, FieldCheck>>>> = {
  "refuse-connection": {},
  "drop-before-commit": {},
  "drop-after-commit": {},
  delay: { ms: count, at: stage },
  "late-commit": { ms: count },
  status: { code, retryAfter, commit: flag, page: flag },
  truncate: {},
  garbage: {},
  "missing-items": { indexes, count },
  "duplicate-items": {},
  "reorder-items": {},
  "stale-list": { ms: count, requests: count },
  "repeat-cursor": {},
  "partial-commit": { count },
};

const required: Readonly<Record<string, readonly string[]>> = {
  delay: ["ms"],
  "late-commit": ["ms"],
  status: ["code"],
  "partial-commit": ["count"],
};

/**
 * Faults from a file: an array of rules, or an object with `faults`. Throws one error that names every fault
 * of the file with its place.
 */
export function parseFaults(json: unknown): FaultRule[] {
  const rules = isObject(json) && "faults" in json ? json["faults"] : json;
  if (!isArray(rules))
    throw new Error("A faults file holds an array of rules, or an object with an array in faults.");
  const errors = rules.flatMap((rule, index) => ruleErrors(rule, `faults[${index}]`));
  if (errors.length > 0)
    throw new Error(`The faults file is not valid:\n${errors.map((line) => `- ${line}`).join("\n")}`);
  return rules as unknown as FaultRule[];
}

function ruleErrors(rule: unknown, place: string): string[] {
  if (!isObject(rule)) return [`${place} must be an object`];
  const errors = Object.keys(rule)
    .filter((key) => !["match", "when", "effect"].includes(key))
    .map((key) => `${place}.${key} is not known; a rule has match, when and effect`);
  for (const [key, fields] of [
    ["match", matchFields],
    ["when", whenFields],
  ] as const) {
    if (rule[key] !== undefined) errors.push(...fieldErrors(rule[key], fields, `${place}.${key}`));
  }
  const { effect } = rule;
  if (!isObject(effect)) return [...errors, `${place}.effect is required and must be an object`];
  const type = effect["type"];
  if (typeof type !== "string" || !Object.hasOwn(effectFields, type)) {
    const known = Object.keys(effectFields).join(", ");
    return [...errors, `${place}.effect.type must be one of ${known}`];
  }
  const fields = effectFields[type as FaultEffect["type"]];
  for (const key of required[type] ?? [])
    if (!(key in effect)) errors.push(`${place}.effect.${key} is required`);
  if (type === "stale-list" && !("ms" in effect) && !("requests" in effect)) {
    errors.push(`${place}.effect needs ms or requests`);
  }
  return [...errors, ...fieldErrors(effect, { type: text, ...fields }, `${place}.effect`)];
}

function fieldErrors(value: unknown, fields: Readonly<Record<string, FieldCheck>>, place: string): string[] {
  if (!isObject(value)) return [`${place} must be an object`];
  const object: JsonObject = value;
  return Object.entries(object).flatMap(([key, field]) => {
    const check = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (check === undefined)
      return [`${place}.${key} is not known; known: ${Object.keys(fields).join(", ")}`];
    const error = check(field);
    return error === undefined ? [] : [`${place}.${key} ${error}`];
  });
}
