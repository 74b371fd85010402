import type { SourceSpec } from "../build/spec.ts";

/** Harvest Lane, an online grocer: a warehouse, the database of the shop, and a landing zone for files. */
export const sources: readonly SourceSpec[] = [
  {
    key: "warehouse",
    names: { source: "Snowflake DEV", target: "Snowflake PROD" },
    connections: [
      { key: "warehouse", names: { source: "dev-wh", target: "prod-wh" } },
      { key: "warehouse-readonly", names: { source: "dev-wh-readonly", target: "prod-wh-readonly" } },
    ],
  },
  {
    key: "shop",
    names: { source: "Shop Postgres DEV", target: "Shop Postgres PROD" },
    connections: [{ key: "shop", names: { source: "dev-shop-db", target: "prod-shop-db" } }],
  },
  {
    key: "landing",
    names: { source: "Landing zone DEV", target: "Landing zone PROD" },
    connections: [{ key: "landing", names: { source: "dev-landing", target: "prod-landing" } }],
  },
];

/** Locations and origin paths of the source, as the target has them. */
export const pathRename = { pattern: "^DEV_", replace: "PROD_" } as const;

/** The groups of the identity service. They have no listing: a plan has to pair them by UUID. */
export const groups = [
  {
    name: "Data stewards",
    source: "6f0c1a52-0d7b-4f4e-9a34-5d1b7c1e0a01",
    target: "b3e9d7f4-52c8-4e10-8f6d-21a4c90e7a01",
  },
  {
    name: "Customer domain",
    source: "6f0c1a52-0d7b-4f4e-9a34-5d1b7c1e0a02",
    target: "b3e9d7f4-52c8-4e10-8f6d-21a4c90e7a02",
  },
  {
    name: "Supply domain",
    source: "6f0c1a52-0d7b-4f4e-9a34-5d1b7c1e0a03",
    target: "b3e9d7f4-52c8-4e10-8f6d-21a4c90e7a03",
  },
] as const;
