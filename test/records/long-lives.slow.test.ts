import { describe, expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import * as seed from "../../src/emulator/seed.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import type { Result } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { text } from "../../src/model/json.ts";
import type { PlanChanges } from "../support/world.ts";
import { address, adr, author, authored, crmProd, party, put, segment, stage } from "./masters-stage.ts";
import type { RowsStage } from "./support.ts";
import { countries, diesAt, recordOf as recordIn, rowsStage } from "./support.ts";

const quick: PlanChanges = { limits: { publishWaitMs: 200, quietPeriodMs: 10 } };

async function back(at: RowsStage, run?: string): Promise<Result> {
  const options = { ...(run === undefined ? {} : { run }), allowDelete: true, confirm: async () => true };
  return rollbackRun(at.world.migration(at.changes), options);
}

function keyed(key: readonly string[], remove = false): PlanChanges {
  return {
    select: { kinds: ["reference-data"] },
    records: { referenceData: [{ table: "Countries", key: [...key], publish: "direct" }], remove },
  };
}

/** The codes of what is published at the target. */
function codes({ target }: RowsStage): readonly string[] {
  return target
    .records()
    .flatMap(({ published }) => (published === undefined ? [] : [JSON.stringify(published["code"])]))
    .map((code) => code.slice(1, -1))
    .sort();
}

function approveLast({ prod }: RowsStage): void {
  const last = [...prod.referenceData.reviews.keys()].at(-1);
  if (last !== undefined) seed.decideReview(prod, last, "approve");
}

function instance(
  { prod }: Awaited<ReturnType<typeof stage>>,
  id = "P1",
): ReturnType<typeof books.instanceBook> {
  const row = prod.byKey("party", crmProd, id);
  if (row === undefined) throw new Error(`there is no ${id}`);
  return books.instanceBook(prod, row);
}

function recordOf(...[table, code]: Parameters<typeof recordIn>): NonNullable<ReturnType<typeof recordIn>> {
  const record = recordIn(table, code);
  if (record === undefined) throw new Error(`there is no record ${code}`);
  return record;
}

/** A service that keeps a name without the blanks around it. */
function trims({ target }: RowsStage): void {
  const create = target.create.bind(target);
  target.create = (urn, order, values) =>
    create(urn, order, { ...values, name: text(values, "name")?.trim() ?? "" });
}

describe("a deletion that nobody has approved", () => {
  test("is not what a rollback leaves in the draft where rows go through a review", async () => {
    const at = await rowsStage({ source: [{ code: "DE", name: "a" }], publish: "review" });
    await at.apply();
    approveLast(at);
    await at.apply();
    const taken = await back(at);
    expect(taken.exitCode).toBe(4);
    expect(JSON.stringify(taken.changes)).toContain("a review takes no deletion");
    await at.apply({ allowDelete: false });
    expect(codes(at)).toEqual(["DE"]);
  });

  test("is not published by a run that may not delete, after its approval failed", async () => {
    const target = [{ code: "XX", name: "x" }];
    const at = await rowsStage({ source: [], target, publish: "approve", remove: true });
    at.world.emulator.faults.add({
      match: { path: "/approve$/" },
      when: { times: 1 },
      effect: { type: "status", code: 403 },
    });
    await at.apply({ allowDelete: true });
    await at.apply({ allowDelete: false });
    expect(codes(at)).toEqual(["XX"]);
    expect((await at.apply({ allowDelete: true })).exitCode).toBe(0);
    expect(codes(at)).toEqual([]);
  });
});

describe("a rollback under a plan that was changed since", () => {
  const otherwise = "when the run wrote it: put these back as they were, and run again";

  test("does not make a second row where the key is another one", async () => {
    const at = await rowsStage({
      source: [{ code: "DE", name: "a" }],
      target: [{ code: "XX", name: "x" }],
      remove: true,
      plan: quick,
    });
    await at.apply({ allowDelete: true });
    seed.seedRecord(at.prod, at.target, { code: "XX", name: "x", area: 5 });
    at.changes = { ...keyed(["name"], true), ...quick };
    await back(at);
    expect(codes(at).filter((code) => code === "XX")).toHaveLength(1);
  });

  test("says what stands, and what to do, where the key is another one", async () => {
    const at = await rowsStage({
      source: [
        { code: "DE", name: "a" },
        { code: "FR", name: "b" },
      ],
      target: [{ code: "FR", name: "old" }],
    });
    await at.apply();
    const { changes } = at;
    at.changes = keyed(["name"]);
    const left = await back(at);
    expect([left.exitCode, JSON.stringify(left.changes)]).toEqual([4, expect.stringContaining(otherwise)]);
    expect(at.published()["FR"]).toMatchObject({ name: "b" });
    at.changes = changes;
    expect((await back(at)).exitCode).toBe(0);
    expect(at.published()).toEqual({ FR: { code: "FR", name: "old" } });
  });

  test("the same of authored masters", async () => {
    const here = await stage([segment]);
    author(here.dev, { cmo_code: "N", cmo_name: "new" });
    await here.apply();
    here.name({ ...segment, key: ["cmo_name"] });
    const left = await here.back();
    expect([left.exitCode, JSON.stringify(left.changes)]).toEqual([4, expect.stringContaining(otherwise)]);
    expect(Object.keys(authored(here.prod))).toEqual(["N"]);
  });

  test("the same of overrides that are moved no more", async () => {
    const here = await stage([{ ...party, overrides: true }]);
    put(here.prod, "P1", { src_name: "a" });
    put(here.dev, "P1", { src_name: "a" }, { overrides: { src_name: "over" } });
    await here.apply();
    here.name(party);
    const left = await here.back();
    expect([left.exitCode, JSON.stringify(left.changes)]).toEqual([4, expect.stringContaining(otherwise)]);
    here.name({ ...party, overrides: true });
    expect([(await here.back()).exitCode, instance(here).overrides]).toEqual([0, {}]);
  });

  test("the same of columns that are moved no more", async () => {
    const here = await stage([party]);
    put(here.dev, "P1", { src_name: "a", src_phone: "1" });
    put(here.prod, "P1", { src_name: "a" });
    await here.apply();
    here.name({ ...party, columns: ["src_name"] });
    const left = await here.back();
    expect([left.exitCode, JSON.stringify(left.changes)]).toEqual([4, expect.stringContaining(otherwise)]);
  });
});

test("a change that a killed run began, and that is refused now, is told, and not called done", async () => {
  const at = await rowsStage({ source: [{ code: "DE", name: "b" }], target: [{ code: "DE", name: "a" }] });
  await diesAt("send:after", 1, async (hooks) => at.apply({ verify: false }, { hooks }));
  at.target.change(recordOf(at.target, "DE"), { area: 77 });
  const { exitCode, headline } = await at.apply();
  expect(at.published()["DE"]?.["name"]).toBe("a");
  expect([exitCode, headline]).not.toEqual([0, expect.anything()]);
  expect(headline).not.toContain("overwritten");
});

describe("what somebody has set in another attribute, before anybody looked again, is drift", () => {
  test("of a row that waited for its review", async () => {
    const at = await rowsStage({ source: [{ code: "DE", name: "b" }], publish: "review" });
    await at.apply();
    approveLast(at);
    seed.editRecord(at.target, recordOf(at.target, "DE"), { name: "b", area: 77 });
    for (let run = 1; run <= 2; run += 1)
      expect(await at.apply()).toMatchObject({ exitCode: 4, changes: [{ records: { drift: 1 } }] });
    expect(at.published()["DE"]).toMatchObject({ area: 77 });
  });

  test("of an instance whose run was killed", async () => {
    const here = await stage([party]);
    put(here.dev, "P1", { src_name: "a" });
    await here.apply();
    put(here.dev, "P1", { src_name: "b" });
    await diesAt("send:after", 1, async (hooks) => here.apply({ verify: false }, { hooks }));
    put(here.prod, "P1", { src_name: "b", src_phone: "77" });
    expect((await here.apply()).exitCode).toBe(4);
    expect(await here.apply()).toMatchObject({ exitCode: 4, changes: [{ records: { drift: 1 } }] });
    expect(instance(here).source).toEqual({ src_name: "b", src_phone: "77" });
  });
});

test("rows that were not deleted are not said to be", async () => {
  const source = [{ code: "DE", name: "x" }];
  const at = await rowsStage({ source, target: [{ code: "XX", name: "n" }], remove: true });
  const { headline, next } = await at.apply({ allowDelete: false });
  expect(codes(at)).toEqual(["DE", "XX"]);
  expect(headline).not.toContain("deleted");
  expect(next).toEqual([expect.stringMatching(/^ferry apply \w+ --allow-delete$/)]);
});

test("rows that were deleted are said to be, also where another one was refused", async () => {
  const at = await rowsStage({
    source: [{ code: "DE", name: "new" }],
    target: [
      { code: "DE", name: "old" },
      { code: "XX", name: "n" },
    ],
    remove: true,
  });
  at.target.change(recordOf(at.target, "DE"), { area: 77 });
  const { headline, exitCode } = await at.apply({ allowDelete: true });
  expect([exitCode, codes(at)]).toEqual([4, ["DE"]]);
  expect(headline).toContain("1 object was deleted");
});

test("an instance that was made with a relation is taken back, and the relation with it", async () => {
  const here = await stage([{ ...party, relationships: ["addresses"] }, address]);
  const made = put(here.dev, "P1", { src_name: "a" });
  const home = { entity: "address", origin: adr, sourceId: "A1", attributes: { src_city: "x" } };
  books.relate(here.dev, made, "addresses", books.putInstance(here.dev, home));
  await here.apply();
  expect([(await here.back()).exitCode, instance(here).active]).toEqual([0, false]);
});

describe("a service that keeps values in words of its own", () => {
  test("makes neither drift nor conflict of what a killed run has written", async () => {
    const at = await rowsStage({
      source: [
        { code: "DE", name: "a " },
        { code: "FR", name: "b" },
      ],
    });
    trims(at);
    await diesAt("outcome:after", 2, async (hooks) => at.apply({ verify: false }, { hooks }));
    await at.apply();
    expect((await at.apply()).exitCode).toBe(0);
    seed.editRecord(at.source, recordOf(at.source, "DE"), { name: "new" });
    await at.apply();
    expect(at.published()["DE"]?.["name"]).toBe("new");
  });

  test("does not keep a rollback from taking it back", async () => {
    const at = await rowsStage({ source: [{ code: "DE", name: "a " }] });
    trims(at);
    await at.apply();
    expect([(await back(at)).exitCode, codes(at)]).toEqual([0, []]);
  });
});

test("an older run that is taken back after a newer one is no conflict: the source comes again", async () => {
  const at = await rowsStage({ source: [{ code: "DE", name: "a", area: 1 }] });
  await at.apply();
  seed.editRecord(at.source, recordOf(at.source, "DE"), { name: "b" });
  const { run } = await at.apply();
  seed.editRecord(at.source, recordOf(at.source, "DE"), { area: 2 });
  await at.apply();
  expect((await back(at, run)).exitCode).toBe(0);
  expect(at.published()["DE"]).toMatchObject({ name: "a", area: 2 });
  expect([(await at.apply()).exitCode, at.published()["DE"]?.["name"]]).toEqual([0, "b"]);
});

test("what people have touched since counts for no mistake in rows where a run is taken back", async () => {
  const at = await rowsStage({
    source: countries(600),
    plan: { limits: { badRows: 0.05, concurrency: 1 } },
  });
  await at.apply();
  for (const record of at.target.records().slice(0, 200))
    seed.editRecord(at.target, record, { name: "theirs" });
  const { headline } = await back(at);
  expect(headline).not.toContain("Stopped");
  expect(at.target.publishedCount).toBe(200);
});

test("a draft of a killed run that somebody has discarded is a person's to decide, and made anew after that", async () => {
  const at = await rowsStage({ source: [{ code: "DE", name: "a" }], plan: quick });
  at.prod.quirks.draftFilter = "offered";
  await diesAt("outcome:after", 1, async (hooks) => at.apply({ verify: false }, { hooks }));
  const [draft] = at.target.records();
  if (draft === undefined) throw new Error("there is no draft");
  seed.removeRecord(at.target, draft);
  const told = await at.apply();
  expect([told.exitCode, JSON.stringify(told.diagnostics)]).toEqual([
    6,
    expect.stringContaining("is not there any more, and it does not show"),
  ]);
  expect(codes(at)).toEqual([]);
  const decision = { decision: "abandon", source: "reference-data:Countries" } as const;
  await resolveDoubts(at.world.migration(at.changes), { decisions: [decision] });
  expect([(await at.apply()).exitCode, codes(at)]).toEqual([0, ["DE"]]);
});

test("an instance of a killed run that somebody has deactivated is not waited for", async () => {
  const here = await stage([party]);
  here.plan = { ...here.plan, limits: { ...here.plan.limits, publishWaitMs: 200, quietPeriodMs: 10 } };
  put(here.dev, "P1", { src_name: "a" });
  await diesAt("outcome:after", 1, async (hooks) => here.apply({ verify: false }, { hooks }));
  const row = here.prod.byKey("party", crmProd, "P1");
  if (row === undefined) throw new Error("there is no P1");
  books.setActivity(here.prod, row, false);
  await here.apply();
  expect((await here.apply()).exitCode).not.toBe(5);
  expect(instance(here).active).toBe(false);
});

test("two rows of one key that only the target has are not deleted by it, and told", async () => {
  const target = [
    { code: "XX", name: "x" },
    { code: "XX", name: "y" },
  ];
  const at = await rowsStage({ source: [], target, remove: true });
  const { summary, changes } = await at.diff();
  expect([summary.delete, changes[0]?.records]).toMatchObject([0, { delete: 0, blocked: 2 }]);
  const done = await at.apply({ allowDelete: true });
  expect([done.exitCode, codes(at)]).toEqual([4, ["XX", "XX"]]);
  expect(JSON.stringify(done.changes)).toContain("its key occurs 2 times at the target");
});

test("the last value of an attribute that is cleared is cleared, also where tables do not tell their attributes", async () => {
  const at = await rowsStage({
    source: [
      { code: "DE", name: "a", area: 1 },
      { code: "FR", name: "b" },
    ],
  });
  at.dev.quirks.tableFields = "bare";
  at.prod.quirks.tableFields = "bare";
  await at.apply();
  seed.seedRecord(at.prod, at.target, { code: "IT", name: "theirs", area: 7 });
  seed.editRecord(at.source, recordOf(at.source, "DE"), { area: null });
  expect((await at.apply()).exitCode).toBe(0);
  expect(at.published()).toMatchObject({ DE: { code: "DE", name: "a" }, IT: { area: 7 } });
  expect(at.published()["DE"]?.["area"] ?? null).toBe(null);
  at.world.emulator.log.clear();
  expect((await at.apply()).exitCode).toBe(0);
  expect(at.writes()).toBe(0);
});
