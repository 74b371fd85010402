import { describe, expect, test } from "vitest";
import { isArray, type Json, type JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import {
  at,
  attributeOf,
  type Estate,
  expectRefusal,
  processing,
  quality,
  resultOf,
  seedEstate,
  startWorld,
  textAt,
  urnAt,
  type World,
} from "./support.ts";

/** What the rules and monitors of these tests can be changed in. */
interface Setup {
  readonly expression?: string;
  readonly parameter?: number;
  readonly threshold?: number;
  readonly instanceThreshold?: number;
  readonly samples?: number;
  readonly exports?: boolean;
  readonly enabled?: boolean;
}

interface MonitorWorld extends World {
  readonly estate: Estate;
  readonly rule: seed.Seeded<{ urn: Urn }>;
  readonly monitor: seed.Seeded<{ urn: Urn }>;
  /** Below the interface: where the runs of the monitor are. */
  readonly runs: string;
  readonly evaluation: (workflow?: string) => Promise<Json>;
}

async function world(setup: Setup = {}): Promise<MonitorWorld> {
  const started = await startWorld();
  const estate = seedEstate(started.dev);
  const rule = seed.seedRule(started.dev, {
    name: "Email is valid",
    inputGroups: { main: { joined: false, inputs: { email: { name: "email", dataType: "STRING" } } } },
    parameters: { limit: { name: "limit", dataType: "LONG" } },
    implementation: {
      dqDimensionUrn: estate.dimension.urn,
      conditions: {
        bad: {
          stringExpression: setup.expression ?? "length(email) > limit",
          resultUrn: resultOf(estate),
          explanation: "Too long",
        },
      },
    },
  });
  const monitor = seed.seedMonitor(started.dev, {
    catalogItemUrn: estate.customers.item.urn,
    name: "Customers",
    manualRuleInstances: {
      one: {
        ruleUrn: rule.urn,
        enabled: setup.enabled ?? true,
        mappings: {
          m: {
            catalogItemAttributeUrn: attributeOf(estate.customers, "email"),
            ruleAttributeUrn: rule.urns["email"] ?? "",
          },
        },
        parameterValues: {
          p: { value: setup.parameter ?? 254, ruleParameterUrn: rule.urns["limit"] ?? "" },
        },
        dqThresholds: { t: { value: setup.instanceThreshold ?? 100, severity: "ERROR" } },
      },
    },
    overallDqThresholds: { overall: { value: setup.threshold ?? 100, severity: "WARNING" } },
    ...(setup.samples !== undefined && {
      invalidSamplesConfiguration: { enabled: true, sampleSize: setup.samples },
    }),
    ...(setup.exports === true && {
      exportDefinitions: { x: { name: "Wrong", type: "INVALID_RECORDS", format: "CSV", enabled: true } },
    }),
  });
  const runs = `${quality}/catalog-items/${estate.customers.item.urn}/dq-monitors/${monitor.urn}/processings`;
  return {
    ...started,
    estate,
    rule,
    monitor,
    runs,
    evaluation: async (workflow = "latest") =>
      (await started.api.get(`${runs}/${workflow}/results/dq-evaluation`)).body,
  };
}

function counts(body: Json): JsonObject {
  return at(body, "overallQuality") as JsonObject;
}

describe("an evaluation", () => {
  test("has quality, dimensions, attributes and rule instances that add up", async () => {
    const { dev, estate, evaluation, monitor, rule } = await world();
    const run = seed.seedRun(dev, monitor.urn);
    const body = await evaluation();
    const { passedCount, failedCount } = counts(body) as { passedCount: number; failedCount: number };
    expect(failedCount).toBeGreaterThan(0);
    expect(body).toMatchObject({
      workflowUrn: run.urn,
      dimensionResults: [
        {
          dimension: {
            name: "Validity",
            urn: estate.dimension.urn,
            results: [
              { name: "Good", passedOverallResult: true },
              { name: "Bad", passedOverallResult: false },
            ],
          },
          passedCount,
          failedCount,
          ruleInstanceCount: 1,
        },
      ],
      dqAttributeResults: [
        {
          attributeUrn: attributeOf(estate.customers, "email"),
          attributeName: "email",
          overallQuality: { passedCount, failedCount },
          ruleInstanceResults: [
            {
              ruleInstanceUrn: monitor.urns["one"],
              ruleUrn: rule.urn,
              ruleName: "Email is valid",
              results: [
                { count: passedCount, result: { name: "Good" } },
                { count: failedCount, result: { name: "Bad" } },
              ],
              explanations: [{ name: "Too long", count: failedCount }],
            },
          ],
        },
      ],
    });
    // Neither parameter values nor exports that nobody defined.
    expect(JSON.stringify(body)).not.toContain("parameterValues");
    expect(body).not.toHaveProperty("invalidRecordsExportResults");
  });

  test("is equal for equal configuration and data, whatever the URNs, and else another one", async () => {
    const outcome = async (setup: Setup, data: Parameters<typeof seed.seedTable>[2] = {}): Promise<Json> => {
      const { dev, estate, evaluation, monitor } = await world(setup);
      dev.newUuid(); // So that the tenants differ.
      seed.seedTable(dev, estate.customers.item.urn, data);
      seed.seedRun(dev, monitor.urn);
      return counts(await evaluation());
    };
    const first = await outcome({});
    expect(await outcome({})).toEqual(first);
    expect(await outcome({ expression: "length(email) >= limit" })).not.toEqual(first);
    expect(await outcome({ parameter: 40 })).not.toEqual(first);
    expect(await outcome({}, { seed: "other customers" })).not.toEqual(first);
    expect(await outcome({}, { rows: 10 })).toMatchObject({ passedCount: expect.any(Number) });
  });

  test("asks for empty cells where the expression does", async () => {
    const { dev, estate, evaluation, monitor } = await world({ expression: "email is null" });
    seed.seedTable(dev, estate.customers.item.urn, { rows: 200, empty: { email: 1 } });
    seed.seedRun(dev, monitor.urn);
    expect(counts(await evaluation())).toEqual({ passedCount: 0, failedCount: 200 });
  });

  test("is restricted to attributes; a malformed one is refused", async () => {
    const { api, dev, estate, monitor, runs } = await world();
    seed.seedRun(dev, monitor.urn);
    const path = `${runs}/latest/results/dq-evaluation`;
    const [id, email] = ["id", "email"].map((name) => attributeOf(estate.customers, name));
    const shown = async (...urns: (string | undefined)[]): Promise<Json | undefined> => {
      const query = urns.map((urn) => `attributeUrns=${encodeURIComponent(urn ?? "")}`).join("&");
      return at((await api.get(`${path}?${query}`)).body, "dqAttributeResults");
    };
    expect(await shown(id)).toEqual([]);
    expect(await shown(id, email)).toMatchObject([{ attributeUrn: email }]);
    expectRefusal(await api.get(`${path}?attributeUrns=email`), 400);
  });

  test("has findings by thresholds: ACTIVE when breached, CLOSED when no longer", async () => {
    const { dev, estate, evaluation, monitor } = await world({ expression: "email is null" });
    const table = (empty: number): object =>
      seed.seedTable(dev, estate.customers.item.urn, { rows: 100, empty: { email: empty } });
    table(0);
    seed.seedRun(dev, monitor.urn);
    expect(at(await evaluation(), "overallDqFindings")).toEqual([]);
    table(1);
    seed.seedRun(dev, monitor.urn);
    const active = {
      thresholdUrn: monitor.urns["overall"],
      status: "ACTIVE",
      summary: expect.stringContaining("100 %"),
    };
    expect(at(await evaluation(), "overallDqFindings")).toMatchObject([active]);
    expect(at(await evaluation(), "dqAttributeResults.0.ruleInstanceResults.0.dqFindings")).toMatchObject([
      { thresholdUrn: monitor.urns["t"], status: "ACTIVE" },
    ]);
    table(0);
    seed.seedRun(dev, monitor.urn);
    expect(at(await evaluation(), "overallDqFindings")).toMatchObject([{ ...active, status: "CLOSED" }]);
  });

  test("works on what was configured when it started", async () => {
    const { api, dev, estate, evaluation, monitor, runs } = await world({ expression: "email is null" });
    seed.seedTable(dev, estate.customers.item.urn, { rows: 50, empty: { email: 1 } });
    await api.post(runs);
    seed.seedTable(dev, estate.customers.item.urn, { rows: 50, empty: { email: 0 } });
    const urn = textAt((await api.get(runs)).body, "data.0.workflowUrn");
    for (let look = 0; look < 3; look += 1) await api.get(`${processing}/workflows/${urn}`);
    expect(counts(await evaluation())).toEqual({ passedCount: 0, failedCount: 50 });
    expect(monitor.urn).toBeDefined();
  });

  test("has one entry for each export", async () => {
    const { dev, evaluation, monitor } = await world({ exports: true });
    seed.seedRun(dev, monitor.urn);
    expect(at(await evaluation(), "invalidRecordsExportResults")).toMatchObject([
      { success: true, message: expect.any(String), location: expect.any(String), link: expect.any(String) },
    ]);
  });
});

describe("the state of an evaluation", () => {
  test.each([
    ["FINISHED", "FINISHED", "FINISHED", 200],
    ["FAILED", "FAILED", "ERROR", 404],
    ["CANCELED", "SKIPPED", "ERROR", 404],
    ["SKIPPED", "SKIPPED", "ERROR", 404],
    ["never", "ENQUEUED", "RUNNING", 404],
  ] as const)("of a run that ends %s is %s, in history %s", async (outcome, state, processed, status) => {
    const { api, dev, monitor, runs } = await world();
    const run = seed.seedRun(dev, monitor.urn, outcome);
    const results = await api.get(`${runs}/${run.urn}/results`);
    expect(results.body).toMatchObject({ workflowUrn: run.urn, dqEvaluationState: state });
    expect(at(results.body, "dqEvaluationLink") === undefined).toBe(state === "SKIPPED");
    expect((await api.get(runs)).body).toMatchObject({ data: [{ processingState: processed }] });
    expect((await api.get(`${runs}/${run.urn}/results/dq-evaluation`)).status).toBe(status);
  });

  test("a monitor that evaluates nothing has none", async () => {
    const { api, dev, monitor, runs } = await world({ enabled: false });
    const run = seed.seedRun(dev, monitor.urn);
    expect((await api.get(`${runs}/${run.urn}/results`)).body).toEqual({
      workflowUrn: run.urn,
      dqEvaluationState: "SKIPPED",
    });
    expectRefusal(await api.get(`${runs}/latest/results/dq-evaluation`), 404);
    expectRefusal(await api.get(`${runs}/latest/results/dq-evaluation/invalid-samples/headers`), 404);
  });

  test("a rule that is gone fails the run with its job and reason", async () => {
    const { api, dev, rule, runs } = await world();
    dev.rules.delete(rule.urn);
    const started = await api.post(runs);
    const urn = textAt(started.body, "polling.href").split("/").at(-1) ?? "";
    for (let look = 0; look < 3; look += 1) await api.get(`${processing}/workflows/${urn}`);
    const { body } = await api.get(`${processing}/workflows/${urn}`);
    expect(body).toMatchObject({ status: "FAILED", errors: [{ reason: expect.stringContaining("rule") }] });
    const jobs = await api.get(`${processing}/jobs?workflow=${urn}`);
    expect(at(jobs.body, "data")).toMatchObject([{ status: "FINISHED" }, { status: "FAILED" }]);
  });
});

describe("invalid samples", () => {
  test("headers tell which columns are protected; rows come in their order, page by page", async () => {
    const { api, dev, estate, monitor, runs } = await world({ samples: 30, expression: "email is null" });
    seed.seedTable(dev, estate.customers.item.urn, { rows: 40, empty: { email: 1 } });
    seed.seedProtection(dev, attributeOf(estate.customers, "id"), "PROTECTED");
    seed.seedRun(dev, monitor.urn);
    const path = `${runs}/latest/results/dq-evaluation/invalid-samples`;
    expect((await api.get(`${path}/headers`)).body).toMatchObject({
      headers: [
        { attributeName: "id", dataType: "STRING", columnType: "varchar", protection: "PROTECTED" },
        { attributeName: "email", protection: "UNCLASSIFIED" },
      ],
    });
    const first = await api.get(`${path}?size=20`);
    const next = textAt(first.body, "meta.next");
    const last = await api.get(`${path}?size=20&after=${next}`);
    const rows = [first, last].flatMap(({ body }) => {
      const data = at(body, "data");
      return isArray(data) ? data : [];
    });
    // As many as the monitor keeps.
    expect(rows).toHaveLength(30);
    expect(at(last.body, "meta")).toEqual({});
    expect(rows[0]).toMatchObject({
      recordId: "1",
      values: [expect.anything(), null],
      invalidRuleInstances: [{ ruleInstanceUrn: monitor.urns["one"], explanation: "Too long" }],
    });
  });

  test("a security term classifies a column", async () => {
    const { api, dev, estate, monitor, runs } = await world({ samples: 1 });
    const { urn: termUrn } = seed.seedTerm(dev, { name: "Personal", type: "securityTerm" });
    seed.seedAssignment(dev, { attributeUrn: attributeOf(estate.customers, "email"), termUrn });
    seed.seedRun(dev, monitor.urn);
    const headers = await api.get(`${runs}/latest/results/dq-evaluation/invalid-samples/headers`);
    expect(at(headers.body, "headers.1")).toMatchObject({ protection: "CLASSIFIED" });
  });
});

describe("bulk", () => {
  const path = `${quality}/results/dq-evaluation/bulk`;

  test("has the latest completed run, dimensions by URN alone, and no attributes or findings", async () => {
    const { api, dev, estate, monitor } = await world();
    seed.seedRun(dev, monitor.urn);
    const finished = seed.seedRun(dev, monitor.urn);
    seed.seedRun(dev, monitor.urn, "FAILED");
    seed.seedRun(dev, monitor.urn, "never");
    const pair = { catalogItemUrn: estate.customers.item.urn, dqMonitorUrn: monitor.urn };
    const { body, status } = await api.post(path, { filter: [pair] });
    expect(status).toBe(200);
    const [entry] = at(body, "data") as JsonObject[];
    expect(Object.keys(entry ?? {}).sort()).toEqual([
      "catalogItemUrn",
      "dimensionResults",
      "dqMonitorUrn",
      "overallQuality",
      "processingFinishedAt",
      "processingStartedAt",
      "workflowUrn",
    ]);
    expect(entry).toMatchObject({
      ...pair,
      workflowUrn: finished.urn,
      dimensionResults: [{ dimensionUrn: estate.dimension.urn, ruleInstanceCount: 1 }],
    });
    expect(at(entry, "dimensionResults.0.dimension")).toBeUndefined();
  });

  test("leaves out a pair without a completed run, and refuses more than a hundred", async () => {
    const { api, dev, estate, monitor } = await world();
    seed.seedRun(dev, monitor.urn, "FAILED");
    const pair = { catalogItemUrn: estate.customers.item.urn, dqMonitorUrn: monitor.urn };
    expect(at((await api.post(path, { filter: [pair] })).body, "data")).toEqual([]);
    const many = Array.from({ length: 101 }, () => pair);
    expectRefusal(await api.post(path, { filter: many }), 400, "#/filter");
    expectRefusal(await api.post(path, {}), 400, "#/filter");
    const primary = { ...pair, dqMonitorUrn: "primary" };
    expectRefusal(await api.post(path, { filter: [primary] }), 400, "#/filter/0/dqMonitorUrn");
  });
});

describe("runs in time", () => {
  test("where runs take time they begin, do job after job, and end by the clock", async () => {
    let now = 1_000_000;
    const { api, dev } = await startWorld({ clock: () => now });
    const estate = seedEstate(dev);
    dev.quirks.workflowMilliseconds = 60_000;
    const primary = `${quality}/catalog-items/${estate.customers.item.urn}/dq-monitors/primary/processings`;
    const urn =
      textAt((await api.post(primary)).body, "polling.href")
        .split("/")
        .at(-1) ?? "";
    const look = async (): Promise<Json | undefined> =>
      at((await api.get(`${processing}/workflows/${urn}`)).body, "status");
    expect([await look(), await look()]).toEqual(["PENDING", "PENDING"]);
    now += 30_000;
    expect(await look()).toBe("RUNNING");
    expect(at((await api.get(`${processing}/jobs?workflow=${urn}`)).body, "data")).toMatchObject([
      { status: "FINISHED" },
      { status: "RUNNING" },
    ]);
    now += 30_000;
    expect(await look()).toBe("FINISHED");
  });

  test("one that never ends goes on for ever, and can be canceled", async () => {
    const { api, dev, runs } = await world();
    dev.quirks.workflowOutcome = "never";
    const urn =
      textAt((await api.post(runs)).body, "polling.href")
        .split("/")
        .at(-1) ?? "";
    for (let look = 0; look < 9; look += 1) await api.get(`${processing}/workflows/${urn}`);
    expect((await api.get(`${processing}/workflows/${urn}`)).body).toMatchObject({ status: "RUNNING" });
    await api.post(`${processing}/workflows/cancel`, { workflows: [urn] });
    expect((await api.get(`${processing}/workflows/${urn}`)).body).toMatchObject({ status: "CANCELED" });
    expect(
      urnAt((await api.get(`${processing}/jobs?workflow=${urn}&status=CANCELED`)).body, "data.0.urn"),
    ).toBeDefined();
  });

  test("the start may not be offered, and an import brings what it finds", async () => {
    const { api, dev, estate, runs } = await world();
    dev.quirks.startsEvaluations = false;
    expectRefusal(await api.post(runs), 404);
    const flow = seed.seedFlowConfiguration(dev, { name: "Import", actions: ["IMPORT"] });
    seed.seedImport(dev, estate.connection, () => {
      seed.seedCatalogItem(dev, { name: "late", parentUrn: estate.location, attributes: ["id"] });
    });
    dev.quirks.workflowLooks = 0;
    const started = await api.post("/api/catalog/v1/documentation-flow/start", {
      configurationUrn: flow.urn,
      connectionUrn: estate.connection,
    });
    expect([...dev.items.values()].some(({ name }) => name === "late")).toBe(false);
    await api.get(`${processing}/workflows/${urnAt(started.body, "workflowUrn")}`);
    expect([...dev.items.values()].some(({ name }) => name === "late")).toBe(true);
  });
});
