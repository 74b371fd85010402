import { nightly, strict } from "./cadence.ts";
import { use } from "../build/notation.ts";
import type { AssignmentSpec, DashboardSpec, MonitorSpec, TermRuleSpec } from "../build/spec.ts";

export const dashboards: readonly DashboardSpec[] = [
  {
    name: "Customer data",
    description: "For the customer domain.",
    monitors: [
      "CUSTOMER/Customer master data",
      "CUSTOMER/Mail campaign readiness",
      "CUSTOMER_ADDRESS/Deliverable addresses",
    ],
  },
  {
    name: "Order to cash",
    description: "From the basket to the bank.",
    monitors: [
      "SALES_ORDER/Orders",
      "SALES_ORDER_LINE/Order lines",
      "INVOICE/Invoices",
      "PAYMENT/Payments",
      "SALES_ORDER/primary",
      "PAYMENT/primary",
    ],
  },
  { name: "Assortment", monitors: ["PRODUCT/Assortment", "PRICE/Prices", "PRODUCT/primary"] },
  {
    name: "Lieferung & Kühlkette",
    description: "Was heute unterwegs ist.",
    monitors: ["delivery/Deliveries", "delivery/On time", "goods_receipt/Receipts", "delivery/primary"],
  },
  {
    name: "Board",
    description: "Five figures for the management.",
    monitors: [
      "CUSTOMER/primary",
      "SALES_ORDER/primary",
      "PAYMENT/primary",
      "delivery/primary",
      // A primary monitor that nobody configured.
      "stock_level/primary",
    ],
  },
  { name: "Audit", monitors: ["delivery.audit_log/Audit log", "supply.audit_log/Audit log"] },
];

/** Linked before the terms were assigned, so they show on the primary monitors. */
export const termRules: readonly TermRuleSpec[] = [
  { term: "email", rule: "Email format", input: "email" },
  { term: "phone", rule: "Phone number format", input: "phone" },
  { term: "currency", rule: "Currency code", input: "currency" },
  { term: "gtin", rule: "GTIN check digit", input: "gtin" },
  { term: "iban", rule: "IBAN check digits", input: "iban" },
];

export const assignments: readonly AssignmentSpec[] = [
  { item: "CUSTOMER", attribute: "EMAIL", terms: ["email", "personal-data"], by: "MANUAL" },
  { item: "CUSTOMER", attribute: "PHONE", terms: ["phone"], by: "MANUAL" },
  { item: "CUSTOMER", attribute: "PHONE", terms: ["personal-data"], by: "TERM_DETECTION" },
  { item: "CUSTOMER", attribute: "FIRST_NAME", terms: ["customer-name"], by: "TERM_DETECTION" },
  { item: "CUSTOMER", attribute: "LAST_NAME", terms: ["customer-name"], by: "TERM_DETECTION" },
  { item: "CUSTOMER", attribute: "BIRTH_DATE", terms: ["birth-date", "special-category"], by: "MANUAL" },
  { item: "CUSTOMER", attribute: "VAT_NUMBER", terms: ["vat-number"], by: "MANUAL" },
  { item: "CUSTOMER_ADDRESS", attribute: "POSTAL_CODE", terms: ["postal-code"], by: "TERM_DETECTION" },
  { item: "SALES_ORDER", attribute: "ORDER_NUMBER", terms: ["order-number"], by: "MANUAL" },
  { item: "SALES_ORDER", attribute: "CURRENCY", terms: ["currency"], by: "MANUAL" },
  { item: "PRODUCT", attribute: "GTIN", terms: ["gtin"], by: "MANUAL" },
  { item: "PRODUCT", attribute: "SKU", terms: ["sku"], by: "MANUAL" },
  { item: "PAYMENT", attribute: "IBAN", terms: ["iban", "financial-data"], by: "MANUAL" },
  { item: "PAYMENT", attribute: "CARD_LAST_FOUR", terms: ["card-data"], by: "TERM_DETECTION" },
  { item: "supplier_contact", attribute: "email", terms: ["email"], by: "TERM_DETECTION" },
  { item: "goods_receipt", attribute: "best_before", terms: ["best-before"], by: "MANUAL" },
];

/** What term detection must leave alone. */
export const denied: readonly Omit<AssignmentSpec, "by">[] = [
  { item: "bank_statement.csv", attribute: "reference", terms: ["email"] },
];

/** A monitor that was never published: no list shows it. */
export const draftMonitor: MonitorSpec = {
  item: "stock_movement",
  name: "Movements (not published yet)",
  rules: [use("Value is present", "value=movement_type")],
  thresholds: strict,
  schedule: nightly,
};

/** A change of a published rule that nobody has published yet. */
export const draftRule = {
  rule: "Cold chain temperature",
  description: "Four degrees, and no longer than ten minutes.",
};

/** Who looks after what: item key to the name of a group. */
export const stewards: Readonly<Record<string, string>> = {
  CUSTOMER: "Customer domain",
  CUSTOMER_ADDRESS: "Customer domain",
  supplier: "Supply domain",
  PAYMENT: "Data stewards",
};

/** What people added to imported items by hand. */
export const itemMetadata = [
  { item: "CUSTOMER", aliases: [{ type: "ATLAS_ASSET_ID", value: "hl-000017" }], retentionMonths: 120 },
  { item: "INVOICE", aliases: [{ type: "ATLAS_ASSET_ID", value: "hl-000203" }], retentionMonths: 120 },
  { item: "clickstream.parquet", aliases: [], retentionMonths: 13 },
];
