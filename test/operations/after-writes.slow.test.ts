import { describe, expect, onTestFinished, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { listMappings, removeMappings, setMappings } from "../../src/operations/mappings.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { startFlow } from "../../src/operations/flow.ts";
import type { Migration } from "../../src/operations/migration.ts";
import { parityPlan, thenParity } from "../../src/operations/parity.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { StoreError } from "../../src/store/index.ts";
import { loseBesideOthers } from "../doubts/support.ts";
import { seedTerm } from "../diff/support/content.ts";
import { apply, stage } from "../diff/support/run.ts";
import type { PlanChanges } from "../support/world.ts";
import { changeAt, moved } from "./parity/support.ts";
import { after, flowWorld } from "./flows/support.ts";
import { run } from "./support.ts";

/** Whatever fails once something was written, the result tells what was written. */
const rules: PlanChanges = { select: { kinds: ["rules", "monitors"] } };
const yes = { confirm: async (): Promise<boolean> => true };

/** The mapping cannot be saved until there is room. */
function fillDisk({ store: { state } }: Migration): () => void {
  const saveMapping = state.saveMapping.bind(state);
  state.saveMapping = async () => {
    throw new StoreError("disk-full", "mappings", "the disk is full", "Make room.");
  };
  return () => {
    state.saveMapping = saveMapping;
  };
}

function codes({ diagnostics }: Result): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

async function changed() {
  const there = await moved();
  there.prod.quirks.workflowRetryAfter = 0;
  there.runBoth(0.1);
  changeAt(there.dev, there.source, { name: "Renamed" });
  return there;
}

test("a comparison that is refused", async () => {
  const there = await changed();
  const migration = there.world.migration(rules);
  const applied = await applyPlan(migration, { ...yes, verify: true });
  there.world.emulator.faults.add({
    match: { tenant: "dev", route: "GET /api/data-quality/v1/dq-monitors" },
    effect: { type: "status", code: 403 },
  });
  const result = await thenParity(migration, applied);
  expect(result).toMatchObject({
    exitCode: exitCodes.permission,
    summary: { update: 1 },
    changes: applied.changes,
    run: applied.run,
    next: ["ferry parity test"],
  });
  expect(codes(result)).toEqual(["permission"]);
  expect(result.headline).toMatch(/^1 change made.* could not be found out\.$/);
  expect(result.parity).toBeUndefined();
});

test("an interrupt while evaluations are awaited", async () => {
  const there = await changed();
  there.prod.quirks.workflowOutcome = "never";
  const stop = new AbortController();
  const migration = there.world.migration(rules, { stop: stop.signal });
  const applied = await applyPlan(migration, yes);
  onTestFinished(
    there.world.emulator.on(({ entry }) => {
      if (entry.route === "GET /api/processing/v1/workflows/:urn") stop.abort();
    }),
  );
  const result = await thenParity(migration, applied, { run: true });
  expect(result).toMatchObject({
    exitCode: exitCodes.interrupted,
    changes: applied.changes,
    next: ["ferry parity test --run"],
  });
  expect(codes(result)).toEqual(["interrupted"]);
});

test("even a defect of the comparison", async () => {
  const there = await changed();
  const migration = there.world.migration(rules);
  const applied = await applyPlan(migration, yes);
  Object.assign(migration, {
    targetReads: () => {
      throw new TypeError("undefined is no function");
    },
  });
  const result = await thenParity(migration, applied);
  expect(result).toMatchObject({ exitCode: exitCodes.failed, changes: applied.changes });
  expect(codes(result)).toEqual(["defect"]);
});

test("a proof that may not be read", async () => {
  const there = await changed();
  const migration = there.world.migration(rules);
  there.world.emulator.faults.add({
    match: { tenant: "prod", route: "GET /api/data-quality/v1/dq-monitors" },
    when: { skip: 1 },
    effect: { type: "status", code: 403 },
  });
  const result = await applyPlan(migration, { ...yes, verify: true });
  expect(result).toMatchObject({ exitCode: exitCodes.permission, summary: { update: 1 } });
  expect(result.changes).toMatchObject([{ action: "update", outcome: "done" }]);
  expect(result.headline).toMatch(/^1 change made\..*It could not be verified\.$/);
});

test("a flow after it whose workflows may not be listed", async () => {
  const there = await flowWorld();
  seed.seedTerm(there.dev, { name: "Term" });
  there.world.emulator.faults.add({
    match: { tenant: "prod", route: "GET /api/processing/v1/workflows" },
    effect: { type: "status", code: 403 },
  });
  const result = await run(there.world, { select: { kinds: ["terms"] }, flows: after() });
  expect(result).toMatchObject({ exitCode: exitCodes.permission, summary: { create: 1 } });
  expect(result.changes).toMatchObject([{ action: "create", outcome: "done" }]);
});

test("a disk that is full when all is written; the next run has nothing to do", async () => {
  const there = await changed();
  const migration = there.world.migration(rules);
  const makeRoom = fillDisk(migration);
  const result = await applyPlan(migration, yes);
  expect(result).toMatchObject({ exitCode: exitCodes.failed, changes: [{ outcome: "done" }] });
  expect(codes(result)).toEqual(["disk-full"]);
  makeRoom();
  expect(await run(there.world, rules)).toMatchObject({ exitCode: exitCodes.done, changes: [] });
});

test("the same at the end of a rollback", async () => {
  const there = await changed();
  await run(there.world, rules);
  const migration = there.world.migration(rules);
  fillDisk(migration);
  const result = await rollbackRun(migration, yes);
  expect(result).toMatchObject({ exitCode: exitCodes.failed, changes: [{ outcome: "done" }] });
  expect(codes(result)).toEqual(["disk-full"]);
});

describe("a journal that cannot begin anew", () => {
  function fillUp({ store: { state } }: Migration): void {
    const openJournal = state.openJournal.bind(state);
    state.openJournal = async (lease, replay) => {
      const opened = await openJournal(lease, replay);
      opened.journal.restart = async () => {
        throw new StoreError("disk-full", "journal", "the disk is full", "Make room.");
      };
      return opened;
    };
  }

  test("once evaluations have ended: what they say is told", async () => {
    const there = await changed();
    const migration = there.world.migration(rules);
    fillUp(migration);
    const result = await parityPlan(migration, { run: true });
    expect(result).toMatchObject({ exitCode: exitCodes.failed, parity: [{ outcome: "equal" }] });
    expect(codes(result)).toEqual(["disk-full"]);
    expect(result.headline).toMatch(
      /^All 1 moved monitor says .* could not be put in order; the journal has it\.$/,
    );
    expect((await parityPlan(there.world.migration(rules))).exitCode).toBe(exitCodes.done);
  });

  test("once a flow has ended: that it has is told, and it is not started again", async () => {
    const there = await flowWorld();
    const migration = there.world.migration();
    fillUp(migration);
    const result = await startFlow(migration, {
      configuration: "Import",
      connection: "prod-wh",
      wait: true,
    });
    expect(result).toMatchObject({ exitCode: exitCodes.failed, details: { workflow: expect.any(String) } });
    expect(codes(result)).toEqual(["disk-full"]);
    expect(there.starts()).toBe(1);
  });
});

test("a pair that is taken away: it is away, that is told, and nobody is sent to take it away once more", async () => {
  const { world, source } = await moved();
  const migration = world.migration(rules);
  const makeRoom = fillDisk(migration);
  const removed = await removeMappings(migration, [source]);
  expect(removed).toMatchObject({ exitCode: exitCodes.failed, next: ["ferry diff test"] });
  expect(removed.headline).toBe(
    "1 pair removed. The objects themselves are untouched. What was done could not be put in order; the journal has it.",
  );
  expect(removed.diagnostics).toMatchObject([
    { code: "disk-full", suggestion: expect.stringContaining("not to be said again") },
  ]);
  makeRoom();
  // It is so for everybody.
  const pairs = async (): Promise<readonly string[]> =>
    (await listMappings(world.migration(rules))).details.mappings.map((row) => row.source);
  expect(await pairs()).not.toContain(source);
  await expect(removeMappings(world.migration(rules), [source])).rejects.toThrow("is not mapped");
});

test("a pair that is set: it is set, and the same command puts it in order", async () => {
  const { world, source, target } = await moved();
  await removeMappings(world.migration(rules), [source]);
  const migration = world.migration(rules);
  const makeRoom = fillDisk(migration);
  const full = await setMappings(migration, [{ source, target }]);
  expect(full).toMatchObject({
    exitCode: exitCodes.failed,
    headline: expect.stringMatching(/^1 pair set\. /),
  });
  expect(full.diagnostics).toMatchObject([{ code: "disk-full", suggestion: "Make room." }]);
  makeRoom();
  const again = await setMappings(migration, [{ source, target }]);
  expect(again).toMatchObject({ exitCode: exitCodes.done, headline: "0 pairs set. 1 was so already." });
  const stored = await migration.store.state.mapping();
  const found = await Promise.all(stored.kinds().map(async (kind) => (await stored.rows(kind)).has(source)));
  expect(found).toContain(true);
});

test("a decision about what is in doubt: it is taken, and nobody is sent to take it once more", async () => {
  const at = await stage();
  const source = seedTerm(at.source, "Lost");
  loseBesideOthers(at, ["Lost"]);
  const terms: PlanChanges = { select: { kinds: ["terms"] } };
  expect((await apply(at, terms)).exitCode).toBe(exitCodes.inDoubt);
  const migration = at.world.migration(terms);
  const makeRoom = fillDisk(migration);
  const target = at.target.term("Lost");
  const decided = await resolveDoubts(migration, { decisions: [{ decision: "take", source, target }] });
  expect(decided).toMatchObject({
    exitCode: exitCodes.failed,
    headline:
      "1 operation decided, 0 still in doubt. What was done could not be put in order; the journal has it.",
    diagnostics: [{ code: "disk-full", suggestion: expect.stringContaining("not to be said again") }],
  });
  makeRoom();
  expect((await apply(at, terms)).exitCode).toBe(exitCodes.done);
  expect(at.target.tenant.terms.size).toBe(2);
});

test("several decisions, and the disk is full after the first: that one is told, and the others are asked for again", async () => {
  const at = await stage();
  const names = ["Lost", "Lost too", "Lost as well"];
  const sources = names.map((name) => seedTerm(at.source, name));
  loseBesideOthers(at, names);
  const terms: PlanChanges = { select: { kinds: ["terms"] } };
  expect((await apply(at, terms)).exitCode).toBe(exitCodes.inDoubt);
  const decisions = names.map((name, index) => ({
    decision: "take" as const,
    source: sources[index] ?? "",
    target: at.target.term(name),
  }));
  const migration = at.world.migration(terms);
  let isFull = true;
  const { state } = migration.store;
  const openJournal = state.openJournal.bind(state);
  state.openJournal = async (lease, replay) => {
    const opened = await openJournal(lease, replay);
    const appendAll = opened.journal.appendAll.bind(opened.journal);
    let outcomes = 0;
    opened.journal.appendAll = async (records) => {
      outcomes += records.filter(({ type }) => type === "outcome").length;
      if (isFull && outcomes > 1)
        throw new StoreError("disk-full", "journal", "the disk is full", "Make room. Run again.");
      await appendAll(records);
    };
    return opened;
  };
  const full = await resolveDoubts(migration, { decisions });
  expect(full).toMatchObject({
    exitCode: exitCodes.failed,
    headline: "1 operation decided, 2 still in doubt. 2 decisions could not be recorded.",
    diagnostics: [{ code: "disk-full", suggestion: expect.stringContaining("not to be said again") }],
  });
  const next = full.next?.join("\n") ?? "";
  expect(next).not.toContain(decisions[0]?.source);
  for (const { source } of decisions.slice(1)) expect(next).toContain(source);
  isFull = false;
  // It is so, and what is left is what was told.
  const rest = await resolveDoubts(at.world.migration(terms), { decisions: decisions.slice(1) });
  expect(rest).toMatchObject({ headline: "2 operations decided, 0 still in doubt." });
  expect((await apply(at, terms)).exitCode).toBe(exitCodes.done);
  expect(at.target.tenant.terms.size).toBe(6);
});
