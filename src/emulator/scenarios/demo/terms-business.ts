import { termOf } from "../build/notation.ts";
import type { TermSpec } from "../build/spec.ts";

const business = termOf("businessTerm");

export const businessTerms: readonly TermSpec[] = [
  business("customer", "Customer", {
    rich: "A person or a company with an {account}. Whoever only browses is not one, see {visitor}.",
    owner: "Marta Lindqvist",
    reviewDays: 180,
    usageCount: 12,
    regulated: true,
    synonyms: "client, shopper",
    // Customer and account are explained through each other: the first cycle.
    related: ["account", "order"],
  }),
  business("account", "Account", {
    description: "The login and the profile of a customer.",
    related: ["customer"],
  }),
  business("visitor", "Visitor", { description: "Somebody who looks at the shop without signing in." }),
  business("customer-name", "Customer name", {
    description: "First and last name, as the customer wrote them.",
    detection: { rules: { "Person name": 70 } },
    partOf: "customer",
    regulated: true,
  }),
  business("email", "E-mail address", {
    rich: "Where we write to. One {customer} has exactly one.",
    detection: { operator: "OR", rules: { "E-mail pattern": 85, "Column name contains mail": 60 } },
    synonyms: "email, e-mail, Mailadresse",
    reviewDays: 90,
    confidence: 0.85,
    regulated: true,
    partOf: "customer",
  }),
  business("phone", "Phone number", {
    description: "E.164, with the country code.",
    detection: { rules: { "Phone pattern": 75 } },
    partOf: "customer",
    regulated: true,
  }),
  business("birth-date", "Date of birth", { partOf: "customer", regulated: true, reviewDays: 365 }),
  business("language", "Preferred language", { description: "BCP 47 tag, for example de or fr-BE." }),
  business("vat-number", "VAT number", {
    description: "As the tax office of the country issued it.",
    detection: { operator: "AND", rules: { "VAT pattern": 90, "Column name contains vat": 50 } },
    synonyms: "USt-IdNr., n° TVA, btw-nummer",
  }),
  // A chain that refers to nothing outside itself and that nothing else refers to.
  business("address", "Address", { description: "Where somebody lives.", partOf: "postal-code" }),
  business("postal-code", "Postal code", {
    description: "The code of the post of the country.",
    detection: { rules: { "Postal code pattern": 80 } },
    partOf: "delivery-area",
  }),
  business("delivery-area", "Delivery area", {
    description: "The postal codes that one depot serves.",
    partOf: "depot",
  }),
  business("depot", "Depot", { description: "A building from which vans leave." }),
  business("order", "Order", {
    rich: "What a {customer} bought in one go, from the moment a {basket} is paid.",
    owner: "Tomás Rivera",
    reviewDays: 90,
    // order, basket, promotion, order: the second cycle, over a single reference.
    partOf: "basket",
    related: ["order-line", "delivery", "invoice"],
  }),
  business("basket", "Basket", { description: "Products that wait for the checkout.", partOf: "promotion" }),
  business("promotion", "Promotion", {
    description: "A price that is lower for a while.",
    partOf: "order",
    confidence: 0.5,
  }),
  business("order-line", "Order line", { partOf: "order" }),
  business("order-number", "Order number", {
    description: "HL, a dash, ten digits.",
    detection: { rules: { "Order number pattern": 95 } },
  }),
  business("product", "Product", {
    rich: "Something that can be ordered. Named by a {sku}, and at the till by a {gtin}.",
    owner: "Ines Okafor",
    synonyms: "article, Artikel",
    // Product and category refer to each other: the third cycle.
    related: ["sku", "gtin", "category"],
  }),
  business("sku", "Stock keeping unit", { description: "Our own number of a product." }),
  business("gtin", "GTIN", {
    description: "The number under the bar code, 8 to 14 digits with a check digit.",
    detection: { rules: { "GTIN pattern": 90 } },
    synonyms: "EAN, bar code",
  }),
  business("category", "Product category", { related: ["product"], reviewDays: 30 }),
  business("price", "Price", {
    description: "What one unit costs a customer, with VAT.",
    related: ["currency"],
  }),
  business("currency", "Currency", {
    description: "ISO 4217, three letters.",
    detection: { rules: { "Currency list": 95 } },
  }),
  business("organic", "Organic", { description: "Certified under (EU) 2018/848.", regulated: true }),
  business("invoice", "Invoice", { owner: "Jörg Ødegård", regulated: true, partOf: "order" }),
  business("payment", "Payment", { description: "Money received for an invoice.", partOf: "invoice" }),
  business("refund", "Refund", { partOf: "payment" }),
  business("iban", "IBAN", {
    rich: "The number of a bank account. Handled as {financial-data}.",
    detection: { rules: { "IBAN pattern": 90 } },
    regulated: true,
  }),
  business("supplier", "Supplier", { owner: "Ines Okafor", synonyms: "vendor, grower" }),
  business("purchase-order", "Purchase order", { partOf: "supplier" }),
  business("goods-receipt", "Goods receipt", { partOf: "purchase-order" }),
  business("best-before", "Best-before date", { description: "Last day on which quality is promised." }),
  business("delivery", "Delivery", { description: "Bringing one order to one door.", partOf: "order" }),
  business("delivery-slot", "Delivery slot", { description: "Two hours that can be booked. 配送時間帯" }),
  business("cold-chain", "Cold chain", {
    rich: "From {goods-receipt} to {delivery} never above 4 °C. See {cold-chain-policy}.",
    regulated: true,
    reviewDays: 30,
    confidence: 1,
  }),
];
