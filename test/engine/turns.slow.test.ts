import { expect, onTestFinished, test } from "vitest";
import { computeDiff } from "../../src/engine/diff/index.ts";
import { turnAfter, Turns } from "../../src/engine/turns.ts";
import { registry } from "../../src/kinds/index.ts";
import { MappingTable } from "../../src/model/mapping-table.ts";
import { readSides } from "../../src/operations/compare.ts";
import { world } from "../support/world.ts";

/** A person's Ctrl-C is heard between two turns of the event loop, and only there. */

test("a turn comes after so many things, however they are counted", async () => {
  const turns = new Turns();
  const none = Array.from({ length: 199 }, () => turns.next());
  expect(none.every((turn) => turn === undefined)).toBe(true);
  const turn = turns.next();
  expect(turn).toBeInstanceOf(Promise);
  await turn;
  expect(turnAfter(199)).toBeUndefined();
  expect(turnAfter(200)).toBeInstanceOf(Promise);
});

test("the event loop turns while many objects are compared", async () => {
  const made = await world("large:2000");
  onTestFinished(async () => made.close());
  const migration = made.migration();
  const mapping = new MappingTable((kind) => registry.owns(kind));
  const { source, target } = await readSides(migration, mapping, migration.targetReads(), undefined);
  const kinds = await migration.kinds("target");
  let count = 0;
  let isOver = false;
  const turned = (): void => {
    count += 1;
    if (!isOver) setImmediate(turned);
  };
  setImmediate(turned);
  const { changes } = await computeDiff({
    registry: kinds,
    plan: migration.plan,
    source,
    target,
    mapping,
    inDoubt: new Set(),
  });
  isOver = true;
  expect(changes.length).toBeGreaterThan(1_000);
  expect(count).toBeGreaterThan(changes.length / 250);
});
