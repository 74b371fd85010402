import type { FolderSpec, SqlItemSpec } from "../build/catalog-spec.ts";

export const folders: readonly FolderSpec[] = [
  {
    key: "analytics",
    name: "Analytics",
    in: "warehouse",
    description: "Queries that more than one team reads.",
    extra: { costCentre: "4711" },
  },
  { key: "customer", name: "Customer", in: "folders/analytics" },
  {
    key: "campaigns",
    name: "Campaigns",
    in: "folders/customer",
    description: "What marketing sends, and to whom.",
    extra: { costCentre: "4712", archived: false },
  },
  { key: "operations", name: "Operations", in: "shop", extra: { archived: false } },
  { key: "daily", name: "Täglich", in: "folders/operations", description: "Für die Runde um sieben." },
];

export const sqlItems: readonly SqlItemSpec[] = [
  {
    key: "Active customers",
    name: "Active customers",
    folder: "campaigns",
    connection: "warehouse",
    rich: "Every {customer} who bought something, once. Mails go to the {email} only.",
    // It names the database, which is called otherwise in the target.
    query: [
      "SELECT c.CUSTOMER_ID, c.EMAIL, s.SEGMENT_NAME AS SEGMENT,",
      "       c.PREFERRED_LANGUAGE AS LANGUAGE, c.YEARLY_SPEND, l.TIER AS LOYALTY_TIER",
      "FROM DEV_SALES.CUSTOMER.CUSTOMER c",
      "JOIN DEV_SALES.CUSTOMER.CUSTOMER_SEGMENT s ON s.SEGMENT_CODE = c.SEGMENT_CODE",
      "LEFT JOIN DEV_SALES.CUSTOMER.LOYALTY_ACCOUNT l ON l.CUSTOMER_ID = c.CUSTOMER_ID",
      "WHERE c.YEARLY_SPEND > 0",
    ].join("\n"),
  },
  {
    key: "Deliveries per day",
    name: "Deliveries per day",
    folder: "daily",
    connection: "shop",
    description: "One row a depot and day.",
    // It names schemas only: they are called the same everywhere.
    query: [
      "-- The planning round reads it at seven.",
      "SELECT r.route_date, p.depot_name, count(*) AS deliveries,",
      "       count(DISTINCT r.driver_id) AS drivers, avg(d.temperature_c) AS average_temperature",
      "FROM delivery.delivery d",
      "JOIN delivery.route r ON r.route_id = d.route_id",
      "JOIN delivery.delivery_slot t ON t.slot_id = d.slot_id",
      "JOIN delivery.depot p ON p.depot_id = t.depot_id",
      "GROUP BY r.route_date, p.depot_name",
    ].join("\n"),
  },
];

/** What a plan has to replace in queries of the source. */
export const queryRename = { pattern: "\\bDEV_(\\w+)\\.", replace: "PROD_$1." } as const;
