import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { author, authored, party, put, segment, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";

/** An instance that the source does not have, and that a colleague is at work on in the moment in which the run removes it. */

const deactivating = { tenant: "prod", path: "/\\/deactivate$/" } as const;

async function removable(): Promise<Stage> {
  const here = await stage([party], true);
  put(here.dev, "A", { src_name: "a" });
  put(here.prod, "A", { src_name: "a" });
  put(here.prod, "B", { src_name: "b" });
  return here;
}

/** Once, when the first request for it arrives. */
function meanwhile(here: Stage, work: () => void): void {
  const off = here.made.emulator.on(({ phase, entry }) => {
    if (phase !== "received" || !entry.path.endsWith("/deactivate")) return;
    off();
    work();
  });
}

function isActive(here: Stage): boolean | undefined {
  const row = here.prod.byKey("party", "crm#party#Prod", "B");
  return row === undefined ? undefined : books.instanceBook(here.prod, row).active;
}

test("what the colleague has removed is told as theirs, and a rollback leaves it", async () => {
  const here = await removable();
  meanwhile(here, () => put(here.prod, "B", {}, { activity: false }));
  const { exitCode, diagnostics } = await here.apply({ allowDelete: true });
  expect(exitCode).toBe(exitCodes.partial);
  expect(JSON.stringify(diagnostics)).toContain("somebody has removed it at the target since");
  await here.back();
  expect(isActive(here)).toBe(false);
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
});

test("what the run itself has removed is made active again by a rollback, also where its answer was lost", async () => {
  for (const type of ["drop-after-commit", "drop-before-commit", "garbage"] as const) {
    const here = await removable();
    here.made.emulator.faults.add({ match: deactivating, when: { times: 1 }, effect: { type } });
    expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
    expect(isActive(here)).toBe(false);
    await here.back();
    expect(isActive(here)).toBe(true);
  }
});

test("where the answer is lost and the colleague changes it, it is not removed a second time", async () => {
  const here = await removable();
  const effect = { type: "drop-before-commit" } as const;
  here.made.emulator.faults.add({ match: deactivating, when: { times: 1 }, effect });
  meanwhile(here, () => put(here.prod, "B", { src_name: "theirs" }));
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.partial);
  expect(isActive(here)).toBe(true);
});

async function removableMaster(): Promise<Stage> {
  const here = await stage([segment], true);
  author(here.dev, { cmo_code: "A", cmo_name: "a" });
  author(here.prod, { cmo_code: "A", cmo_name: "a" });
  author(here.prod, { cmo_code: "B", cmo_name: "b" });
  return here;
}

test("nor is a master that a colleague has removed in that moment made again by a rollback", async () => {
  const here = await removableMaster();
  const off = here.made.emulator.on(({ phase, entry }) => {
    if (phase !== "received" || entry.method !== "DELETE") return;
    off();
    const masters = here.prod.masters("segment");
    const row = masters?.rows.find(({ authored: is }) => is?.values["cmo_code"] === "B");
    if (row !== undefined) masters?.delete(row);
  });
  const { exitCode, diagnostics } = await here.apply({ allowDelete: true });
  expect(exitCode).toBe(exitCodes.partial);
  expect(JSON.stringify(diagnostics)).toContain("somebody has removed it at the target since");
  await here.back();
  expect(Object.keys(authored(here.prod))).toEqual(["A"]);
});

test("one that the run itself has removed is, also where its answer was lost", async () => {
  const match = { tenant: "prod", method: "DELETE" } as const;
  for (const type of ["drop-after-commit", "drop-before-commit", "garbage"] as const) {
    const here = await removableMaster();
    here.made.emulator.faults.add({ match, when: { times: 1 }, effect: { type } });
    expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
    expect(Object.keys(authored(here.prod))).toEqual(["A"]);
    await here.back();
    expect(Object.keys(authored(here.prod)).toSorted()).toEqual(["A", "B"]);
  }
});
