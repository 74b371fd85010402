import { text } from "../../model/json.ts";
import type { ReadClient } from "../../service/index.ts";
import type { Feed } from "../kind.ts";
import { itemsOf } from "./found.ts";
import type { TypeDefinition } from "./model.ts";
import { modelOf, typesOf, writableNames } from "./model.ts";
import { withToldAlone } from "./told-alone.ts";

/** Fields of an attribute itself (document 1, "Catalog item attribute"). */
export const attributeFields = [
  "urn",
  "name",
  "dataType",
  "columnType",
  "description",
  "catalogItemUrn",
  "termAssignments",
  "termDetectionDenylist",
  "effectiveCriticality",
  "extraProperties",
] as const;

/** The types of attributes, by the metadata model's own word for what an item holds. */
export async function attributeTypes(client: ReadClient): Promise<readonly TypeDefinition[]> {
  const model = await modelOf(client);
  return typesOf(model, model.get("catalogItem")?.properties.get("attributes")?.of ?? "attribute");
}

/** What document 1 says of "GET /attributes/{urn}" alone, and who wants it. */
const ofOne = [
  ["term-assignments", "termAssignments"],
  ["term-denylist", "termDetectionDenylist"],
] as const;

/** One listing for all that lies over attributes; extra properties are asked for where something wants them. */
export const attributeFeed: Feed = {
  name: "attributes",
  shows: "attributes",
  async *pages(client, { kinds }) {
    const names = kinds.has("attribute-metadata")
      ? writableNames(await attributeTypes(client), attributeFields)
      : [];
    const listed = itemsOf(client.catalog.attributes(names.length === 0 ? {} : { extraProperties: names }));
    const groups = ofOne.flatMap(([kind, field]) => (kinds.has(kind) ? [[field]] : []));
    yield* groups.length === 0
      ? listed
      : withToldAlone(listed, groups, (thing) => client.catalog.attribute(text(thing, "urn") ?? ""));
  },
};
