import type { JsonObject } from "../../model/json.ts";
import { text } from "../../model/json.ts";
import type { Page } from "../../service/index.ts";
import type { Found, Listed } from "../kind.ts";

export function toFound(body: JsonObject): Found {
  return { urn: text(body, "urn") ?? "", name: text(body, "name") ?? "", body };
}

export function listed(body: JsonObject): Listed {
  return toFound(body);
}

export async function* itemsOf(pages: AsyncIterable<Page>): AsyncIterable<readonly JsonObject[]> {
  for await (const page of pages) yield page.items;
}

export async function all(pages: AsyncIterable<Page>): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}

export function chunks<T>(items: Iterable<T>, size: number): readonly (readonly T[])[] {
  const result: T[][] = [];
  for (const item of items) {
    const last = result.at(-1);
    if (last === undefined || last.length === size) result.push([item]);
    else last.push(item);
  }
  return result;
}
