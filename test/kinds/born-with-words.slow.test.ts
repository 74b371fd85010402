import { join } from "node:path";
import { expect, test } from "vitest";
import { applyPlan } from "../../src/operations/apply.ts";
import { rollback } from "../operations/rollback/support.ts";
import { seedAssignment, seedMetadataProperty } from "../../src/emulator/seed.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { expectAtRest, apply, diff, stage, type Stage } from "../diff/support/run.ts";
import { type Side, wanted } from "../diff/support/side.ts";
import type { Result } from "../../src/model/result.ts";
import type { PlanChanges } from "../support/world.ts";
import type { Attribute } from "../../src/emulator/state.ts";
import { seedSqlItem } from "./support/catalog.ts";

/**
 * "Creation runs the query on the connection to import attributes" (document 1, "Catalog items"): what an import knows
 * of a column may come with it, such as the database's comment.
 */

const plan: PlanChanges = { select: { kinds: ["folders", "sql-items", "attribute-metadata"] } };

const column = ({ tenant }: Side, urn: string): Attribute =>
  wanted(
    [...tenant.attributes.values()].find((one) => one.urn === urn),
    urn,
  );

/** An SQL item of two columns: of one the source has a description, of the other an owner alone. */
async function commented(): Promise<Stage> {
  const at = await stage();
  for (const { tenant } of [at.source, at.target])
    seedMetadataProperty(tenant, "attribute", { name: "keeper" });
  seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
  const { attributes } = at.source.tenant;
  const [id, email] = ["CUSTOMER_ID", "EMAIL"].map((name) => at.source.attribute("Active", name));
  attributes.put({ ...column(at.source, id ?? ""), description: "The key" });
  attributes.put({ ...column(at.source, email ?? ""), extraProperties: { keeper: "Ada" } });
  at.target.tenant.quirks.queryColumns = () =>
    ["CUSTOMER_ID", "EMAIL"].map((name) => ({
      name,
      dataType: "STRING",
      columnType: "varchar",
      description: `comment on ${name}`,
    }));
  return at;
}

const said = (at: Stage): readonly unknown[] =>
  ["CUSTOMER_ID", "EMAIL"]
    .map((name) => column(at.target, at.target.attribute("Active", name)))
    .map(({ description, extraProperties }) => [description, extraProperties?.["keeper"]]);

/** Of which objects it is told that their own values gave way, and how. */
const told = ({ changes }: Result): readonly unknown[] =>
  changes.flatMap(({ source, diagnostics }) =>
    diagnostics.flatMap(({ code, summary }) => (code === "taken-over" ? [[source?.name, summary]] : [])),
  );

test("what columns are born with is met as what was there: nothing is overwritten unsaid", async () => {
  const at = await commented();
  const first = await apply(at, plan);
  expect(said(at)).toEqual([
    ["comment on CUSTOMER_ID", undefined],
    ["comment on EMAIL", "Ada"],
  ]);
  expect(first.exitCode).toBe(4);
  expect(first.changes.map(({ source, outcome }) => [source?.name, outcome])).toContainEqual([
    "CUSTOMER_ID",
    "blocked",
  ]);
  // The other one is at rest: of its description the source says nothing, and that is no drift.
  const next = await diff(at, plan);
  expect(next.changes.map(({ action, source }) => [action, source?.name])).toEqual([
    ["conflict", "CUSTOMER_ID"],
  ]);
});

test("where the plan says that the source wins it does, in the same run", async () => {
  const at = await commented();
  const wins: PlanChanges = { ...plan, policy: { conflict: "source-wins" } };
  const result = await apply(at, wins);
  expect(result.exitCode).toBe(0);
  expect(said(at)).toEqual([
    ["The key", undefined],
    ["comment on EMAIL", "Ada"],
  ]);
  // What it takes the place of is told, as it is of what was there before the run; what stays is not.
  expect(told(result)).toEqual([
    ["CUSTOMER_ID", expect.stringContaining('/description: "comment on CUSTOMER_ID" becomes "The key"')],
  ]);
  await expectAtRest(at, wins);
});

test("a rollback brings back what it was born with, where the item stays", async () => {
  const at = await commented();
  const wins: PlanChanges = { ...plan, policy: { conflict: "source-wins" } };
  await apply(at, wins);
  await rollback(at, wins);
  expect(said(at)[0]).toEqual(["comment on CUSTOMER_ID", undefined]);
});

test.each([
  ["MANUAL", 4, 1],
  ["TERM_DETECTION", 0, 0],
] as const)(
  "a rollback deletes an item over which it has assigned a term unless a colleague has assigned another one there (%s)",
  async (source, exitCode, left) => {
    const at = await stage();
    const moved = { select: { kinds: ["folders", "sql-items", "terms", "term-assignments"] } };
    seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
    const attributeUrn = at.source.attribute("Active", "CUSTOMER_ID");
    seedAssignment(at.source.tenant, { attributeUrn, termUrn: seedTerm(at.source, "Customer") });
    await apply(at, moved);
    const there = column(at.target, at.target.attribute("Active", "CUSTOMER_ID"));
    const termAssignments = [...there.termAssignments, { termUrn: seedTerm(at.target, "Theirs"), source }];
    at.target.tenant.attributes.put({ ...there, termAssignments });
    const done = await rollback(at, moved, { allowDelete: true });
    expect(done.exitCode).toBe(exitCode);
    const items = Array.from(at.target.tenant.items.values()).filter(({ name }) => name === "Active");
    expect(items).toHaveLength(left);
  },
);

test("an approved run that was killed goes on with what lies over what it has created", async () => {
  const at = await commented();
  const wins: PlanChanges = { ...plan, policy: { conflict: "source-wins" } };
  at.target.tenant.quirks.queryColumns = () => undefined;
  const path = join(at.world.folder, "approved.json");
  await diff(at, wins, path);
  const stop = new AbortController();
  at.world.emulator.on(({ phase, entry }) => {
    if (phase === "answered" && entry.tenant === "prod" && entry.path.endsWith("/catalog-items"))
      stop.abort();
  });
  const migration = at.world.migration(wins, { stop: stop.signal });
  expect((await applyPlan(migration, { confirm: async () => true, diff: path })).exitCode).toBe(5);
  expect((await apply(at, wins, { diff: path })).exitCode).toBe(0);
  expect(said(at)).toEqual([
    ["The key", undefined],
    [undefined, "Ada"],
  ]);
});

test("where only the source's words are wanted what came by itself is cleared", async () => {
  const at = await commented();
  const strict: PlanChanges = { ...plan, policy: { conflict: "source-wins", targetOnly: "remove" } };
  const result = await apply(at, strict);
  expect(result.exitCode).toBe(0);
  expect(told(result)).toEqual([
    ["CUSTOMER_ID", expect.stringContaining("becomes")],
    ["EMAIL", expect.stringContaining('/description: "comment on EMAIL" becomes nothing')],
  ]);
  expect(said(at)).toEqual([
    ["The key", undefined],
    [undefined, "Ada"],
  ]);
  await expectAtRest(at, strict);
});
