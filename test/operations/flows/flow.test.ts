import { describe, expect, onTestFinished, test } from "vitest";
import type { Result } from "../../../src/model/result.ts";
import { exitCodes } from "../../../src/model/result.ts";
import { cancelFlow, listFlows, startFlow, watchFlow } from "../../../src/operations/flow.ts";
import { applyPlan } from "../../../src/operations/apply.ts";
import { resolveDoubts } from "../../../src/operations/resolve.ts";
import { rollbackRun } from "../../../src/operations/rollback.ts";
import { planStatus } from "../../../src/operations/status.ts";
import { seedRun, seedTerm } from "../../../src/emulator/seed.ts";
import { killedAt } from "../rollback/support.ts";
import { refusal, run, writes } from "../support.ts";
import type { FlowWorld } from "./support.ts";
import { before, connection, flowWorld, poll, start } from "./support.ts";

const wanted = { configuration: "Import", connection: "prod-wh", wait: true };

function startIt({ world }: FlowWorld, changes: object = {}, options: object = {}): Promise<Result> {
  return startFlow(world.migration(changes), { ...wanted, ...options });
}

test("list shows flows with their actions, connections, and what the plan starts; it writes nothing", async () => {
  const there = await flowWorld();
  const result = await listFlows(there.world.migration({ flows: before() }));
  expect(result).toMatchObject({
    exitCode: exitCodes.done,
    details: {
      flows: expect.arrayContaining([
        expect.objectContaining({ name: "Import and detect", actions: "IMPORT, TERM_DETECTION" }),
      ]),
      connections: expect.arrayContaining([{ urn: connection(there.prod, "prod-wh"), name: "prod-wh" }]),
      planned: [{ when: "before", configuration: "Import", connection: "prod-wh", paths: "", run: "always" }],
    },
  });
  expect(writes(there.world.emulator, "prod")).toEqual([]);
});

describe("start", () => {
  test("waits for its end and leaves nothing open", async () => {
    const there = await flowWorld();
    expect(await startIt(there)).toMatchObject({
      exitCode: exitCodes.done,
      details: { workflow: there.workflows()[0]?.urn },
    });
    expect(there.workflows()).toMatchObject([{ status: "FINISHED" }]);
    expect(await planStatus(there.world.migration())).toMatchObject({ exitCode: exitCodes.done });
  });

  test("with --no-wait answers at once, with what to watch", async () => {
    const there = await flowWorld();
    const result = await startIt(there, {}, { wait: false });
    const [workflow] = there.workflows();
    expect(workflow?.status).toBe("PENDING");
    expect(result).toMatchObject({
      exitCode: exitCodes.done,
      next: [`ferry flow test watch ${workflow?.urn}`],
    });
    expect(await planStatus(there.world.migration())).toMatchObject({ exitCode: exitCodes.done });
    expect((await watchFlow(there.world.migration(), workflow?.urn)).exitCode).toBe(exitCodes.done);
  });

  test("that fails says so with its jobs, and can be made again", async () => {
    const there = await flowWorld();
    there.prod.quirks.workflowOutcome = "FAILED";
    const error = await refusal(startIt(there));
    expect(error).toMatchObject({ code: "flow-failed" });
    there.prod.quirks.workflowOutcome = "FINISHED";
    expect((await startIt(there)).exitCode).toBe(exitCodes.done);
  });

  test("that the service refuses is known not to have happened", async () => {
    const there = await flowWorld();
    there.world.emulator.faults.add({ match: { route: start }, effect: { type: "status", code: 400 } });
    expect((await refusal(startIt(there))).message).toContain("was not started");
    expect(there.workflows()).toEqual([]);
    expect(await planStatus(there.world.migration())).toMatchObject({ exitCode: exitCodes.done });
  });
});

describe("watch", () => {
  test("takes up what was left, without starting it again", async () => {
    const there = await flowWorld();
    there.prod.quirks.workflowOutcome = "never";
    expect(await refusal(startIt(there, { limits: { workflowMs: 120 } }))).toMatchObject({
      code: "interrupted",
    });
    expect((await planStatus(there.world.migration())).next).toEqual(["ferry flow test watch"]);
    for (const running of there.prod.workflows.values())
      there.prod.workflows.put({ ...running, outcome: "FINISHED" });
    expect((await watchFlow(there.world.migration(), undefined)).exitCode).toBe(exitCodes.done);
    expect(there.starts()).toBe(1);
    expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
  });

  test("with nothing that is waited for tells of what runs besides", async () => {
    const there = await flowWorld();
    expect((await watchFlow(there.world.migration(), undefined)).headline).toContain("Nor is anything else");
    await startIt(there, {}, { wait: false });
    expect((await watchFlow(there.world.migration(), undefined)).headline).toContain(
      "1 workflow is that others have started, or ferry without waiting for it.",
    );
  });

  test("and asks for what has not ended alone, however much has", async () => {
    const there = await flowWorld();
    const primary = [...there.prod.items.values()][0]?.primaryMonitorUrn ?? ("" as never);
    for (let ended = 0; ended < 250; ended += 1) seedRun(there.prod, primary);
    await startIt(there, {}, { wait: false });
    there.world.emulator.log.clear();
    const result = await watchFlow(there.world.migration(), undefined);
    expect(result.details).toMatchObject({ "under way": [{ name: "Import", status: "PENDING" }] });
    const lists = there.world.emulator.log.entries.filter(
      ({ route }) => route === "GET /api/processing/v1/workflows",
    );
    expect(lists).toHaveLength(2);
  });

  test.each([
    ["one of the candidates", false],
    ["none of them", true],
  ])("settles a start in doubt by a person's word: %s", async (_what, isNone) => {
    const there = await flowWorld();
    there.world.emulator.faults.add({
      match: { route: start },
      when: { times: 1 },
      effect: { type: "drop-after-commit" },
    });
    let done = false;
    onTestFinished(
      there.world.emulator.on(({ entry, phase }) => {
        if (done || entry.route !== start || phase !== "after-commit") return;
        done = true;
        const [first] = [...there.prod.workflows.values()];
        if (first !== undefined)
          there.prod.workflows.put({ ...first, urn: there.prod.newUrn("processing:workflow") });
      }),
    );
    expect(await refusal(startIt(there))).toMatchObject({ code: "in-doubt" });
    expect(await planStatus(there.world.migration())).toMatchObject({
      exitCode: exitCodes.inDoubt,
      next: ["ferry flow test watch"],
    });
    const [mine] = there.workflows();
    const wrong = "urn:data:prod:processing:workflow:11111111-1111-4111-8111-111111111111";
    expect(await refusal(watchFlow(there.world.migration(), wrong))).toMatchObject({ code: "selection" });
    const result = await watchFlow(there.world.migration(), isNone ? "none" : mine?.urn);
    expect(result.exitCode).toBe(exitCodes.done);
    expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
    await run(there.world, { flows: before() });
    expect(there.starts()).toBe(2);
  });
});

describe("cancel", () => {
  test("ends a workflow, and says when there is nothing to end", async () => {
    const there = await flowWorld();
    await startIt(there, {}, { wait: false });
    const urn = there.workflows()[0]?.urn ?? "";
    expect((await cancelFlow(there.world.migration(), urn)).exitCode).toBe(exitCodes.done);
    expect(there.workflows()).toMatchObject([{ status: "CANCELED" }]);
    expect((await cancelFlow(there.world.migration(), urn)).exitCode).toBe(exitCodes.failed);
  });

  test("of one that a run has left is no failure of the next: it is started anew", async () => {
    const there = await flowWorld();
    there.prod.quirks.workflowOutcome = "never";
    await refusal(run(there.world, { flows: before(), limits: { workflowMs: 120 } }));
    await cancelFlow(there.world.migration(), there.workflows()[0]?.urn ?? "");
    there.prod.quirks.workflowOutcome = "FINISHED";
    expect((await run(there.world, { flows: before() })).exitCode).toBe(exitCodes.done);
    expect(there.starts()).toBe(2);
  });
});

describe("a start whose run did not come to its end, and of which nothing is left to be done", () => {
  const limits = { quietPeriodMs: 30 };

  /** An interrupt while it is awaited, which cancels it. */
  async function cancelled({ world, prod }: FlowWorld): Promise<void> {
    prod.quirks.workflowOutcome = "never";
    const stop = new AbortController();
    onTestFinished(
      world.emulator.on(({ phase, entry }) => {
        if (phase === "received" && entry.route === poll) stop.abort();
      }),
    );
    const migration = world.migration({ limits }, { stop: stop.signal });
    const error = await refusal(startFlow(migration, { ...wanted, cancelFlows: true }));
    expect(error.message).toContain("it was cancelled");
  }

  test("is no run to go on with: it was cancelled by the interrupt", async () => {
    const there = await flowWorld();
    await cancelled(there);
    expect(await planStatus(there.world.migration())).toMatchObject({
      exitCode: exitCodes.done,
      next: ["ferry diff test"],
      details: { interrupted: [], inDoubt: [] },
    });
  });

  test("nor is one that was killed when its end was on record", async () => {
    const there = await flowWorld();
    const killed = startFlow(there.world.migration({ limits }, killedAt("outcome:after", 2)), wanted);
    await expect(killed).rejects.toThrow("killed");
    expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
  });

  test("and what an apply or a rollback has left before it is told, and its command", async () => {
    const there = await flowWorld();
    const { world, dev } = there;
    const plan = { select: { kinds: ["terms"] }, limits } as const;
    seedTerm(dev, { name: "One" });
    const killed = applyPlan(world.migration(plan, killedAt("send:after")), { confirm: async () => true });
    await expect(killed).rejects.toThrow("killed");
    await cancelled(there);
    expect(await planStatus(world.migration(plan))).toMatchObject({
      exitCode: exitCodes.interrupted,
      next: ["ferry apply test"],
    });
    await run(world, plan);
    const back = rollbackRun(world.migration(plan, killedAt("send:after")), {
      allowDelete: true,
      confirm: async () => true,
    });
    await expect(back).rejects.toThrow("killed");
    await cancelled(there);
    const next = ["ferry rollback test"];
    expect(await planStatus(world.migration(plan))).toMatchObject({ exitCode: 5, next });
    expect(await resolveDoubts(world.migration(plan), { decisions: [] })).toMatchObject({
      next: expect.arrayContaining(next),
    });
  });
});
