import { expect } from "vitest";
import type { Tenant } from "../../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../../src/emulator/index.ts";
import { isObject, setOwn } from "../../../src/model/json.ts";
import type { MappingTable } from "../../../src/model/mapping-table.ts";
import type { Given } from "./given.ts";
import { published } from "./published.ts";

/** The tests' own word for equal: nothing here uses the code that compares and rewrites. */

export interface Sides {
  readonly source: Tenant;
  readonly target: Tenant;
  readonly given: { readonly source: Given; readonly target: Given };
}

/** Exactly one object at the target for each one at the source, with its content, and every id the right one. */
export function expectCarriedOver(sides: Sides, mapping: MappingTable): void {
  const { source, target } = sides;
  const [there, here] = [published(source), published(target)];
  const twins = new Map<string, string>();
  for (const [urn, { kind }] of there) {
    const entry = mapping.get(kind, urn);
    expect(entry, `${kind} ${urn} is in the mapping`).toBeDefined();
    expect(mapping.all(urn)).toHaveLength(1);
    if (entry === undefined) continue;
    expect(entry.unfinished).toBeUndefined();
    expect(here.get(entry.target)?.kind, `${kind} ${urn} has its twin`).toBe(kind);
    twins.set(urn, entry.target);
  }
  expect(new Set(twins.values()).size, "no two share a twin").toBe(twins.size);
  expect([...here.keys()].sort(), "nothing else is there").toEqual([...twins.values()].sort());
  const translate = idsOf(sides, mapping);
  for (const [urn, { kind, body }] of there) {
    const expected = plain(JSON.parse(translate(JSON.stringify(body))) as Json);
    const actual = plain(here.get(twins.get(urn) ?? "")?.body ?? null);
    expect(actual, `${kind} ${urn}`).toEqual(expected);
  }
  expect(JSON.stringify([...here.values()]), "no trace of the source").not.toMatch(
    /urn:data:dev:[^" ]*:[0-9a-f-]{36}|new_[0-9a-f]{8}-/,
  );
}

/** Every id of the source in a text as the one at the target, by the mapping and by what is given. */
function idsOf({ source, target, given }: Sides, mapping: MappingTable): (text: string) => string {
  const ids = new Map<string, string>();
  const uuid = (urn: string): string => urn.slice(-36);
  for (const [name, urn] of given.source.all) ids.set(uuid(urn), uuid(given.target.all.get(name) ?? ""));
  for (const [urn, { kind, body }] of published(source)) {
    const entry = mapping.get(kind, urn);
    ids.set(uuid(urn), uuid(entry?.target ?? ""));
    const keys = Object.entries(entry?.keys ?? {});
    const own = new Set(JSON.stringify(body).match(/(?<=")[0-9a-f-]{36}(?=":)/g) ?? []);
    for (const [from, to] of keys) if (own.has(from)) ids.set(from, to);
    for (const key of own)
      expect(Object.hasOwn(entry?.keys ?? {}, key), `the key ${key} of ${urn} is remembered`).toBe(true);
  }
  return (text) =>
    text
      .replaceAll(/urn:data:dev:(?=[a-z-]+:[a-z-]+:[0-9a-f-]{36})/g, `urn:data:${target.name}:`)
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => ids.get(id) ?? id);
}

/** Without what means "not set", and with arrays whose order means nothing in one order. */
function plain(value: Json): Json {
  if (Array.isArray(value)) {
    return value.map(plain).sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
  }
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [name, field] of Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))) {
    const inner = plain(field);
    const unset = inner === null || (typeof inner === "object" && Object.keys(inner).length === 0);
    if (!unset && !serverOwned.has(name)) setOwn(result, name, inner);
  }
  return result;
}

const serverOwned = new Set(["draftType", "termRuleInstances"]);
