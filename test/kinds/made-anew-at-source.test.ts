import { expect, test } from "vitest";
import { seedStewardship } from "../../src/emulator/seed.ts";
import { configurePrimary } from "../diff/support/content.ts";
import { bare, seedTable, writeOver, writtenOver } from "../diff/support/metadata.ts";
import { apply, expectAtRest, stage } from "../diff/support/run.ts";
import { removeItem } from "../diff/support/web.ts";
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
