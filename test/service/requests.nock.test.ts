import nock from "nock";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { WriteClient } from "../../src/service/index.ts";
import { openReadClient, openWriteClient, primary } from "../../src/service/index.ts";
import { closeNetwork, giveToken, host, openNetwork } from "./nocked.ts";
import { accessToken, collect, environment, secret, setup, urn } from "./support.ts";

beforeEach(closeNetwork);
afterAll(openNetwork);

const one = urn("catalog:term", 1);
const two = urn("catalog:term", 2);
const thing = { urn: one, name: "x" };
const page = { meta: { total: 1 }, data: [thing] };
const oneResult = { results: [{ id: "a", status: "OK", data: { urn: two } }] };
const catalog = "/api/catalog/v1";
const quality = "/api/data-quality/v1";
const processing = "/api/processing/v1";

type Row = readonly [
  name: string,
  run: (client: WriteClient) => Promise<unknown> | AsyncIterable<unknown>,
  request: readonly [
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    query?: object,
    body?: nock.DataMatcherMap,
  ],
  reply: readonly [status: number, body?: nock.Body],
  result: unknown,
];

const size = { size: "100" };
const listed = [{ items: [thing], total: 1 }];
const ok: readonly [number, nock.Body] = [200, thing];
const created: readonly [number, nock.Body] = [201, thing];
const paged: readonly [number, nock.Body] = [200, page];
const gone: readonly [number] = [204];
const many: readonly [number, nock.Body] = [207, oneResult];

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
    [{ items: [{ name: "term" }] }],
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
    [{ items: [thing] }],
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

const body = { name: "n", description: null };
const writes: readonly Row[] = [
  [
    "createTerms",
    (c) => c.catalog.createTerms([body]),
    ["POST", `${catalog}/terms/bulk`, {}, { terms: [body] }],
    [201, { data: [thing] }],
    [thing],
  ],
  [
    "patchTerm",
    (c) => c.catalog.patchTerm(one, body),
    ["PATCH", `${catalog}/terms/${one}`, {}, body],
    ok,
    thing,
  ],
  ["deleteTerm", (c) => c.catalog.deleteTerm(one), ["DELETE", `${catalog}/terms/${one}`], gone, "deleted"],
  [
    "createFolder",
    (c) => c.catalog.createFolder(body),
    ["POST", `${catalog}/folders`, {}, body],
    created,
    thing,
  ],
  [
    "patchFolder",
    (c) => c.catalog.patchFolder(one, body),
    ["PATCH", `${catalog}/folders/${one}`, {}, body],
    ok,
    thing,
  ],
  [
    "deleteFolder",
    (c) => c.catalog.deleteFolder(one),
    ["DELETE", `${catalog}/folders/${one}`],
    gone,
    "deleted",
  ],
  [
    "createCatalogItem",
    (c) => c.catalog.createCatalogItem(body),
    ["POST", `${catalog}/catalog-items`, {}, body],
    created,
    thing,
  ],
  [
    "patchCatalogItem",
    (c) => c.catalog.patchCatalogItem(one, body),
    ["PATCH", `${catalog}/catalog-items/${one}`, {}, body],
    ok,
    thing,
  ],
  [
    "deleteCatalogItem",
    (c) => c.catalog.deleteCatalogItem(one),
    ["DELETE", `${catalog}/catalog-items/${one}`],
    gone,
    "deleted",
  ],
  [
    "patchAttribute",
    (c) => c.catalog.patchAttribute(one, body),
    ["PATCH", `${catalog}/attributes/${one}`, {}, body],
    ok,
    thing,
  ],
  [
    "createEntities",
    (c) => c.catalog.createEntities([body]),
    ["POST", `${catalog}/entities/batch/create`, {}, { data: [body] }],
    many,
    oneResult,
  ],
  [
    "patchEntities",
    (c) => c.catalog.patchEntities([body]),
    ["POST", `${catalog}/entities/batch/patch`, {}, { data: [body] }],
    many,
    oneResult,
  ],
  [
    "deleteEntities",
    (c) => c.catalog.deleteEntities([{ urn: one }]),
    ["POST", `${catalog}/entities/batch/delete`, {}, { data: [{ urn: one }] }],
    many,
    oneResult,
  ],
  [
    "assignTerms",
    (c) => c.catalog.assignTerms([{ id: "a", attributeUrn: one, termUrns: [two] }]),
    [
      "POST",
      `${catalog}/attributes/term-assignments/batch/assign`,
      {},
      { data: [{ id: "a", attributeUrn: one, termUrns: [two] }] },
    ],
    many,
    oneResult,
  ],
  [
    "addToDenylist",
    (c) => c.catalog.addToDenylist([{ attributeUrn: one, termUrns: [two] }]),
    [
      "POST",
      `${catalog}/attributes/term-assignments/denylist/batch/add`,
      {},
      { data: [{ attributeUrn: one, termUrns: [two] }] },
    ],
    many,
    oneResult,
  ],
  [
    "manageStewardship",
    (c) => c.catalog.manageStewardship([{ entityUrn: one }]),
    ["POST", `${catalog}/stewardship/batch/manage`, {}, { data: [{ entityUrn: one }] }],
    many,
    oneResult,
  ],
  [
    "startDocumentationFlow",
    (c) => c.catalog.startDocumentationFlow({ configurationUrn: one }),
    ["POST", `${catalog}/documentation-flow/start`, {}, { configurationUrn: one }],
    [202, { workflowUrn: two }],
    { workflowUrn: two },
  ],
  [
    "createRules",
    (c) => c.quality.createRules([body]),
    ["POST", `${quality}/rules/batch/create`, {}, { data: [body] }],
    many,
    oneResult,
  ],
  [
    "patchRule",
    (c) => c.quality.patchRule(one, body),
    ["PATCH", `${quality}/rules/${one}`, {}, body],
    ok,
    thing,
  ],
  ["publishRule", (c) => c.quality.publishRule(one), ["POST", `${quality}/rules/${one}/publish`], ok, thing],
  [
    "publishRule without a body",
    (c) => c.quality.publishRule(one),
    ["POST", `${quality}/rules/${one}/publish`],
    gone,
    undefined,
  ],
  ["deleteRule", (c) => c.quality.deleteRule(one), ["DELETE", `${quality}/rules/${one}`], gone, "deleted"],
  [
    "createMonitors",
    (c) => c.quality.createMonitors([body]),
    ["POST", `${quality}/dq-monitors/batch/create`, {}, { data: [body] }],
    many,
    oneResult,
  ],
  [
    "createMonitorDraft",
    (c) => c.quality.createMonitorDraft(two, body),
    ["POST", `${quality}/catalog-items/${two}/dq-monitors`, {}, body],
    created,
    thing,
  ],
  [
    "patchMonitor",
    (c) => c.quality.patchMonitor(two, primary, body),
    ["PATCH", `${quality}/catalog-items/${two}/dq-monitors/primary`, {}, body],
    ok,
    thing,
  ],
  [
    "publishMonitor",
    (c) => c.quality.publishMonitor(two, primary),
    ["POST", `${quality}/catalog-items/${two}/dq-monitors/primary/publish`],
    ok,
    thing,
  ],
  [
    "deleteMonitor",
    (c) => c.quality.deleteMonitor(two, one),
    ["DELETE", `${quality}/catalog-items/${two}/dq-monitors/${one}`],
    gone,
    "deleted",
  ],
  [
    "createDashboard",
    (c) => c.quality.createDashboard(body),
    ["POST", `${quality}/dq-dashboards`, {}, body],
    created,
    thing,
  ],
  [
    "publishDashboard",
    (c) => c.quality.publishDashboard(one),
    ["POST", `${quality}/dq-dashboards/${one}/publish`],
    ok,
    thing,
  ],
  [
    "startEvaluation",
    (c) => c.quality.startEvaluation(two, one),
    ["POST", `${quality}/catalog-items/${two}/dq-monitors/${one}/processings`],
    [200, { polling: { href: "h" } }],
    { polling: { href: "h" } },
  ],
  [
    "cancelWorkflows",
    (c) => c.processing.cancelWorkflows([one]),
    ["POST", `${processing}/workflows/cancel`, {}, { workflows: [one] }],
    [200, { workflows: [{ urn: one, cancelled: true }] }],
    [{ urn: one, cancelled: true }],
  ],
];

async function settled(work: Promise<unknown> | AsyncIterable<unknown>): Promise<unknown> {
  return Symbol.asyncIterator in work ? await collect(work) : await work;
}

describe.each([
  ["read", reads],
  ["write", writes],
] as const)("every %s", (care, rows) => {
  test.each(rows)("%s", async (_name, run, [method, path, query = {}, sent], [status, reply], result) => {
    giveToken();
    const scope = nock(host, {
      reqheaders: {
        authorization: `Bearer ${accessToken}`,
        accept: "application/json",
        "user-agent": "urn-ferry/test",
        "x-request-id": /^[0-9a-f-]{36}$/u,
        ...(sent === undefined ? {} : { "content-type": "application/json" }),
      },
    })
      .intercept(path, method, sent)
      .query(query as Record<string, string>)
      .reply(status, reply);
    const client = openWriteClient(environment, setup().options);
    expect(await settled(run(client))).toEqual(result);
    expect(scope.isDone()).toBe(true);
    expect(client.requests()).toEqual(care === "read" ? { reads: 1, writes: 0 } : { reads: 0, writes: 1 });
  });

  test("each method of the client has a row", () => {
    const names = new Set(rows.map(([, run]) => /c\.\w+\.(\w+)/u.exec(run.toString())?.[1]));
    const readOnly = openReadClient(environment, setup().options);
    const full = openWriteClient(environment, setup().options);
    for (const area of ["catalog", "quality", "processing"] as const) {
      for (const name of Object.keys(care === "read" ? readOnly[area] : full[area])) {
        if (care === "read" || !(name in readOnly[area])) expect(names).toContain(name);
      }
    }
  });
});

test("the token is asked for with the client credentials, as a form", async () => {
  const scope = nock(host)
    .post("/auth/realms/acme/protocol/openid-connect/token", {
      grant_type: "client_credentials",
      client_id: "robot",
      client_secret: secret,
    })
    .matchHeader("content-type", "application/x-www-form-urlencoded")
    .reply(200, { access_token: accessToken, expires_in: 300 });
  await openReadClient(environment, setup().options).signIn();
  expect(scope.isDone()).toBe(true);
});

test("the token comes from authUrl, and the base address may have a path", async () => {
  nock("https://login.example.com")
    .post("/sso/auth/realms/acme/protocol/openid-connect/token")
    .reply(200, { access_token: accessToken, expires_in: 300 });
  nock(host).get(`/tenant${catalog}/terms/${one}`).reply(200, thing);
  const elsewhere = { ...environment, baseUrl: `${host}/tenant/`, authUrl: "https://login.example.com/sso" };
  expect(await openReadClient(elsewhere, setup().options).catalog.term(one)).toEqual(thing);
});
