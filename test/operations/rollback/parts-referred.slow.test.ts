import { describe, expect, test } from "vitest";
import type { Result } from "../../../src/model/result.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { rollbackRun } from "../../../src/operations/rollback.ts";
import { seedMonitor } from "../../diff/support/content.ts";
import {
  addInput,
  leadingNowhere,
  mapInput,
  moved,
  movedWithPhone,
  type MovedRule,
  refuseMonitors,
  replaceInput,
} from "../../diff/support/inputs.ts";
import { written } from "../../diff/support/log.ts";
import { plan } from "../../diff/support/monitors.ts";
import { apply, changeOf, expectChange, type Stage } from "../../diff/support/run.ts";
import { editMonitor, editRule } from "../../diff/support/web.ts";
import { ended, rollback } from "./support.ts";

const referred = (name: string): string =>
  `a part of it would go that monitors "${name}" at the target still refers to`;

/** The last run has added an input, which a colleague's monitor may come to map. */
async function withPhone(): Promise<MovedRule & { readonly theirs: Urn; readonly map: () => void }> {
  const at = await moved();
  const theirs = seedMonitor(at.target, at.twin, "Theirs");
  addInput(at.source, at.rule, "phone");
  await apply(at, plan);
  return {
    ...at,
    theirs,
    map: () => {
      mapInput(at.target, theirs, at.target.part(at.twin, "phone"));
    },
  };
}

/** The last run has put another input in the place of one that a monitor maps, and the monitor maps that. */
async function replaced(): ReturnType<typeof movedWithPhone> {
  const at = await movedWithPhone();
  replaceInput(at);
  expect((await apply(at, plan)).exitCode).toBe(0);
  return at;
}

/** Somebody does this while a person looks at what would be taken back. */
async function rollbackBeside({ world }: Stage, act: () => void): Promise<Result> {
  world.emulator.log.clear();
  const confirm = async (): Promise<boolean> => {
    act();
    return true;
  };
  return rollbackRun(world.migration(plan), { allowDelete: true, confirm });
}

describe("an input that the run had added", () => {
  test("stays where a colleague's monitor maps it by now", async () => {
    const at = await withPhone();
    at.map();
    const done = await rollback(at, plan, { allowDelete: true });
    expect(done.exitCode).toBe(4);
    expectChange(done, at.rule, "manual", referred("Theirs"));
    expect(written(at.world)).toEqual([]);
  });

  test("stays where they come to map it before it is taken out", async () => {
    const at = await withPhone();
    const done = await rollbackBeside(at, at.map);
    expect(done.exitCode).toBe(4);
    expect(ended(done)).toEqual(["update rules failed"]);
    expect(leadingNowhere(at.target)).toEqual([]);
  });

  test("stays where nobody can look any more who maps it", async () => {
    const at = await withPhone();
    const done = await rollbackBeside(at, () => {
      at.map();
      refuseMonitors(at);
    });
    expect(done.exitCode).toBe(4);
    expect(ended(done)).toEqual(["update rules failed"]);
    expect(leadingNowhere(at.target)).toEqual([]);
  });

  test("stays where the monitor that the run has made over it is not deleted", async () => {
    const at = await movedWithPhone();
    const done = await rollback(at, plan);
    expect(ended(done).toSorted()).toEqual(["delete monitors withheld", "manual rules"]);
    expect(leadingNowhere(at.target)).toEqual([]);
  });

  test("goes after that monitor", async () => {
    const at = await movedWithPhone();
    expect((await rollback(at, plan, { allowDelete: true })).exitCode).toBe(0);
    expect(written(at.world).map((request) => request.split("/")[0])).toEqual([
      "DELETE catalog-items",
      "PATCH rules",
      "POST rules",
    ]);
  });

  test("goes after what the run has had map it", async () => {
    const at = await moved();
    addInput(at.source, at.rule, "phone");
    mapInput(at.source, at.monitor, at.source.part(at.rule, "phone"));
    await apply(at, plan);
    expect((await rollback(at, plan)).exitCode).toBe(0);
    expect(written(at.world).map((request) => request.split("/")[0])).toEqual([
      "PATCH catalog-items",
      "POST catalog-items",
      "PATCH rules",
      "POST rules",
    ]);
  });

  test("goes where nobody can look who maps it, and that is told", async () => {
    const at = await withPhone();
    refuseMonitors(at);
    const done = await rollback(at, plan);
    expect(ended(done)).toEqual(["update rules done"]);
    expect(done.changes.flatMap(({ diagnostics }) => diagnostics).map(({ code }) => code)).toContain(
      "users-unknown",
    );
  });
});

describe("where the run had put one in the place of another", () => {
  test("both are taken back", async () => {
    const at = await replaced();
    expect((await rollback(at, plan)).exitCode).toBe(0);
    expect(leadingNowhere(at.target)).toEqual([]);
  });

  test("it stays with a monitor that was touched since", async () => {
    const at = await replaced();
    editMonitor(at.target, at.secondTwin, { name: "Theirs" });
    const done = await rollback(at, plan);
    expectChange(done, at.rule, "manual", referred("Theirs"));
    expect(written(at.world)).toEqual([]);
  });

  test("it stays with a monitor that is touched meanwhile", async () => {
    const at = await replaced();
    const done = await rollbackBeside(at, () => {
      editMonitor(at.target, at.secondTwin, { name: "Theirs" });
    });
    expect(changeOf(done, at.rule)?.outcome).toBe("failed");
    expect(written(at.world)).toEqual([]);
  });

  test("the monitor is not led back to what does not come back", async () => {
    const at = await replaced();
    editRule(at.target, at.twin, { description: "theirs" });
    const done = await rollback(at, plan);
    expectChange(done, at.second, "manual", /^it led to .*, which is gone at the target$/);
    expect(written(at.world)).toEqual([]);
  });

  test("nor where a colleague's monitor keeps the rule as it is", async () => {
    const at = await replaced();
    const theirs = seedMonitor(at.target, at.twin, "Theirs");
    mapInput(at.target, theirs, at.target.part(at.twin, "mobile"));
    const done = await rollback(at, plan);
    expectChange(done, at.rule, "manual", referred("Theirs"));
    expectChange(done, at.second, "manual", /^it led to /);
    expect(written(at.world)).toEqual([]);
  });
});
