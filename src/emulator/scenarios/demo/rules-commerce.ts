import { ruleOf } from "../build/notation.ts";
import type { RuleSpec } from "../build/spec.ts";

const completeness = ruleOf("Completeness");
const validity = ruleOf("Validity");
const uniqueness = ruleOf("Uniqueness");
const accuracy = ruleOf("Accuracy");
const timeliness = ruleOf("Timeliness");

/** What is checked about products, orders and money. */
export const commerceRules: readonly RuleSpec[] = [
  completeness("Order has a total", "total DOUBLE, status STRING", {
    conditions: [
      ["total is null and status not in {'DRAFT', 'CANCELLED'}", "Not Complete", "Total is missing"],
    ],
    otherwise: "Complete",
  }),
  completeness("Payment method is known", "method STRING, iban STRING, card STRING", {
    conditions: [
      ["method = 'TRANSFER' and iban is null", "Not Complete", "Transfer without IBAN"],
      ["method = 'CARD' and card is null", "Not Complete", "Card without its last digits"],
      ["method is null", "Not Complete", "Method is missing"],
    ],
    otherwise: "Complete",
  }),
  completeness("Every order has a line", "order_id LONG", {
    joined: "line_order_id LONG",
    conditions: [["line_order_id is null", "Not Complete", "Order without lines"]],
    otherwise: "Complete",
  }),
  validity("Order number format", "order_number STRING", {
    conditions: [['not matches(@"^HL-[0-9]{10}$", order_number)', "Invalid", "Not an order number"]],
    otherwise: "Valid",
  }),
  validity("GTIN check digit", "gtin STRING", {
    description: "Weights 3 and 1 from the right.",
    transformations: { gtin: "Remove spaces" },
    conditions: [
      ["length(gtin) not in {8, 12, 13, 14}", "Invalid", "Wrong length"],
      ["not gtinIsValid(gtin)", "Invalid", "Check digit is wrong"],
    ],
    otherwise: "Valid",
  }),
  validity("IBAN check digits", "iban STRING", {
    transformations: { iban: "Remove spaces" },
    conditions: [["not ibanIsValid(upper(iban))", "Invalid", "Check digits are wrong"]],
    otherwise: "Valid",
  }),
  validity("Currency code", "currency STRING", {
    transformations: { currency: "Upper case" },
    conditions: [
      [
        "currency not in {'EUR', 'CHF', 'GBP', 'SEK', 'NOK', 'DKK', 'PLN'}",
        "Invalid",
        "Not a currency of ours",
      ],
    ],
    otherwise: "Valid",
  }),
  validity("Amount is positive", "amount DOUBLE", {
    conditions: [["amount <= 0", "Invalid", "Zero or less"]],
    otherwise: "Valid",
  }),
  validity("Number in range", "value DOUBLE", {
    description: "For any number; the bounds are set where the rule is used.",
    // Of the rule as a whole, not of one input.
    transformations: { "*": "Round" },
    parameters: [
      ["minimum DOUBLE", 0],
      ["maximum DOUBLE", 100],
      ["inclusive BOOLEAN", true],
    ],
    conditions: [
      ["inclusive and (value < minimum or value > maximum)", "Invalid", "Out of bounds"],
      ["not inclusive and (value <= minimum or value >= maximum)", "Invalid", "On or out of bounds"],
    ],
    otherwise: "Valid",
  }),
  validity("Status is known", "status STRING", {
    parameters: ["allowed STRING"],
    conditions: [["find(status, allowed) is null", "Invalid", "Unknown status"]],
    otherwise: "Valid",
  }),
  validity("Period is not turned round", "valid_from DATE, valid_to DATE", {
    conditions: [["valid_to < valid_from", "Invalid", "Ends before it starts"]],
    otherwise: "Valid",
  }),
  validity("Rating 1–5 ★", "rating INTEGER", {
    conditions: [["rating not in {1, 2, 3, 4, 5}", "Invalid", "★ out of range"]],
    otherwise: "Valid",
  }),
  validity("VAT rate of the country", "vat_rate FLOAT", {
    parameters: ["standard FLOAT", "reduced FLOAT"],
    conditions: [
      ["vat_rate <> standard and vat_rate <> reduced and vat_rate <> 0", "Invalid", "No such rate"],
    ],
    otherwise: "Valid",
  }),
  uniqueness("Unique order number", "order_number STRING", {
    conditions: [
      ["order_number is null", "Not Populated"],
      ["count() over (order_number) > 1", "Not Unique", "Number occurs again"],
    ],
    otherwise: "Unique",
  }),
  uniqueness("Unique line", "order_id LONG, line_number INTEGER", {
    conditions: [
      ["order_id is null or line_number is null", "Not Populated"],
      ["count() over (order_id, line_number) > 1", "Not Unique", "Line occurs again"],
    ],
    otherwise: "Unique",
  }),
  uniqueness("Unique SKU among listed products", "sku STRING, delisted_on DATE", {
    conditions: [
      ["sku is null", "Not Populated"],
      ["delisted_on is null and count() over (sku) > 1", "Not Unique", "Two listed products"],
    ],
    otherwise: "Unique",
  }),
  accuracy("Line amount adds up", "quantity DOUBLE, unit_price DOUBLE, discount DOUBLE, line_amount DOUBLE", {
    parameters: [["tolerance DOUBLE", 0.01]],
    conditions: [
      [
        "abs(quantity * unit_price - nvl(discount, 0) - line_amount) > tolerance",
        "Not Accurate",
        "Does not add up",
      ],
    ],
    otherwise: "Accurate",
  }),
  accuracy("Invoice equals order", "gross_amount DOUBLE, invoice_currency STRING", {
    joined: "order_total DOUBLE, order_currency STRING",
    parameters: [["tolerance DOUBLE", 0.01]],
    conditions: [
      ["order_total is null", "No reference available"],
      ["invoice_currency <> order_currency", "Not Accurate", "Another currency"],
      ["abs(gross_amount - order_total) > tolerance", "Not Accurate", "Another amount"],
    ],
    otherwise: "Accurate",
  }),
  accuracy("Debit equals credit", "debit DOUBLE, credit DOUBLE, reference STRING", {
    conditions: [
      ["reference is null", "No reference available"],
      [
        "sum(debit) over (reference) <> sum(credit) over (reference)",
        "Not Accurate",
        "Entry does not balance",
      ],
    ],
    otherwise: "Accurate",
  }),
  accuracy("Payment was settled by the bank", "amount DOUBLE, currency STRING, received_at DATETIME", {
    // Two joined groups: the statement of the bank and the settlement of the card acquirer.
    joined: ["booked_amount DOUBLE, booking_date DATE", "settled_amount DOUBLE, settled_on DATE, fee DOUBLE"],
    conditions: [
      ["booked_amount is null and settled_amount is null", "No reference available"],
      ["amount <> nvl(booked_amount, settled_amount + fee)", "Not Accurate", "Another amount was settled"],
    ],
    otherwise: "Accurate",
  }),
  timeliness("Invoice is issued in time", "issued_on DATE, due_on DATE", {
    conditions: [
      ["issued_on is null", "Not Provided"],
      ["due_on < issued_on", "Too Early", "Due before it was issued"],
      ["dateDiff(issued_on, due_on, 'DAY') > 60", "Too Late", "More than 60 days"],
    ],
    otherwise: "On Time",
  }),
  timeliness("Rate is of today", "rate_date DATE, loaded_at DATETIME", {
    parameters: [["max_hours LONG", 26]],
    conditions: [
      ["loaded_at is null", "Not Provided"],
      ["dateDiff(loaded_at, now(), 'HOUR') > max_hours", "Too Late", "Old rate"],
      ["rate_date > today()", "Too Early", "Rate of tomorrow"],
    ],
    otherwise: "On Time",
  }),
];
