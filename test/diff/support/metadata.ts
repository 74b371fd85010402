import { isArray, isObject, type JsonObject } from "../../../src/emulator/json.ts";
import type { Attribute, CatalogItem } from "../../../src/emulator/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { seedCatalogItem } from "../../../src/emulator/seed.ts";
import { type Side, wanted } from "./side.ts";

/** An imported table beside CUSTOMER, the same on either side. */
export function seedTable(side: Side, name: string, attributes: readonly string[] = []): Urn {
  const { parentUrn, originPath = "" } = wanted(side.tenant.items.get(side.item("CUSTOMER")), "CUSTOMER");
  const path = `${originPath.slice(0, originPath.lastIndexOf("/"))}/${name}`;
  return seedCatalogItem(side.tenant, { name, parentUrn, originPath: path, attributes }).item.urn;
}

/** What a person writes over an item or a column in the web application; null and [] clear. */
export function writeOver({ tenant }: Side, urn: Urn, change: JsonObject): void {
  const { extraProperties, ...fields } = change;
  const item = tenant.items.get(urn);
  if (item !== undefined) {
    tenant.items.put({ ...changed(item, fields, extraProperties), aliases: aliasesOf(change, item.aliases) });
    return;
  }
  tenant.attributes.put(changed(wanted(tenant.attributes.get(urn), urn), fields, extraProperties));
}

function changed<T extends CatalogItem | Attribute>(thing: T, fields: JsonObject, extra: unknown): T {
  const { description: before, ...rest } = thing;
  const description = Object.hasOwn(fields, "description") ? fields["description"] : before;
  const values = { ...thing.extraProperties, ...(isObject(extra) ? extra : {}) };
  const isSet = ([, value]: [string, unknown]): boolean =>
    value !== null && !(isArray(value) && value.length === 0);
  return {
    ...rest,
    ...(typeof description === "string" && { description }),
    extraProperties: Object.fromEntries(Object.entries(values).filter(isSet)),
  } as unknown as T;
}

function aliasesOf({ aliases }: JsonObject, before: readonly JsonObject[]): readonly JsonObject[] {
  if (aliases === undefined) return before;
  return isArray(aliases) ? aliases.filter(isObject) : [];
}

/** What stands over it now; what is not set is left out. */
export function writtenOver({ tenant }: Side, urn: Urn): JsonObject {
  const item = tenant.items.get(urn);
  const { description, extraProperties } = item ?? wanted(tenant.attributes.get(urn), urn);
  const aliases = item?.aliases ?? [];
  return {
    ...(description !== undefined && { description }),
    ...(aliases.length > 0 && { aliases: [...aliases] }),
    ...(Object.keys(extraProperties).length > 0 && { extraProperties }),
  };
}

/** Nobody has written anything over any item or column yet. */
export function bare(side: Side): void {
  const { items, attributes } = side.tenant;
  const nothing = { description: null, aliases: [] };
  for (const { urn } of [...items.values(), ...attributes.values()]) writeOver(side, urn, nothing);
}
