import { describe, expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import {
  at,
  catalog,
  type Estate,
  expectRefusal,
  processing,
  quality,
  ruleBody,
  seedEstate,
  startWorld,
  textAt,
  urnAt,
  type World,
} from "./support.ts";

const uuid = "11111111-1111-4111-8111-111111111111";

interface FlowWorld extends World {
  readonly estate: Estate;
  readonly start: (fields?: Readonly<Record<string, string>>) => ReturnType<World["api"]["post"]>;
}

async function world(): Promise<FlowWorld> {
  const started = await startWorld();
  const estate = seedEstate(started.dev);
  const flow = seed.seedFlowConfiguration(started.dev, {
    name: "Import",
    actions: ["IMPORT", "TERM_DETECTION"],
  });
  const body = { configurationUrn: flow.urn, connectionUrn: estate.connection };
  const path = `${catalog}/documentation-flow/start`;
  return { ...started, estate, start: (fields = {}) => started.api.post(path, { ...body, ...fields }) };
}

describe("document 1, Documentation flows", () => {
  test("configurations hold their actions as JSON text", async () => {
    const { api } = await world();
    const reply = await api.get(`${catalog}/documentation-flow/configurations`);
    expect(JSON.parse(textAt(reply.body, "data.0.configuration"))).toEqual({
      actions: ["IMPORT", "TERM_DETECTION"],
    });
  });

  test("start is accepted with 202 and the URN of a workflow", async () => {
    const { start } = await world();
    const reply = await start();
    expect(reply.status).toBe(202);
    expect(urnAt(reply.body, "workflowUrn")).toMatch(/^urn:data:dev:processing:workflow:/);
  });

  test("404 when the configuration or the connection does not exist", async () => {
    const { start } = await world();
    expectRefusal(
      await start({ configurationUrn: `urn:data:dev:catalog:documentation-flow-configuration:${uuid}` }),
      404,
    );
    expectRefusal(await start({ connectionUrn: `urn:data:dev:processing:connection:${uuid}` }), 404);
  });

  test("a URN that is none, or of another tenant, is refused", async () => {
    const { start } = await world();
    expectRefusal(await start({ connectionUrn: "main" }), 400, "#/connectionUrn");
    const foreign = `urn:data:prod:processing:connection:${uuid}`;
    expectRefusal(await start({ connectionUrn: foreign }), 400, "#/connectionUrn");
  });
});

describe("document 2, Processing", () => {
  test("PENDING and RUNNING come with Retry-After, FINISHED without", async () => {
    const { api, start } = await world();
    const path = `${processing}/workflows/${urnAt((await start()).body, "workflowUrn")}`;
    const looks = [await api.get(path), await api.get(path), await api.get(path)];
    expect(looks.map((look) => at(look.body, "status"))).toEqual(["PENDING", "RUNNING", "FINISHED"]);
    expect(looks.map((look) => look.headers.get("Retry-After"))).toEqual(["1", "1", null]);
    expect(looks[2]?.body).toMatchObject({
      errors: [],
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    });
  });

  test("a run that fails names its job and the reason", async () => {
    const { api, dev, start } = await world();
    dev.quirks.workflowLooks = 0;
    dev.quirks.workflowOutcome = "FAILED";
    const urn = urnAt((await start()).body, "workflowUrn");
    const workflow = await api.get(`${processing}/workflows/${urn}`);
    expect(workflow.body).toMatchObject({ status: "FAILED", errors: [{ reason: expect.any(String) }] });
    const jobs = await api.get(`${processing}/jobs?workflow=${urn}&status=FAILED`);
    expect(jobs.body).toMatchObject({ data: [{ status: "FAILED", error: { reason: expect.any(String) } }] });
    const job = urnAt(jobs.body, "data.0.urn");
    expect((await api.get(`${processing}/jobs/${job}`)).body).toMatchObject({ urn: job });
  });

  test("only a run under way can be canceled; one outcome per workflow", async () => {
    const { api, dev, start } = await world();
    const running = urnAt((await start()).body, "workflowUrn");
    dev.quirks.workflowLooks = 0;
    const finished = urnAt((await start()).body, "workflowUrn");
    await api.get(`${processing}/workflows/${finished}`);
    const reply = await api.post(`${processing}/workflows/cancel`, { workflows: [running, finished] });
    expect(reply.body).toEqual({
      workflows: [
        { urn: running, cancelled: true },
        { urn: finished, cancelled: false },
      ],
    });
    expect((await api.get(`${processing}/workflows/${running}`)).body).toMatchObject({ status: "CANCELED" });
    expectRefusal(await api.post(`${processing}/workflows/cancel`, {}), 400, "#/workflows");
  });

  test("lists come newest first, page forward and back, with null where no page is", async () => {
    const { api, start } = await world();
    const urns = [await start(), await start(), await start()].map((reply) =>
      urnAt(reply.body, "workflowUrn"),
    );
    const first = await api.get(`${processing}/workflows?size=2`);
    expect(first.body).toMatchObject({ data: [{ urn: urns[2] }, { urn: urns[1] }], meta: { prev: null } });
    const last = await api.get(`${processing}/workflows?size=2&after=${textAt(first.body, "meta.next")}`);
    expect(last.body).toMatchObject({ data: [{ urn: urns[0] }], meta: { next: null } });
    const back = await api.get(`${processing}/workflows?size=2&before=${textAt(last.body, "meta.prev")}`);
    expect(back.body).toEqual(first.body);
    expect(at((await api.get(`${processing}/workflows?sort=startedAt`)).body, "data.0.urn")).toBe(urns[0]);
  });

  test("lists filter by status, type and name; other sort fields and cursors are refused", async () => {
    const { api, start } = await world();
    await start();
    const total = async (query: string): Promise<number> => {
      const data = at((await api.get(`${processing}/workflows?${query}`)).body, "data");
      return Array.isArray(data) ? data.length : -1;
    };
    expect([await total("status=PENDING"), await total("status=FAILED")]).toEqual([1, 0]);
    expect([await total("type=DOCUMENTATION_FLOW"), await total("type=DQ-JOB")]).toEqual([1, 0]);
    expect([await total("name=Import"), await total("name=Export")]).toEqual([1, 0]);
    expectRefusal(await api.get(`${processing}/workflows?sort=name`), 400);
    expectRefusal(await api.get(`${processing}/workflows?before=x`), 400);
    expectRefusal(await api.get(`${processing}/jobs?size=101`), 400);
  });

  test("404 for an unknown workflow or job, 400 for a malformed URN", async () => {
    const { api } = await world();
    expectRefusal(await api.get(`${processing}/workflows/urn:data:dev:processing:workflow:${uuid}`), 404);
    expectRefusal(await api.get(`${processing}/jobs/urn:data:dev:processing:job:${uuid}`), 404);
    expectRefusal(await api.get(`${processing}/workflows/latest`), 400);
  });
});

describe("page 04: a run of a monitor", () => {
  test("start answers with where to poll and where the result is", async () => {
    const { api, dev, estate, emulator } = await world();
    dev.quirks.workflowLooks = 0;
    // One that has nothing to evaluate would be skipped.
    const { urn: ruleUrn } = seed.seedRule(dev, ruleBody(estate));
    seed.seedPrimaryMonitor(dev, estate.customers.item.urn, { manualRuleInstances: { one: { ruleUrn } } });
    const monitors = `${quality}/catalog-items/${estate.customers.item.urn}/dq-monitors`;
    const started = await api.post(`${monitors}/primary/processings`);
    expect(started.status).toBe(202);
    const local = (path: string): string => textAt(started.body, path).replace(emulator.baseUrl("dev"), "");
    expect((await api.get(local("polling.href"))).body).toMatchObject({ status: "FINISHED", type: "DQ-JOB" });
    expect((await api.get(local("result.href"))).body).toMatchObject({ dqEvaluationState: "FINISHED" });
    const latest = await api.get(`${monitors}/primary/processings/latest/results`);
    expect(latest.body).toEqual((await api.get(local("result.href"))).body);
    expect((await api.get(`${monitors}/primary/processings?sort=-startedAt`)).body).toMatchObject({
      data: [{ dqMonitorUrn: estate.customers.primaryMonitor.urn, processingState: "FINISHED" }],
      meta: { total: 1 },
    });
  });

  test("a monitor that was never published does not run; a run that does not exist gives 404", async () => {
    const { api, estate } = await world();
    const monitors = `${quality}/catalog-items/${estate.customers.item.urn}/dq-monitors`;
    const urn = urnAt((await api.post(monitors, { name: "M" })).body);
    expectRefusal(await api.post(`${monitors}/${urn}/processings`), 404);
    expectRefusal(await api.get(`${monitors}/primary/processings/latest/results`), 404);
  });
});
