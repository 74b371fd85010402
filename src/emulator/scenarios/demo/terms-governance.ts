import { termOf } from "../build/notation.ts";
import type { TermSpec } from "../build/spec.ts";

const security = termOf("securityTerm");
const policy = termOf("policyTerm");
/** A type that this tenant added to its metadata model. */
const indicator = termOf("keyFigureTerm");

export const governanceTerms: readonly TermSpec[] = [
  security("public", "Public", { description: "May be read by anybody.", regulated: false, confidence: 0 }),
  security("internal", "Internal", { description: "May be read by everybody in the company." }),
  security("confidential", "Confidential", { description: "Need to know.", partOf: "internal" }),
  security("personal-data", "Personal data", {
    rich: "Says something about a living person, for example {email} or {birth-date}. Governed by {privacy-policy}.",
    detection: { operator: "OR", rules: { "E-mail pattern": 85, "Phone pattern": 75, "Person name": 70 } },
    regulated: true,
    related: ["email", "phone", "birth-date", "customer-name"],
    usageCount: 214,
    propagates: true,
  }),
  security("special-category", "Special category of personal data", {
    partOf: "personal-data",
    regulated: true,
  }),
  security("financial-data", "Financial data", {
    detection: { rules: { "IBAN pattern": 90 } },
    related: ["iban", "payment"],
    regulated: true,
  }),
  security("card-data", "Card data", {
    description: "PCI DSS applies.",
    partOf: "financial-data",
    regulated: true,
  }),
  security("trade-secret", "Trade secret", {
    description: "Purchase prices and contracts.",
    reviewDays: 365,
  }),

  policy("privacy-policy", "Privacy policy", {
    rich: "How we treat {personal-data}, and how long we keep it ({retention-policy}).",
    owner: "Legal",
    related: ["retention-policy", "consent-policy"],
  }),
  policy("retention-policy", "Retention policy", { owner: "Legal", reviewDays: 365 }),
  policy("consent-policy", "Consent policy", { owner: "Legal", description: "No mail without consent." }),
  policy("payment-policy", "Payment policy", { owner: "Finance", related: ["payment", "card-data"] }),
  policy("cold-chain-policy", "Cold chain policy", {
    owner: "Operations",
    related: ["cold-chain"],
    regulated: true,
  }),
  policy("price-policy", "Price policy", { owner: "Assortment" }),
  policy("supplier-policy", "Supplier policy", { owner: "Assortment", partOf: "trade-secret" }),
  policy("access-policy", "Access policy", {
    description: "Who may see what.",
    related: ["public", "internal", "confidential"],
  }),

  indicator("on-time", "On-time delivery rate", {
    unit: "%",
    rich: "Share of {delivery} inside the booked {delivery-slot}.",
    owner: "Operations",
    confidence: 0.98,
  }),
  indicator("basket-value", "Average basket value", {
    unit: "EUR",
    related: ["basket", "currency"],
    confidence: 0.9,
  }),
  indicator("churn", "Churn", {
    description: "Customers without an order for 90 days.",
    related: ["customer"],
  }),
  indicator("refund-rate", "Refund rate", { partOf: "refund", confidence: 0.75 }),
  indicator("waste", "Waste", {
    unit: "%",
    description: "Food thrown away, in % of what was bought. Ziel: < 1,5 %",
  }),
  indicator("fill-rate", "Fill rate", { partOf: "purchase-order" }),
  indicator("stock-days", "Days of stock", { unit: "days", related: ["product"] }),
  indicator("organic-share", "Share of organic products", { partOf: "organic", confidence: 0.6 }),
];
