import { ruleOf } from "../build/notation.ts";
import type { RuleSpec } from "../build/spec.ts";

const completeness = ruleOf("Completeness");
const validity = ruleOf("Validity");
const uniqueness = ruleOf("Uniqueness");
const accuracy = ruleOf("Accuracy");
const timeliness = ruleOf("Timeliness");

/** What is checked about deliveries, suppliers and stock. */
export const operationsRules: readonly RuleSpec[] = [
  completeness("Organic supplier has a certificate", "certificate STRING, expires_on DATE", {
    conditions: [
      ["certificate is not null and expires_on is null", "Not Complete", "No end date"],
      ["certificate is null and expires_on is not null", "Not Complete", "End date of what?"],
    ],
    otherwise: "Complete",
  }),
  completeness("Lieferung unterschrieben ✍", "signature STRING, status STRING", {
    description: "Zugestellt heißt: jemand hat unterschrieben.",
    conditions: [["status = 'DELIVERED' and signature is null", "Not Complete", "Unterschrift fehlt"]],
    otherwise: "Complete",
  }),
  validity("Cold chain temperature", "temperature FLOAT", {
    parameters: [["maximum FLOAT", 4]],
    conditions: [
      ["temperature > maximum", "Invalid", "Too warm"],
      ["temperature < -30", "Invalid", "Sensor is broken"],
    ],
    otherwise: "Valid",
  }),
  validity("Slot is not overbooked", "capacity INTEGER, booked INTEGER", {
    conditions: [["booked > capacity", "Invalid", "More bookings than places"]],
    otherwise: "Valid",
  }),
  validity("納品日が有効 (delivery date)", "planned_at DATETIME", {
    conditions: [["dayOfWeek(planned_at) = 7", "Invalid", "日曜日は配達なし"]],
    otherwise: "Valid",
  }),
  validity("VAT number format", "vat_number STRING, country_code STRING", {
    transformations: { vat_number: "Remove spaces", country_code: "Upper case" },
    conditions: [["substr(vat_number, 0, 2) <> country_code", "Invalid", "VAT number of another country"]],
    otherwise: "Valid",
  }),
  uniqueness("Unique plate", "plate STRING", {
    transformations: { plate: "Remove spaces" },
    conditions: [
      ["plate is null", "Not Populated"],
      ["count() over (plate) > 1", "Not Unique", "Plate occurs again"],
    ],
    otherwise: "Unique",
  }),
  accuracy("Received what was ordered", "received DOUBLE", {
    joined: "ordered DOUBLE",
    parameters: [["tolerance_percent DOUBLE", 2]],
    conditions: [
      ["ordered is null", "No reference available"],
      ["abs(received - ordered) > ordered * tolerance_percent / 100", "Not Accurate", "Another quantity"],
    ],
    otherwise: "Accurate",
  }),
  timeliness("Delivered inside the slot", "delivered_at DATETIME", {
    joined: "starts_at DATETIME, ends_at DATETIME",
    conditions: [
      ["delivered_at is null", "Not Provided"],
      ["delivered_at < starts_at", "Too Early", "Nobody was at home yet"],
      ["delivered_at > ends_at", "Too Late", "Customer had to wait"],
    ],
    otherwise: "On Time",
  }),
  timeliness("Document has not expired", "expires_on DATE", {
    parameters: [["warn_days LONG", 30]],
    conditions: [
      ["expires_on is null", "Not Provided"],
      ["expires_on < today()", "Too Late", "Expired"],
    ],
    otherwise: "On Time",
  }),
  timeliness("Stock was counted lately", "counted_at DATETIME", {
    parameters: [["max_days LONG", 31]],
    conditions: [
      ["counted_at is null", "Not Provided"],
      ["dateDiff(counted_at, now(), 'DAY') > max_days", "Too Late", "Count again"],
    ],
    otherwise: "On Time",
  }),
];

/** Logic that was clicked together in the condition builder: the interface shows no expression for it. */
export const builderRules: readonly RuleSpec[] = [
  completeness("Supplier has a contact (built)", "contact_id LONG", {
    conditions: [["", "Not Complete", "No contact"]],
    otherwise: "Complete",
  }),
  validity("Fuel level (built)", "level FLOAT, vehicle_type STRING", {
    conditions: [
      ["", "Invalid", "Below zero"],
      ["", "Invalid", "Above full"],
    ],
    otherwise: "Valid",
  }),
];
