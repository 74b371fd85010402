import { expect, test } from "vitest";
import { seedAssignment, seedDenylist } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedTerm } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import { apply, changeOf, diff, expectAtRest, stage, type Stage } from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import { rollback } from "../operations/rollback/support.ts";
import type { PlanChanges } from "../support/world.ts";

const path = "/api/catalog/v1/attributes/term-assignments/denylist/batch/add";
const plan: PlanChanges = { select: { kinds: ["terms", "term-denylist"] } };
const column = (side: Side): Urn => side.attribute("CUSTOMER", "EMAIL");

async function denied(): Promise<{ at: Stage; here: Urn; there: Urn; term: Urn }> {
  const at = await stage();
  const [here, there] = [column(at.source), column(at.target)];
  const term = seedTerm(at.source, "Personal");
  seedDenylist(at.source.tenant, { attributeUrn: here, termUrn: term });
  return { at, here, there, term };
}

const denials = ({ tenant }: Side, urn: Urn): readonly Urn[] =>
  tenant.attributes.get(urn)?.termDetectionDenylist ?? [];

test("adds to what the target denies, and takes nothing away, not even what it added", async () => {
  const { at, here, there, term } = await denied();
  const own = seedTerm(at.target, "Own");
  seedDenylist(at.target.tenant, { attributeUrn: there, termUrn: own });
  expect(await apply(at, plan)).toMatchObject({ exitCode: 0 });
  const both = [own, at.target.term("Personal")];
  expect(denials(at.target, there)).toEqual(both);
  await expectAtRest(at, plan);
  const attribute = at.source.tenant.attributes.get(here);
  if (attribute === undefined) throw new Error("there is no column");
  at.source.tenant.attributes.put({ ...attribute, termDetectionDenylist: [] });
  expect((await diff(at, plan)).summary).toMatchObject({ update: 0, delete: 0 });
  await apply(at, plan);
  expect(written(at.world)).toEqual([]);
  expect(denials(at.target, there)).toEqual(both);
  expect(denials(at.source, here)).not.toContain(term);
});

test("a target without the interface is told once, and not asked again", async () => {
  const { at, here } = await denied();
  at.target.tenant.quirks.absent = [path];
  for (const result of [await apply(at, plan), await apply(at, plan), await diff(at, plan)]) {
    const change = changeOf(result, here);
    expect(change).toMatchObject({ kind: "term-denylist", action: "manual" });
    expect(change?.diagnostics.map(({ code }) => code)).toContain("no-denylist-interface");
    expect(result.summary.failed).toBe(0);
  }
  await apply(at, plan);
  expect(written(at.world)).toEqual([]);
});

test("one that somebody took away at the target is added again", async () => {
  const { at, here, there } = await denied();
  await apply(at, plan);
  const attribute = at.target.tenant.attributes.get(there);
  if (attribute === undefined) throw new Error("there is no column");
  at.target.tenant.attributes.put({ ...attribute, termDetectionDenylist: [] });
  expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "update", outcome: "done" });
  expect(denials(at.target, there)).toEqual([at.target.term("Personal")]);
});

test.each(["drop-before-commit", "drop-after-commit", "truncate", "missing-items"] as const)(
  "a lost answer (%s) is settled",
  async (type) => {
    const { at, there } = await denied();
    at.world.emulator.faults.add({
      match: { tenant: "prod", route: `POST ${path}` },
      when: { times: 1 },
      effect: { type },
    });
    expect(await apply(at, plan)).toMatchObject({ exitCode: 0, summary: { inDoubt: 0, failed: 0 } });
    const sent = written(at.world).filter((route) => route.endsWith("denylist/batch/add"));
    expect(sent).toHaveLength(type === "drop-before-commit" ? 2 : 1);
    expect(denials(at.target, there)).toEqual([at.target.term("Personal")]);
    await expectAtRest(at, plan);
  },
);

test("a rollback cannot take one back: it names it, and ends with 4", async () => {
  const { at, here, there } = await denied();
  const own = seedTerm(at.target, "Personal");
  const adopted: PlanChanges = { ...plan, policy: { adopt: "by-name" } };
  await apply(at, adopted);
  expect(denials(at.target, there)).toEqual([own]);
  const result = await rollback(at, adopted);
  expect(result.exitCode).toBe(4);
  expect(changeOf(result, here)).toMatchObject({
    action: "manual",
    diagnostics: [{ code: "left-as-it-is" }],
  });
  expect(denials(at.target, there)).toEqual([own]);
});

test("what contradicts the target is told with the term and the column", async () => {
  const at = await stage();
  const [here, there] = [at.source, at.target];
  const [assigned, denied, both] = ["Assigned", "Denied", "Both"].map((name) => {
    const [source, target] = [seedTerm(here, name), seedTerm(there, name)];
    const on = (side: Side, termUrn: Urn) => ({ attributeUrn: column(side), termUrn });
    if (name !== "Denied") seedAssignment(here.tenant, on(here, source));
    if (name !== "Assigned") seedAssignment(there.tenant, on(there, target));
    if (name !== "Assigned") seedDenylist(here.tenant, on(here, source));
    if (name !== "Denied") seedDenylist(there.tenant, on(there, target));
    return target;
  });
  const options: PlanChanges = {
    select: { kinds: ["term-assignments", "term-denylist"] },
    policy: { termLinks: "done" },
  };
  const result = await apply(at, options);
  const told = result.diagnostics.filter(({ code }) => code === "terms-contradicted");
  const where = `the column "EMAIL" (${column(there)})`;
  expect(told.map(({ summary }) => summary)).toEqual([
    `the term "Assigned" (${assigned}) is assigned to ${where}, whose denylist at the target has it`,
    `the term "Denied" (${denied}) is denied to ${where}, to which it is assigned at the target`,
  ]);
  // What both sides say, though they contradict themselves, is no news.
  expect(JSON.stringify(told)).not.toContain(both);
  expect(result.exitCode).toBe(0);
  await expectAtRest(at, options);
});
