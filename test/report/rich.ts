import type { AppliedChange } from "../../src/model/change.ts";
import { urnOf } from "./urns.ts";

const dev = (kind: string, index: number): string => urnOf("acme-dev", kind, index);
const prod = (kind: string, index: number): string => urnOf("acme-prod", kind, index);
const id = (kind: string, index: number): string => `${kind}:${dev(kind, index)}`;
const none = { fields: [], diagnostics: [], dependsOn: [] } as const;

const oldText =
  "A customer is a person or an organisation that has bought from us at least once in the last 24 months. Prospects do not count.";
const newText =
  "A customer is a person or an organisation that has bought from us at least once in the last 36 months. Prospects and partners do not count.";

/** What a reviewer of an ordinary migration sees. */
export function richChanges(): readonly AppliedChange[] {
  return [...plainChanges(), ...personChanges(), ...deletes()];
}

function plainChanges(): readonly AppliedChange[] {
  return [
    {
      ...none,
      id: id("terms", 1),
      action: "create",
      outcome: "done",
      kind: "terms",
      source: { urn: dev("terms", 1), name: "Email address" },
      target: { urn: prod("terms", 101), name: "Email address" },
      reason: "not at prod yet",
      fields: [
        { path: "/name", to: "Email address" },
        { path: "/type", to: "businessTerm" },
      ],
      pulledInBy: { kind: "rules", urn: dev("rules", 1), name: "Email is well formed" },
    },
    {
      ...none,
      id: id("terms", 2),
      action: "create",
      outcome: "done",
      kind: "terms",
      source: { urn: dev("terms", 2), name: "顧客番号" },
      reason: "not at prod yet",
      fields: [{ path: "/name", to: "顧客番号" }],
    },
    {
      ...none,
      id: id("terms", 3),
      action: "update",
      outcome: "done",
      kind: "terms",
      source: { urn: dev("terms", 3), name: "Customer" },
      target: { urn: prod("terms", 103), name: "Customer" },
      reason: "changed at dev since the last apply",
      fields: [
        { path: "/description", from: oldText, to: newText },
        {
          path: "/extraProperties/steward",
          from: prod("terms", 500),
          to: prod("terms", 501),
          fromName: "Data Office",
          toName: "Müller, Søren 👩‍💻",
        },
        { path: "/aliases", from: ["Client"], to: ["Client", "Buyer"] },
        {
          path: "/richDescription",
          from: { type: "doc", content: [{ type: "paragraph", text: "See Order." }] },
          to: {
            type: "doc",
            content: [
              { type: "paragraph", text: "See Order and Invoice." },
              { type: "entityReference", gid: prod("terms", 104) },
            ],
          },
        },
        { path: "/legacyCode", from: "C-01" },
      ],
    },
    {
      ...none,
      id: id("rules", 1),
      action: "create",
      outcome: "done",
      kind: "rules",
      source: { urn: dev("rules", 1), name: "Email is well formed" },
      reason: "not at prod yet",
      fields: [
        { path: "/name", to: "Email is well formed" },
        { path: "/expression", to: 'matches(value, "^[^@]+@[^@]+$")' },
        { path: "/dimension", to: prod("rules", 900), toName: "Validity" },
      ],
      dependsOn: [id("terms", 1)],
    },
    {
      ...none,
      id: id("rules", 2),
      action: "replace",
      outcome: "done",
      kind: "rules",
      source: { urn: dev("rules", 2), name: "Order total is positive" },
      target: { urn: prod("rules", 102), name: "Order total is positive" },
      reason: "the input type is fixed at creation; the rule is made anew",
      fields: [{ path: "/inputs/total/type", from: "INTEGER", to: "DECIMAL" }],
      dependsOn: [id("terms", 3)],
    },
    {
      ...none,
      id: id("dashboards", 1),
      action: "adopt",
      outcome: "done",
      kind: "dashboards",
      source: { urn: dev("dashboards", 1), name: "Quality overview" },
      target: { urn: prod("dashboards", 101), name: "Quality overview" },
      reason: "same name and same content at prod",
      dependsOn: [id("monitors", 1), "monitors:urn:gov:acme-dev:data-quality:dq-monitor:unlisted"],
    },
    {
      ...none,
      id: id("monitors", 1),
      action: "update",
      outcome: "not-started",
      kind: "monitors",
      source: { urn: dev("monitors", 1), name: "Orders, daily" },
      target: { urn: prod("monitors", 101), name: "Orders, daily" },
      reason: "changed at dev since the last apply",
      fields: [
        { path: "/schedule/enabled", from: true, to: false },
        { path: "/ruleInstances/Email is well formed/threshold", from: 0.95, to: 0.99 },
      ],
      dependsOn: [id("rules", 1), id("rules", 2)],
    },
  ];
}

function personChanges(): readonly AppliedChange[] {
  return [
    {
      ...none,
      id: id("monitors", 2),
      action: "create",
      outcome: "failed",
      kind: "monitors",
      source: { urn: dev("monitors", 2), name: "Invoices, hourly" },
      reason: "the service refused it: 422, the catalog item has no attribute AMOUNT_EUR",
      diagnostics: [
        {
          severity: "error",
          code: "refused",
          coordinate: { kind: "monitors", urn: dev("monitors", 2), name: "Invoices, hourly" },
          pointer: "/attributes/amount",
          summary: "The target refused the object",
          detail: "422 ATTRIBUTE_NOT_FOUND: catalog item INVOICES has no attribute AMOUNT_EUR",
          suggestion: "run the documentation flow for INVOICES at prod, then ferry apply orders",
        },
      ],
      dependsOn: [id("rules", 2)],
    },
    {
      ...none,
      id: id("monitors", 3),
      action: "create",
      outcome: "in-doubt",
      kind: "monitors",
      source: { urn: dev("monitors", 3), name: "Refunds" },
      reason: "the answer was lost after the request was sent",
    },
    {
      ...none,
      id: id("dashboards", 2),
      action: "create",
      outcome: "blocked",
      kind: "dashboards",
      source: { urn: dev("dashboards", 2), name: "Finance" },
      reason: 'waits for monitors "Invoices, hourly", which failed',
      dependsOn: [id("monitors", 2), id("monitors", 3)],
    },
    {
      ...none,
      id: id("monitors", 4),
      action: "blocked",
      kind: "monitors",
      source: { urn: dev("monitors", 4), name: "Stock levels" },
      reason: 'connection "dev-wh" has no twin at prod',
      diagnostics: [
        {
          severity: "error",
          code: "unresolved-reference",
          pointer: "/catalogItemUrn",
          summary: 'connection "dev-wh" has no twin at prod',
          suggestion: "ferry mappings orders suggest --kinds connections",
        },
      ],
    },
    {
      ...none,
      id: id("rules", 3),
      action: "manual",
      kind: "rules",
      source: { urn: dev("rules", 3), name: "Postcode (condition builder)" },
      reason: "rules made with the condition builder come without their expression",
    },
    {
      ...none,
      id: id("terms", 4),
      action: "drift",
      kind: "terms",
      source: { urn: dev("terms", 4), name: "Invoice" },
      target: { urn: prod("terms", 104), name: "Invoice" },
      reason: "changed at prod since the last apply, unchanged at dev",
      fields: [{ path: "/description", from: "Edited in production.", to: "A request for payment." }],
    },
    {
      ...none,
      id: id("terms", 5),
      action: "conflict",
      kind: "terms",
      source: { urn: dev("terms", 5), name: "Order" },
      target: { urn: prod("terms", 105), name: "Order" },
      reason: "changed on both sides since the last apply",
      fields: [
        { path: "/description", from: "An order, as sales sees it.", to: "An order, as logistics sees it." },
      ],
    },
  ];
}

function deletes(): readonly AppliedChange[] {
  return [
    {
      ...none,
      id: `rules:${prod("rules", 108)}`,
      action: "delete",
      outcome: "withheld",
      kind: "rules",
      target: { urn: prod("rules", 108), name: "Fax number is well formed" },
      reason: "gone from dev; this tool created it in run 20260901-1200-aa01",
    },
    {
      ...none,
      id: `monitors:${prod("monitors", 109)}`,
      action: "delete",
      outcome: "withheld",
      kind: "monitors",
      target: { urn: prod("monitors", 109), name: "Fax numbers, weekly" },
      reason: "gone from dev; this tool created it in run 20260901-1200-aa01",
    },
  ];
}
