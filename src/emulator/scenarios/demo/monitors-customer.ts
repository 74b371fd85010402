import { hourly, mondays, nightly, paused, relaxed, strict, unrated } from "./cadence.ts";
import { across, use } from "../build/notation.ts";
import type { MonitorSpec } from "../build/spec.ts";

export const customerMonitors: readonly MonitorSpec[] = [
  {
    item: "CUSTOMER",
    name: "Customer master data",
    rules: [
      use("Unique customer key", "customer_id=CUSTOMER_ID", {
        thresholds: [{ value: 100, severity: "ERROR" }],
      }),
      use("Full name is complete", "first_name=FIRST_NAME, last_name=LAST_NAME", { name: "Full name" }),
      use("Email format", "email=EMAIL", { thresholds: relaxed }),
      use("Phone number format", "phone=PHONE"),
      use("Age in range", "birth_date=BIRTH_DATE", { parameters: { min_age: 18, max_age: 115 } }),
    ],
    thresholds: strict,
    schedule: nightly,
    profiling: { type: "FULL" },
    anomalies: true,
    samples: 50,
    exports: [{ name: "Wrong customers", format: "CSV", enabled: true }],
  },
  {
    item: "CUSTOMER",
    name: "Mail campaign readiness",
    rules: [
      use("Email format (strict)", "email=EMAIL", {
        name: "Deliverable address",
        parameters: { max_length: 128 },
      }),
      use("One account an e-mail address", "email=EMAIL, created_at=CREATED_AT"),
      use("Value is present", "value=PREFERRED_LANGUAGE", { enabled: false }),
    ],
    thresholds: relaxed,
    schedule: mondays,
    samples: 20,
  },
  {
    item: "CUSTOMER",
    name: "Business customers",
    rules: [
      use("VAT number where one is needed", "vat_number=VAT_NUMBER, is_business=IS_BUSINESS"),
      use("Segment fits the spending", "segment_code=SEGMENT_CODE, yearly_spend=YEARLY_SPEND", {
        across: across(
          "CUSTOMER_SEGMENT",
          "reference_segment=SEGMENT_CODE, min_spend=MIN_YEARLY_SPEND, max_spend=MAX_YEARLY_SPEND",
        ),
      }),
    ],
    joins: [{ item: "CUSTOMER_SEGMENT", keys: [["SEGMENT_CODE", "SEGMENT_CODE"]] }],
    schedule: paused,
  },
  {
    item: "CUSTOMER_ADDRESS",
    name: "Deliverable addresses",
    rules: [
      use(
        "Address is complete",
        "street=STREET, house_number=HOUSE_NUMBER, postal_code=POSTAL_CODE, city=CITY",
      ),
      use("Gültige Postleitzahl (DACH)", "postal_code=POSTAL_CODE, country_code=COUNTRY_CODE", {
        thresholds: strict,
      }),
      use("Country code", "country_code=COUNTRY_CODE"),
      use("Coordinates inside the area", "latitude=LATITUDE, longitude=LONGITUDE", {
        parameters: { south: 45.8, north: 55.1, west: 5.8, east: 17.2 },
      }),
    ],
    thresholds: [{ value: 98, severity: "WARNING" }],
    schedule: nightly,
    profiling: { type: "SAMPLE", limit: 100_000 },
    samples: 100,
  },
  {
    item: "CUSTOMER_ADDRESS",
    name: "Addresses against depots",
    rules: [
      use("Postal code fits the city", "postal_code=POSTAL_CODE, city=CITY", {
        across: across("depot", "reference_code=postal_code, reference_city=depot_name"),
        thresholds: unrated,
      }),
    ],
    // Two pairs in one join, and into another source.
    joins: [
      {
        item: "depot",
        keys: [
          ["POSTAL_CODE", "postal_code"],
          ["COUNTRY_CODE", "country_code"],
        ],
      },
    ],
  },
  {
    item: "CUSTOMER_CONSENT",
    name: "Consent",
    rules: [
      use("Consent is fresh", "granted_at=GRANTED_AT, withdrawn_at=WITHDRAWN_AT", {
        parameters: { max_days: 365 },
      }),
      use("Value is present", "value=PURPOSE"),
      use("Value is present", "value=CHANNEL", { name: "Channel is known" }),
    ],
    thresholds: strict,
    schedule: hourly,
    samples: 10,
  },
  {
    item: "LOYALTY_ACCOUNT",
    name: "Harvest Club",
    rules: [
      use("Number is present", "value=CUSTOMER_ID"),
      use("Status is known", "status=TIER", { parameters: { allowed: "green|gold|platinum" } }),
    ],
    anomalies: true,
  },
  {
    item: "CUSTOMER_SEGMENT",
    name: "Segments — Überblick",
    rules: [use("Value is present", "value=SEGMENT_NAME")],
    profiling: { type: "FULL", enabled: false },
  },
  // Profiling alone; nothing is evaluated.
  {
    item: "clickstream.parquet",
    name: "Clickstream profile",
    rules: [],
    profiling: { type: "SAMPLE", limit: 1_000_000 },
    anomalies: true,
    schedule: { ...paused, timeZone: "America/New_York" },
  },
  {
    item: "PRODUCT_REVIEW",
    name: "Reviews",
    rules: [
      use("Rating 1–5 ★", "rating=RATING"),
      use("Value is present", "value=TEXT", { thresholds: relaxed }),
    ],
    schedule: mondays,
  },
];
