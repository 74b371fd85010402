import type { GivenSpec } from "../build/spec.ts";
import { operationsItems } from "./items-operations.ts";
import { warehouseItems } from "./items-warehouse.ts";
import { groups, pathRename, sources } from "./sources.ts";

const dimensions: GivenSpec["dimensions"] = [
  {
    name: "Completeness",
    results: [
      ["Complete", true],
      ["Not Complete", false],
    ],
  },
  {
    name: "Validity",
    results: [
      ["Valid", true],
      ["Invalid", false],
    ],
  },
  {
    name: "Uniqueness",
    results: [
      ["Unique", true],
      ["Not Unique", false],
      ["Not Populated", true],
    ],
  },
  {
    name: "Accuracy",
    results: [
      ["Accurate", true],
      ["Not Accurate", false],
      ["No reference available", true],
    ],
  },
  {
    name: "Timeliness",
    results: [
      ["On Time", true],
      ["Too Early", false],
      ["Too Late", false],
      ["Not Provided", false],
    ],
  },
];

/** Name and input data type; the name alone is not unique. */
const transformations: GivenSpec["transformations"] = [
  ["Trim", "STRING"],
  ["Lower case", "STRING"],
  ["Upper case", "STRING"],
  ["Remove spaces", "STRING"],
  ["Round", "DOUBLE"],
  ["Round", "FLOAT"],
  ["Start of day", "DATETIME"],
];

const detectionRules = [
  "E-mail pattern",
  "Column name contains mail",
  "Phone pattern",
  "Person name",
  "VAT pattern",
  "Column name contains vat",
  "Postal code pattern",
  "Order number pattern",
  "GTIN pattern",
  "IBAN pattern",
  "Currency list",
];

const flows = [
  { name: "Import", description: "Reads the tables and columns.", actions: ["IMPORT"] },
  {
    name: "Import and detect",
    description: "Import, then term detection.",
    actions: ["IMPORT", "TERM_DETECTION"],
  },
];

/** What both tenants of Harvest Lane have before anything is moved. */
export const given: GivenSpec = {
  sources,
  items: [...warehouseItems, ...operationsItems],
  rename: pathRename,
  groups,
  dimensions,
  transformations,
  detectionRules,
  flows,
};
