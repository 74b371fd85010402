import { beforeEach, describe, expect, test } from "vitest";
import { child } from "../../../src/emulator/json.ts";
import { patches, written } from "../../diff/support/log.ts";
import type { MovedMonitor } from "../../diff/support/monitors.ts";
import { movedMonitor, plan, update } from "../../diff/support/monitors.ts";
import { apply, entryOf } from "../../diff/support/run.ts";
import { editMonitor } from "../../diff/support/web.ts";
import { killedAt, rollback } from "./support.ts";

/** A run took an export definition away: its rollback adds it again, under a temporary key. */
let moved: MovedMonitor;

beforeEach(async () => {
  moved = await movedMonitor();
  const { at, urn } = moved;
  const [key = ""] = Object.keys(child(at.source.body(urn), "exportDefinitions"));
  editMonitor(at.source, urn, { exportDefinitions: { [key]: null } });
  expect((await apply(at, plan)).exitCode).toBe(0);
  expect(exported()).toEqual([]);
});

function exported(): readonly unknown[] {
  const found = moved.at.target.body(moved.twin)["exportDefinitions"];
  return Object.values((found ?? {}) as object).map(({ name }: { name: string }) => name);
}

function draftType(): string | undefined {
  return moved.at.target.tenant.monitors.get(moved.twin)?.draftType;
}

describe("a rollback that is killed and run again", () => {
  test.each([
    ["intent:before", 1],
    ["intent:after", 1],
    ["send:after", 1],
    ["outcome:before", 1],
    ["outcome:after", 1],
    ["intent:before", 2],
    ["intent:after", 2],
    ["send:after", 2],
    ["outcome:after", 2],
  ] as const)("at %s %i: what comes back is there once, and published", async (point, nth) => {
    const { at } = moved;
    await expect(rollback(at, plan, { migration: killedAt(point, nth) })).rejects.toThrow("killed");
    expect((await rollback(at, plan)).exitCode).toBe(0);
    expect(exported()).toEqual(["Invalid rows"]);
    expect(draftType()).toBe("NONE");
    expect(await rollback(at, plan)).toMatchObject({ exitCode: 0, changes: [] });
    expect(written(at.world)).toEqual([]);
  });

  test("between patch and publish: the mapping says that its publish is to be done", async () => {
    const { at, urn } = moved;
    await expect(rollback(at, plan, { migration: killedAt("intent:before", 2) })).rejects.toThrow("killed");
    expect(await entryOf(at, urn)).toMatchObject({ unfinished: "publish" });
  });

  test("between patch and publish, then an apply: the draft is not lost, and nothing is added twice", async () => {
    const { at } = moved;
    await expect(rollback(at, plan, { migration: killedAt("intent:before", 2) })).rejects.toThrow("killed");
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(0);
    expect(draftType()).toBe("NONE");
    expect(exported().length).toBeLessThanOrEqual(1);
  });
});

describe("a rollback whose answer is lost", () => {
  test.each([
    ["PATCH", "drop-before-commit"],
    ["PATCH", "drop-after-commit"],
    ["POST", "drop-before-commit"],
    ["POST", "drop-after-commit"],
  ] as const)("to a %s (%s): it is settled in the same run", async (method, type) => {
    const { at } = moved;
    const route = update.map((line) => line.replace("catalog-items", "/api/data-quality/v1/catalog-items"));
    const wanted = route.find((line) => line.startsWith(method)) ?? "";
    at.world.emulator.faults.add({ match: { route: wanted }, when: { times: 1 }, effect: { type } });
    const done = await rollback(at, plan);
    expect(at.world.emulator.log.entries.some(({ route: seen }) => seen === wanted)).toBe(true);
    expect(done).toMatchObject({ exitCode: 0, summary: { inDoubt: 0 } });
    expect(exported()).toEqual(["Invalid rows"]);
    expect(draftType()).toBe("NONE");
  });
});

test("a part that came back has its new key in the mapping: the next apply takes it away again", async () => {
  const { at } = moved;
  await rollback(at, plan);
  expect(exported()).toEqual(["Invalid rows"]);
  expect((await apply(at, plan)).exitCode).toBe(0);
  expect(written(at.world)).toEqual(update);
  expect(patches(at.world)).toHaveLength(1);
  expect(exported()).toEqual([]);
});
