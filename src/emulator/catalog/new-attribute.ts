import type { Urn } from "../../model/urn.ts";
import type { JsonObject } from "../json.ts";
import type { Attribute } from "../state.ts";
import type { Tenant } from "../tenant.ts";

interface NewAttribute {
  readonly name: string;
  readonly dataType: string;
  readonly columnType: string;
  readonly catalogItemUrn: Urn;
  readonly description?: string;
  readonly extraProperties?: JsonObject;
}

export function storeAttribute(tenant: Tenant, fields: NewAttribute): Attribute {
  return tenant.attributes.put({
    extraProperties: {},
    ...fields,
    urn: tenant.newUrn("catalog:catalog-attribute"),
    termAssignments: [],
    termDetectionDenylist: [],
  });
}
