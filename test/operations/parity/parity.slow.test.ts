import { describe, expect, onTestFinished, test } from "vitest";
import type { Tenant } from "../../../src/emulator/index.ts";
import { cell, tableOf } from "../../../src/emulator/quality/evaluation/table.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { RunOutcome } from "../../../src/emulator/state.ts";
import { exitCodes } from "../../../src/model/result.ts";
import { parityPlan } from "../../../src/operations/parity.ts";
import { world } from "../../support/world.ts";
import type { Moved } from "./support.ts";
import {
  attributeUrn,
  changeAt,
  column,
  itemOf,
  keyIn,
  monitorBody,
  moved,
  requestsOf,
  seedPresent,
} from "./support.ts";

const api = "/api/data-quality/v1";
const bulk = `POST ${api}/results/dq-evaluation/bulk`;

describe("two sides that are compared", () => {
  test("say the same where configuration and data are the same, with a page and a request a hundred pairs", async () => {
    const there = await moved();
    there.runBoth(0.1);
    const result = await there.parity();
    expect(result).toMatchObject({
      exitCode: exitCodes.done,
      parity: [
        {
          kind: "monitors",
          source: { urn: there.source, name: "Customers" },
          target: { urn: there.target, name: "Customers" },
          outcome: "equal",
          differences: [],
          quality: { source: expect.any(Number), target: expect.any(Number) },
        },
      ],
    });
    const list = [`GET ${api}/dq-dimensions`, `GET ${api}/dq-monitors`, bulk];
    expect(requestsOf(there, "dev").toSorted()).toEqual(list);
    expect(requestsOf(there, "prod").toSorted()).toEqual(list);
  });

  test("differ where the data do, explained down to the rule instance; nothing is written", async () => {
    const there = await moved();
    there.runBoth(0, 0.5, 200);
    const pair = await there.pair();
    expect(pair.exitCode).toBe(exitCodes.expectation);
    expect(pair.outcome).toBe("different");
    expect(pair.quality.source).toBe(100);
    const failed = pair.counts.target?.failed ?? 0;
    expect(failed).toBeGreaterThan(60);
    expect(pair.reason).toContain('"E-mail is there"');
    expect(pair.differences.map(({ what, path }) => [what, ...path])).toEqual([
      ["quality"],
      ["dimension", "Completeness"],
      ["attribute", column],
      ["rule-instance", "E-mail is there"],
      ["finding", "E-mail is there", "ERROR 95 %"],
      ["finding", "WARNING 90 %"],
    ]);
    expect(pair.insight).toMatchObject({
      instances: [
        {
          name: "E-mail is there",
          rule: "Is present",
          terms: [],
          attributes: [column],
          source: { passed: 200, failed: 0 },
          target: { passed: 200 - failed, failed },
          results: [
            { name: "Complete", source: 200, target: 200 - failed, passes: true },
            { name: "Not Complete", source: 0, target: failed, passes: false },
          ],
          explanations: [{ name: "Value is missing", target: failed }],
        },
      ],
      findings: [{ threshold: { source: { value: 90, severity: "WARNING" } }, status: { target: "ACTIVE" } }],
    });
    expect(
      there.world.emulator.log.entries
        .filter(({ method }) => method !== "GET")
        .map(({ path }) => path.split("/").at(-1)),
    ).toSatisfy((paths: string[]) => paths.every((path) => ["bulk", "token"].includes(path)));
  });

  test("may lie as far apart as the tolerance, and not a record further", async () => {
    const there = await moved();
    there.runBoth(0, 0.02, 1_000);
    const { counts } = await there.pair({ tolerance: 100 });
    const apart = (counts.target?.failed ?? 0) / 10;
    const within = await there.pair({ tolerance: apart });
    expect(within.outcome).toBe("equal");
    expect(within.reason).toContain(`within ${apart} points (100.00 % and ${(100 - apart).toFixed(2)} %)`);
    expect((await there.pair({ tolerance: apart - 0.1 })).outcome).toBe("different");
    expect((await there.pair({ tolerance: 0 })).outcome).toBe("different");
  });

  test("say the same of data of another size, which is told", async () => {
    const there = await moved();
    there.runBoth(0);
    seed.seedTable(there.prod, there.items.prod.urn, { rows: 20 });
    seed.seedRun(there.prod, there.target);
    const pair = await there.pair();
    expect(pair).toMatchObject({
      outcome: "equal",
      counts: { source: { passed: 200 }, target: { passed: 20 } },
    });
    expect(pair.reason).toContain("over 200 records and 20");
  });

  test("differ by what somebody changed at the target: a parameter, a threshold", async () => {
    const there = await moved();
    const { prod, target } = there;
    const instance = keyIn(prod, target, "manualRuleInstances");
    const value = keyIn(prod, target, "manualRuleInstances", instance, "parameterValues");
    const overall = keyIn(prod, target, "overallDqThresholds");
    changeAt(prod, target, {
      manualRuleInstances: { [instance]: { parameterValues: { [value]: { value: 99 } } } },
      overallDqThresholds: { [overall]: { value: 99 } },
    });
    there.runBoth(0, 0.5);
    expect((await there.pair()).differences).toEqual(
      expect.arrayContaining([
        { what: "parameter", path: ["E-mail is there", "limit"], source: 10, target: 99 },
        { what: "threshold", path: [], source: "WARNING 90 %", target: "WARNING 99 %" },
      ]),
    );
  });

  test("differ by a result of a dimension that counts otherwise, whatever the figures say", async () => {
    const there = await moved();
    const { prod } = there;
    there.runBoth(0);
    const found = [...prod.dimensions.values()].find(({ name }) => name === "Completeness");
    if (found === undefined) throw new Error("no dimension");
    prod.dimensions.put({
      ...found,
      results: found.results.map((result) => ({ ...result, passedOverallResult: true })),
    });
    const pair = await there.pair();
    expect(pair).toMatchObject({ outcome: "different", exitCode: exitCodes.expectation });
    expect(pair.differences).toContainEqual({
      what: "result-flag",
      path: ["Completeness", "Not Complete"],
      source: "failed",
      target: "passed",
    });
    expect(pair.reason).toContain('"Completeness: Not Complete"');
  });

  test.each(["dev", "prod"] as const)(
    "of a monitor that is switched off at %s are older ones, which is told",
    async (side) => {
      const there = await moved();
      there.runBoth(0);
      const monitor = side === "dev" ? there.source : there.target;
      const instance = keyIn(there[side], monitor, "manualRuleInstances");
      changeAt(there[side], monitor, { manualRuleInstances: { [instance]: { enabled: false } } });
      const { outcome, reason } = await there.pair();
      expect(outcome).toBe("equal");
      expect(reason).toContain(`no rule of it is switched on at ${side} by now: its results there are older`);
    },
  );

  test("use the run that bulk names, not the newest one", async () => {
    const there = await moved();
    there.runBoth(0, 0.5);
    seed.seedTable(there.prod, there.items.prod.urn, { empty: {} });
    seed.seedRun(there.prod, there.target, "never");
    expect(await there.pair()).toMatchObject({ outcome: "different" });
    expect(there.world.emulator.log.entries.some(({ path }) => path.includes("latest"))).toBe(false);
  });

  test("are looked back at: the last runs of both sides, the oldest first", async () => {
    const there = await moved();
    there.runBoth(0);
    seed.seedRun(there.prod, there.target, "FAILED");
    there.runBoth(0, 0.5);
    const { trend } = await there.pair();
    expect(trend?.source?.map(({ percent }) => percent)).toEqual([100, 100]);
    expect(trend?.target?.map(({ percent }) => percent === 100)).toEqual([true, false]);
  });
});

describe("what cannot be compared is said with its reason, and is no difference", () => {
  const ends: readonly (readonly [RunOutcome | "none", string])[] = [
    ["none", "it has never run at"],
    ["never", "is waiting to start"],
    ["FAILED", "has FAILED"],
    ["CANCELED", "the evaluation was SKIPPED"],
    ["SKIPPED", "the evaluation was SKIPPED"],
  ];
  const sides = ["dev", "prod"] as const;

  test.each(sides.flatMap((side) => ends.map((row) => [side, ...row] as const)))(
    "at %s a run that ended %s: %s",
    async (side, outcome, reason) => {
      const there = await moved();
      for (const one of sides) {
        const urn = one === "dev" ? there.source : there.target;
        if (one !== side) seed.seedRun(there[one], urn);
        else if (outcome !== "none") seed.seedRun(there[one], urn, outcome);
      }
      const pair = await there.pair();
      expect(pair).toMatchObject({ outcome: "not-comparable", differences: [], exitCode: exitCodes.partial });
      expect(pair.reason).toContain(reason);
      expect(pair.reason).toContain(side);
    },
  );

  test.each(["INITIALIZING", "ENQUEUED", "RUNNING", "FAILED", "SKIPPED", "ARCHIVED"])(
    "an evaluation of the named run that is %s after all",
    async (state) => {
      const there = await moved();
      there.runBoth(0, 0.5);
      there.prod.quirks.evaluationState = () => state;
      const pair = await there.pair();
      expect(pair).toMatchObject({ outcome: "not-comparable", exitCode: exitCodes.partial });
      expect(pair.reason).toMatch(/the evaluation of its run at prod (?:is|has|was) /);
      // Results are retrieved only of what is FINISHED.
      expect(requestsOf(there, "prod").filter((route) => route.endsWith("/dq-evaluation"))).toHaveLength(
        // Those of the trend.
        1,
      );
    },
  );

  test.each([
    ["its results (404)", "/results$/", 404, "are not there (404)"],
    ["its evaluation (404)", "/results/dq-evaluation$/", 404, "has no evaluation results (404)"],
    ["the bulk results (403)", "/dq-evaluation/bulk$/", 403, "cannot be read at dev"],
    ["the bulk results (400)", "/dq-evaluation/bulk$/", 400, "cannot be read at dev"],
  ])("one side that does not give %s", async (_what, path, code, reason) => {
    const there = await moved();
    there.runBoth(0, 0.5);
    there.world.emulator.faults.add({ match: { tenant: "dev", path }, effect: { type: "status", code } });
    const pair = await there.pair();
    expect(pair.reason).toContain(reason);
    expect(pair).toMatchObject({ outcome: "not-comparable", exitCode: exitCodes.partial });
  });

  test.each([
    ["its evaluation", "/results/dq-evaluation$/"],
    ["the monitor", `/dq-monitors/[^/]+$/`],
  ])("figures that differ do, also where a closer look is refused at one side: %s", async (_what, path) => {
    const there = await moved();
    there.runBoth(0, 0.5);
    there.world.emulator.faults.add({
      match: { tenant: "dev", path },
      effect: { type: "status", code: 403 },
    });
    const pair = await there.pair();
    expect(pair).toMatchObject({ outcome: "different", exitCode: exitCodes.expectation });
    expect(pair.differences.map(({ what }) => what)).toContain("quality");
    expect(pair.reason).toContain("why cannot be looked into:");
    expect(pair.reason).toContain("cannot be read at dev");
  });

  test("what may not be read is asked for once, however many pairs there are", async () => {
    const there = await moved(undefined, (dev) => seedMany(dev, 250));
    there.world.emulator.faults.add({
      match: { tenant: "prod", route: bulk },
      effect: { type: "status", code: 403 },
    });
    const result = await there.parity();
    expect(result.parity).toHaveLength(251);
    expect(result.parity?.every(({ outcome }) => outcome === "not-comparable")).toBe(true);
    // Two batches were under way when the first answer came.
    expect(requestsOf(there, "prod").filter((route) => route === bulk).length).toBeLessThanOrEqual(2);
  });

  test("a pair that bulk leaves out although its run is FINISHED", async () => {
    const there = await moved();
    there.runBoth(0);
    there.prod.workflows.put({
      ...lastRun(there),
      subject: { ...lastRun(there).subject, catalogItemUrn: "urn:x" },
    });
    const pair = await there.pair();
    expect(pair).toMatchObject({ outcome: "not-comparable" });
    expect(pair.reason).toContain("leave it out, although its last run");
  });

  test("a monitor that is not there any more", async () => {
    const there = await moved();
    there.runBoth(0);
    there.prod.monitors.delete(there.target);
    expect(await there.pair()).toMatchObject({
      outcome: "not-comparable",
      reason: "prod does not have it any more",
      exitCode: exitCodes.partial,
    });
  });

  test("a run over no record", async () => {
    const there = await moved();
    there.runBoth(0);
    seed.seedTable(there.prod, there.items.prod.urn, { rows: 0 });
    seed.seedRun(there.prod, there.target);
    expect((await there.pair()).reason).toBe("no record was evaluated at prod");
  });

  test("what evaluates nothing at either side is counted and no pair", async () => {
    const there = await moved(undefined, (dev) => {
      const catalogItemUrn = itemOf(dev).urn;
      seed.seedMonitor(dev, {
        catalogItemUrn,
        name: "Profile",
        profilingConfiguration: { enabled: true, type: "FULL" },
      });
    });
    there.runBoth(0);
    const result = await there.parity();
    expect(result.exitCode).toBe(exitCodes.done);
    expect(result.parity?.map(({ source }) => source.name)).toEqual(["Customers"]);
    expect(result.diagnostics).toMatchObject([{ code: "evaluates-nothing", severity: "info" }]);
  });

  test("nothing was moved yet", async () => {
    const there = await world("empty", { kept: "memory" });
    onTestFinished(() => there.close());
    const result = await parityPlan(there.migration());
    expect(result).toMatchObject({ exitCode: exitCodes.done, parity: [], next: ["ferry apply test"] });
  });
});

describe("pairs and names", () => {
  test("a hundred pairs a request at both sides", async () => {
    const there = await moved(undefined, (dev) => seedMany(dev, 250));
    for (const tenant of [there.dev, there.prod])
      for (const { urn, published } of tenant.monitors.values())
        if (JSON.stringify(published?.["name"]).startsWith('"Many')) seed.seedRun(tenant, urn);
    there.runBoth(0);
    const result = await there.parity();
    expect(result.parity?.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 251 }, () => "equal"));
    for (const side of ["dev", "prod"])
      expect(requestsOf(there, side).filter((route) => route === bulk)).toHaveLength(3);
  });

  test("primary monitors that no list shows are found through their items", async () => {
    const there = await moved({ select: { kinds: ["rules", "monitors"] } }, (dev) => {
      const rule = seedPresent(dev, "Is present, too");
      seed.seedPrimaryMonitor(dev, itemOf(dev).urn, monitorBody(dev, rule));
    });
    there.runBoth(0);
    for (const tenant of [there.dev, there.prod]) {
      seed.seedRun(tenant, itemOf(tenant).primaryMonitorUrn ?? ("" as never));
      tenant.quirks.listsPrimaries = false;
    }
    const result = await there.parity();
    const primary = result.parity?.find(
      ({ kind, source }) => kind === "primary-monitors" && source.name.startsWith("CUSTOMER ("),
    );
    expect(primary).toMatchObject({ outcome: "equal", quality: { source: 100, target: 100 } });
  });

  test("dimensions are named by the evaluations where no list of them is offered", async () => {
    const there = await moved();
    there.runBoth(0);
    for (const tenant of [there.dev, there.prod]) tenant.quirks.absent = [`${api}/dq-dimensions`];
    expect(await there.pair()).toMatchObject({ outcome: "equal", dimensions: [{ name: "Completeness" }] });
  });

  test("where nobody names them they cannot be compared, and nothing is called the same", async () => {
    const there = await moved();
    const { prod } = there;
    there.runBoth(0);
    // What counts otherwise shows nowhere but in the dimension.
    const found = [...prod.dimensions.values()].find(({ name }) => name === "Completeness");
    if (found === undefined) throw new Error("no dimension");
    const results = found.results.map((result) => ({ ...result, passedOverallResult: true }));
    prod.dimensions.put({ ...found, results });
    prod.quirks.absent = [`${api}/dq-dimensions`];
    there.world.emulator.faults.add({
      match: { tenant: "prod", path: "/dq-evaluation$/" },
      effect: { type: "status", code: 403 },
    });
    const pair = await there.pair();
    expect(pair).toMatchObject({
      outcome: "not-comparable",
      exitCode: exitCodes.partial,
      dimensions: [],
      quality: { source: 100, target: 100 },
    });
    expect(pair.reason).toContain("prod names 1 of its dimensions nowhere");
    expect(pair.reason).toContain("cannot be read at prod");
    expect(pair.reason).not.toContain("dimensions are");
  });

  test("nor can those whose counts neither side tells", async () => {
    const there = await moved();
    there.runBoth(0);
    const migration = there.world.migration({ select: { kinds: ["rules", "monitors"] } });
    const [source, targetReads] = [migration.source(), migration.targetReads()].map((client) => {
      const results: typeof client.quality.results = async (places) =>
        (await client.quality.results(places)).map((entry) => ({ ...entry, dimensionResults: [{}] }));
      return () => ({ ...client, quality: { ...client.quality, results } });
    });
    const { parity } = await parityPlan(Object.assign(migration, { source, targetReads }));
    expect(parity).toMatchObject([{ outcome: "not-comparable" }]);
    expect(parity?.[0]?.reason).toMatch(
      /^quality is the same, its dimensions cannot be compared: .* cannot be read/,
    );
  });
});

describe("samples", () => {
  test("show what both sides leave open, and nothing that one of them protects", async () => {
    const there = await moved();
    const { dev, prod } = there;
    seed.seedProtection(dev, attributeUrn(dev, "PHONE"), "CLASSIFIED");
    seed.seedProtection(prod, attributeUrn(prod, "FIRST_NAME"), "PROTECTED");
    there.runBoth(0.2, 0.6);
    const { insight, exitCode } = await there.pair({ samples: 3 });
    expect(exitCode).toBe(exitCodes.expectation);
    const samples = insight?.samples;
    expect(samples?.hidden.toSorted()).toEqual(["FIRST_NAME", "PHONE"]);
    expect(samples?.columns).toContain(column);
    expect(samples?.rows.source).toHaveLength(3);
    expect(samples?.rows.target).toHaveLength(3);
    expect(samples?.rows.target?.[0]?.invalid).toEqual(["E-mail is there: Value is missing"]);
    const at = samples?.columns.indexOf(column) ?? -1;
    expect(samples?.rows.target?.map(({ values }) => values[at])).toEqual([null, null, null]);
    for (const tenant of [dev, prod])
      for (const value of secretValues(tenant))
        expect(JSON.stringify(insight)).not.toContain(JSON.stringify(value));
  });

  test("are not asked for unless somebody wants them", async () => {
    const there = await moved();
    there.runBoth(0, 0.5);
    expect((await there.pair()).insight?.samples).toBeUndefined();
    expect(requestsOf(there, "prod").some((route) => route.includes("invalid-samples"))).toBe(false);
  });

  test("that cannot be read are noted beside what was found out", async () => {
    const there = await moved();
    there.runBoth(0, 0.5);
    there.world.emulator.faults.add({
      match: { tenant: "prod", path: "/invalid-samples/" },
      effect: { type: "status", code: 403 },
    });
    const pair = await there.pair({ samples: 3 });
    expect(pair.outcome).toBe("different");
    expect(pair.insight?.notes).toEqual([
      expect.stringContaining("no samples: its results cannot be read at prod"),
    ]);
  });
});

function lastRun(there: Moved) {
  const run = there.prod.workflows.valuesIn(`subject:${there.target}`).at(-1);
  if (run === undefined) throw new Error("it has not run");
  return run;
}

function seedMany(dev: Tenant, count: number): void {
  const rule = seedPresent(dev, "Many are present");
  const catalogItemUrn = itemOf(dev).urn;
  for (let index = 0; index < count; index += 1)
    seed.seedMonitor(dev, { ...monitorBody(dev, rule), catalogItemUrn, name: `Many ${index}` });
}

/** What the protected columns hold in the first rows. */
function secretValues(tenant: Tenant): readonly string[] {
  const item = itemOf(tenant);
  return ["PHONE", "FIRST_NAME"]
    .flatMap((name) =>
      Array.from({ length: 20 }, (_, row) => cell(tableOf(tenant, item), { name, dataType: "STRING" }, row)),
    )
    .filter((value) => typeof value === "string");
}

test("a run is advised where the target has not run, and not where the source has not: that one is run by nobody here", async () => {
  const there = await moved();
  expect((await there.parity()).next).toEqual(["ferry parity test --run"]);
  seed.seedTable(there.prod, there.items.prod.urn, { rows: 20 });
  seed.seedRun(there.prod, there.target);
  const result = await there.parity();
  expect([result.exitCode, result.parity?.[0]?.reason]).toEqual([4, "it has never run at dev"]);
  expect(result.next ?? []).toEqual([]);
});
