import { metadataKind } from "./metadata.ts";
import type { Tenant } from "../../../src/emulator/index.ts";
import { sqlItemType } from "../../../src/emulator/catalog/sql-items.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { attributesIn } from "./shared.ts";

export const attributeMetadata = metadataKind({
  name: "attribute-metadata",
  type: "attribute",
  things: (tenant) => tenant.attributes,
  isOurs: () => true,
  places: (given, tenant) => [...attributesIn(given), ...bornIn(tenant)],
  fields: ["description", "extraProperties"],
  writes: ["PATCH /api/catalog/v1/attributes/:urn"],
});

/** Columns of SQL items: they come and go with these, and with their queries. */
function bornIn({ attributes, items }: Tenant): readonly Urn[] {
  return [...attributes.values()].flatMap(({ urn, catalogItemUrn }) =>
    items.get(catalogItemUrn)?.type === sqlItemType ? [urn] : [],
  );
}
