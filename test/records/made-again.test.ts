import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { crmProd, party, put, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";

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
