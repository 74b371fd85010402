import type { Json } from "../json.ts";
import { badRequest, wrongUrl } from "./problems.ts";

/** Whether the value of a column is wanted. */
export type Test = (value: (column: string) => Json | undefined) => boolean;

/** `*` stands for anything. */
export function matcher(wanted: string): (value: Json | undefined) => boolean {
  if (!wanted.includes("*")) return (value) => asShown(value) === wanted;
  const parts = wanted.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`^${parts.join("[\\s\\S]*")}$`);
  return (value) => {
    const text = asShown(value);
    return text !== undefined && pattern.test(text);
  };
}

/** Filters in the parentheses of a preload. Of LIKE, the forms of emptiness and AND and OR only the words are shown. */
export function parseConditions(text: string, typeOf: (column: string) => string | undefined): Test {
  const alternatives = text.split(/\s+OR\s+/).map((all) => {
    const tests = all.split(/\s+AND\s+|,/).map((one) => parseCondition(one.trim(), typeOf));
    return (value: Parameters<Test>[0]) => tests.every((test) => test(value));
  });
  return (value) => alternatives.some((test) => test(value));
}

function parseCondition(text: string, typeOf: (column: string) => string | undefined): Test {
  const column = /^[^\s=]+/.exec(text)?.[0] ?? "";
  const type = typeOf(column);
  if (type === undefined) throw wrongUrl(`There is no column ${column}.`);
  const rest = text.slice(column.length);
  if (rest.startsWith("=")) {
    const matches = matcher(rest.slice(1));
    return (value) => matches(value(column));
  }
  const like = /^\s+LIKE\s+(.+)$/.exec(rest)?.[1];
  if (like !== undefined) {
    if (type !== "STRING") throw badRequest(`${column} is no string: LIKE cannot be used.`);
    const matches = matcher(like);
    return (value) => matches(value(column));
  }
  if (/^\s+MATCH NON EMPTY$/.test(rest)) return (value) => !isEmpty(value(column));
  if (/^\s+IS EMPTY$/.test(rest)) return (value) => isEmpty(value(column));
  throw badRequest(`The filter ${text} cannot be read.`);
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "";
}

function asShown(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
