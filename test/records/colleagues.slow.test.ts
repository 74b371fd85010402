import { expect, test, vi } from "vitest";
import { TableLog } from "../../src/engine/records/log.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { author, crmProd, party, put, segment, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
import { recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

const edit = (s: RowsStage, code: string, name: string): void => {
  const record = recordOf(s.target, code);
  if (record !== undefined) seed.editRecord(s.target, record, { name });
};
const isActive = (here: Stage, id: string): boolean | undefined => {
  const row = here.prod.byKey("party", crmProd, id);
  return row === undefined ? undefined : books.instanceBook(here.prod, row).active;
};

test("an update: what a colleague publishes while the question is open is not overwritten", async () => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  await s.apply();
  const record = recordOf(s.source, "DE");
  if (record !== undefined) seed.editRecord(s.source, record, { name: "b" });
  await s.apply({ confirm: async () => (edit(s, "DE", "colleague's"), true) });
  expect(s.published()["DE"]?.["name"]).toBe("colleague's");
});
test("a deletion: the same", async () => {
  const s = await rowsStage({ source: [], target: [{ code: "XX", name: "x" }], remove: true });
  await s.apply({ allowDelete: true, confirm: async () => (edit(s, "XX", "colleague's"), true) });
  expect(Object.keys(s.published())).toEqual(["XX"]);
});
test("a create: a colleague has made the row meanwhile", async () => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  await s.apply({
    confirm: async () => (seed.seedRecord(s.prod, s.target, { code: "DE", name: "theirs" }), true),
  });
  expect(s.target.records().map(({ published }) => published?.["name"])).toEqual(["theirs"]);
});
test("masters: the same", async () => {
  const here = await stage([segment]);
  author(here.dev, { cmo_code: "N", cmo_name: "new" });
  await here.apply({ confirm: async () => (author(here.prod, { cmo_code: "N", cmo_name: "theirs" }), true) });
  expect(here.prod.masters("segment")?.size).toBe(1);
});
test("a rollback: the same", async () => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  await s.apply();
  await rollbackRun(s.world.migration(s.changes), {
    allowDelete: true,
    confirm: async () => (edit(s, "DE", "colleague's"), true),
  });
  expect(s.published()["DE"]?.["name"]).toBe("colleague's");
});

test.each(["absent", "offered"] as const)("a deletion spares a colleague's draft (%s)", async (offered) => {
  const s = await rowsStage({ source: [], target: [{ code: "XX", name: "x" }], remove: true });
  s.prod.quirks.draftFilter = offered;
  const row = recordOf(s.target, "XX");
  if (row !== undefined) s.target.change(row, { name: "colleague's work" });
  await s.apply({ allowDelete: true });
  expect(s.target.records().map(({ draft }) => draft["name"])).toEqual(["colleague's work"]);
});
test.each(["absent", "offered"] as const)("so does a rollback (%s)", async (offered) => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  s.prod.quirks.draftFilter = offered;
  await s.apply();
  const row = recordOf(s.target, "DE");
  if (row !== undefined) s.target.change(row, { name: "colleague's work" });
  const { changes } = await rollbackRun(s.world.migration(s.changes), {
    allowDelete: true,
    confirm: async () => true,
  });
  expect(s.target.records().map(({ draft }) => draft["name"])).toEqual(["colleague's work"]);
  // Where drafts cannot be read it was looked at with a change, and nobody may be told that nothing was sent.
  const [only, never] = ["that has left an empty one", "Nothing of it was sent"];
  const [said, unsaid] = offered === "absent" ? [only, never] : [never, only];
  expect(JSON.stringify(changes)).toContain(said);
  expect(JSON.stringify(changes)).not.toContain(unsaid);
});

async function phones(bad: (n: number) => boolean, badRows: number): Promise<Stage> {
  const here = await stage([party]);
  const columns = here.prod.entityModel("party")?.columns ?? [];
  books.remodel(
    here.prod,
    "party",
    columns.map((one) => (one.name === "src_phone" ? { ...one, type: "INTEGER" as const } : one)),
  );
  here.prod.quirks.metadata = "absent";
  for (let n = 0; n < 600; n += 1)
    put(here.dev, `P${n}`, { src_name: `n${n}`, ...(bad(n) ? { src_phone: "x" } : {}) });
  const limits = { ...here.plan.limits, badRows, concurrency: 1, quietPeriodMs: 10 };
  here.plan = { ...here.plan, limits };
  return here;
}
test("rows that were refused before a Ctrl-C are told by the run that goes on", async () => {
  const here = await phones((n) => n < 3, 1);
  const stop = new AbortController();
  let puts = 0;
  const off = here.made.emulator.on(({ phase, entry }) => {
    if (phase === "received" && entry.method === "PUT" && (puts += 1) === 330) stop.abort();
  });
  await here.apply({ verify: false }, { stop: stop.signal });
  off();
  expect((await here.apply()).exitCode).toBe(exitCodes.partial);
});
test("what was mended at the source after a stop by badRows is read again", async () => {
  const isBad = (n: number): boolean => n >= 300 && n < 310;
  const here = await phones(isBad, 0.01);
  expect((await here.apply()).exitCode).toBe(exitCodes.failed);
  for (let n = 300; n < 310; n += 1) put(here.dev, `P${n}`, { src_name: `n${n}`, src_phone: null });
  const ends: unknown[] = [];
  for (let run = 0; run < 6; run += 1)
    ends.push([(await here.apply()).exitCode, here.prod.instances("party")?.size]);
  expect(ends[0]).toEqual([exitCodes.done, 600]);
});
test.each([0.29, 0.57, 0.58])("a limit of %d lets just so many through", async (badRows) => {
  const bad = Math.round(badRows * 100);
  const source = Array.from({ length: 100 }, (_, n) => (n < bad ? { name: `${n}` } : { code: `C${n}` }));
  const s = await rowsStage({ source, plan: { limits: { badRows } } });
  expect((await s.apply()).exitCode).toBe(exitCodes.partial);
});

test("what a reviewer has rejected is not published", async () => {
  const s = await rowsStage({ publish: "review", source: [{ code: "DE", name: "a" }] });
  // Killed after the answer to request-review, before it is on record.
  const dies = vi.spyOn(TableLog.prototype, "held").mockRejectedValueOnce(new Error("killed"));
  await expect(s.apply()).rejects.toThrow("killed");
  dies.mockRestore();
  const [review = ""] = [...s.prod.referenceData.reviews.keys()];
  await s.apply();
  seed.decideReview(s.prod, review as Urn, "reject");
  await s.apply();
  expect(s.published()).toEqual({});
});

test("what a rollback has deactivated is active again when it is applied again", async () => {
  const here = await stage([party]);
  put(here.dev, "A", { src_name: "a" });
  await here.apply();
  await here.back();
  expect(isActive(here, "A")).toBe(false);
  await here.apply();
  expect(isActive(here, "A")).toBe(true);
});
test("what records.remove has deactivated and comes back at the source is active again", async () => {
  const here = await stage([party], true);
  const row = put(here.dev, "A", { src_name: "a" });
  await here.apply();
  here.dev.instances("party")?.delete(row);
  await here.apply({ allowDelete: true });
  expect(isActive(here, "A")).toBe(false);
  here.dev.addInstance(row);
  await here.apply();
  expect(isActive(here, "A")).toBe(true);
});

test("rows of several origins are found where a server gives short pages", async () => {
  const here = await stage([party]);
  here.prod.quirks.mostRecords = 10;
  here.plan = { ...here.plan, limits: { ...here.plan.limits, publishWaitMs: 200 } };
  const other = { origin: "web#party#Prod" };
  for (let n = 0; n < 10; n += 1) put(here.prod, `P${n}`, { src_name: "web" }, other);
  for (let n = 0; n < 10; n += 1) {
    put(here.prod, `P${n}`, { src_name: `steward ${n}` });
    put(here.dev, `P${n}`, { src_name: `a${n}` });
  }
  expect((await here.diff()).summary).toMatchObject({ create: 0, update: 10 });
});

test.each([
  ["DATETIME", "STRING"],
  ["STRING", "DATETIME"],
] as const)("a key that is %s at the source and %s at the target is one key", async (from, to) => {
  const row = { at: "2020-01-01T00:00:00Z", name: "x" };
  const s = await rowsStage({
    source: [row],
    target: [],
    columns: { at: from, name: "STRING" },
    plan: { limits: { publishWaitMs: 200 } },
  });
  const t = seed.seedReferenceTable(s.prod, { name: "T", columns: { at: to, name: "STRING" }, rows: [row] });
  const table = { table: "Countries", targetTable: "T", key: ["at"], publish: "direct" as const };
  s.changes = { ...s.changes, records: { referenceData: [table] } };
  await s.apply();
  expect(t.publishedCount).toBe(1);
});

test.each(["absent", "offered"] as const)(
  "a killed run's new draft that a colleague has changed is not published (%s)",
  async (offered) => {
    const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
    s.prod.quirks.draftFilter = offered;
    const hooks = {
      reached(at: string): void {
        if (at === "outcome:after") throw new Error("killed");
      },
    };
    await expect(s.apply({}, { hooks })).rejects.toThrow("killed");
    const [row] = s.target.records();
    if (row !== undefined) s.target.change(row, { name: "colleague's, not ready" });
    await s.apply();
    expect(s.published()).toEqual({});
  },
);
test("what nobody has reviewed is not published", async () => {
  const s = await rowsStage({ publish: "review", source: [{ code: "DE", name: "a" }] });
  await s.apply();
  const [review = ""] = [...s.prod.referenceData.reviews.keys()];
  seed.decideReview(s.prod, review as Urn, "approve");
  const [row] = s.target.records();
  if (row !== undefined) s.target.change(row, { name: "colleague's, after the review" });
  await s.apply();
  expect(s.published()["DE"]?.["name"]).not.toBe("colleague's, after the review");
});

test.each(["absent", "offered"] as const)(
  "a deletion that a killed run had in a review is not undone (%s)",
  async (offered) => {
    const s = await rowsStage({
      publish: "approve",
      source: [{ code: "DE", name: "a" }],
      target: [{ code: "XX", name: "x" }],
      remove: true,
      plan: { limits: { publishWaitMs: 200 } },
    });
    s.prod.quirks.draftFilter = offered;
    const held: (this: TableLog, ...of: Parameters<TableLog["held"]>) => Promise<void> = Reflect.get(
      TableLog.prototype,
      "held",
    );
    const dies = vi.spyOn(TableLog.prototype, "held").mockImplementationOnce(async function (
      this: TableLog,
      ...of
    ) {
      await held.apply(this, of);
      throw new Error("killed");
    });
    await expect(s.apply({ allowDelete: true })).rejects.toThrow("killed");
    dies.mockRestore();
    await s.apply({ allowDelete: true });
    expect(Object.keys(s.published())).toEqual(["DE"]);
  },
);

test.for([
  ["in doubt, and edited", "colleague's"],
  ["not there, and made by a colleague", "theirs"],
] as const)(
  "an instance whose creation is %s: what is theirs is drift, and not overwritten",
  async ([how, name]) => {
    const here = await stage([party]);
    here.plan = { ...here.plan, limits: { ...here.plan.limits, quietPeriodMs: 10 } };
    put(here.dev, "A", { src_name: "A", src_note: "n" });
    const point = how.startsWith("in doubt") ? "send:after" : "intent:after";
    const reached = (at: string): void => {
      if (at === point) throw new Error("killed");
    };
    await expect(here.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
    put(here.prod, "A", { src_name: name, src_note: "n" });
    const nameNow = (): unknown => {
      const row = here.prod.byKey("party", crmProd, "A");
      return row && books.instanceBook(here.prod, row).source["src_name"];
    };
    for (let run = 1; run <= 2; run += 1) {
      expect((await here.apply()).changes[0]).toMatchObject({
        action: "drift",
        records: { drift: 1, done: 0 },
      });
      expect(nameNow()).toBe(name);
    }
    here.plan = { ...here.plan, policy: { ...here.plan.policy, drift: "overwrite" } };
    await here.apply();
    expect(nameNow()).toBe("A");
  },
);

test("an instance of which a killed run has written a part is brought to its end", async () => {
  const here = await stage([{ ...party, overrides: true, activity: true }]);
  here.plan = { ...here.plan, limits: { ...here.plan.limits, quietPeriodMs: 10 } };
  put(here.dev, "A", { src_name: "A" }, { overrides: { src_note: "steward" }, active: false });
  const reached = (at: string): void => {
    if (at === "intent:after") throw new Error("killed");
  };
  await expect(here.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
  // As its first request leaves it.
  put(here.prod, "A", { src_name: "A" });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(isActive(here, "A")).toBe(false);
  expect((await here.apply()).summary.unchanged).toBe(1);
});
