import { expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import { exitCodes, type Result } from "../../src/model/result.ts";
import type { PlanChanges } from "../support/world.ts";
import { configurePrimary } from "./support/content.ts";
import { bare, seedTable, writeOver, writtenOver } from "./support/metadata.ts";
import {
  apply,
  changeOf,
  decideContested,
  diff,
  entryOf,
  expectAtRest,
  expectChange,
  stage,
} from "./support/run.ts";
import type { Stage } from "./support/run.ts";
import { onlyKey, type Side } from "./support/side.ts";
import { editMonitor, nameItem } from "./support/web.ts";

/**
 * Given things are paired by their names, run by run: what lies over them has another place as soon as they are called
 * otherwise.
 */
const plan: PlanChanges = { select: { kinds: ["item-metadata"] } };

interface Tables {
  readonly at: Stage;
  /** The tables A and B of either side. */
  readonly here: readonly [a: Urn, b: Urn];
  readonly there: readonly [a: Urn, b: Urn];
}

async function moved(...words: readonly string[]): Promise<Tables> {
  const at = await stage({ kept: "files" });
  const [here, there] = [at.source, at.target].map((side): [Urn, Urn] => {
    bare(side);
    return [seedTable(side, "A"), seedTable(side, "B")];
  }) as [[Urn, Urn], [Urn, Urn]];
  for (const [index, description] of words.entries())
    writeOver(at.source, here[index] ?? here[0], { description });
  await apply(at, plan);
  return { at, here, there };
}

function nameTables(side: Side, urns: Tables["here"], names: readonly [a: string, b: string]): void {
  for (const [index, urn] of urns.entries()) nameItem(side, urn, names[index] ?? "");
}

const left = ({ diagnostics }: Result): readonly unknown[] =>
  diagnostics.flatMap(({ code, summary }) => (code === "words-left" ? [summary] : []));

test("a table that has another one's name lies where that one lay, whose row goes though it is there still", async () => {
  const { at, here, there } = await moved("about a", "about b");
  nameTables(at.source, here, ["B", "B of old"]);
  for (let run = 0; run < 2; run += 1) {
    const result = await apply(at, plan);
    expect(result.exitCode).toBe(exitCodes.partial);
    expectChange(result, here[1], "blocked", "has no twin");
  }
  expect((await entryOf(at, here[0]))?.target).toBe(there[1]);
  expect(await entryOf(at, here[1])).toBeUndefined();
  expect(writtenOver(at.target, there[1])).toEqual({ description: "about a" });
});

test.each(["source", "target"] as const)(
  "what was brought to the former twin stays there when names are swapped at the %s, and that is said",
  async (side) => {
    const { at, here, there } = await moved("about a");
    const words = `what was brought to ${there[0]} stays there: what it lies over has another twin by now`;
    nameTables(at[side], side === "source" ? here : there, ["B", "A"]);
    expect(left(await diff(at, plan))).toEqual([words]);
    const result = await apply(at, plan);
    expect(changeOf(result, here[0])).toMatchObject({ action: "update", outcome: "done" });
    expect(left(result)).toEqual([words]);
    for (const urn of there) expect(writtenOver(at.target, urn)).toEqual({ description: "about a" });
    await expectAtRest(at, plan);
  },
);

test("what somebody wrote over the former twin since is theirs, and nothing is said of it", async () => {
  const { at, here, there } = await moved("about a");
  writeOver(at.target, there[0], { description: "theirs" });
  nameTables(at.source, here, ["B", "A"]);
  expect(left(await apply(at, plan))).toEqual([]);
});

test("what a person decides of the new place after the run that told it is done by the next one", async () => {
  const { at, here, there } = await moved("about a", "about b");
  writeOver(at.target, there[0], { description: "theirs" });
  nameTables(at.source, here, ["B", "A"]);
  expectChange(await apply(at, plan), here[1], "conflict", "it changed on both sides");
  await decideContested(at, plan, "take-source");
  expect(changeOf(await apply(at, plan), here[1])).toMatchObject({ action: "update", outcome: "done" });
  expect(writtenOver(at.target, there[0])).toEqual({ description: "about b" });
  await expectAtRest(at, plan);
});

test("nor are two merged over what was last applied to the former place: that says nothing of the new one", async () => {
  const { at, here, there } = await moved("about a", "about b");
  writeOver(at.target, there[0], { description: "theirs" });
  nameTables(at.source, here, ["B", "A"]);
  const merging: PlanChanges = { ...plan, policy: { conflict: "merge" } };
  const result = await apply(at, merging);
  expectChange(result, here[1], "conflict", "it changed on both sides");
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(writtenOver(at.target, there[0])).toEqual({ description: "theirs" });
});

test("what was brought to a place by what lay there before is nobody's but ours: it is changed as the source says", async () => {
  const { at, here, there } = await moved("about a", "about b");
  nameTables(at.source, here, ["B", "A"]);
  const result = await apply(at, plan);
  for (const urn of here) expectChange(result, urn, "update", "it changed at the source");
  expect(there.map((urn) => writtenOver(at.target, urn)["description"])).toEqual(["about b", "about a"]);
  await expectAtRest(at, plan);
});

test("what somebody has changed in a primary monitor is asked about when names are swapped, and not overwritten", async () => {
  const { at, here } = await moved();
  const monitors: PlanChanges = { select: { kinds: ["monitors"] } };
  for (const [name, value] of [
    ["A", 11],
    ["B", 22],
  ] as const)
    configurePrimary(at.source, name, { overallDqThresholds: { own: { value, severity: "WARNING" } } });
  await apply(at, monitors);
  const twin = at.target.primary("B");
  const thresholds = (): JsonObject => at.target.body(twin)["overallDqThresholds"] as JsonObject;
  editMonitor(at.target, twin, { overallDqThresholds: { [onlyKey(thresholds())]: { value: 99 } } });
  nameTables(at.source, here, ["B", "A"]);
  const result = await apply(at, monitors);
  expectChange(result, at.source.primary("B"), "conflict", "it changed on both sides");
  expectChange(result, at.source.primary("A"), "update", "it changed at the source");
  expect(Object.values(thresholds())).toMatchObject([{ value: 99 }]);
});
