import { afterAll, beforeEach } from "vitest";
import { primary } from "../../src/service/index.ts";
import { closeNetwork, openNetwork } from "./nocked.ts";
import { catalog, listed, ok, one, paged, processing, quality, size, thing, two, testRows } from "./rows.ts";
import type { Row } from "./rows.ts";

beforeEach(closeNetwork);
afterAll(openNetwork);

const run = { item: two, monitor: primary, workflow: "latest" };
const runs = `${quality}/catalog-items/${two}/dq-monitors/primary/processings`;
const counts = { passedCount: 3, failedCount: 1 };
const bulk = {
  catalogItemUrn: two,
  dqMonitorUrn: one,
  workflowUrn: one,
  overallQuality: counts,
  more: "kept",
};

const reads: readonly Row[] = [
  [
    "terms",
    (c) => c.catalog.terms({ extraProperties: ["a", "b c"], include: ["effectiveStewardship"] }),
    ["GET", `${catalog}/terms`, { ...size, extraProperties: "a,b c", include: "effectiveStewardship" }],
    paged,
    listed,
  ],
  [
    "terms, nothing extra",
    (c) => c.catalog.terms({ extraProperties: [] }),
    ["GET", `${catalog}/terms`, size],
    paged,
    listed,
  ],
  [
    "term",
    (c) => c.catalog.term(one, { extraProperties: ["a"] }),
    ["GET", `${catalog}/terms/${one}`, { extraProperties: "a" }],
    ok,
    thing,
  ],
  [
    "attributes",
    (c) => c.catalog.attributes({ catalogItemUrn: two, extraProperties: ["a"] }),
    ["GET", `${catalog}/attributes`, { ...size, catalogItemUrn: two, extraProperties: "a" }],
    paged,
    listed,
  ],
  ["attribute", (c) => c.catalog.attribute(one), ["GET", `${catalog}/attributes/${one}`], ok, thing],
  [
    "filterCatalogItems",
    (c) => c.catalog.filterCatalogItems({ name: { equals: "n" } }, { extraProperties: ["a"] }),
    [
      "POST",
      `${catalog}/catalog-items/filter`,
      { ...size, extraProperties: "a" },
      { filter: { name: { equals: "n" } } },
    ],
    paged,
    listed,
  ],
  ["catalogItem", (c) => c.catalog.catalogItem(one), ["GET", `${catalog}/catalog-items/${one}`], ok, thing],
  [
    "catalogItems",
    (c) => c.catalog.catalogItems({ parentUrn: two }),
    ["GET", `${catalog}/catalog-items`, { ...size, parentUrn: two }],
    paged,
    listed,
  ],
  [
    "all catalog items",
    (c) => c.catalog.catalogItems(),
    ["GET", `${catalog}/catalog-items`, size],
    paged,
    listed,
  ],
  [
    "folders",
    (c) => c.catalog.folders({ parentUrn: two }),
    ["GET", `${catalog}/folders`, { ...size, parentUrn: two }],
    paged,
    listed,
  ],
  ["all folders", (c) => c.catalog.folders(), ["GET", `${catalog}/folders`, size], paged, listed],
  ["folder", (c) => c.catalog.folder(one), ["GET", `${catalog}/folders/${one}`], ok, thing],
  [
    "entities",
    (c) => c.catalog.entities({ entityType: "dslQuery", parentUrn: two, properties: ["query"] }),
    ["GET", `${catalog}/entities`, { ...size, entityType: "dslQuery", parentUrn: two, properties: "query" }],
    paged,
    listed,
  ],
  [
    "entity",
    (c) => c.catalog.entity(one, { properties: ["a"] }),
    ["GET", `${catalog}/entities/${one}`, { properties: "a" }],
    ok,
    thing,
  ],
  [
    "metadataModel",
    (c) => c.catalog.metadataModel(),
    ["GET", `${catalog}/metadata-model/entities`, size],
    [200, { meta: {}, data: [{ name: "term" }] }],
    [{ items: [{ name: "term" }], place: { before: 0 } }],
  ],
  [
    "entityDefinition",
    (c) => c.catalog.entityDefinition("business term"),
    ["GET", `${catalog}/metadata-model/entities/business%20term`],
    [200, { name: "business term" }],
    { name: "business term" },
  ],
  [
    "configurations",
    (c) => c.catalog.documentationFlowConfigurations(),
    ["GET", `${catalog}/documentation-flow/configurations`, size],
    paged,
    listed,
  ],
  ["rules", (c) => c.quality.rules(), ["GET", `${quality}/rules`, size], paged, listed],
  ["rule", (c) => c.quality.rule(one), ["GET", `${quality}/rules/${one}`], ok, thing],
  [
    "monitors",
    (c) => c.quality.monitors({ catalogItemUrn: two }),
    ["GET", `${quality}/dq-monitors`, { ...size, catalogItemUrn: two }],
    paged,
    listed,
  ],
  [
    "monitor",
    (c) => c.quality.monitor(two, one),
    ["GET", `${quality}/catalog-items/${two}/dq-monitors/${one}`],
    ok,
    thing,
  ],
  [
    "primary draft",
    (c) => c.quality.monitor(two, primary, { version: "DRAFT" }),
    ["GET", `${quality}/catalog-items/${two}/dq-monitors/primary`, { version: "DRAFT" }],
    ok,
    thing,
  ],
  ["dashboards", (c) => c.quality.dashboards(), ["GET", `${quality}/dq-dashboards`, size], paged, listed],
  ["dashboard", (c) => c.quality.dashboard(one), ["GET", `${quality}/dq-dashboards/${one}`], ok, thing],
  ["dimensions", (c) => c.quality.dimensions(), ["GET", `${quality}/dq-dimensions`, size], paged, listed],
  [
    "transformations",
    (c) => c.quality.transformations(),
    ["GET", `${quality}/transformations`, size],
    paged,
    listed,
  ],
  [
    "results, a question in a body",
    (c) => c.quality.results([{ item: two, monitor: one }]),
    [
      "POST",
      `${quality}/results/dq-evaluation/bulk`,
      {},
      { filter: [{ catalogItemUrn: two, dqMonitorUrn: one }] },
    ],
    [200, { data: [bulk] }],
    [bulk],
  ],
  [
    "the runs that were started last",
    (c) => c.quality.latestRuns(run, 5),
    ["GET", runs, { size: "5", sort: "-startedAt" }],
    [200, { meta: {}, data: [{ workflowUrn: one }] }],
    [{ workflowUrn: one }],
  ],
  [
    "whether a run has an evaluation",
    (c) => c.quality.runResults(run),
    ["GET", `${runs}/latest/results`],
    [200, { dqEvaluationState: "FINISHED" }],
    { dqEvaluationState: "FINISHED" },
  ],
  [
    "an evaluation of some attributes, each a parameter of its own",
    (c) => c.quality.evaluation(run, [one, two]),
    ["GET", `${runs}/latest/results/dq-evaluation`, { attributeUrns: [one, two] }],
    [200, { overallQuality: counts }],
    { overallQuality: counts },
  ],
  [
    "an evaluation that a run does not have",
    (c) => c.quality.evaluation(run),
    ["GET", `${runs}/latest/results/dq-evaluation`],
    [404, { type: "RESOURCE_NOT_FOUND", title: "Resource Not Found", detail: "no evaluation" }],
    undefined,
  ],
  [
    "sample headers",
    (c) => c.quality.sampleHeaders(run),
    ["GET", `${runs}/latest/results/dq-evaluation/invalid-samples/headers`],
    [200, { headers: [{ attributeName: "A", protection: "PROTECTED" }] }],
    [{ attributeName: "A", protection: "PROTECTED" }],
  ],
  [
    "samples",
    (c) => c.quality.samples(run, 3),
    ["GET", `${runs}/latest/results/dq-evaluation/invalid-samples`, { size: "3" }],
    [200, { meta: {}, data: [{ recordId: "1", values: [null] }] }],
    [{ recordId: "1", values: [null] }],
  ],
  [
    "workflow",
    (c) => c.processing.workflow(one),
    ["GET", `${processing}/workflows/${one}`],
    ok,
    { body: thing },
  ],
  [
    "workflows",
    (c) => c.processing.workflows({ status: "RUNNING" }),
    ["GET", `${processing}/workflows`, { ...size, status: "RUNNING" }],
    [200, { meta: { prev: null, next: null }, data: [thing] }],
    [{ items: [thing], place: { before: 0 } }],
  ],
  [
    "jobs",
    (c) => c.processing.jobs({ workflow: two }),
    ["GET", `${processing}/jobs`, { ...size, workflow: two }],
    paged,
    listed,
  ],
  ["job", (c) => c.processing.job(one), ["GET", `${processing}/jobs/${one}`], ok, thing],
];

testRows("read", reads);
