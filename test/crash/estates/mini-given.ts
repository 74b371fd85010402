import { table } from "../../../src/emulator/scenarios/build/notation.ts";
import type { GivenSpec } from "../../../src/emulator/scenarios/build/spec.ts";

const place = { source: "store", connection: "store", locations: ["DEV_SHOP"] };

/** What both sides of the small estate have. */
export const miniGiven: GivenSpec = {
  sources: [
    {
      key: "store",
      names: { source: "Store DEV", target: "Store PROD" },
      connections: [{ key: "store", names: { source: "dev-store", target: "prod-store" } }],
    },
  ],
  items: [
    table(place, "ORDERS", "One row an order.", [
      "ORDER_ID LONG number(18,0)",
      "AMOUNT DOUBLE number(12,2)",
      "CITY STRING varchar(80)",
    ]),
    table(place, "LINES", undefined, ["ORDER_ID LONG number(18,0)", "ARTICLE STRING varchar(40)"]),
  ],
  rename: { pattern: "^DEV_", replace: "PROD_" },
  groups: [],
  dimensions: [
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
  ],
  transformations: [["Trim", "STRING"]],
  detectionRules: ["City names"],
  flows: [],
};
