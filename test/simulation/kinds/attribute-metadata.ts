import { metadataKind } from "./metadata.ts";
import { columnsIn } from "./shared.ts";

export const attributeMetadata = metadataKind({
  name: "attribute-metadata",
  type: "attribute",
  things: (tenant) => tenant.attributes,
  isOurs: () => true,
  places: columnsIn,
  fields: ["description", "extraProperties"],
  writes: ["PATCH /api/catalog/v1/attributes/:urn"],
});
