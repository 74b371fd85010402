import { hourly, nightly, paused, relaxed, strict, unrated } from "./cadence.ts";
import { across, use } from "../build/notation.ts";
import type { MonitorSpec } from "../build/spec.ts";

/** Primary monitors that somebody configured; those of all other items are as the service made them. */
export const primaries: readonly Omit<MonitorSpec, "name">[] = [
  {
    item: "CUSTOMER",
    rules: [
      use("Number is present", "value=CUSTOMER_ID"),
      use("Email format", "email=EMAIL", { name: "Email format (primary)", thresholds: relaxed }),
    ],
    thresholds: strict,
    schedule: nightly,
    profiling: { type: "FULL" },
  },
  {
    item: "CUSTOMER_ADDRESS",
    rules: [use("Value is present", "value=STREET")],
    schedule: paused,
    profiling: { type: "SAMPLE", limit: 10_000 },
  },
  {
    item: "SALES_ORDER",
    rules: [
      use("Order number format", "order_number=ORDER_NUMBER", { thresholds: unrated }),
      use("Every order has a line", "order_id=ORDER_ID", {
        across: across("SALES_ORDER_LINE", "line_order_id=ORDER_ID"),
      }),
    ],
    joins: [{ item: "SALES_ORDER_LINE", keys: [["ORDER_ID", "ORDER_ID"]] }],
    thresholds: strict,
    schedule: hourly,
    samples: 20,
  },
  {
    item: "PRODUCT",
    rules: [use("Value is present", "value=SKU", { name: "SKU is there" })],
    thresholds: relaxed,
    anomalies: true,
  },
  {
    item: "PAYMENT",
    rules: [
      use("Number in range", "value=AMOUNT", {
        parameters: { minimum: 0.01, maximum: 5000, inclusive: true },
      }),
    ],
    schedule: nightly,
  },
  {
    item: "delivery",
    rules: [use("Number is present", "value=order_id")],
    thresholds: strict,
    schedule: hourly,
    exports: [{ name: "Deliveries without order", format: "CSV", enabled: true }],
  },
  {
    item: "supplier",
    rules: [use("Value is present", "value=supplier_name")],
    thresholds: unrated,
  },
  {
    item: "bank_statement.csv",
    rules: [use("IBAN check digits", "iban=iban", { enabled: false })],
    schedule: { ...nightly, timeZone: "Europe/Zurich" },
  },
];
