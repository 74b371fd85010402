import type { CatalogSpec } from "../build/catalog-spec.ts";
import { to, toAll } from "../build/catalog-spec.ts";
import { folders } from "./sql-items.ts";

/** What the target has of its own: a folder that is the source's twin, and what nobody may touch. */
export const ownContent: CatalogSpec = {
  folders: [
    ...folders.filter(({ key }) => key === "analytics"),
    { key: "finance", name: "Finance reports", in: "warehouse", extra: { costCentre: "9000" } },
  ],
  sqlItems: [],
  items: [
    // The source says nothing about these.
    { item: "weather.csv", description: "Delivered by the weather service at five." },
    { item: "GL_ENTRY", aliases: [{ type: "LEDGER_ASSET_ID", value: "gl-1" }] },
  ],
  attributes: [{ attribute: "route.distance_km", description: "Driven, not planned." }],
  entities: [
    {
      key: "finance-close",
      type: "dataProduct",
      as: "dataProducts",
      description: "The figures of the month.",
      values: {
        name: "Month-end close",
        status: "LIVE",
        tier: 1,
        mainItem: to("items/GL_ENTRY"),
        items: toAll("items/GL_ENTRY", "items/GL_ACCOUNT"),
      },
    },
  ],
  stewards: {
    "items/driver": "Supply domain",
    "entities/finance-close": "Data stewards",
    "locations/PROD_FINANCE": "Data stewards",
  },
  denied: {},
};
