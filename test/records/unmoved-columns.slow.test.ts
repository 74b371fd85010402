import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { undoLine } from "../../src/engine/records/undo.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { author, authored, crmProd, masterParty, party, put, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
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

function filled(here: Stage): void {
  const [one] = books.findMasters(here.prod, "party", "cmo_code", "A");
  if (one === undefined) throw new Error("it was made");
  books.writeMaster(here.prod, one, { cmo_email: "a@example.org" });
}

// Of what was sent nobody knows what came of it, or that is on record, and nobody has seen it yet.
test.each(["send:after", "outcome:after"] as const)(
  "nor is one that a killed run had made (%s), where a colleague was there before the next run",
  async (point) => {
    const here = await stage([{ ...masterParty, columns: ["cmo_name"] }]);
    for (const code of ["A", "B"]) author(here.dev, { cmo_code: code, cmo_name: code }, "party");
    expect(await diesAt(point, 1, async (hooks) => here.apply({}, { hooks }))).toBe(true);
    filled(here);
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    await here.back();
    expect(Object.keys(authored(here.prod, "party"))).toEqual(["A"]);
  },
);

test("nor is one of which the answer was lost, where a colleague was there before it was found", async () => {
  const here = await stage([{ ...masterParty, columns: ["cmo_name"] }]);
  for (const code of ["A", "B"]) author(here.dev, { cmo_code: code, cmo_name: code }, "party");
  const { emulator } = here.made;
  const match = { tenant: "prod", method: "POST", path: "/\\/master\\/masters\\/party$/" } as const;
  emulator.faults.add({ match, when: { times: 2 }, effect: { type: "drop-after-commit" } });
  let lost = 0;
  emulator.on(({ phase, entry }) => {
    if (phase === "after-commit" && entry.method === "POST" && entry.path.endsWith("/master/masters/party"))
      if ((lost += 1) === 2) filled(here);
  });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  await here.back();
  expect(Object.keys(authored(here.prod, "party"))).toEqual(["A"]);
});

test.each([undefined, "send:after", "outcome:after"] as const)(
  "an instance is not deactivated over it either (%s)",
  async (point) => {
    const here = await stage([{ ...party, columns: ["src_name"] }]);
    for (const id of ["A", "B"]) put(here.dev, id, { src_name: id });
    if (point === undefined) await here.apply();
    else expect(await diesAt(point, 1, async (hooks) => here.apply({}, { hooks }))).toBe(true);
    put(here.prod, "A", { src_name: "A", src_note: "call first" });
    if (point !== undefined) await here.apply();
    const result = await here.back();
    const isActive = (id: string): unknown => {
      const found = books.findInstance(here.prod, "party", crmProd, id);
      return found === undefined ? undefined : books.instanceBook(here.prod, found).active;
    };
    expect([isActive("A"), isActive("B")]).toEqual([true, false]);
    expect(JSON.stringify(result.changes)).toMatch(left);
  },
);

test("what an older log tells nothing of is taken back as it was", () => {
  const intent = { key: "k", name: "A", action: "create" as const, values: { cmo_code: "A" } };
  const there = { key: "k", name: "A", values: { cmo_code: "A" }, unmoved: () => ({ cmo_email: "a" }) };
  const open = { text: (_name: string, value: unknown): string => JSON.stringify(value), isOurs: () => true };
  expect(undoLine({ intent }, [there], open).action).toBe("delete");
  expect(undoLine({ intent, unmoved: "?" }, [there], open).action).toBe("blocked");
});

async function removable(): Promise<Stage> {
  const here = await stage([{ ...masterParty, columns: ["cmo_name"] }], true);
  author(here.dev, { cmo_code: "A", cmo_name: "A" }, "party");
  author(here.prod, { cmo_code: "B", cmo_name: "B", cmo_email: "b@example.org" }, "party");
  return here;
}

test("a master that a run has removed is made again by a rollback with what it had there", async () => {
  for (const type of [undefined, "drop-after-commit", "drop-before-commit"] as const) {
    const here = await removable();
    expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
    expect(Object.keys(authored(here.prod, "party"))).toEqual(["A"]);
    const match = { tenant: "prod", method: "POST", path: "/\\/master\\/masters\\/party$/" } as const;
    if (type !== undefined) here.made.emulator.faults.add({ match, when: { times: 1 }, effect: { type } });
    expect((await here.back()).exitCode).toBe(exitCodes.done);
    expect(authored(here.prod, "party")).toMatchObject({ B: { cmo_name: "B", cmo_email: "b@example.org" } });
    expect(Object.keys(authored(here.prod, "party"))).toEqual(["B"]);
  }
});

test("so is one of which a rollback that was killed has left it", async () => {
  const here = await removable();
  await here.apply({ allowDelete: true });
  const back = async (hooks?: { reached(at: string): void }): Promise<Result> =>
    rollbackRun(here.made.migration({}, { plan: here.plan, hooks }), {
      allowDelete: true,
      confirm: async () => true,
    });
  expect(await diesAt("intent:after", 2, back)).toBe(true);
  expect(authored(here.prod, "party")["B"]).toBeUndefined();
  await back();
  expect(authored(here.prod, "party")).toMatchObject({ B: { cmo_email: "b@example.org" } });
});

test("where the server does not take that, the master is there, and it is said", async () => {
  const here = await removable();
  await here.apply({ allowDelete: true });
  const match = { tenant: "prod", method: "PUT", path: "/\\/master\\/masters\\/party\\/\\d+$/" } as const;
  here.made.emulator.faults.add({ match, effect: { type: "status", code: 400 } });
  const result = await here.back();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(JSON.stringify(result.changes)).toContain("the row B: a part of it was refused");
  expect(authored(here.prod, "party")["B"]).toMatchObject({ cmo_name: "B" });
});

test("what somebody has written there between the question and the removal keeps the record", async () => {
  const here = await removable();
  const confirm = async (): Promise<boolean> => {
    const [one] = books.findMasters(here.prod, "party", "cmo_code", "B");
    if (one !== undefined) books.writeMaster(here.prod, one, { cmo_email: "new@example.org" });
    return true;
  };
  const result = await here.apply({ allowDelete: true, confirm });
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(authored(here.prod, "party")["B"]).toMatchObject({ cmo_email: "new@example.org" });
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(authored(here.prod, "party")["B"]).toBeUndefined();
});
