import { hourly, mondays, nightly, relaxed, strict, unrated } from "./cadence.ts";
import { across, use } from "../build/notation.ts";
import type { MonitorSpec } from "../build/spec.ts";

export const commerceMonitors: readonly MonitorSpec[] = [
  {
    item: "SALES_ORDER",
    name: "Orders",
    rules: [
      use("Order number format", "order_number=ORDER_NUMBER"),
      use("Unique order number", "order_number=ORDER_NUMBER", {
        thresholds: [{ value: 100, severity: "ERROR" }],
      }),
      use("Order has a total", "total=TOTAL_AMOUNT, status=STATUS"),
      use("Status is known", "status=STATUS", {
        parameters: { allowed: "DRAFT|PAID|PICKED|DELIVERED|CANCELLED" },
      }),
      use("Currency code", "currency=CURRENCY"),
    ],
    thresholds: strict,
    schedule: hourly,
    profiling: { type: "SAMPLE", limit: 50_000 },
    anomalies: true,
    samples: 100,
    exports: [
      { name: "Wrong orders", format: "CSV", enabled: true },
      { name: "Wrong orders for the lake", format: "PARQUET", enabled: false, connection: "landing" },
    ],
  },
  {
    item: "SALES_ORDER",
    name: "Orders have lines",
    rules: [
      use("Every order has a line", "order_id=ORDER_ID", {
        across: across("SALES_ORDER_LINE", "line_order_id=ORDER_ID"),
      }),
    ],
    joins: [{ item: "SALES_ORDER_LINE", keys: [["ORDER_ID", "ORDER_ID"]] }],
    schedule: nightly,
  },
  {
    item: "SALES_ORDER_LINE",
    name: "Order lines",
    rules: [
      use("Unique line", "order_id=ORDER_ID, line_number=LINE_NUMBER"),
      use(
        "Line amount adds up",
        "quantity=QUANTITY, unit_price=UNIT_PRICE, discount=DISCOUNT, line_amount=LINE_AMOUNT",
        { parameters: { tolerance: 0.005 }, thresholds: strict },
      ),
    ],
    thresholds: relaxed,
    schedule: nightly,
    samples: 25,
  },
  {
    item: "PRODUCT",
    name: "Assortment",
    rules: [
      use("GTIN check digit", "gtin=GTIN", { thresholds: unrated }),
      use("Unique SKU among listed products", "sku=SKU, delisted_on=DELISTED_ON"),
      use("Value is present", "value=PRODUCT_NAME", { name: "Product has a name" }),
      use("Period is not turned round", "valid_from=LISTED_ON, valid_to=DELISTED_ON"),
    ],
    thresholds: strict,
    schedule: nightly,
    profiling: { type: "FULL" },
    samples: 50,
  },
  {
    item: "PRODUCT",
    name: "Weights (sandbox)",
    rules: [
      use("Number in range", "value=NET_WEIGHT_G", {
        parameters: { minimum: 1, maximum: 25_000, inclusive: true },
      }),
    ],
  },
  {
    item: "PRODUCT_CATEGORY",
    name: "Categories",
    rules: [use("Value is present", "value=CATEGORY_NAME")],
    schedule: { ...mondays, enabled: false },
  },
  {
    item: "PRICE",
    name: "Prices",
    rules: [
      use("Amount is positive", "amount=AMOUNT"),
      use("Currency code", "currency=CURRENCY"),
      use("Period is not turned round", "valid_from=VALID_FROM, valid_to=VALID_TO", { enabled: false }),
    ],
    thresholds: strict,
    schedule: nightly,
    anomalies: true,
  },
  {
    item: "PROMOTION",
    name: "Promotions",
    rules: [
      use("Number in range", "value=DISCOUNT_PERCENT", {
        name: "Discount",
        parameters: { minimum: 0, maximum: 60 },
      }),
      use("Number in range", "value=BUDGET", {
        name: "Budget",
        parameters: { minimum: 0, maximum: 250_000 },
      }),
    ],
    schedule: mondays,
  },
  {
    item: "INVOICE",
    name: "Invoices",
    rules: [
      use("Invoice is issued in time", "issued_on=ISSUED_ON, due_on=DUE_ON"),
      use("Amount is positive", "amount=GROSS_AMOUNT"),
    ],
    thresholds: strict,
    schedule: nightly,
  },
  {
    item: "INVOICE",
    name: "Invoices against orders",
    rules: [
      use("Invoice equals order", "gross_amount=GROSS_AMOUNT, invoice_currency=CURRENCY", {
        across: across("SALES_ORDER", "order_total=TOTAL_AMOUNT, order_currency=CURRENCY"),
        parameters: { tolerance: 0.02 },
        thresholds: strict,
      }),
    ],
    joins: [{ item: "SALES_ORDER", keys: [["ORDER_ID", "ORDER_ID"]] }],
    schedule: nightly,
    samples: 40,
    exports: [{ name: "Differences", format: "CSV", enabled: true }],
  },
  {
    item: "INVOICE_LINE",
    name: "Invoice lines",
    rules: [
      use("Unique line", "order_id=INVOICE_ID, line_number=LINE_NUMBER"),
      use("VAT rate of the country", "vat_rate=VAT_RATE", {
        parameters: { standard: 19, reduced: 7 },
      }),
    ],
  },
  {
    item: "PAYMENT",
    name: "Payments",
    rules: [
      use("Payment method is known", "method=METHOD, iban=IBAN, card=CARD_LAST_FOUR"),
      use("IBAN check digits", "iban=IBAN"),
      use("Amount is positive", "amount=AMOUNT"),
    ],
    thresholds: strict,
    schedule: hourly,
    samples: 5,
  },
  {
    item: "PAYMENT",
    name: "Payments against the bank",
    rules: [
      use("Payment was settled by the bank", "amount=AMOUNT, currency=CURRENCY, received_at=RECEIVED_AT", {
        across: across("bank_statement.csv", "booked_amount=amount, booking_date=booking_date"),
      }),
      use("Payment was settled by the bank", "amount=AMOUNT, currency=CURRENCY, received_at=RECEIVED_AT", {
        name: "Payment was settled by the acquirer",
        across: across("card_settlement.csv", "settled_amount=gross_amount, settled_on=settled_on, fee=fee"),
      }),
    ],
    // Two joins in one monitor; each connected mapping has to find its own.
    joins: [
      {
        item: "bank_statement.csv",
        keys: [
          ["IBAN", "iban"],
          ["AMOUNT", "amount"],
        ],
      },
      { item: "card_settlement.csv", keys: [["CARD_LAST_FOUR", "card_last_four"]] },
    ],
    thresholds: relaxed,
    schedule: nightly,
  },
  {
    item: "REFUND",
    name: "Refunds",
    rules: [
      use("Amount is positive", "amount=AMOUNT"),
      use("Status is known", "status=REASON_CODE", { parameters: { allowed: "DAMAGED|MISSING|LATE|OTHER" } }),
    ],
    anomalies: true,
  },
  {
    item: "GL_ENTRY",
    name: "Ledger",
    rules: [
      use("Debit equals credit", "debit=DEBIT, credit=CREDIT, reference=REFERENCE", { thresholds: strict }),
    ],
    thresholds: [{ value: 100, severity: "ERROR" }],
    schedule: { ...nightly, cron: "0 45 23 L * ?" },
  },
  {
    item: "CURRENCY_RATE",
    name: "Rates",
    rules: [
      use("Rate is of today", "rate_date=RATE_DATE, loaded_at=LOADED_AT", { parameters: { max_hours: 30 } }),
      use("Currency code", "currency=CURRENCY"),
    ],
    schedule: { ...hourly, timeZone: "Europe/London" },
  },
];
