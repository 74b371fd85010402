import { hourly, mondays, nightly, paused, relaxed, strict, unrated } from "./cadence.ts";
import { across, use } from "../build/notation.ts";
import type { MonitorSpec } from "../build/spec.ts";

export const operationsMonitors: readonly MonitorSpec[] = [
  {
    item: "delivery",
    name: "Deliveries",
    rules: [
      use("Cold chain temperature", "temperature=temperature_c", {
        parameters: { maximum: 4.5 },
        thresholds: strict,
      }),
      use("Lieferung unterschrieben ✍", "signature=signature_name, status=status"),
      use("納品日が有効 (delivery date)", "planned_at=planned_at"),
    ],
    thresholds: strict,
    schedule: hourly,
    samples: 30,
    exports: [{ name: "Warm deliveries", format: "CSV", enabled: true }],
  },
  {
    item: "delivery",
    name: "On time",
    rules: [
      use("Delivered inside the slot", "delivered_at=delivered_at", {
        across: across("delivery_slot", "starts_at=starts_at, ends_at=ends_at"),
        thresholds: [{ value: 96, severity: "WARNING" }, { value: 92.5, severity: "ERROR" }, { value: 80 }],
      }),
    ],
    joins: [{ item: "delivery_slot", keys: [["slot_id", "slot_id"]] }],
    schedule: { ...hourly, cron: "0 0/30 6-22 * * ?" },
  },
  {
    item: "delivery_stop",
    name: "Stops",
    rules: [
      use("Coordinates inside the area", "latitude=latitude, longitude=longitude", {
        parameters: { south: 47.2, north: 55.1, west: 5.8, east: 15.1 },
      }),
    ],
  },
  {
    item: "delivery_slot",
    name: "Slots",
    rules: [use("Slot is not overbooked", "capacity=capacity, booked=booked")],
    thresholds: unrated,
    schedule: hourly,
  },
  {
    item: "driver",
    name: "Drivers",
    rules: [
      use("Document has not expired", "expires_on=licence_expires_on", { parameters: { warn_days: 60 } }),
      use("Phone number format", "phone=phone"),
    ],
    schedule: mondays,
  },
  {
    item: "vehicle",
    name: "Vehicles",
    rules: [
      use("Unique plate", "plate=plate"),
      use("Document has not expired", "expires_on=inspection_due_on", { name: "Inspection" }),
    ],
    thresholds: relaxed,
    schedule: mondays,
  },
  // The two tables have the same name, and so have their monitors.
  {
    item: "delivery.audit_log",
    name: "Audit log",
    rules: [use("Value is present", "value=actor")],
    schedule: paused,
  },
  {
    item: "supply.audit_log",
    name: "Audit log",
    rules: [use("Value is present", "value=actor"), use("Value is present", "value=action")],
    schedule: paused,
  },
  {
    item: "supplier",
    name: "Suppliers",
    rules: [
      use(
        "Organic supplier has a certificate",
        "certificate=organic_certificate, expires_on=certificate_expires_on",
      ),
      use("VAT number format", "vat_number=vat_number, country_code=country_code"),
      use("Country code", "country_code=country_code"),
    ],
    thresholds: strict,
    schedule: nightly,
    profiling: { type: "FULL" },
  },
  {
    item: "supplier_contact",
    name: "Supplier contacts",
    rules: [use("Email format", "email=email"), use("Phone number format", "phone=phone")],
    samples: 15,
  },
  {
    item: "purchase_order_line",
    name: "Received what was ordered",
    rules: [
      use("Received what was ordered", "received=quantity", {
        across: across("goods_receipt", "ordered=quantity"),
        parameters: { tolerance_percent: 1.5 },
      }),
    ],
    joins: [
      {
        item: "goods_receipt",
        keys: [
          ["purchase_order_id", "purchase_order_id"],
          ["product_id", "product_id"],
        ],
      },
    ],
    schedule: nightly,
    exports: [{ name: "Short deliveries", format: "CSV", enabled: false }],
  },
  {
    item: "goods_receipt",
    name: "Receipts",
    rules: [use("Cold chain temperature", "temperature=temperature_c")],
    thresholds: strict,
    anomalies: true,
    schedule: { ...hourly, enabled: false },
  },
  {
    item: "stock_level",
    name: "Stock",
    rules: [
      use("Stock was counted lately", "counted_at=counted_at", { parameters: { max_days: 7 } }),
      use("Number in range", "value=quantity", {
        parameters: { minimum: 0, maximum: 100_000, inclusive: true },
      }),
    ],
    schedule: nightly,
  },
  {
    item: "supplier_prices.csv",
    name: "Price lists",
    rules: [
      use("GTIN check digit", "gtin=gtin"),
      use("Currency code", "currency=currency"),
      use("Amount is positive", "amount=price"),
    ],
    schedule: { ...mondays, timeZone: "Europe/Madrid" },
    samples: 200,
  },
];
