import { describe, expect, onTestFinished, test } from "vitest";
import { passTime } from "../../../src/emulator/processing/runs.ts";
import * as seed from "../../../src/emulator/seed.ts";
import { exitCodes } from "../../../src/model/result.ts";
import type { Result } from "../../../src/model/result.ts";
import { applyPlan } from "../../../src/operations/apply.ts";
import { diffPlan } from "../../../src/operations/diff.ts";
import { setMappings } from "../../../src/operations/mappings.ts";
import { rollbackRun } from "../../../src/operations/rollback.ts";
import { planStatus } from "../../../src/operations/status.ts";
import { killedAt } from "../rollback/support.ts";
import { refusal, run } from "../support.ts";
import type { PlanChanges, WorldOptions } from "../../support/world.ts";
import type { FlowWorld } from "./support.ts";
import { after, before, connection, flowWorld, lateTable, poll, start } from "./support.ts";

const moved = { select: { kinds: ["monitors"] } };
const followed = { ...moved, flows: after() };

const terms: PlanChanges = { select: { kinds: ["terms"] } };

/** Of the same two environments. */
function ofAnother(
  { world }: FlowWorld,
  changes = terms,
  options: WorldOptions = {},
): ReturnType<typeof world.migration> {
  return world.migration(changes, { ...options, plan: { ...world.plan(changes), name: "another" } });
}

/** A monitor to be moved, on a table that both sides have. */
async function readyWorld(): Promise<FlowWorld> {
  const there = await flowWorld();
  lateTable(there);
  await run(there.world, { select: { kinds: ["rules"] }, flows: before() });
  there.world.emulator.log.clear();
  return there;
}

/** One more of them. */
function another({ dev }: FlowWorld): void {
  const item = [...dev.items.values()].find(({ name }) => name === "LATE");
  if (item === undefined) throw new Error("the table is missing");
  seed.seedMonitor(dev, { catalogItemUrn: item.urn, name: "Another monitor" });
}

/** Whatever is under way comes to this end, and so does what is started from now on. */
function ends({ prod }: FlowWorld, outcome: "FINISHED" | "FAILED" | "CANCELED"): void {
  prod.quirks.workflowOutcome = outcome;
  for (const running of prod.workflows.values())
    if (running.outcome === "never") prod.workflows.put({ ...running, outcome });
  passTime(prod);
}

/** A run that has written, and whose flow did not end in time. */
async function left(there: FlowWorld): Promise<void> {
  there.prod.quirks.workflowOutcome = "never";
  const first = await run(there.world, { ...followed, limits: { workflowMs: 100 } });
  expect(first).toMatchObject({ exitCode: exitCodes.interrupted, changes: [{ outcome: "done" }] });
  expect(there.starts()).toBe(1);
}

const codes = ({ diagnostics }: Result): readonly string[] =>
  diagnostics.map(({ code }) => code).filter((code) => code.startsWith("flow-"));

/** What a diff says of it. */
async function ahead(there: FlowWorld): Promise<string | undefined> {
  const { diagnostics } = await diffPlan(there.world.migration(followed));
  return diagnostics.find(({ code }) => code === "flow-starts")?.summary;
}

/** The next runs find nothing more to write: the first starts it, and no other does. */
async function isMadeUpFor(there: FlowWorld, starts: number): Promise<void> {
  for (const told of ["flow-done", "flow-not-started"]) {
    const result = await run(there.world, followed);
    expect(result.changes.filter(({ action }) => action !== "unchanged")).toEqual([]);
    expect(result.exitCode).toBe(exitCodes.done);
    expect(codes(result)).toEqual([told]);
    expect(there.starts()).toBe(starts);
  }
  expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
}

describe("a flow that follows upon what was written", () => {
  test("is started though the same flow came before", async () => {
    const there = await readyWorld();
    const flows = { before: before().before, after: after().after };
    const first = await run(there.world, { ...moved, flows });
    expect(codes(first)).toEqual(["flow-done", "flow-done"]);
    expect(there.starts()).toBe(2);
    const second = await run(there.world, { ...moved, flows });
    expect(codes(second)).toEqual(["flow-done", "flow-not-started"]);
    expect(there.starts()).toBe(3);
  });

  test("is started once more where one of an earlier run was taken up, and something was written since", async () => {
    const there = await readyWorld();
    await left(there);
    another(there);
    ends(there, "FINISHED");
    const second = await run(there.world, followed);
    expect(second).toMatchObject({ exitCode: exitCodes.done, summary: { create: 1 } });
    expect(there.starts()).toBe(2);
    const third = await run(there.world, followed);
    expect(codes(third)).toEqual(["flow-not-started"]);
  });

  test("that failed is started by the next run, as often as it fails", async () => {
    const there = await readyWorld();
    ends(there, "FAILED");
    for (const starts of [1, 2]) {
      const result = await run(there.world, followed);
      expect(result.exitCode).toBe(exitCodes.failed);
      expect(there.starts()).toBe(starts);
      expect(await planStatus(there.world.migration())).toMatchObject({
        exitCode: exitCodes.interrupted,
        headline: expect.stringContaining("1 flow to be run"),
      });
    }
    expect(await ahead(there)).toMatch(/to follow upon what an earlier run has written$/);
    ends(there, "FINISHED");
    await isMadeUpFor(there, 3);
    expect(await ahead(there)).toMatch(/if anything was written$/);
  });

  test("that could not be started, since the service did not answer, is started by the next run", async () => {
    const there = await readyWorld();
    there.world.emulator.faults.add({
      match: { tenant: "prod", route: "GET /api/processing/v1/workflows" },
      when: { times: 1 },
      effect: { type: "status", code: 403 },
    });
    const first = await run(there.world, followed);
    expect(first).toMatchObject({ exitCode: exitCodes.permission, changes: [{ outcome: "done" }] });
    expect(there.starts()).toBe(0);
    await isMadeUpFor(there, 1);
  });

  test.each([
    ["failed", "FAILED"],
    ["was not come to, since the run was killed", undefined],
  ] as const)(
    "is started by the next run also where it %s, and a pair was set since",
    async (_what, outcome) => {
      const there = await readyWorld();
      if (outcome === undefined) {
        const dying = there.world.migration(followed, killedAt("outcome:after", 1));
        await expect(applyPlan(dying, { confirm: async () => true })).rejects.toThrow("killed");
      } else {
        ends(there, outcome);
        await run(there.world, followed);
      }
      const starts = there.starts();
      const pair = { source: connection(there.dev, "dev-wh"), target: connection(there.prod, "prod-wh") };
      expect(await setMappings(there.world.migration(followed), [pair])).toMatchObject({ exitCode: 0 });
      ends(there, "FINISHED");
      await isMadeUpFor(there, starts + 1);
    },
  );

  const byAnother: Readonly<Record<string, (there: FlowWorld) => Promise<Result>>> = {
    "has written": async (there) => {
      seed.seedTerm(there.dev, { type: "businessTerm", name: "Another" });
      return applyPlan(ofAnother(there), { confirm: async () => true });
    },
    "had nothing to write": async (there) => applyPlan(ofAnother(there), { confirm: async () => true }),
    "has set a pair": async (there) =>
      setMappings(ofAnother(there), [
        { source: connection(there.dev, "dev-wh"), target: connection(there.prod, "prod-wh") },
      ]),
    "has taken its run back": async (there) =>
      rollbackRun(ofAnother(there), { confirm: async () => true, allowDelete: true }),
  };
  test.each(
    Object.keys(byAnother).flatMap((what) =>
      ["failed", "was not come to, since the run was killed"].map((how) => [how, what] as const),
    ),
  )("is started by the next run also where it %s, and another plan %s since", async (how, what) => {
    const there = await readyWorld();
    seed.seedTerm(there.dev, { type: "businessTerm", name: "One" });
    await applyPlan(ofAnother(there), { confirm: async () => true });
    if (how === "failed") {
      ends(there, "FAILED");
      await run(there.world, followed);
    } else {
      const dying = there.world.migration(followed, killedAt("outcome:after", 1));
      await expect(applyPlan(dying, { confirm: async () => true })).rejects.toThrow("killed");
    }
    const starts = there.starts();
    for (const _ of [1, 2])
      expect(await byAnother[what]?.(there)).toMatchObject({ exitCode: exitCodes.done });
    expect(there.starts()).toBe(starts);
    expect((await planStatus(ofAnother(there))).exitCode).toBe(exitCodes.done);
    expect((await planStatus(there.world.migration(followed))).exitCode).toBe(exitCodes.interrupted);
    ends(there, "FINISHED");
    await isMadeUpFor(there, starts + 1);
  });

  test("is nothing to a plan that does not have it any more, also where another one ran since", async () => {
    const there = await readyWorld();
    ends(there, "FAILED");
    await run(there.world, followed);
    await applyPlan(ofAnother(there), { confirm: async () => true });
    expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.interrupted);
    expect((await run(there.world, moved)).exitCode).toBe(exitCodes.done);
    expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
  });

  test("is owed no more where the run of another plan has started it", async () => {
    const there = await readyWorld();
    ends(there, "FAILED");
    await run(there.world, followed);
    ends(there, "FINISHED");
    const flows = { ...terms, flows: after() };
    expect(codes(await applyPlan(ofAnother(there, flows), { confirm: async () => true }))).toEqual([
      "flow-done",
    ]);
    expect(codes(await run(there.world, followed))).toEqual(["flow-not-started"]);
  });

  test("does not follow upon what a run of another plan had begun, which has no such flow, and was refused or killed", async () => {
    const there = await readyWorld();
    ends(there, "FINISHED");
    expect(codes(await run(there.world, followed))).toEqual(["flow-done"]);
    seed.seedTerm(there.dev, { type: "businessTerm", name: "One" });
    const dying = ofAnother(there, terms, killedAt("intent:after", 1));
    await expect(applyPlan(dying, { confirm: async () => true })).rejects.toThrow("killed");
    const starts = there.starts();
    expect(codes(await run(there.world, followed))).toEqual(["flow-not-started"]);
    expect(there.starts()).toBe(starts);
  });

  test("is nothing to a plan that does not have it any more", async () => {
    const there = await readyWorld();
    ends(there, "FAILED");
    await run(there.world, followed);
    expect((await run(there.world, moved)).exitCode).toBe(exitCodes.done);
    expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
  });

  test("that somebody has cancelled meanwhile is started anew", async () => {
    const there = await readyWorld();
    await left(there);
    ends(there, "CANCELED");
    there.prod.quirks.workflowOutcome = "FINISHED";
    await isMadeUpFor(there, 2);
  });

  test("that has failed meanwhile ends the run that takes it up, and is started by the one after it", async () => {
    const there = await readyWorld();
    await left(there);
    ends(there, "FAILED");
    expect(await refusal(run(there.world, followed))).toMatchObject({ code: "flow-failed" });
    expect(there.starts()).toBe(1);
    ends(there, "FINISHED");
    await isMadeUpFor(there, 2);
  });

  test("that an interrupt has cancelled is started by the next run", async () => {
    const there = await readyWorld();
    there.prod.quirks.workflowOutcome = "never";
    const stop = new AbortController();
    let polls = 0;
    onTestFinished(
      there.world.emulator.on(({ entry }) => {
        if (entry.route === poll && (polls += 1) > 4) stop.abort();
      }),
    );
    const interrupted = await applyPlan(there.world.migration(followed, { stop: stop.signal }), {
      confirm: async () => true,
      cancelFlows: true,
    });
    expect(interrupted.exitCode).toBe(exitCodes.interrupted);
    expect(there.workflows().at(-1)).toMatchObject({ status: "CANCELED" });
    ends(there, "FINISHED");
    await isMadeUpFor(there, 2);
  });

  test("whose start was lost, and is known not to have arrived by the next run, is started by that", async () => {
    const there = await readyWorld();
    there.world.emulator.faults.add({
      match: { route: start },
      when: { times: 1 },
      effect: { type: "drop-before-commit" },
    });
    const stop = new AbortController();
    onTestFinished(
      there.world.emulator.on(({ entry }) => {
        if (entry.route === start) stop.abort();
      }),
    );
    const interrupted = await applyPlan(there.world.migration(followed, { stop: stop.signal }), {
      confirm: async () => true,
    });
    expect(interrupted.exitCode).toBe(exitCodes.interrupted);
    await isMadeUpFor(there, 2);
  });
});

describe("a flow that another plan of the same two environments owes", () => {
  const other = { select: { kinds: ["terms"] }, name: "other" };
  type Owes = readonly [string, (there: FlowWorld) => Promise<void>];

  const ways: readonly Owes[] = [
    [
      "since its run was killed before it",
      async (there) => {
        const dying = there.world.migration(followed, killedAt("outcome:after", 1));
        await expect(applyPlan(dying, { confirm: async () => true })).rejects.toThrow("killed");
      },
    ],
    [
      "since it failed",
      async (there) => {
        ends(there, "FAILED");
        expect((await run(there.world, followed)).exitCode).toBe(exitCodes.failed);
      },
    ],
  ];

  test.each(ways)("%s, is owed by that one, and run by its next run", async (_why, owes) => {
    const there = await readyWorld();
    await owes(there);
    const starts = there.starts();
    ends(there, "FINISHED");
    // Whether it has something to write or not, and as often as it runs.
    seed.seedTerm(there.dev, { name: "A term of the other plan" });
    for (const _ of [1, 2]) {
      expect((await run(there.world, other)).exitCode).toBe(exitCodes.done);
      expect(there.starts()).toBe(starts);
      expect((await planStatus(there.world.migration(other))).exitCode).toBe(exitCodes.done);
      expect(await planStatus(there.world.migration(followed))).toMatchObject({
        exitCode: exitCodes.interrupted,
        headline: expect.stringContaining("1 flow to be run"),
      });
    }
    expect(await ahead(there)).toMatch(/to follow upon what an earlier run has written$/);
    await isMadeUpFor(there, starts + 1);
  });

  test.each(ways)(
    "%s, is owed also after pairs were set, and rollbacks, by another one",
    async (_why, owes) => {
      const there = await readyWorld();
      await owes(there);
      const starts = there.starts();
      ends(there, "FINISHED");
      seed.seedTerm(there.dev, { name: "A term of the other plan" });
      const pair = { source: connection(there.dev, "dev-wh"), target: connection(there.prod, "prod-wh") };
      expect(await setMappings(there.world.migration(other), [pair])).toMatchObject({ exitCode: 0 });
      await run(there.world, other);
      const options = { confirm: async () => true, allowDelete: true };
      await rollbackRun(there.world.migration(other), options);
      await isMadeUpFor(there, starts + 1);
    },
  );

  test.each(ways)("%s, is not started twice where the other one runs it", async (_why, owes) => {
    const there = await readyWorld();
    await owes(there);
    const starts = there.starts();
    ends(there, "FINISHED");
    expect(codes(await run(there.world, { ...other, flows: before() }))).toEqual(["flow-done"]);
    expect(there.starts()).toBe(starts + 1);
    expect(codes(await run(there.world, followed))).toEqual(["flow-not-started"]);
  });

  test("is nothing to that one when it does not have it any more", async () => {
    const there = await readyWorld();
    ends(there, "FAILED");
    await run(there.world, followed);
    await run(there.world, other);
    expect((await run(there.world, moved)).exitCode).toBe(exitCodes.done);
    expect((await planStatus(there.world.migration(moved))).exitCode).toBe(exitCodes.done);
  });
});
