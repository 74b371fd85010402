import { expect, onTestFinished, test, vi } from "vitest";
import { seedTerm as seed } from "../../src/emulator/seed.ts";
import { EngineError } from "../../src/engine/progress.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { doctorPlan } from "../../src/operations/doctor/index.ts";
import type { Migration } from "../../src/operations/migration.ts";
import { previewRollback, rollbackRun } from "../../src/operations/rollback.ts";
import { suggestMappings } from "../../src/operations/suggest.ts";
import { verifyPlan } from "../../src/operations/verify.ts";
import { ServiceError } from "../../src/service/index.ts";
import { front } from "../support/front.ts";
import { type PlanChanges, type World, world } from "../support/world.ts";
import { run, writes } from "./support.ts";

/** The demo, and a plan whose target is the source under another name of the same machine. */
async function twice(
  changes: PlanChanges = {},
): Promise<{ readonly demo: World; readonly migration: () => Migration }> {
  const demo = await world("demo");
  onTestFinished(async () => demo.close());
  const plan = demo.plan(changes);
  const target = { ...plan.source, name: "prod", baseUrl: elsewhere(plan.source.baseUrl) };
  return { demo, migration: () => demo.migration({}, { plan: { ...plan, target } }) };
}

function elsewhere(address: string): string {
  return address.replace("127.0.0.1", "localhost");
}

async function refused(work: Promise<unknown>): Promise<EngineError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof EngineError)) throw new Error(`it was not refused: ${String(error)}`);
  return error;
}

const confirm = async (): Promise<boolean> => true;

test.each([
  ["diff", async (migration: Migration) => diffPlan(migration)],
  ["apply", async (migration: Migration) => applyPlan(migration, { confirm })],
  [
    "sync",
    async (migration: Migration) => applyPlan(migration, { confirm, verify: true, allowDelete: true }),
  ],
  ["verify", async (migration: Migration) => verifyPlan(migration)],
  ["suggest", async (migration: Migration) => suggestMappings(migration)],
])("%s: source and target that are one environment under two addresses are refused", async (_name, work) => {
  const { demo, migration } = await twice();
  const error = await refused(work(migration()));
  expect(error.code).toBe("one-environment");
  const { source } = demo.plan();
  for (const part of [source.baseUrl, elsewhere(source.baseUrl)]) expect(error.message).toContain(part);
  expect(error.suggestion).toMatch(/source\.baseUrl.+target\.baseUrl/);
  expect(writes(demo.emulator, "dev")).toEqual([]);
});

test("what is gone by the time the target is listed is asked for at the source, and tells nothing where nothing is left", async () => {
  const demo = await world("demo");
  onTestFinished(async () => demo.close());
  const { terms } = demo.emulator.tenant("dev");
  // The target is listed once the source was, and finds nothing any more.
  const { url } = await front(demo.plan().source.baseUrl, {
    before: async (path) => {
      if (/\/terms\b/.test(path)) await vi.waitUntil(() => terms.size === 0, 10_000);
    },
  });
  let lists = 0;
  demo.emulator.on(({ phase, entry }) => {
    if (!entry.path.endsWith("/terms")) return;
    if (phase === "received") lists += 1;
    if (phase === "answered") for (const { urn } of terms.values()) terms.delete(urn);
  });
  const { source } = demo.plan();
  const target = { ...source, name: "prod", baseUrl: url, authUrl: url };
  const plan = { ...demo.plan({ select: { kinds: ["terms"] } }), target };
  const error = await refused(applyPlan(demo.migration({}, { plan }), { confirm }));
  expect(error.code).toBe("incomplete");
  expect(error.message).toContain("whether both addresses lead to one environment cannot be told");
  expect(lists).toBe(2);
  expect(writes(demo.emulator, "dev")).toEqual([]);
});

/** A plan whose addresses lead to one environment, whose source shows what somebody made there once the target was listed. */
async function madeMeanwhile(names: readonly string[] = ["Meanwhile"]) {
  const one = await world("empty");
  onTestFinished(async () => one.close());
  const dev = one.emulator.tenant("dev");
  // The source is listed once the target was, and shows what somebody has made meanwhile.
  const { url } = await front(one.plan().source.baseUrl, {
    before: async (path) => {
      if (/\/terms(?:\?|$)/.test(path)) await vi.waitUntil(() => dev.terms.size > 0, 10_000);
    },
  });
  one.emulator.on(({ phase, entry }) => {
    if (phase === "answered" && entry.path.endsWith("/terms") && dev.terms.size === 0)
      for (const name of names) seed(dev, { type: "businessTerm", name });
  });
  const { source } = one.plan();
  const plan = {
    ...one.plan({ select: { kinds: ["terms"] } }),
    source: { ...source, baseUrl: url, authUrl: url },
    target: { ...source, name: "prod" },
  };
  return { one, plan };
}

test("what has come since the target was listed is asked for there as well: shown, both are one environment", async () => {
  const { one, plan } = await madeMeanwhile();
  const error = await refused(applyPlan(one.migration({}, { plan }), { confirm }));
  expect(error.code).toBe("incomplete");
  expect(writes(one.emulator, "dev")).toEqual([]);
});

test("where the target refuses one of these, it is asked for another one", async () => {
  const { one, plan } = await madeMeanwhile(["Meanwhile", "As well"]);
  // The source is asked for it first.
  one.emulator.faults.add({
    match: { method: "GET", path: "/\\/terms\\/urn/" },
    when: { skip: 1, times: 1 },
    effect: { type: "status", code: 403 },
  });
  const error = await refused(applyPlan(one.migration({}, { plan }), { confirm }));
  expect(error.code).toBe("incomplete");
  expect(writes(one.emulator, "dev")).toEqual([]);
});

// One of them ends the run wherever it is met, and of the other nobody knows what it says.
test.each([401, 501])(
  "an error of the target (%s) is no sign that it is another environment",
  async (code) => {
    const { one, plan } = await madeMeanwhile();
    // The source is asked for it first.
    one.emulator.faults.add({
      match: { method: "GET", path: "/\\/terms\\/urn/" },
      when: { skip: 1 },
      effect: { type: "status", code },
    });
    await expect(applyPlan(one.migration({}, { plan }), { confirm })).rejects.toThrow(ServiceError);
    expect(writes(one.emulator, "dev")).toEqual([]);
  },
);

test("two servers whose tenants have one name are two environments", async () => {
  const demo = await world("demo");
  onTestFinished(async () => demo.close());
  const other = await world("empty");
  onTestFinished(async () => other.close());
  const select = { kinds: ["terms"] } as const;
  const plan = { ...demo.plan({ select }), target: { ...other.plan().source, name: "prod" } };
  const result = await applyPlan(demo.migration({}, { plan }), { confirm });
  expect(result.exitCode).toBe(0);
  const names = (one: World): ReadonlySet<unknown> =>
    new Set(Array.from(one.emulator.tenant("dev").terms.values(), ({ published }) => published?.name));
  expect(names(other)).toEqual(names(demo));
  const asked = demo.emulator.log.entries.filter(({ path }) => /\/terms\/urn:/.test(path));
  expect(asked).toHaveLength(1);
});

test("an approved diff and a snapshot of earlier do not get by it", async () => {
  const { demo, migration } = await twice();
  const file = `${demo.folder}/approved.json`;
  const snapshot = `${demo.folder}/plans/test/snapshot`;
  await diffPlan(demo.migration(), { out: file });
  for (const options of [{ snapshot }, { snapshot, diff: file }]) {
    const error = await refused(applyPlan(migration(), { confirm, ...options }));
    expect(["one-environment", "diff-moved"]).toContain(error.code);
  }
  expect((await refused(applyPlan(migration(), { confirm, snapshot }))).code).toBe("one-environment");
  expect(writes(demo.emulator, "dev")).toEqual([]);
});

test("doctor says so", async () => {
  const { migration } = await twice();
  const result = await doctorPlan(migration());
  expect(result.exitCode).toBe(64);
  expect(result.diagnostics.map(({ code }) => code)).toContain("one-environment");
});

test("a rollback does not take back at the source what was done at the target", async () => {
  const demo = await world("demo");
  onTestFinished(async () => demo.close());
  await run(demo);
  const plan = demo.plan();
  // The address of the target leads to the source by now.
  demo.emulator.log.clear();
  const migration = (): Migration =>
    leading(demo.migration(), demo.migration({}, { plan: { ...plan, target: plan.source } }));
  expect((await refused(previewRollback(migration()))).code).toBe("one-environment");
  expect((await refused(rollbackRun(migration(), { allowDelete: true, confirm }))).code).toBe(
    "one-environment",
  );
  expect(writes(demo.emulator, "dev")).toEqual([]);
});

/** A migration whose requests to the target go where those of another one go. */
function leading(migration: Migration, other: Migration): Migration {
  migration.target = () => other.target();
  migration.targetReads = () => other.targetReads();
  return migration;
}

test("what both sides hold under names of their own is two environments", async () => {
  const demo = await world("demo");
  onTestFinished(async () => demo.close());
  // Restored from one another under another name: equal UUIDs, but for the tenant.
  const [dev, prod] = [demo.emulator.tenant("dev"), demo.emulator.tenant("prod")];
  const { urn } = seed(dev, { type: "businessTerm", name: "Restored" });
  prod.terms.put({
    urn: urn.replace(":dev:", ":prod:") as typeof urn,
    published: {
      urn: urn.replace(":dev:", ":prod:") as typeof urn,
      type: "businessTerm",
      name: "Restored",
    } as never,
    draftType: "NONE",
  });
  expect((await diffPlan(demo.migration())).exitCode).toBe(0);
  expect((await doctorPlan(demo.migration())).exitCode).toBe(0);
});
