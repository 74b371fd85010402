import { describe, expect, onTestFinished, test } from "vitest";
import type { FaultEffect, Phase } from "../../../src/emulator/index.ts";
import { startWorkflow } from "../../../src/emulator/processing/runs.ts";
import * as seed from "../../../src/emulator/seed.ts";
import { applyPlan } from "../../../src/operations/apply.ts";
import { diffPlan } from "../../../src/operations/diff.ts";
import { rollbackRun } from "../../../src/operations/rollback.ts";
import { setMappings } from "../../../src/operations/mappings.ts";
import { planStatus } from "../../../src/operations/status.ts";
import { exitCodes } from "../../../src/model/result.ts";
import { killedAt } from "../rollback/support.ts";
import { refusal, run, writes } from "../support.ts";
import type { FlowWorld } from "./support.ts";
import { after, before, connection, flowWorld, lateTable, poll, start } from "./support.ts";

const moved = { select: { kinds: ["monitors"] } };

describe("a flow before", () => {
  test("is awaited before the target is read: what it imports is paired in the same run", async () => {
    const there = await flowWorld();
    lateTable(there);
    const without = await run(there.world, moved);
    expect(without.summary).toMatchObject({ blocked: 2 });
    const result = await run(there.world, { ...moved, flows: before() }, { verify: true });
    expect(result).toMatchObject({ exitCode: exitCodes.done });
    expect(result.changes).toContainEqual(
      expect.objectContaining({ kind: "monitors", action: "create", outcome: "done" }),
    );
    expect(result.diagnostics).toContainEqual(expect.objectContaining({ code: "flow-done" }));
    expect(there.starts()).toBe(1);
    expect(writes(there.world.emulator, "dev")).toEqual([]);
    // The exception from "a second run writes nothing".
    await run(there.world, { ...moved, flows: before() });
    expect(there.starts()).toBe(2);
    expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
  });

  test("is asked for as the service says, with what it is to run on", async () => {
    const there = await flowWorld();
    await run(there.world, { flows: before({ paths: ["SALES/CUSTOMER"] }) });
    const sent = there.world.emulator.log.entries.find(({ route }) => route === start);
    expect(sent?.body).toEqual({
      configurationUrn: [...there.prod.flowConfigurations.values()].find(({ name }) => name === "Import")
        ?.urn,
      connectionUrn: connection(there.prod, "prod-wh"),
      paths: ["SALES/CUSTOMER"],
    });
    // PENDING, RUNNING, FINISHED.
    expect(there.world.emulator.log.entries.filter(({ route }) => route === poll)).toHaveLength(3);
  });

  test("that fails ends the run with its failed jobs and their reasons, before anything is read", async () => {
    const there = await flowWorld();
    there.prod.quirks.workflowOutcome = "FAILED";
    const error = await refusal(run(there.world, { flows: before({ configuration: "Import and detect" }) }));
    expect(error).toMatchObject({ code: "flow-failed" });
    expect(error.message).toContain(
      "it FAILED: Import and detect: TERM_DETECTION: The data source did not answer.",
    );
    expect(there.world.emulator.log.entries.some(({ path }) => path.endsWith("/rules"))).toBe(false);
    expect((await planStatus(there.world.migration())).exitCode).not.toBe(exitCodes.inDoubt);
  });

  test.each(["CANCELED", "SKIPPED"] as const)("that is %s ends it, too", async (outcome) => {
    const there = await flowWorld();
    there.prod.quirks.workflowOutcome = outcome;
    const error = await refusal(run(there.world, { flows: before() }));
    expect(error.message).toContain(`it was ${outcome}`);
  });

  test("that never ends has a limit: 5, and the next run takes it up", async () => {
    const there = await flowWorld();
    there.prod.quirks.workflowOutcome = "never";
    const limits = { workflowMs: 150 };
    const error = await refusal(run(there.world, { flows: before(), limits }));
    expect(error).toMatchObject({ code: "interrupted" });
    expect(error.message).toContain("not finished within 0.15 s");
    const status = await planStatus(there.world.migration());
    expect(status).toMatchObject({ exitCode: exitCodes.interrupted });
    // Its journal is all that knows of it.
    await expect(rollbackRun(there.world.migration(), { confirm: async () => true })).rejects.toMatchObject({
      code: "interrupted",
      suggestion: expect.stringContaining("ferry flow test watch"),
    });
    for (const running of there.prod.workflows.values())
      there.prod.workflows.put({ ...running, outcome: "FINISHED" });
    expect((await run(there.world, { flows: before() })).exitCode).toBe(exitCodes.done);
    expect(there.starts()).toBe(1);
    expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
  });

  test.each([
    ["a flow", { configuration: "Imprt" }, 'no documentation flow "Imprt" (Did you mean Import'],
    ["a connection", { connection: "dev-wh" }, 'no connection "dev-wh"'],
  ])("%s that the target does not have is said before anything is started", async (_what, wrong, message) => {
    const there = await flowWorld();
    const error = await refusal(
      run(there.world, { flows: { before: before().before, after: before(wrong).before } }),
    );
    expect(error).toMatchObject({ code: "selection" });
    expect(error.message).toContain(message);
    expect(there.starts()).toBe(0);
  });

  test("by URN needs no list of connections, and one that several have is not guessed", async () => {
    const there = await flowWorld();
    const urn = connection(there.prod, "prod-wh");
    await run(there.world, { flows: before({ connection: urn }) });
    expect(there.starts()).toBe(1);
    const other = there.prod.entities.get(urn);
    seed.seedConnection(there.prod, { name: "prod-wh", sourceUrn: other?.parentUrn ?? ("" as never) });
    expect((await refusal(run(there.world, { flows: before() }))).message).toContain(
      "2 of the target's connections",
    );
  });

  test("its connection is found through the items where connections cannot be listed", async () => {
    const there = await flowWorld();
    there.world.emulator.faults.add({
      match: { tenant: "prod", route: "GET /api/catalog/v1/entities" },
      effect: { type: "status", code: 403 },
    });
    await run(there.world, { select: { kinds: ["rules"] }, flows: before() });
    expect(there.starts()).toBe(1);
  });

  test("a person who does not agree to it has nothing started", async () => {
    const there = await flowWorld();
    const asked: string[] = [];
    const error = await refusal(
      run(
        there.world,
        { flows: before() },
        {
          confirmFlows: async (labels) => {
            asked.push(...labels);
            return false;
          },
        },
      ),
    );
    expect(error).toMatchObject({ code: "not-confirmed" });
    expect(asked).toEqual(['flow "Import" on "prod-wh"']);
    expect(there.starts()).toBe(0);
  });
});

describe("a flow after", () => {
  test("runs when something was written, and not otherwise", async () => {
    const there = await flowWorld();
    await lateTableOfBoth(there);
    const first = await run(there.world, { ...moved, flows: after() });
    expect(first.changes).toHaveLength(1);
    expect(there.starts()).toBe(1);
    const second = await run(there.world, { ...moved, flows: after() });
    expect(there.starts()).toBe(1);
    expect(second.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "flow-not-started",
        summary: expect.stringContaining("nothing was written"),
      }),
    );
    await run(there.world, { ...moved, flows: after({ run: "always" }) });
    expect(there.starts()).toBe(2);
  });

  /** Of a run that was killed right after the outcome of its nth request. */
  async function killedAfter(nth: number) {
    const there = await flowWorld();
    await lateTableOfBoth(there);
    const changes = { ...moved, flows: after() };
    const dying = there.world.migration(changes, killedAt("outcome:after", nth));
    await expect(applyPlan(dying, { confirm: async () => true })).rejects.toThrow("killed");
    return { there, changes };
  }

  test("runs when a killed run has written, and the next one finds nothing more to do", async () => {
    const { there, changes } = await killedAfter(1);
    expect(there.starts()).toBe(0);
    const next = await run(there.world, changes);
    expect(next.changes.filter(({ action }) => action !== "unchanged")).toEqual([]);
    expect(there.starts()).toBe(1);
    await run(there.world, changes);
    expect(there.starts()).toBe(1);
  });

  test("is not started a second time where the run was killed after it", async () => {
    const { there, changes } = await killedAfter(3);
    expect(there.starts()).toBe(1);
    await run(there.world, changes);
    expect(there.starts()).toBe(1);
  });

  test("that fails leaves what was done as it is, and the run red", async () => {
    const there = await flowWorld();
    await lateTableOfBoth(there);
    there.prod.quirks.workflowOutcome = "FAILED";
    const result = await run(there.world, { ...moved, flows: after() }, { verify: true });
    expect(result).toMatchObject({ exitCode: exitCodes.failed, changes: [{ outcome: "done" }] });
    expect(result.diagnostics).toContainEqual(expect.objectContaining({ code: "flow-failed" }));
    expect((await run(there.world, moved)).exitCode).toBe(exitCodes.done);
  });

  test("that does not end keeps the run open: 5, taken up by the next", async () => {
    const there = await flowWorld();
    await lateTableOfBoth(there);
    there.prod.quirks.workflowOutcome = "never";
    const changes = { ...moved, flows: after({ run: "always" }) };
    const first = await run(there.world, { ...changes, limits: { workflowMs: 150 } });
    expect(first.exitCode).toBe(exitCodes.interrupted);
    for (const running of there.prod.workflows.values())
      there.prod.workflows.put({ ...running, outcome: "FINISHED" });
    expect((await run(there.world, changes)).exitCode).toBe(exitCodes.done);
    expect(there.starts()).toBe(1);
  });
});

test("a diff says what would be started, and starts nothing", async () => {
  const there = await flowWorld();
  const flows = { before: before().before, after: after().after };
  const result = await diffPlan(there.world.migration({ flows }));
  expect(
    result.diagnostics.filter(({ code }) => code === "flow-starts").map(({ summary }) => summary),
  ).toEqual([
    'flow "Import" on "prod-wh" is started at prod before the target is read',
    'flow "Import" on "prod-wh" is started at prod when everything is applied, if anything was written',
  ]);
  expect(writes(there.world.emulator, "prod")).toEqual([]);
});

describe("a start whose answer is lost", () => {
  const losses: readonly (readonly [string, FaultEffect])[] = [
    ["committed, and the answer lost", { type: "drop-after-commit" }],
    ["lost before it arrived", { type: "drop-before-commit" }],
    ["committed later", { type: "late-commit", ms: 20 }],
    ["a gateway's error", { type: "status", code: 503, commit: true }],
    ["garbage", { type: "garbage" }],
    ["cut", { type: "truncate" }],
  ];

  test.each(losses)("%s: one workflow comes of it", async (_what, effect) => {
    const there = await flowWorld();
    there.world.emulator.faults.add({ match: { route: start }, when: { times: 1 }, effect });
    const result = await run(there.world, { flows: before() });
    expect(result.exitCode).toBe(exitCodes.done);
    expect(there.workflows()).toHaveLength(1);
  });

  test("is told from workflows that were there, and from runs of monitors", async () => {
    const there = await flowWorld();
    await run(there.world, { flows: before() });
    const primary = [...there.prod.items.values()][0]?.primaryMonitorUrn ?? ("" as never);
    whenSent(there, () => seed.seedRun(there.prod, primary, "never"));
    there.world.emulator.faults.add({
      match: { route: start },
      when: { times: 1 },
      effect: { type: "drop-after-commit" },
    });
    expect((await run(there.world, { flows: before() })).exitCode).toBe(exitCodes.done);
    expect(there.workflows().filter(({ name }) => name === "Import")).toHaveLength(2);
  });

  test.each([
    ["lost before it arrived", { type: "drop-before-commit" }, 1],
    ["committed, and the answer lost", { type: "drop-after-commit" }, 1],
  ] as const)("(%s) is not taken for another flow that somebody has started", async (_what, effect, made) => {
    const there = await flowWorld();
    there.world.emulator.faults.add({ match: { route: start }, when: { times: 1 }, effect });
    whenReceived(there, () => {
      const other = [...there.prod.flowConfigurations.values()].find(({ name }) => name !== "Import");
      startWorkflow(there.prod, {
        type: "DOCUMENTATION_FLOW",
        name: other?.name ?? "",
        subject: { configurationUrn: other?.urn ?? "" },
        jobs: [],
      });
    });
    const result = await run(there.world, { flows: before() });
    expect(result.exitCode).toBe(exitCodes.done);
    const ours = there.workflows().filter(({ name }) => name === "Import");
    expect(ours).toMatchObject([{ status: "FINISHED" }]);
    expect(ours).toHaveLength(made);
    expect(JSON.stringify(result.diagnostics)).toContain(ours[0]?.urn);
  });

  test("is not taken for one that was under way before, and behind so many newer ones that no first page shows it", async () => {
    const there = await flowWorld();
    const flow = [...there.prod.flowConfigurations.values()].find(({ name }) => name === "Import");
    const long = startWorkflow(there.prod, {
      type: "DOCUMENTATION_FLOW",
      name: "Import",
      subject: { configurationUrn: flow?.urn ?? "" },
      jobs: [],
    });
    const primary = [...there.prod.items.values()][0]?.primaryMonitorUrn ?? ("" as never);
    for (let newer = 0; newer < 100; newer += 1) seed.seedRun(there.prod, primary);
    there.world.emulator.faults.add({
      match: { route: start },
      when: { times: 1 },
      effect: { type: "drop-before-commit" },
    });
    const result = await run(there.world, { flows: before() });
    expect(result.exitCode).toBe(exitCodes.done);
    const ours = there.workflows().filter(({ name, urn }) => name === "Import" && urn !== long.urn);
    expect(ours).toMatchObject([{ status: "FINISHED" }]);
    expect(there.prod.workflows.get(long.urn)?.status).toBe("PENDING");
  });

  test("and that nobody can tell from another's ends with the candidates, and is never sent again by itself", async () => {
    const there = await flowWorld();
    there.world.emulator.faults.add({
      match: { route: start },
      when: { times: 1 },
      effect: { type: "drop-after-commit" },
    });
    whenSent(there, () => startAnother(there));
    const error = await refusal(run(there.world, { flows: before() }));
    expect(error).toMatchObject({ code: "in-doubt" });
    expect("details" in error && error.details).toHaveLength(2);
    for (const { urn } of there.workflows()) expect(JSON.stringify(error)).toContain(urn);
    expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.inDoubt);
    // A pair that is set meanwhile, by a plan that starts nothing, takes the start from no record.
    const term = { type: "businessTerm", name: "Ours" };
    const [source, target] = [seed.seedTerm(there.dev, term).urn, seed.seedTerm(there.prod, term).urn];
    await setMappings(there.world.migration(), [{ kind: "terms", source, target }]);
    // Whoever tries again is asked again.
    expect(await refusal(run(there.world, { flows: before() }))).toMatchObject({ code: "in-doubt" });
    expect(there.starts()).toBe(1);
  });
});

describe("killed", () => {
  test.each(["intent:after", "send:after", "outcome:before", "outcome:after"] as const)(
    "at %s: the next run takes it up, and one workflow comes of it",
    async (point) => {
      const there = await flowWorld();
      const changes = { flows: before() };
      const dying = there.world.migration(changes, {
        hooks: {
          reached: (at) => {
            if (at === point) throw new Error("killed");
          },
        },
      });
      await expect(applyPlan(dying, { confirm: async () => true })).rejects.toThrow("killed");
      expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.interrupted);
      const result = await run(there.world, changes);
      expect(result.exitCode).toBe(exitCodes.done);
      expect(there.workflows()).toHaveLength(1);
      expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
    },
  );

  test.each([
    ["goes on at the service", false, "RUNNING"],
    ["is cancelled where that is asked for", true, "CANCELED"],
  ] as const)("interrupted while it waits, it %s", async (_what, cancelFlows, status) => {
    const there = await flowWorld();
    there.prod.quirks.workflowOutcome = "never";
    const stop = new AbortController();
    let polls = 0;
    onTestFinished(
      there.world.emulator.on(({ entry }) => {
        if (entry.route === poll) polls += 1;
        if (polls > 4) stop.abort();
      }),
    );
    const { applyPlan } = await import("../../../src/operations/apply.ts");
    const migration = there.world.migration({ flows: before() }, { stop: stop.signal });
    const error = await refusal(applyPlan(migration, { confirm: async () => true, cancelFlows }));
    expect(error).toMatchObject({
      code: "interrupted",
      message: expect.stringContaining(
        cancelFlows ? "it was cancelled by the interrupt" : "it goes on at the service",
      ),
      suggestion: expect.stringContaining(cancelFlows ? "starts it anew" : "is taken up"),
    });
    expect(there.workflows()).toMatchObject([{ status }]);
    there.prod.quirks.workflowOutcome = "FINISHED";
    for (const running of there.prod.workflows.values())
      there.prod.workflows.put({ ...running, outcome: "FINISHED" });
    expect((await run(there.world, { flows: before() })).exitCode).toBe(exitCodes.done);
    expect(there.starts()).toBe(cancelFlows ? 2 : 1);
  });
});

/** A monitor on a table that both sides have. */
async function lateTableOfBoth(there: FlowWorld): Promise<void> {
  lateTable(there);
  await run(there.world, { select: { kinds: ["rules"] }, flows: before() });
  there.world.emulator.log.clear();
}

/** Right after the start has arrived. */
const whenSent = (there: FlowWorld, work: () => void): void => at("after-commit", there, work);
/** Whatever comes of it. */
const whenReceived = (there: FlowWorld, work: () => void): void => at("received", there, work);

function at(wanted: Phase, there: FlowWorld, work: () => void): void {
  let done = false;
  onTestFinished(
    there.world.emulator.on(({ entry, phase }) => {
      if (done || entry.route !== start || phase !== wanted) return;
      done = true;
      work();
    }),
  );
}

function startAnother({ prod }: FlowWorld): void {
  const [first] = [...prod.workflows.values()];
  if (first === undefined) throw new Error("nothing was started");
  prod.workflows.put({ ...first, urn: prod.newUrn("processing:workflow"), name: "Somebody's" });
}
