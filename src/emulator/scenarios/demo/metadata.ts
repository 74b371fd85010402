import {
  type AttributeMetadataSpec,
  type CatalogSpec,
  type ItemMetadataSpec,
  to,
  toAll,
} from "../build/catalog-spec.ts";

/** What people wrote about tables and queries, beyond what the import brought. */
export const items: readonly ItemMetadataSpec[] = [
  {
    item: "Active customers",
    aliases: [
      { type: "ATLAS_ASSET_ID", value: "hl-000412" },
      { type: "BI_ASSET_ID", value: "campaigns/active" },
    ],
    extra: { retentionMonths: 13, personalData: true, readers: ["Marketing", "CRM"] },
  },
  {
    item: "CUSTOMER",
    extra: {
      businessName: "Customer",
      personalData: true,
      freshnessHours: 0.5,
      reviewedOn: "2026-03-31",
      classification: to("terms/confidential"),
      explainedBy: toAll("terms/customer", "terms/account"),
      // Counted by the service: shown, never written.
      rowCount: 184_302,
    },
  },
  { item: "CUSTOMER_SEGMENT", rich: "How {customer} groups are cut. Marketing changes it twice a year." },
  {
    item: "PRODUCT_CATEGORY",
    description: "The tree of the web shop, three levels deep.",
    extra: { businessName: "Warengruppe", readers: ["Assortment"] },
  },
  { item: "PRODUCT_REVIEW", rich: "What customers write about a {product}.", extra: { personalData: false } },
  {
    item: "INVOICE",
    extra: {
      classification: to("terms/financial-data"),
      explainedBy: toAll("terms/invoice"),
      freshnessHours: 24,
    },
  },
  {
    item: "stock_level",
    description: "Was heute da ist — gezählt und gebucht.",
    extra: { freshnessHours: 4 },
  },
];

export const attributes: readonly AttributeMetadataSpec[] = [
  {
    attribute: "CUSTOMER.EMAIL",
    rich: "The {email} that was confirmed last.",
    extra: { businessName: "E-mail", sensitive: true, maxAgeDays: 730 },
  },
  { attribute: "CUSTOMER.PHONE", description: "With country code.", extra: { sensitive: true } },
  { attribute: "CUSTOMER.BIRTH_DATE", extra: { sensitive: true } },
  { attribute: "CUSTOMER.YEARLY_SPEND", description: "Of the last 365 days, without VAT." },
  {
    attribute: "SALES_ORDER.TOTAL_AMOUNT",
    description: "Sum of the lines, less the promotion.",
    extra: {
      derivedFrom: toAll("attributes/SALES_ORDER_LINE.LINE_AMOUNT", "attributes/PROMOTION.DISCOUNT_PERCENT"),
    },
  },
  { attribute: "PRODUCT.GTIN", rich: "The {gtin}, without blanks.", extra: { businessName: "GTIN" } },
  { attribute: "PAYMENT.IBAN", rich: "An {iban}. See {payment-policy}.", extra: { sensitive: true } },
  { attribute: "delivery.temperature_c", description: "At the door.", extra: { maxAgeDays: 1 } },
  // Attributes that are there only after the item was created.
  { attribute: "Active customers.EMAIL", rich: "The {email} of the customer.", extra: { sensitive: true } },
  {
    attribute: "Active customers.SEGMENT",
    description: "The name, not the code.",
    extra: { derivedFrom: toAll("attributes/CUSTOMER_SEGMENT.SEGMENT_NAME") },
  },
  { attribute: "Deliveries per day.deliveries", description: "Drops, not orders." },
];

export const stewards: CatalogSpec["stewards"] = {
  "terms/customer": "Customer domain",
  "terms/personal-data": "Data stewards",
  "terms/delivery": "Supply domain",
  "items/Active customers": "Customer domain",
  "entities/customer-360": "Customer domain",
  "entities/duplicate-customers": "Data stewards",
  // What is in there has it from here: nothing to move. It is the same in the target.
  "locations/DEV_FINANCE": "Data stewards",
};

export const denied: CatalogSpec["denied"] = {
  "Deliveries per day.deliveries": ["order-number"],
  "LOYALTY_ACCOUNT.CARD_NUMBER": ["card-data", "gtin"],
};
