import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { crmProd, party, put, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
import { diesAt } from "./support.ts";

/** What was deactivated is there, and is made again in its place. */

function bookOf({ prod }: Stage): ReturnType<typeof books.instanceBook> {
  const row = prod.byKey("party", crmProd, "A");
  if (row === undefined) throw new Error("there is no A");
  return books.instanceBook(prod, row);
}

test("what a record that is made active again has, and the source does not say, goes", async () => {
  const here = await stage([party]);
  put(here.dev, "A", { src_name: "a" });
  put(here.prod, "A", { src_name: "old", src_phone: "9" }, { active: false });
  const { changes } = await here.diff();
  expect(changes[0]?.fields).toContainEqual({ path: "/crm#party#Prod ~1 A/src_phone", from: "9" });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  const { active, source } = bookOf(here);
  expect([active, source["src_name"], source["src_phone"] ?? null]).toEqual([true, "a", null]);
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  expect(bookOf(here).active).toBe(false);
});

test("so does an override of it, where overrides are moved", async () => {
  const here = await stage([{ ...party, overrides: true }]);
  put(here.dev, "A", { src_name: "a" });
  put(here.prod, "A", { src_name: "a" }, { active: false, overrides: { src_name: "theirs", src_note: "n" } });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  const { active, overrides } = bookOf(here);
  expect([active, overrides]).toEqual([true, {}]);
});

test("which master it would join is asked by what is sent, and not by what goes", async () => {
  const here = await stage([{ ...party, overrides: true, view: "masters" }]);
  const email = { src_name: "Ada", src_email: "ada@example.org" };
  put(here.prod, "B", email);
  put(here.dev, "A", email);
  put(here.prod, "A", { src_name: "old" }, { active: false, overrides: { src_email: "theirs@example.org" } });
  const { changes } = await here.diff({ identify: 10 });
  expect(JSON.stringify(changes)).toContain("would join the master");
});

const old = { src_name: "old", src_phone: "9" };

async function revived(): Promise<Stage> {
  const here = await stage([party]);
  put(here.dev, "A", { src_name: "a", src_note: "n" });
  put(here.prod, "A", old, { active: false });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(bookOf(here)).toMatchObject({ active: true, source: { src_name: "a" } });
  return here;
}

function isAsItWas(here: Stage): void {
  const { active, source } = bookOf(here);
  expect([active, source["src_name"], source["src_phone"], source["src_note"] ?? null]).toEqual([
    false,
    "old",
    "9",
    null,
  ]);
}

test("a rollback gives back what it said, whatever answer is lost, and a second one sends nothing", async () => {
  const put_ = { tenant: "prod", method: "PUT", path: "/\\/instance\\/party\\/[^/]+\\/A$/" } as const;
  const deactivation = { tenant: "prod", path: "/\\/deactivate$/" } as const;
  for (const match of [undefined, put_, deactivation]) {
    for (const type of ["drop-after-commit", "drop-before-commit"] as const) {
      const here = await revived();
      if (match !== undefined) here.made.emulator.faults.add({ match, when: { times: 1 }, effect: { type } });
      expect((await here.back()).exitCode).toBe(exitCodes.done);
      isAsItWas(here);
      const before = here.writes();
      expect((await here.back()).exitCode).toBe(exitCodes.done);
      expect(here.writes()).toBe(before);
    }
  }
});

test("so does one that goes on with a killed one", async () => {
  for (const point of ["intent:after", "send:after", "outcome:after"] as const) {
    const here = await revived();
    const back = async (hooks?: { reached(at: string): void }): Promise<Result> =>
      rollbackRun(here.made.migration({}, { plan: here.plan, hooks }), {
        allowDelete: true,
        confirm: async () => true,
      });
    expect(await diesAt(point, 1, back)).toBe(true);
    expect((await back()).exitCode).toBe(exitCodes.done);
    isAsItWas(here);
  }
});

test("so does one that goes on with one that ended between the two requests", async () => {
  const here = await revived();
  const stop = new AbortController();
  const match = { tenant: "prod", path: "/\\/deactivate$/" } as const;
  here.made.emulator.faults.add({ match, when: { times: 1 }, effect: { type: "drop-before-commit" } });
  const off = here.made.emulator.on(({ phase, entry }) => {
    if (phase === "received" && entry.path.endsWith("/deactivate")) stop.abort();
  });
  const how = { allowDelete: true, confirm: async () => true };
  const first = await rollbackRun(here.made.migration({}, { plan: here.plan, stop: stop.signal }), how);
  off();
  expect(first.exitCode).not.toBe(exitCodes.done);
  expect(bookOf(here)).toMatchObject({ active: true, source: { src_name: "old" } });
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  isAsItWas(here);
});

test("what somebody has written into it since stays", async () => {
  const here = await revived();
  put(here.prod, "A", { src_name: "theirs" });
  expect((await here.back()).exitCode).toBe(exitCodes.partial);
  expect(bookOf(here)).toMatchObject({ active: true, source: { src_name: "theirs" } });
});
