import { expect, test } from "vitest";
import { seedStewardship } from "../../src/emulator/seed.ts";
import type { Result } from "../../src/model/result.ts";
import { configurePrimary, seedFolder } from "../diff/support/content.ts";
import { bare, seedTable, writeOver, writtenOver } from "../diff/support/metadata.ts";
import { apply, decideContested, diff, expectAtRest, stage, type Stage } from "../diff/support/run.ts";
import { killedAt } from "../doubts/support.ts";
import { nameItem, removeItem } from "../diff/support/web.ts";
import { editQuery, removeSqlItem, seedSqlItem } from "./support/catalog.ts";
import type { PlanChanges } from "../support/world.ts";

/**
 * A table is imported anew at the source, under another URN, and its twin stays: what was brought there from the old one is
 * what the target says, and nobody's but ours.
 */

const plan: PlanChanges = {
  select: { kinds: ["item-metadata", "attribute-metadata", "stewardship", "rules", "monitors"] },
};

async function begin(words: string) {
  const at = await stage();
  for (const side of [at.source, at.target]) {
    bare(side);
    seedTable(side, "TAB", ["A", "B"]);
  }
  const say = (said: string): void => {
    const item = at.source.item("TAB");
    writeOver(at.source, item, { description: said });
    writeOver(at.source, at.source.attribute("TAB", "A"), { description: said });
    seedStewardship(at.source.tenant, { entityUrn: item, groupUrn: at.source.group("Data stewards") });
    const schedule = { cronExpression: "0 0 6 * * ?", enabled: true, timeZone: "UTC" };
    configurePrimary(at.source, "TAB", { schedule });
  };
  say("one");
  expect(await apply(at, plan)).toMatchObject({ exitCode: 0 });
  removeItem(at.source, at.source.item("TAB"));
  seedTable(at.source, "TAB", ["A", "B"]);
  say(words);
  return at;
}

test("words that are the same are at rest", async () => {
  const at = await begin("one");
  await expectAtRest(at, plan);
});

test("words that are others are a change of the source, and no conflict of two who never met", async () => {
  const at = await begin("two");
  const { changes, exitCode } = await apply(at, plan);
  expect(
    changes.flatMap(({ action, kind }) => (action === "unchanged" ? [] : [`${action} ${kind}`])),
  ).toEqual(["update item-metadata", "update attribute-metadata"]);
  expect(exitCode).toBe(0);
  expect(writtenOver(at.target, at.target.attribute("TAB", "A"))).toEqual({ description: "two" });
  await expectAtRest(at, plan);
});

test("what a colleague has written there since is a conflict", async () => {
  const at = await begin("two");
  writeOver(at.target, at.target.attribute("TAB", "A"), { description: "theirs" });
  const { changes } = await apply(at, plan);
  expect(changes.find(({ kind }) => kind === "attribute-metadata")).toMatchObject({
    action: "conflict",
    reason: expect.stringMatching(/changed on both sides/),
  });
  expect(writtenOver(at.target, at.target.attribute("TAB", "A"))).toEqual({ description: "theirs" });
});

/** Of the new table nothing is said. */
async function silent(): Promise<Stage> {
  const at = await stage();
  for (const side of [at.source, at.target]) {
    bare(side);
    seedTable(side, "TAB", ["A", "B"]);
  }
  for (const urn of [at.source.item("TAB"), at.source.attribute("TAB", "A")])
    writeOver(at.source, urn, { description: "one" });
  expect(await apply(at, plan)).toMatchObject({ exitCode: 0 });
  removeItem(at.source, at.source.item("TAB"));
  seedTable(at.source, "TAB", ["A", "B"]);
  return at;
}

const left = ({ diagnostics }: Result): readonly unknown[] =>
  diagnostics.flatMap(({ code, coordinate, summary }) =>
    code === "words-left" ? [[coordinate?.kind, coordinate?.name, summary]] : [],
  );

test("words that the old one had and the new one has not stay, and that is said before they are let go of", async () => {
  const at = await silent();
  const said = (kind: string, name: string, urn: string): readonly string[] => [
    kind,
    name,
    `what was brought to ${urn} stays there: at dev it is gone, or was imported anew and says nothing`,
  ];
  const [item, column] = [at.target.item("TAB"), at.target.attribute("TAB", "A")];
  const expected = [said("item-metadata", "TAB", item), said("attribute-metadata", "A", column)];
  expect(left(await diff(at, plan))).toEqual(expected);
  expect(left(await apply(at, plan))).toEqual(expected);
  expect(writtenOver(at.target, column)).toEqual({ description: "one" });
  const again = await apply(at, plan);
  expect([again.exitCode, left(again)]).toEqual([0, []]);
});

test("what a colleague has made of them since is theirs, and what the target says of itself was never brought", async () => {
  const at = await silent();
  writeOver(at.target, at.target.attribute("TAB", "A"), { description: "theirs" });
  writeOver(at.target, at.target.attribute("TAB", "B"), { description: "theirs as well" });
  expect(left(await apply(at, plan))).toEqual([expect.arrayContaining(["item-metadata", "TAB"])]);
});

test("what goes with an SQL item that is deleted does not stay", async () => {
  const at = await stage();
  const all: PlanChanges = { select: { kinds: ["folders", "sql-items", "attribute-metadata"] } };
  const item = seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
  writeOver(at.source, at.source.attribute("Active", "EMAIL"), { description: "one" });
  expect(await apply(at, all)).toMatchObject({ exitCode: 0 });
  removeSqlItem(at.source, item);
  const result = await apply(at, all, { allowDelete: true });
  expect(result.changes.map(({ action, outcome }) => [action, outcome])).toEqual([["delete", "done"]]);
  expect(left(result)).toEqual([]);
});

test("nor does what goes with the column that a changed query has no more", async () => {
  const at = await stage();
  const all: PlanChanges = { select: { kinds: ["folders", "sql-items", "attribute-metadata"] } };
  const item = seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
  const column = at.source.attribute("Active", "EMAIL");
  writeOver(at.source, column, { description: "one" });
  expect(await apply(at, all)).toMatchObject({ exitCode: 0 });
  editQuery(at.source, item, "SELECT c.CUSTOMER_ID FROM DEV_SALES.CUSTOMER.CUSTOMER c");
  at.source.tenant.attributes.delete(column);
  const result = await apply(at, all);
  expect(result.changes.map(({ action, outcome }) => [action, outcome])).toEqual([["update", "done"]]);
  expect(left(result)).toEqual([]);
});

/** What a colleague has written over the column since the last run; the new table says what the old one said. */
async function theirs(): Promise<Stage> {
  const at = await begin("one");
  writeOver(at.target, at.target.attribute("TAB", "A"), { description: "theirs" });
  return at;
}

const actions = ({ changes }: Result): readonly string[] =>
  changes.flatMap(({ action, kind }) => (kind === "attribute-metadata" ? [action] : []));

test.each([{ conflict: "source-wins" }, { targetOnly: "remove" }] as const)(
  "what a colleague has written there since is drift, in every run: %j",
  async (policy) => {
    const at = await theirs();
    const strict: PlanChanges = { ...plan, policy };
    for (let run = 0; run < 3; run += 1) {
      expect(actions(await apply(at, strict))).toContain("drift");
      expect(writtenOver(at.target, at.target.attribute("TAB", "A"))).toEqual({ description: "theirs" });
    }
    await decideContested(at, strict, "take-source");
    expect(actions(await apply(at, strict))).toContain("update");
    expect(writtenOver(at.target, at.target.attribute("TAB", "A"))).toEqual({ description: "one" });
    await expectAtRest(at, strict);
  },
);

test("words that could not be brought are brought by the next run, and no conflict of two who never met", async () => {
  const at = await begin("two");
  at.world.emulator.faults.add({
    match: { tenant: "prod", method: "PATCH", path: "/attributes/" },
    when: { times: 1 },
    effect: { type: "status", code: 409 },
  });
  expect((await apply(at, plan)).summary.failed).toBe(1);
  expect(actions(await apply(at, plan))).toEqual(["update"]);
  expect(writtenOver(at.target, at.target.attribute("TAB", "A"))).toEqual({ description: "two" });
  await expectAtRest(at, plan);
});

test.each(["entry:before", "entry:after", "intent:before"] as const)(
  "nor does a run that dies at %s let go of what is known of the place",
  async (point) => {
    const at = await begin("two");
    await killedAt(at, plan, point);
    expect(await apply(at, plan)).toMatchObject({ exitCode: 0, summary: { conflict: 0, update: 2 } });
    await expectAtRest(at, plan);
  },
);

test("where two tables swap their names, each is known by what was brought to its place, also where that was refused", async () => {
  const at = await stage();
  for (const side of [at.source, at.target]) {
    bare(side);
    for (const name of ["ONE", "TWO"]) seedTable(side, name);
  }
  const [one, two] = [at.source.item("ONE"), at.source.item("TWO")];
  writeOver(at.source, one, { description: "one" });
  writeOver(at.source, two, { description: "two" });
  expect((await apply(at, plan)).exitCode).toBe(0);
  nameItem(at.source, one, "THREE");
  nameItem(at.source, two, "ONE");
  nameItem(at.source, one, "TWO");
  at.world.emulator.faults.add({
    match: { tenant: "prod", method: "PATCH", path: "/catalog-items/" },
    when: { times: 2 },
    effect: { type: "status", code: 409 },
  });
  expect((await apply(at, plan)).summary).toMatchObject({ failed: 2 });
  expect(await apply(at, plan)).toMatchObject({ exitCode: 0, summary: { update: 2, conflict: 0 } });
  expect(writtenOver(at.target, at.target.item("ONE"))).toEqual({ description: "two" });
  expect(writtenOver(at.target, at.target.item("TWO"))).toEqual({ description: "one" });
  await expectAtRest(at, plan);
});
