import { metadataKind } from "./metadata.ts";
import { itemsIn } from "./shared.ts";

export const itemMetadata = metadataKind({
  name: "item-metadata",
  type: "catalogItem",
  things: (tenant) => tenant.items,
  // What an SQL item says goes with it.
  isOurs: (thing) => !("type" in thing) || thing.type !== "dslQueryCatalogItem",
  places: itemsIn,
  fields: ["description", "aliases", "extraProperties"],
  writes: ["PATCH /api/catalog/v1/catalog-items/:urn"],
});
