import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { author, crmProd, party, put, segment, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
import { diesAt } from "./support.ts";

const withActivity = { ...party, activity: true };

function bookOf(here: Stage, sourceId: string) {
  const row = here.prod.byKey("party", crmProd, sourceId);
  if (row === undefined) throw new Error(sourceId);
  const { active, activity } = books.instanceBook(here.prod, row);
  return { active, activity };
}

const asked = (here: Stage): readonly string[] =>
  here.made.emulator.log.entries.flatMap(({ path }) => /(?:remove-activity|activate)$/.exec(path)?.[0] ?? []);

test("what a run deactivated is active again without an override: it follows its source as before", async () => {
  const here = await stage([withActivity]);
  const row = put(here.dev, "A", { src_name: "a" });
  await here.apply();
  books.setActivity(here.dev, row, false);
  await here.apply();
  expect(bookOf(here, "A")).toEqual({ active: false, activity: false });
  books.setActivity(here.dev, row, undefined);
  here.made.emulator.log.clear();
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(bookOf(here, "A")).toEqual({ active: true, activity: null });
  expect(asked(here)).toEqual(["remove-activity"]);
});

test("where there is no override to remove (500), or its removal leaves it inactive, it is activated", async () => {
  const here = await stage([withActivity]);
  for (const id of ["A", "B"]) put(here.dev, id, { src_name: id });
  put(here.prod, "A", { src_name: "A" }, { active: false });
  put(here.prod, "B", { src_name: "B" }, { active: false, activity: false });
  expect((await here.diff()).summary).toMatchObject({ update: 2 });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect([bookOf(here, "A"), bookOf(here, "B")]).toMatchObject([{ active: true }, { active: true }]);
  here.made.emulator.log.clear();
  expect((await here.apply()).summary.unchanged).toBe(2);
  expect(here.writes()).toBe(0);
});

test.each(["drop-before-commit", "drop-after-commit", "garbage"] as const)(
  "an answer to it that is lost (%s) leaves it active all the same",
  async (type) => {
    const here = await stage([withActivity]);
    put(here.dev, "A", { src_name: "a" });
    put(here.prod, "A", { src_name: "a" }, { activity: false });
    here.made.emulator.faults.add({
      match: { path: "/remove-activity$/" },
      when: { times: 1 },
      effect: { type },
    });
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    expect(bookOf(here, "A").active).toBe(true);
  },
);

test("a rollback takes activity back, without an override where there was none", async () => {
  const here = await stage([withActivity]);
  put(here.dev, "A", { src_name: "a" }, { activity: false });
  put(here.prod, "A", { src_name: "a" });
  await here.apply();
  expect(bookOf(here, "A")).toEqual({ active: false, activity: false });
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  expect(bookOf(here, "A")).toEqual({ active: true, activity: null });
});

test("a record that is there and deactivated is first contact: what it says, and that it is made active, is told", async () => {
  const here = await stage([party]);
  put(here.dev, "A", { src_name: "A" });
  const there = put(here.prod, "A", { src_name: "steward's", src_note: "closed" });
  books.setActivity(here.prod, there, false);
  const { changes } = await here.diff();
  const [change] = changes;
  expect(change?.records).toMatchObject({ create: 1, overwrites: 1 });
  expect(JSON.stringify(change?.fields)).toContain("steward's");
  expect(change?.diagnostics).toEqual([
    expect.objectContaining({
      severity: "warning",
      code: "row-first-contact",
      summary: expect.stringContaining(
        "1 row that is deactivated there, by a person or a rollback, is made active",
      ),
    }),
  ]);
});

test.each([
  ["instances", party],
  ["masters", segment],
] as const)(
  "keys of %s that are long are asked for in as many addresses as they need",
  async (what, table) => {
    const here = await stage([table], true);
    for (let number = 0; number < 120; number += 1) {
      const key = `${"x".repeat(200)}${number}`;
      if (what === "instances") put(here.prod, key, { src_name: "x" });
      else author(here.prod, { cmo_code: key, cmo_name: "x" });
    }
    const { changes } = await here.diff();
    const { delete: deletes, manual } = changes[0]?.records ?? { delete: 0, manual: 0 };
    expect(deletes + manual).toBeGreaterThan(0);
  },
);

test("what a killed run has switched off is its own work: what the source says next is brought, and is no conflict", async () => {
  const here = await stage([withActivity]);
  const row = put(here.dev, "A", { src_name: "a" });
  await here.apply();
  books.setActivity(here.dev, row, false);
  let outcomes = 0;
  const reached = (at: string): void => {
    if (at === "outcome:before" && (outcomes += 1) === 2) throw new Error("killed");
  };
  await expect(here.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
  expect(bookOf(here, "A").active).toBe(false);
  put(here.dev, "A", { src_name: "b" });
  // The first brings to its end what was compared then.
  for (const _run of [1, 2]) expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect((await here.apply()).summary).toMatchObject({ unchanged: 1, conflict: 0 });
  expect(books.instanceBook(here.prod, here.prod.byKey("party", crmProd, "A") ?? row).source).toMatchObject({
    src_name: "b",
  });
});

test.each(["intent:after", "send:after", "outcome:after"] as const)(
  "what a run that was killed (%s) was to make again, in the place of what a rollback has switched off, is made; unless somebody has been there",
  async (point) => {
    for (const isTouched of [false, true]) {
      const here = await stage([party]);
      here.plan = { ...here.plan, limits: { ...here.plan.limits, quietPeriodMs: 10 } };
      put(here.dev, "1", { src_name: "a", src_phone: "1" });
      await here.apply();
      await here.back();
      put(here.dev, "1", { src_name: "b", src_phone: null });
      expect(await diesAt(point, 1, async (hooks) => here.apply({}, { hooks }))).toBe(true);
      if (isTouched) put(here.prod, "1", { src_name: "theirs" });
      const result = await here.apply();
      expect(result.exitCode).toBe(isTouched ? exitCodes.partial : exitCodes.done);
      const row = here.prod.byKey("party", crmProd, "1");
      expect(row?.source["src_name"]).toBe(isTouched ? "theirs" : "b");
      if (isTouched) continue;
      expect([row?.source["src_phone"], row?.activity]).toEqual([null, undefined]);
      here.made.emulator.log.clear();
      expect([(await here.apply()).exitCode, here.writes()]).toEqual([exitCodes.done, 0]);
      await here.back();
      expect(row?.activity).toBe(false);
    }
  },
);
