import { describe, expect, onTestFinished, test } from "vitest";
import type { FaultEffect } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Result } from "../../../src/model/result.ts";
import { exitCodes } from "../../../src/model/result.ts";
import { parityPlan } from "../../../src/operations/parity.ts";
import { planStatus } from "../../../src/operations/status.ts";
import { allOr, inWhole } from "../../support/whole.ts";
import { untakenDuring } from "../../support/untaken.ts";
import { run, writes } from "../support.ts";
import type { Moved } from "./support.ts";
import { changeAt, itemOf, keyIn, monitorBody, moved, requestsOf, seedPresent } from "./support.ts";

const start = "POST /api/data-quality/v1/catalog-items/:item/dq-monitors/:monitor/processings";
const poll = "GET /api/processing/v1/workflows/:urn";

/** A moved monitor whose original has run; nothing waits for the clock. */
async function ready(prepare?: Parameters<typeof moved>[1]): Promise<Moved> {
  const there = await moved(undefined, prepare);
  there.prod.quirks.workflowRetryAfter = 0;
  for (const { urn } of there.dev.monitors.values()) seed.seedRun(there.dev, urn);
  return there;
}

function startsAt(there: Moved): number {
  return requestsOf(there, "prod").filter((route) => route === start).length;
}

/** The most evaluations that were under way at once, from now on. */
function mostAtOnce({ world, prod }: Moved): () => number {
  let most = 0;
  onTestFinished(
    world.emulator.on(() => {
      const underWay = [...prod.workflows.values()].filter(({ status }) =>
        ["PENDING", "RUNNING"].includes(status),
      );
      most = Math.max(most, underWay.length);
    }),
  );
  return () => most;
}

function workflows(there: Moved): number {
  return [...there.prod.workflows.values()].length;
}

test("each moved monitor is run at the target once, awaited as the service asks, and compared; the source is not written", async () => {
  const there = await ready((dev) => seedMany(dev, 5));
  const first = await there.parity({ run: true });
  expect(first.exitCode).toBe(exitCodes.done);
  expect(told(first)).toEqual([]);
  expect(first.parity?.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => "equal"));
  expect(startsAt(there)).toBe(6);
  // PENDING, RUNNING, FINISHED: asked when the service says, and no more often.
  expect(requestsOf(there, "prod").filter((route) => route === poll)).toHaveLength(18);
  expect(writes(there.world.emulator, "dev")).toEqual([]);
  expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
  // Asked again it is done again.
  await there.parity({ run: true });
  expect(startsAt(there)).toBe(12);
});

inWhole("no more run at once than requests may be in flight", async () => {
  const there = await moved(undefined, (dev) => seedMany(dev, 9));
  there.prod.quirks.workflowRetryAfter = 0;
  const most = mostAtOnce(there);
  const migration = there.world.migration({
    select: { kinds: ["rules", "monitors"] },
    limits: { concurrency: 3 },
  });
  await parityPlan(migration, { run: true });
  expect(workflows(there)).toBe(10);
  expect(most()).toBeGreaterThan(1);
  expect(most()).toBeLessThanOrEqual(3);
});

const losses: readonly (readonly [string, FaultEffect])[] = [
  ["committed, and the answer lost", { type: "drop-after-commit" }],
  ["lost before it arrived", { type: "drop-before-commit" }],
  ["committed later than the answer was lost", { type: "late-commit", ms: 20 }],
  ["a gateway's error after it was done", { type: "status", code: 504, commit: true }],
  ["a page of HTML", { type: "garbage" }],
  ["an answer that is cut", { type: "truncate" }],
];

test.each(allOr(losses, (_loss, index) => index < 2))(
  "a start that is %s: one run comes of it",
  async (_what, effect) => {
    const there = await ready();
    there.world.emulator.faults.add({ match: { tenant: "prod", route: start }, when: { times: 1 }, effect });
    const result = await there.parity({ run: true });
    expect(result).toMatchObject({ exitCode: exitCodes.done, parity: [{ outcome: "equal" }] });
    expect(workflows(there)).toBe(1);
  },
);

test("of runs that a schedule began meanwhile any serves, and none is started besides", async () => {
  const there = await ready();
  const stop = there.world.emulator.faults.add({
    match: { tenant: "prod", route: start },
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
  onTestFinished(stop);
  const migration = there.world.migration(
    { select: { kinds: ["rules", "monitors"] } },
    {
      hooks: {
        reached: (point) => {
          if (point === "send:after") seed.seedRun(there.prod, there.target);
        },
      },
    },
  );
  const result = await parityPlan(migration, { run: true });
  expect(result.exitCode).toBe(exitCodes.done);
  expect(startsAt(there)).toBe(1);
});

test.each(
  allOr(
    ["intent:after", "send:after", "outcome:before", "outcome:after"] as const,
    (point) => point === "send:after",
  ),
)("killed at %s, the next run takes it up and starts nothing twice", async (point) => {
  const there = await ready();
  const dying = there.world.migration(
    { select: { kinds: ["rules", "monitors"] } },
    {
      hooks: {
        reached: (at) => {
          if (at === point) throw new Error("killed");
        },
      },
    },
  );
  await expect(parityPlan(dying, { run: true })).rejects.toThrow("killed");
  expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.interrupted);
  const result = await there.parity({ run: true });
  expect(result.exitCode).toBe(exitCodes.done);
  expect(workflows(there)).toBe(1);
  expect(startsAt(there)).toBe(1);
  expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
});

test("interrupted while it waits, it leaves the run at the service, and the next one takes it up", async () => {
  const there = await ready();
  there.prod.quirks.workflowOutcome = "never";
  const stop = new AbortController();
  const migration = there.world.migration(
    { select: { kinds: ["rules", "monitors"] } },
    { stop: stop.signal },
  );
  onTestFinished(
    there.world.emulator.on(({ entry }) => {
      if (entry.route === poll) stop.abort();
    }),
  );
  await expect(parityPlan(migration, { run: true })).rejects.toThrow(/interrupted while evaluations/);
  const [running] = [...there.prod.workflows.values()];
  expect(running?.status).toMatch(/PENDING|RUNNING/);
  if (running !== undefined)
    there.prod.workflows.put({ ...(there.prod.workflows.get(running.urn) ?? running), outcome: "FINISHED" });
  const result = await there.parity({ run: true });
  expect(result).toMatchObject({ exitCode: exitCodes.done, parity: [{ outcome: "equal" }] });
  expect(workflows(there)).toBe(1);
});

test("interrupted while it looks into what differs, it says so, and leaves nothing that nobody catches", async () => {
  const there = await moved();
  there.runBoth(0, 0.5, 200);
  const stop = new AbortController();
  const changes = { select: { kinds: ["rules", "monitors"] } };
  const migration = there.world.migration(changes, { stop: stop.signal });
  onTestFinished(
    there.world.emulator.on(({ phase, entry }) => {
      if (phase === "received" && entry.path.endsWith("/processings")) stop.abort();
    }),
  );
  const uncaught = await untakenDuring(() =>
    expect(parityPlan(migration)).rejects.toMatchObject({ kind: "aborted" }),
  );
  expect({ aborted: stop.signal.aborted, uncaught }).toEqual({ aborted: true, uncaught: [] });
});

test("one that never ends has a limit: exit code 5, taken up again, and its older results are not taken for it", async () => {
  const there = await ready();
  seed.seedRun(there.prod, there.target);
  there.prod.quirks.workflowOutcome = "never";
  const changes = { select: { kinds: ["rules", "monitors"] }, limits: { workflowMs: 150 } };
  const once = async () => {
    const migration = there.world.migration(changes);
    return parityPlan(migration, { run: true });
  };
  const first = await once();
  expect(first).toMatchObject({
    exitCode: exitCodes.interrupted,
    parity: [
      {
        outcome: "not-comparable",
        reason: expect.stringContaining("has not ended: accepted by the service, not finished within 0.15 s"),
      },
    ],
    next: ["ferry parity test --run"],
  });
  expect(told(first)).toEqual(["evaluation-running"]);
  const running = [...there.prod.workflows.values()].find(({ outcome }) => outcome === "never");
  if (running !== undefined) there.prod.workflows.put({ ...running, outcome: "FINISHED" });
  expect(await once()).toMatchObject({ exitCode: exitCodes.done });
  expect(startsAt(there)).toBe(1);
});

test("one that fails tells its failed job and the reason, and is not compared", async () => {
  const there = await ready();
  seed.seedRun(there.prod, there.target);
  there.prod.quirks.workflowOutcome = "FAILED";
  const result = await there.parity({ run: true });
  expect(result).toMatchObject({ exitCode: exitCodes.partial, parity: [{ outcome: "not-comparable" }] });
  expect(result.parity?.[0]?.reason).toContain(
    "it FAILED: DQ evaluation: Evaluate: The data source did not answer.",
  );
  expect(told(result)).toEqual(["evaluation-failed"]);
});

inWhole.each(["CANCELED", "SKIPPED"] as const)("one that is %s is said to be", async (outcome) => {
  const there = await ready();
  there.prod.quirks.workflowOutcome = outcome;
  const result = await there.parity({ run: true });
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.parity?.[0]?.reason).toContain(`did not finish: it was ${outcome}`);
});

test("a service that does not offer the start is asked once; the last runs are compared, and that is said", async () => {
  const there = await ready((dev) => seedMany(dev, 3));
  for (const { urn, published } of there.prod.monitors.values())
    if (published !== undefined) seed.seedRun(there.prod, urn);
  there.prod.quirks.startsEvaluations = false;
  const result = await there.parity({ run: true });
  expect(startsAt(there)).toBe(1);
  expect(result.exitCode).toBe(exitCodes.done);
  expect(told(result)).toEqual(["evaluation-not-offered"]);
  expect(result.diagnostics[0]?.summary).toContain("404");
  expect(result.diagnostics[0]?.suggestion).toContain("ferry parity test");
});

test("a start that may not be made is said, and the journal is left clean", async () => {
  const there = await ready();
  there.world.emulator.faults.add({
    match: { tenant: "prod", route: start },
    effect: { type: "status", code: 403 },
  });
  const result = await there.parity({ run: true });
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.parity?.[0]?.reason).toContain("no evaluation was started at prod");
  expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
});

test("a run that evaluated nothing is not replaced by last week's", async () => {
  const there = await ready();
  seed.seedRun(there.prod, there.target);
  const instance = keyIn(there.prod, there.target, "manualRuleInstances");
  changeAt(there.prod, there.target, { manualRuleInstances: { [instance]: { enabled: false } } });
  const result = await there.parity({ run: true });
  expect(startsAt(there)).toBe(1);
  expect(result).toMatchObject({ exitCode: exitCodes.partial, parity: [{ outcome: "not-comparable" }] });
  expect(result.parity?.[0]?.reason).toMatch(/the evaluation was SKIPPED; there are only older results \(/);
});

test("what somebody else has started later may be compared in its place", async () => {
  const there = await ready();
  onTestFinished(
    there.world.emulator.on(({ entry }) => {
      if (entry.route === poll && workflows(there) === 1 && statusOf(there) === "FINISHED")
        seed.seedRun(there.prod, there.target);
    }),
  );
  const result = await there.parity({ run: true });
  expect(workflows(there)).toBe(2);
  expect(result).toMatchObject({ exitCode: exitCodes.done, parity: [{ outcome: "equal" }] });
});

describe("a run that was left by an earlier one, of a monitor that was changed since", () => {
  const changes: readonly (readonly [string, (there: Moved) => void])[] = [
    ["itself", ({ dev, source }) => changeAt(dev, source, thresholdOf(dev, source))],
    ["by a rule that it uses", ({ dev }) => changeRule(dev)],
  ];

  inWhole.each(changes)(
    "%s, comes to its end, and only then another one is started",
    async (_what, change) => {
      const there = await ready();
      await interrupted(there);
      change(there);
      expect((await run(there.world, selected)).changes).toMatchObject([
        { action: "update", outcome: "done" },
      ]);
      seed.seedRun(there.dev, there.source);
      const before = there.prod.workflows.valuesIn(`subject:${there.target}`).map(({ urn }) => urn);
      expect(before).toHaveLength(1);
      const most = mostAtOnce(there);
      const left = [...there.prod.workflows.values()];
      for (const row of left) there.prod.workflows.put({ ...row, outcome: "FINISHED" });
      there.prod.quirks.workflowOutcome = "FINISHED";
      const result = await there.parity({ run: true });
      expect(result).toMatchObject({ exitCode: exitCodes.done, parity: [{ outcome: "equal" }] });
      expect([startsAt(there), workflows(there), most()]).toEqual([2, 2, 1]);
      // The journal holds the apply, too: the next one puts it in order.
      await run(there.world, selected);
      expect((await planStatus(there.world.migration())).exitCode).toBe(exitCodes.done);
    },
  );

  inWhole("is waited for no longer than any other, and nothing is started beside it", async () => {
    const there = await ready();
    await interrupted(there);
    changeAt(there.prod, there.target, thresholdOf(there.prod, there.target));
    const migration = there.world.migration({ ...selected, limits: { workflowMs: 150 } });
    const result = await parityPlan(migration, { run: true });
    expect(result).toMatchObject({
      exitCode: exitCodes.interrupted,
      parity: [{ outcome: "not-comparable", reason: expect.stringContaining("has not ended") }],
    });
    expect(startsAt(there)).toBe(1);
  });
});

const selected = { select: { kinds: ["rules", "monitors"] } };

/** It is under way, and nobody waits for it. */
async function interrupted(there: Moved): Promise<void> {
  there.prod.quirks.workflowOutcome = "never";
  const stop = new AbortController();
  const off = there.world.emulator.on(({ entry }) => {
    if (entry.route === poll) stop.abort();
  });
  const migration = there.world.migration(selected, { stop: stop.signal });
  await expect(parityPlan(migration, { run: true })).rejects.toThrow(/interrupted while evaluations/);
  off();
}

function statusOf(there: Moved): string | undefined {
  return [...there.prod.workflows.values()].at(-1)?.status;
}

function thresholdOf(tenant: Moved["dev"], monitor: Moved["source"]): JsonObject {
  return { overallDqThresholds: { [keyIn(tenant, monitor, "overallDqThresholds")]: { value: 50 } } };
}

/** Published in the web application. */
function changeRule(tenant: Moved["dev"]): void {
  const rule = [...tenant.rules.values()].find(({ published }) => published?.["name"] === "Is present");
  if (rule?.published === undefined) throw new Error("no rule");
  tenant.rules.put({ ...rule, published: { ...rule.published, description: "Says more." } });
}

/** Beside what is always said here: the primary monitors of the estate evaluate nothing. */
function told({ diagnostics }: Result): readonly string[] {
  return diagnostics.map(({ code }) => code).filter((code) => code !== "evaluates-nothing");
}

function seedMany(dev: Moved["dev"], count: number): void {
  const rule = seedPresent(dev, "Many are present");
  const catalogItemUrn = itemOf(dev).urn;
  for (let index = 0; index < count; index += 1)
    seed.seedMonitor(dev, { ...monitorBody(dev, rule), catalogItemUrn, name: `Many ${index}` });
}
