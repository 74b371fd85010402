import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { keepKnown, knownIn } from "../../src/operations/records/known-senses.ts";
import type { InstanceEntity, MasterEntity, Stage } from "./masters-stage.ts";
import { author, authored, crmProd, party, put, segment, stage } from "./masters-stage.ts";
import { countsOf, diesAt } from "./support.ts";

/** Plans of the same two environments that move other parts of one table: what each knows of its rows the others leave to it. */

const names = { ...party, columns: ["src_name"] };
const phones = { ...party, columns: ["src_phone"] };
const both = { ...party, columns: ["src_name", "src_phone"] };
const [erp, erpProd] = ["erp#party#Dev", "erp#party#Prod"];

function planOf({ plan }: Stage, name: string, entity: Entity): Plan {
  return { ...plan, name, records: { ...plan.records, masterData: [entity] } };
}

async function apply(here: Stage, plan: Plan, hooks?: { reached(at: string): void }): Promise<Result> {
  const more = hooks === undefined ? {} : { hooks };
  return applyPlan(here.made.migration({}, { plan, ...more }), { confirm: async () => true, verify: true });
}

function said(here: Stage, id: string, origin = crmProd): unknown {
  return here.prod.byKey("party", origin, id)?.source;
}

type Entity = InstanceEntity | MasterEntity;
const pairs: readonly (readonly [string, Entity, Entity])[] = [
  ["records of other origins", party, { ...party, origins: { [erp]: erpProd } }],
  ["other columns", names, phones],
  ["activity as well", names, { ...phones, activity: true }],
  ["other columns of masters", { ...segment, columns: ["cmo_name"] }, { ...segment, columns: ["cmo_code"] }],
];

test.each(pairs)(
  "a colleague's word stays one, whatever another plan has moved since: %s",
  async (_what, one, other) => {
    const here = await stage([one]);
    put(here.dev, "1", { src_name: "a", src_phone: "1" });
    put(here.dev, "2", { src_name: "b", src_phone: "2" }, { origin: erp });
    author(here.dev, { cmo_code: "1", cmo_name: "a" });
    const [first, second] = [planOf(here, "first", one), planOf(here, "second", other)];
    for (const plan of [first, second]) expect((await apply(here, plan)).exitCode).toBe(exitCodes.done);
    put(here.prod, "1", { src_name: "theirs" });
    for (const row of here.prod.masters("segment")?.rows ?? [])
      books.writeMaster(here.prod, row, { cmo_name: "theirs" });
    put(here.dev, "1", { src_phone: "3" });
    put(here.dev, "2", { src_name: "c" }, { origin: erp });
    for (let round = 0; round < 2; round += 1) {
      expect((await apply(here, second)).exitCode).toBe(exitCodes.done);
      const result = await apply(here, first);
      expect(result.exitCode).toBe(exitCodes.partial);
      expect(countsOf(result)).toMatchObject({ update: 0, drift: one === party ? 0 : 1 });
      if (one.layer === "instance") expect(said(here, "1")).toMatchObject({ src_name: "theirs" });
      else expect(authored(here.prod)["1"]).toMatchObject({ cmo_name: "theirs" });
    }
  },
);

test("what another plan has brought is nobody's word, where both move it", async () => {
  const here = await stage([both]);
  const [all, some] = [planOf(here, "all", both), planOf(here, "some", phones)];
  for (const id of ["1", "2"]) put(here.dev, id, { src_name: "a", src_phone: "1" });
  await apply(here, all);
  await apply(here, some);
  put(here.dev, "1", { src_name: "b", src_phone: "2" });
  put(here.prod, "2", { src_name: "theirs" });
  await apply(here, some);
  expect(countsOf(await apply(here, all))).toMatchObject({ update: 1, drift: 1, conflict: 0 });
  expect(said(here, "1")).toEqual({ src_name: "b", src_phone: "2" });
  put(here.dev, "1", { src_phone: "3" });
  await apply(here, all);
  const last = await apply(here, some);
  expect([last.exitCode, last.summary.update, last.summary.unchanged]).toEqual([exitCodes.done, 0, 2]);
});

test.each(["intent:after", "send:after", "outcome:after"] as const)(
  "a run of another plan that was killed is no change of somebody else's (%s)",
  async (point) => {
    const here = await stage([names]);
    const [first, second] = [planOf(here, "first", names), planOf(here, "second", phones)];
    put(here.dev, "1", { src_name: "a", src_phone: "1" });
    for (const plan of [first, second]) await apply(here, plan);
    put(here.dev, "1", { src_name: "b", src_phone: "2" });
    expect(await diesAt(point, 1, async (hooks) => apply(here, first, hooks))).toBe(true);
    for (const plan of [second, first]) {
      const result = await apply(here, plan);
      expect([result.exitCode, result.summary.conflict, result.summary.drift]).toEqual([0, 0, 0]);
    }
    expect(said(here, "1")).toEqual({ src_name: "b", src_phone: "2" });
    for (const plan of [second, first]) expect((await apply(here, plan)).summary.update).toBe(0);
  },
);

test("a plan that is put back to what it moved before knows its rows again", async () => {
  const here = await stage([names]);
  put(here.dev, "1", { src_name: "a", src_phone: "1" });
  await here.apply();
  here.name(phones);
  await here.apply();
  put(here.prod, "1", { src_name: "theirs" });
  here.name(names);
  expect(countsOf(await here.apply())).toMatchObject({ update: 0, drift: 1 });
});

test.each(["intent:after", "send:after", "outcome:after"] as const)(
  "runs that were killed before and after the plan was changed leave known what was known (%s)",
  async (point) => {
    const here = await stage([names]);
    for (const id of ["1", "2", "3"]) put(here.dev, id, { src_name: "a", src_phone: "1" });
    await here.apply();
    put(here.prod, "2", { src_name: "theirs" });
    put(here.dev, "1", { src_name: "b" });
    const kill = async (): Promise<void> => {
      expect(await diesAt(point, 1, async (hooks) => here.apply({}, { hooks }))).toBe(true);
    };
    await kill();
    here.name(both);
    await kill();
    for (let round = 0; round < 2; round += 1) {
      const result = await here.apply();
      expect(countsOf(result)).toMatchObject({ drift: 1, conflict: 0 });
      expect(said(here, "2")).toMatchObject({ src_name: "theirs" });
    }
    expect(said(here, "1")).toEqual({ src_name: "b", src_phone: "1" });
  },
);

test("where the keys are others, what was written by one of them is not known by the other", async () => {
  const one: MasterEntity = { ...segment, key: ["cmo_code"] };
  const here = await stage([one]);
  const [byCode, byName] = [planOf(here, "code", one), planOf(here, "name", { ...one, key: ["cmo_name"] })];
  const row = author(here.dev, { cmo_code: "1", cmo_name: "a" });
  for (const plan of [byCode, byName]) await apply(here, plan);
  books.writeMaster(here.dev, row, { cmo_code: "2" });
  expect(countsOf(await apply(here, byName))).toMatchObject({ update: 1 });
  books.writeMaster(here.dev, row, { cmo_name: "b" });
  expect(countsOf(await apply(here, byCode))).toMatchObject({ update: 1, conflict: 0, create: 0 });
});

test("the first of them is kept, and the three that were kept last", async () => {
  const here = await stage([party]);
  const { store } = here.made.migration({}, { plan: here.plan });
  await store.work.prepare();
  const held = await store.state.lock({
    owner: "o",
    host: "h",
    pid: 1,
    run: "r",
    since: "2026-01-01T00:00:00Z",
  });
  if (!held.ok) throw new Error("the lock is held by somebody else");
  const { lease } = held;
  const save = async (sense: string): Promise<void> => {
    const sorter = await store.work.sortPrints();
    await sorter.add({ key: "a".repeat(32), source: "1".repeat(16), target: "2".repeat(16) });
    await keepKnown({ store }, lease, { id: "t", sense }, await sorter.finish());
  };
  for (const sense of ["A", "B", "C", "D", "B", "E"]) await save(sense);
  const kept: string[] = [];
  for (const sense of ["A", "B", "C", "D", "E", "F"])
    if ((await knownIn(store.state, { id: "t", sense }))?.size === 1) kept.push(sense);
  expect(kept).toEqual(["A", "B", "D", "E"]);
});
