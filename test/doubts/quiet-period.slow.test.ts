import { describe, expect, it } from "vitest";
import type { Progress } from "../../src/engine/progress.ts";
import { seedTerm } from "../diff/support/content.ts";
import { apply, stage } from "../diff/support/run.ts";
import { names } from "../diff/support/side.ts";
import { editTerm, removeTerm } from "../diff/support/web.ts";
import { killedAt as cutAt, rollback } from "../operations/rollback/support.ts";
import type { PlanChanges } from "../support/world.ts";
import { applyWith, held, killedAt, late, lose, routes, terms } from "./support.ts";

const quiet = { ...terms, limits: { quietPeriodMs: 450 } };
const anHour = 3_600_000;

function onWaiting(act: () => void): (progress: Progress) => void {
  return ({ type }) => {
    if (type === "waiting") act();
  };
}

describe("the quiet period", () => {
  it("holds for a patch that was under way when its run was killed", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    await apply(at, terms);
    editTerm(at.source, urn, { description: "first" });
    lose(at, routes.patchTerm, late);
    await killedAt(at, quiet, "send:after");
    editTerm(at.source, urn, { description: "second" });
    const done = await apply(at, quiet, { verify: true });
    await at.world.emulator.idle();
    expect(done.exitCode).toBe(0);
    expect(at.target.body(at.target.term("One"))["description"]).toBe("second");
  });

  it("holds where a colleague has changed it as well, and both are to be written over", async () => {
    const at = await stage();
    const plan: PlanChanges = { ...quiet, policy: { conflict: "source-wins" } };
    const urn = seedTerm(at.source, "One");
    await apply(at, plan);
    editTerm(at.source, urn, { description: "first" });
    lose(at, routes.patchTerm, late);
    const arrive = held(at);
    await killedAt(at, plan, "send:after");
    editTerm(at.target, at.target.term("One"), { description: "theirs" });
    editTerm(at.source, urn, { description: "second" });
    const done = await applyWith(at, plan, { report: onWaiting(arrive) }, { verify: true });
    arrive();
    await at.world.emulator.idle();
    expect(done.exitCode).toBe(0);
    expect(at.target.body(at.target.term("One"))["description"]).toBe("second");
  });

  it.each(["back at the source", "asked for no more", "back after a run of other kinds"])(
    "holds for a deletion that was under way when its run was killed (%s)",
    async (how) => {
      const at = await stage();
      const plan: PlanChanges = { ...quiet, policy: { missingTarget: "recreate" } };
      seedTerm(at.source, "Zero");
      const urn = seedTerm(at.source, "One");
      await apply(at, plan);
      const term = at.source.tenant.terms.get(urn);
      removeTerm(at.source, urn);
      lose(at, "DELETE /api/catalog/v1/terms/:urn", late);
      const arrive = held(at);
      await killedAt(at, plan, "send:after", 1, { allowDelete: true });
      if (how === "back after a run of other kinds")
        await applyWith(at, { ...plan, select: { kinds: ["rules"] } }, { report: onWaiting(arrive) });
      if (how !== "asked for no more" && term !== undefined) at.source.tenant.terms.put(term);
      const done = await applyWith(at, plan, { report: onWaiting(arrive) }, { verify: true });
      arrive();
      await at.world.emulator.idle();
      expect(done.exitCode).toBe(0);
      expect(done.summary).toMatchObject(how === "asked for no more" ? { delete: 0 } : { create: 1 });
      expect(names(at.target.tenant.terms.values())).toEqual(names(at.source.tenant.terms.values()));
    },
  );

  it.each(["has arrived", "arrives while it is waited for"])(
    "after which a deletion that %s is nobody else's: what the source has again is made",
    async (how) => {
      const at = await stage();
      seedTerm(at.source, "Zero");
      const urn = seedTerm(at.source, "One");
      await apply(at, quiet);
      const term = at.source.tenant.terms.get(urn);
      removeTerm(at.source, urn);
      let arrive = (): void => undefined;
      if (how !== "has arrived") {
        lose(at, "DELETE /api/catalog/v1/terms/:urn", late);
        arrive = held(at);
      }
      await killedAt(at, quiet, "send:after", 1, { allowDelete: true });
      if (term !== undefined) at.source.tenant.terms.put(term);
      const done = await applyWith(at, quiet, { report: onWaiting(arrive) });
      expect(done).toMatchObject({ exitCode: 0, summary: { create: 1, manual: 0 } });
      expect(names(at.target.tenant.terms.values())).toEqual(names(at.source.tenant.terms.values()));
    },
  );

  it("shows what a killed rollback has put back over what a colleague had changed: the source's word is brought again", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One", { description: "first" });
    await apply(at, quiet);
    editTerm(at.source, urn, { description: "second" });
    await apply(at, quiet);
    lose(at, routes.patchTerm, late);
    const arrive = held(at);
    await expect(rollback(at, quiet, { migration: cutAt("send:after") })).rejects.toThrow("killed");
    editTerm(at.target, at.target.term("One"), { description: "theirs" });
    const done = await applyWith(at, quiet, { report: onWaiting(arrive) });
    arrive();
    await at.world.emulator.idle();
    expect(done.exitCode).toBe(0);
    expect(at.target.body(at.target.term("One"))["description"]).toBe("second");
  });

  it("leaves what a colleague has changed to them where the rollback did not arrive", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One", { description: "first" });
    await apply(at, quiet);
    editTerm(at.source, urn, { description: "second" });
    await apply(at, quiet);
    lose(at, routes.patchTerm, { type: "drop-before-commit" });
    await expect(rollback(at, quiet, { migration: cutAt("send:after") })).rejects.toThrow("killed");
    editTerm(at.target, at.target.term("One"), { description: "theirs" });
    const done = await apply(at, quiet);
    expect([done.exitCode, ...done.changes.map(({ action }) => action)]).toEqual([4, "drift"]);
    expect(at.target.body(at.target.term("One"))["description"]).toBe("theirs");
  });

  it("is not waited for over a deletion that has arrived", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    seedTerm(at.source, "Zero");
    await apply(at, quiet);
    removeTerm(at.source, urn);
    await killedAt(at, quiet, "send:after", 1, { allowDelete: true });
    let waits = 0;
    const report = onWaiting(() => (waits += 1));
    expect((await applyWith(at, quiet, { report }, { allowDelete: true })).exitCode).toBe(0);
    expect(waits).toBe(0);
  });

  it("is not shortened by a clock that somebody sets forward", async () => {
    const at = await stage();
    seedTerm(at.source, "One");
    lose(at, routes.createTerms, late);
    let ahead = 0;
    const done = await applyWith(at, quiet, {
      now: () => Date.now() + ahead,
      hooks: { reached: (point) => void (point === "outcome:after" && (ahead = anHour)) },
    });
    await at.world.emulator.idle();
    expect(done.exitCode).toBe(0);
    expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
  });

  it.each([
    ["between two runs", "outcome:after", 0],
    ["when the second run has begun to look", "send:after", 1],
    ["when the second run has looked", "send:after", 2],
  ] as const)("is not shortened by a clock that is set forward %s", async (_when, point, looks) => {
    const at = await stage();
    seedTerm(at.source, "One");
    lose(at, routes.createTerms, late);
    await killedAt(at, quiet, point);
    const { log } = at.world.emulator;
    const listing = { tenant: "prod", route: "GET /api/catalog/v1/terms" };
    const done = await applyWith(at, quiet, {
      now: () => Date.now() + (log.count(listing) >= looks ? anHour : 0),
    });
    await at.world.emulator.idle();
    expect(done.exitCode).toBe(0);
    expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
  });
});

describe("what somebody has done by hand is just what is under way, and the source says otherwise by now", () => {
  it("nothing of theirs is deleted for what was made by nobody yet: a person is asked", async () => {
    const at = await stage();
    seedTerm(at.source, "Zero");
    const urn = seedTerm(at.source, "One");
    await apply(at, { ...quiet, select: { ...terms.select, exclude: [{ kind: "terms", name: "One" }] } });
    lose(at, routes.createTerms, late);
    const arrive = held(at);
    await killedAt(at, quiet, "send:after");
    const theirs = seedTerm(at.target, "One");
    removeTerm(at.source, urn);
    const done = await applyWith(at, quiet, { report: onWaiting(arrive) }, { allowDelete: true });
    arrive();
    await at.world.emulator.idle();
    expect(done.exitCode).toBe(6);
    expect(at.target.tenant.terms.has(theirs)).toBe(true);
  });

  it("a change does not come over what the source says since", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    await apply(at, terms);
    editTerm(at.source, urn, { description: "first" });
    lose(at, routes.patchTerm, late);
    const arrive = held(at);
    await killedAt(at, quiet, "send:after");
    editTerm(at.target, at.target.term("One"), { description: "first" });
    editTerm(at.source, urn, { description: "second" });
    const done = await applyWith(at, quiet, { report: onWaiting(arrive) });
    arrive();
    await at.world.emulator.idle();
    expect(done.exitCode).toBe(0);
    expect(at.target.body(at.target.term("One"))["description"]).toBe("second");
  });

  it("a rollback's change of what was met there does not come over what is brought again", async () => {
    const at = await stage();
    const plan: PlanChanges = { ...quiet, policy: { adopt: "by-name" } };
    seedTerm(at.source, "One", { description: "ours" });
    const twin = seedTerm(at.target, "One", { description: "theirs" });
    await apply(at, plan);
    lose(at, routes.patchTerm, late);
    const arrive = held(at);
    await expect(rollback(at, plan, { migration: cutAt("send:after") })).rejects.toThrow("killed");
    editTerm(at.target, twin, { description: "theirs" });
    const done = await applyWith(at, plan, { report: onWaiting(arrive) });
    arrive();
    await at.world.emulator.idle();
    expect(done.exitCode).toBe(0);
    expect(at.target.body(twin)["description"]).toBe("ours");
  });

  it("nothing of theirs is deleted for what a rollback brings back of which only the state in between is known", async () => {
    const at = await stage();
    seedTerm(at.source, "Zero");
    const urn = seedTerm(at.source, "One", { description: "first" });
    await apply(at, quiet);
    editTerm(at.source, urn, { description: "second" });
    await killedAt(at, quiet, "outcome:after");
    removeTerm(at.source, urn);
    expect((await apply(at, quiet, { allowDelete: true })).summary).toMatchObject({ delete: 1 });
    lose(at, routes.createTerms, late);
    const arrive = held(at);
    await expect(rollback(at, quiet, { migration: cutAt("send:after") })).rejects.toThrow("killed");
    const theirs = seedTerm(at.target, "One", { description: "first" });
    const done = await applyWith(at, quiet, { report: onWaiting(arrive) }, { allowDelete: true });
    arrive();
    await at.world.emulator.idle();
    expect(done.exitCode).toBe(6);
    expect(at.target.tenant.terms.has(theirs)).toBe(true);
  });

  it("where the source says what it said, nobody waits for a change that is there", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    await apply(at, terms);
    editTerm(at.source, urn, { description: "first" });
    await killedAt(at, quiet, "send:after");
    let waits = 0;
    const report = onWaiting(() => (waits += 1));
    expect((await applyWith(at, quiet, { report })).exitCode).toBe(0);
    expect(waits).toBe(0);
  });
});
