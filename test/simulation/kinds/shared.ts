import { sqlItemType } from "../../../src/emulator/catalog/sql-items.ts";
import type { Tenant } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Given } from "../../properties/estates/given.ts";
import { attributeNames, itemNames } from "../../properties/estates/given.ts";

export function itself(urn: string): string {
  return urn;
}

export function sourceIn(given: Given): Urn {
  const urn = given.all.get("source warehouse");
  if (urn === undefined) throw new Error("there is no source");
  return urn;
}

export function itemsIn(given: Given): readonly Urn[] {
  return itemNames.map((_, index) => given.item(index));
}

/** Those of SQL items behind the others: they come and go with these, and with their queries. */
export function columnsIn(given: Given, { attributes, items }: Tenant): readonly Urn[] {
  const named = itemNames.flatMap((_, item) =>
    attributeNames.map((_name, index) => given.attribute(item, index)),
  );
  const born = [...attributes.values()].filter(
    ({ catalogItemUrn }) => items.get(catalogItemUrn)?.type === sqlItemType,
  );
  return [...named, ...born.map(({ urn }) => urn)];
}

/** Something that both sides know by this name. */
export function learn(given: Given, name: string, urn: Urn): void {
  (given.all as Map<string, Urn>).set(name, urn);
}

/** Of a description and a property, what says something. */
export function saying(body: JsonObject): JsonObject {
  const kept = Object.entries(body).filter(
    ([, value]) =>
      value !== undefined &&
      value !== null &&
      value !== "" &&
      !(typeof value === "object" && Object.keys(value).length === 0),
  );
  return Object.fromEntries(kept);
}
