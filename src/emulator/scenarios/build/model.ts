import { extendCatalogModel } from "./catalog-model.ts";
import { seedMetadataProperty, seedMetadataType } from "../../seed.ts";
import type { Tenant } from "../../tenant.ts";

/** A type of term that no document names. */
const customTermType = "keyFigureTerm";

/** What the company added to the metadata model, in both tenants: properties of every value type. */
export function extendModel(tenant: Tenant): void {
  const scalars = {
    owner: "string",
    synonyms: "string",
    reviewCycleDays: "integer",
    confidence: "double",
    regulated: "boolean",
  };
  for (const [name, scalarType] of Object.entries(scalars))
    seedMetadataProperty(tenant, "term", { name, scalarType });
  seedMetadataProperty(tenant, "term", { name: "partOf", type: "SINGLE_REFERENCE", entityName: "term" });
  seedMetadataProperty(tenant, "term", { name: "relatedTerms", type: "ARRAY_REFERENCE", entityName: "term" });
  // Computed by the service: it is shown, and it cannot be written.
  seedMetadataProperty(tenant, "term", { name: "usageCount", scalarType: "integer", editable: false });
  seedMetadataProperty(tenant, "catalogItem", { name: "retentionMonths", scalarType: "integer" });
  seedMetadataType(tenant, {
    name: customTermType,
    description: "A figure that is reported to the management.",
    superEntities: ["term"],
  });
  seedMetadataProperty(tenant, customTermType, { name: "unit" });
  extendCatalogModel(tenant);
}
