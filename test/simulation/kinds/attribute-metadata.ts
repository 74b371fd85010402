import { metadataKind } from "./metadata.ts";
import { attributesIn } from "./shared.ts";

export const attributeMetadata = metadataKind({
  name: "attribute-metadata",
  type: "attribute",
  things: (tenant) => tenant.attributes,
  isOurs: () => true,
  places: attributesIn,
  fields: ["description", "extraProperties"],
  writes: ["PATCH /api/catalog/v1/attributes/:urn"],
});
