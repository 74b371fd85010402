import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { undoLine } from "../../src/engine/records/undo.ts";
import { exitCodes } from "../../src/model/result.ts";
import { author, authored, crmProd, masterParty, party, put, stage } from "./masters-stage.ts";
import { diesAt } from "./support.ts";

/** A column that the plan does not move is people's own: what a run has made is not deleted over it. */

const left =
  /somebody has changed it since, in a column that the plan does not move: remove it in the web application/;

test("a master to which a colleague has given a value in another column is not deleted by a rollback", async () => {
  const here = await stage([{ ...masterParty, columns: ["cmo_name"] }]);
  for (const code of ["A", "B"]) author(here.dev, { cmo_code: code, cmo_name: code }, "party");
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  const [one] = books.findMasters(here.prod, "party", "cmo_code", "A");
  if (one !== undefined) books.writeMaster(here.prod, one, { cmo_email: "a@example.org" });
  const result = await here.back();
  expect(Object.keys(authored(here.prod, "party"))).toEqual(["A"]);
  expect(JSON.stringify(result.changes)).toMatch(left);
  // Taken away again it is as it was made.
  if (one !== undefined) books.writeMaster(here.prod, one, { cmo_email: null });
  await here.back();
  expect(authored(here.prod, "party")).toEqual({});
});

test("nor is one that a killed run had made, where a colleague was there before the next run", async () => {
  const here = await stage([{ ...masterParty, columns: ["cmo_name"] }]);
  for (const code of ["A", "B"]) author(here.dev, { cmo_code: code, cmo_name: code }, "party");
  // What was sent is on record, and nobody has seen it yet.
  expect(await diesAt("outcome:after", 1, async (hooks) => here.apply({}, { hooks }))).toBe(true);
  const [one] = books.findMasters(here.prod, "party", "cmo_code", "A");
  if (one === undefined) throw new Error("it was made");
  books.writeMaster(here.prod, one, { cmo_email: "a@example.org" });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  await here.back();
  expect(Object.keys(authored(here.prod, "party"))).toEqual(["A"]);
});

test("an instance is not deactivated over it either", async () => {
  const here = await stage([{ ...party, columns: ["src_name"] }]);
  for (const id of ["A", "B"]) put(here.dev, id, { src_name: id });
  await here.apply();
  put(here.prod, "A", { src_name: "A", src_note: "call first" });
  const result = await here.back();
  const isActive = (id: string): unknown => {
    const found = books.findInstance(here.prod, "party", crmProd, id);
    return found === undefined ? undefined : books.instanceBook(here.prod, found).active;
  };
  expect([isActive("A"), isActive("B")]).toEqual([true, false]);
  expect(JSON.stringify(result.changes)).toMatch(left);
});

test("what an older log tells nothing of is taken back as it was", () => {
  const intent = { key: "k", name: "A", action: "create" as const, values: { cmo_code: "A" } };
  const there = { key: "k", name: "A", values: { cmo_code: "A" }, unmoved: () => ({ cmo_email: "a" }) };
  const open = { text: (_name: string, value: unknown): string => JSON.stringify(value), isOurs: () => true };
  expect(undoLine({ intent }, [there], open).action).toBe("delete");
  expect(undoLine({ intent, unmoved: "?" }, [there], open).action).toBe("blocked");
});
