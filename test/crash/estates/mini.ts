import type { Tenant } from "../../../src/emulator/index.ts";
import { buildEstate } from "../../../src/emulator/scenarios/build/estate.ts";
import { buildTerms } from "../../../src/emulator/scenarios/build/glossary.ts";
import {
  buildDashboard,
  buildMonitor,
  configurePrimary,
  monitorUrns,
} from "../../../src/emulator/scenarios/build/monitors.ts";
import { across, ruleOf, termOf, use } from "../../../src/emulator/scenarios/build/notation.ts";
import { buildRule } from "../../../src/emulator/scenarios/build/rules.ts";
import type { MonitorSpec, RuleSpec, TermSpec } from "../../../src/emulator/scenarios/build/spec.ts";
import type { Estate } from "./estate.ts";
import { miniGiven } from "./mini-given.ts";

const business = termOf("businessTerm");
const completeness = ruleOf("Completeness");

/** Three terms in a circle, one of them with the others in its text. */
const terms: readonly TermSpec[] = [
  business("order", "Order", { rich: "What a {customer} buys, in a {city}.", related: ["customer"] }),
  business("customer", "Customer", { description: "Who buys.", related: ["city"] }),
  business("retired", "Retired", { description: "Nobody says so any more." }),
  business("city", "City", { detection: { rules: { "City names": 80 } }, partOf: "order" }),
];

const present = (key: string): RuleSpec =>
  completeness("Value is present", "value STRING", {
    key,
    transformations: { value: "Trim" },
    conditions: [["value is null", "Not Complete", "Nothing is there"]],
    otherwise: "Complete",
  });

/** The two called `Value is present` are equal in everything. */
const rules: readonly RuleSpec[] = [
  present("present-1"),
  present("present-2"),
  ruleOf("Validity")("Amount in range", "amount DOUBLE", {
    description: "Not too little, not too much.",
    parameters: ["least DOUBLE", ["most DOUBLE", 1000]],
    conditions: [["amount < least or amount > most", "Invalid"]],
    otherwise: "Valid",
  }),
  completeness("Retired check", "value STRING", {
    conditions: [["value = ''", "Not Complete"]],
    otherwise: "Complete",
  }),
  completeness("Order has a line", "order_id LONG", {
    joined: "line_order_id LONG",
    conditions: [["line_order_id is null", "Not Complete", "Order without lines"]],
    otherwise: "Complete",
  }),
];

const nightly = { cron: "0 0 2 * * ?", enabled: true, timeZone: "Europe/Berlin" };
const joins = [{ item: "LINES", keys: [["ORDER_ID", "ORDER_ID"]] }] as const;
const hasLine = use("Order has a line", "order_id=ORDER_ID", {
  across: across("LINES", "line_order_id=ORDER_ID"),
});

const monitors: readonly MonitorSpec[] = [
  {
    item: "ORDERS",
    name: "Orders",
    rules: [
      use("present-1", "value=CITY", { thresholds: [{ value: 99, severity: "WARNING" }] }),
      use("Amount in range", "amount=AMOUNT", { parameters: { least: 1, most: 500 } }),
    ],
    thresholds: [{ value: 95, severity: "ERROR" }],
    schedule: nightly,
  },
  { item: "ORDERS", name: "Orders have lines", rules: [hasLine], joins, schedule: nightly },
  {
    item: "LINES",
    name: "Lines",
    rules: [use("present-2", "value=ARTICLE", { name: "Article" })],
    samples: 5,
  },
  { item: "LINES", name: "Retired", rules: [use("Retired check", "value=ARTICLE")] },
];

const primary: Omit<MonitorSpec, "name"> = {
  item: "ORDERS",
  rules: [hasLine, use("Amount in range", "amount=AMOUNT", { parameters: { least: 0 } })],
  joins,
  thresholds: [{ value: 90 }],
  schedule: nightly,
};

function fill(source: Tenant, target: Tenant): void {
  const estate = buildEstate(source, "source", miniGiven);
  buildTerms(estate, terms);
  const placed = new Map(rules.map((rule) => [rule.key, buildRule(estate, rule)]));
  const urns = monitorUrns(estate);
  for (const spec of monitors) urns.set(`${spec.item}/${spec.name}`, buildMonitor(estate, placed, spec));
  configurePrimary(estate, placed, primary);
  buildDashboard(estate, urns, {
    name: "Shop",
    description: "All of it.",
    monitors: ["ORDERS/Orders", "ORDERS/Orders have lines", "ORDERS/primary"],
  });
  // The primary monitor of LINES is as the service made it.
  buildDashboard(estate, urns, { name: "Lines", monitors: ["LINES/Lines", "LINES/primary"] });
  buildEstate(target, "target", miniGiven);
}

/** One of everything, small enough to be killed at every point in little time. */
export const mini: Estate = {
  name: "mini",
  pairing: {
    sources: { "Store DEV": "Store PROD" },
    connections: { "dev-store": "prod-store" },
    paths: [miniGiven.rename],
    groups: {},
  },
  flags: [],
  except: [],
  twins: ["rule Value is present"],
  done: 0,
  prepare: (emulator) => fill(emulator.tenant("dev"), emulator.tenant("prod")),
};
