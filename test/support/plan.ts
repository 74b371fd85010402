import { demoPairing, demoQueries } from "../../src/emulator/scenarios/index.ts";
import type { Limits, Pairing, Plan, PlanEnvironment, Policy, Selection } from "../../src/model/plan.ts";

export interface PlanChanges {
  readonly name?: string;
  readonly select?: Partial<Selection>;
  readonly policy?: Partial<Policy>;
  readonly pairing?: Partial<Pairing>;
  readonly limits?: Partial<Limits>;
  readonly records?: Partial<Plan["records"]>;
  readonly flows?: Plan["flows"];
  readonly acknowledged?: Plan["acknowledged"];
}

/** The rest of the catalog, and the terms that it refers to. */
export const catalogKinds = [
  "terms",
  "folders",
  "sql-items",
  "entities",
  "item-metadata",
  "attribute-metadata",
  "stewardship",
  "term-denylist",
];

const nowhere = (name: string): PlanEnvironment => ({
  name,
  baseUrl: `https://${name}.example.com`,
  authUrl: `https://${name}.example.com`,
  realm: name,
  clientId: `${name}-client`,
  clientSecret: `${name}-secret`,
});

/** A plan from dev to prod with what a person would write by default, but for these changes. */
export function planOf(changes: PlanChanges = {}, environment = nowhere): Plan {
  return {
    name: changes.name ?? "test",
    source: environment("dev"),
    target: environment("prod"),
    select: {
      kinds: ["terms", "rules", "monitors", "dashboards"],
      include: [],
      exclude: [],
      dependencies: "include",
      entityTypes: [],
      ...changes.select,
    },
    pairing: { ...demoPairing, queries: demoQueries, parentProperties: {}, ...changes.pairing },
    policy: {
      adopt: "identical",
      drift: "report",
      conflict: "report",
      missingTarget: "report",
      schedules: "keep",
      targetOnly: "keep",
      missingGroup: "block",
      replace: "manual",
      termLinks: "pending",
      missingProperty: "block",
      ignoreFields: {},
      previousSteward: "viewMetadata",
      ...changes.policy,
    },
    limits: {
      concurrency: 8,
      requestTimeoutMs: 10_000,
      quietPeriodMs: 50,
      answerSizeBytes: 64 * 1_024 ** 2,
      attributesWaitMs: 200,
      workflowMs: 10_000,
      badRows: 1,
      publishWaitMs: 5_000,
      ...changes.limits,
    },
    ...(changes.acknowledged === undefined ? {} : { acknowledged: changes.acknowledged }),
    ...(changes.flows === undefined ? {} : { flows: changes.flows }),
    records: { referenceData: [], masterData: [], remove: false, ...changes.records },
  };
}
