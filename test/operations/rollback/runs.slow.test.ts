import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyPlan } from "../../../src/operations/apply.ts";
import { planStatus } from "../../../src/operations/status.ts";
import { writeLockNote } from "../../../src/store/files/lock-note.ts";
import { nodeDisk } from "../../../src/store/files/node-disk.ts";
import { previewRollback, rollbackRun } from "../../../src/operations/rollback.ts";
import { seedRule, seedTerm } from "../../diff/support/content.ts";
import { written } from "../../diff/support/log.ts";
import { joined, movedMonitor, plan as monitors } from "../../diff/support/monitors.ts";
import { apply, stage, type Stage } from "../../diff/support/run.ts";
import { editMonitor, editTerm, removeTerm } from "../../diff/support/web.ts";
import { killedAt, rollback, termNames, terms } from "./support.ts";

const one = { name: "one", select: { kinds: ["terms"] } };
const other = { name: "other", select: { kinds: ["rules"] } };

/** One plan's run ended, and after it the other one's was killed. */
async function twoPlans(): Promise<Stage> {
  const at = await stage({ kept: "files" });
  seedTerm(at.source, "Term");
  seedRule(at.source, "Rule");
  await apply(at, one);
  const migration = at.world.migration(other, killedAt("outcome:after"));
  await expect(applyPlan(migration, { confirm: async () => true })).rejects.toThrow("killed");
  return at;
}

test("what another plan's run did is not taken back; its own rollback does that", async () => {
  const at = await twoPlans();
  expect(at.target.tenant.counts()).toMatchObject({ terms: 1, rules: 1 });

  const done = await rollback(at, one, { allowDelete: true });
  expect(done.summary.delete).toBe(1);
  expect(at.target.tenant.counts()).toMatchObject({ terms: 0, rules: 1 });
  const kept = join(at.world.folder, "plans", "other", "runs");
  expect(existsSync(kept) ? readdirSync(kept) : []).toHaveLength(1);
  await rollback(at, other, { allowDelete: true });
  expect(at.target.tenant.counts()).toMatchObject({ terms: 0, rules: 0 });
});

test("another plan's folder that takes no record is said, and keeps nothing else from being done", async () => {
  const at = await twoPlans();
  const runs = join(at.world.folder, "plans", "other", "runs");
  rmSync(runs, { recursive: true, force: true });
  writeFileSync(runs, "in the way");
  const done = await rollback(at, one, { allowDelete: true });
  expect(done).toMatchObject({ exitCode: 0, summary: { delete: 1 } });
  const said = done.diagnostics.find(({ code }) => code === "run-not-kept");
  expect(said?.summary).toContain('of the plan "other" could not be kept');
  expect(at.target.tenant.counts()).toMatchObject({ terms: 0, rules: 1 });
});

test("another plan's run by its name is refused, and the plan is named", async () => {
  const at = await stage({ kept: "files" });
  seedTerm(at.source, "Term");
  const { run = "" } = await apply(at, { ...terms, name: "other" });
  const found = rollback(at, { ...terms, name: "one" }, { run });
  await expect(found).rejects.toThrow("there is no run");
  // Killed before its end, its journal is the pair's: then it is known whose it is.
  seedTerm(at.source, "Second");
  const migration = at.world.migration({ ...terms, name: "other" }, killedAt("mapping:before-rename"));
  await expect(applyPlan(migration, { confirm: async () => true })).rejects.toThrow("killed");
  seedTerm(at.source, "Third");
  await apply(at, { ...terms, name: "one" });
  // What this plan did in the same journal is not what was named.
  const theirs = rollback(at, { ...terms, name: "one" }, { run: migration.begun ?? "", allowDelete: true });
  await expect(theirs).rejects.toThrow('belongs to the plan "other"');
  expect(termNames(at)).toEqual(["Second", "Term", "Third"]);
  expect((await rollback(at, { ...terms, name: "one" }, { allowDelete: true })).summary.delete).toBe(1);
  expect(termNames(at)).toEqual(["Second", "Term"]);
  // The other plan has a record of its own run, though this plan's closed the journal.
  await rollback(at, { ...terms, name: "other" }, { allowDelete: true });
  expect(termNames(at)).toEqual(["Term"]);
});

test("the last run is the one that was written last, whatever the clock said", async () => {
  const at = await stage({ kept: "files" });
  seedTerm(at.source, "First");
  await apply(at, terms);
  seedTerm(at.source, "Second");
  const early = at.world.migration(terms, { now: () => Date.now() - 3_600_000 });
  await applyPlan(early, { confirm: async () => true });
  await rollback(at, terms, { allowDelete: true });
  expect(termNames(at)).toEqual(["First"]);
});

test("the same when the machine's clock was set back between two runs", async () => {
  const at = await stage({ kept: "files" });
  seedTerm(at.source, "First");
  await apply(at, terms);
  const ahead = new Date(Date.now() + 400 * 24 * 3_600_000);
  const files = readdirSync(at.world.folder, { recursive: true, encoding: "utf8" });
  for (const file of files)
    if (file.endsWith(".ndjson")) utimesSync(join(at.world.folder, file), ahead, ahead);
  seedTerm(at.source, "Second");
  await apply(at, terms);
  await rollback(at, terms, { allowDelete: true });
  expect(termNames(at)).toEqual(["First"]);
});

test.each([0, -3_600_000])(
  "the same where the records were copied, which gives them other times, and the clock went by %i ms",
  async (by) => {
    const at = await stage({ kept: "files" });
    seedTerm(at.source, "First");
    const { run: first } = await apply(at, terms);
    seedTerm(at.source, "Second");
    const migration = at.world.migration(terms, { now: () => Date.now() + by });
    const { run: second } = await applyPlan(migration, { confirm: async () => true });
    const kept = join(at.world.folder, "plans", "test", "runs");
    const times = new Map([
      [first, 2_000],
      [second, 1_000],
    ]);
    for (const [run, time] of times) utimesSync(join(kept, `${run ?? ""}.ndjson`), time, time);
    await rollback(at, terms, { allowDelete: true });
    expect(termNames(at)).toEqual(["First"]);
  },
);

test("a run comes behind one that was killed before it, whatever the clock says", async () => {
  const at = await stage({ kept: "files" });
  seedTerm(at.source, "First");
  const killed = at.world.migration(terms, killedAt("outcome:after"));
  await expect(applyPlan(killed, { confirm: async () => true })).rejects.toThrow("killed");
  // Which a process that is gone has not taken away.
  const [run = "", since] = [killed.begun, new Date().toISOString()];
  writeLockNote(nodeDisk, at.world.places(terms).targetLock, {
    owner: "me",
    host: "here",
    pid: 1,
    run,
    since,
  });
  seedTerm(at.source, "Second");
  const early = at.world.migration(terms, { now: () => Date.now() - 3_600_000 });
  const next = await applyPlan(early, { confirm: async () => true });
  const { details } = await planStatus(at.world.migration(terms));
  expect(details.runs.map((told) => told.run)).toEqual([run, next.run]);
});

test("one that loses its permission ends with 3, says what is left, and goes on later", async () => {
  const at = await stage({ kept: "files" });
  seedTerm(at.source, "One");
  await apply(at, terms);
  const { faults } = at.world.emulator;
  faults.add({ match: { tenant: "prod", method: "DELETE" }, effect: { type: "status", code: 403 } });
  const cut = await rollback(at, terms, { allowDelete: true });
  expect(cut).toMatchObject({ exitCode: 3, headline: expect.stringContaining("1 left. Stopped: ") });
  expect(cut.next?.[0]).toMatch(/^ferry rollback test --run \S+ --allow-delete$/);
  faults.clear();
  expect(await rollback(at, terms, { allowDelete: true })).toMatchObject({
    exitCode: 0,
    summary: { delete: 1 },
  });
  expect(termNames(at)).toEqual([]);
});

test("two changes of one object in one journal are both taken back", async () => {
  const at = await stage({ kept: "files" });
  const urn = seedTerm(at.source, "One", { description: "old" });
  await apply(at, terms);
  const [row] = [...at.target.tenant.terms.values()];
  const before = row?.published;
  editTerm(at.source, urn, { description: "new" });
  const migration = at.world.migration(terms, killedAt("mapping:before-rename"));
  await expect(applyPlan(migration, { confirm: async () => true })).rejects.toThrow("killed");
  editTerm(at.source, urn, { name: "Uno" });
  await apply(at, terms);
  const done = await rollback(at, terms);
  expect(done).toMatchObject({ exitCode: 0, summary: { update: 1 } });
  expect([...at.target.tenant.terms.values()][0]?.published).toEqual(before);
});

test("a part that one change took away and one that another added are both as before", async () => {
  const { at, urn, twin } = await movedMonitor(joined, { kept: "files" });
  const names = (): readonly string[] =>
    Object.values((at.target.body(twin)["exportDefinitions"] ?? {}) as object)
      .map(({ name }: { name: string }) => name)
      .sort();
  const [key = ""] = Object.keys((at.source.body(urn)["exportDefinitions"] ?? {}) as object);
  editMonitor(at.source, urn, { exportDefinitions: { [key]: null } });
  const migration = at.world.migration(monitors, killedAt("mapping:before-rename"));
  await expect(applyPlan(migration, { confirm: async () => true })).rejects.toThrow("killed");
  const more = { name: "More", type: "INVALID_RECORDS", format: "CSV", enabled: true };
  editMonitor(at.source, urn, { exportDefinitions: { more }, name: "Renamed" });
  await apply(at, monitors);
  expect(names()).toEqual(["More"]);
  expect((await rollback(at, monitors)).exitCode).toBe(0);
  expect(names()).toEqual(["Invalid rows"]);
  expect(at.target.body(twin)["name"]).toBe("Customers");
});

test("the run that is meant is the last one that wrote something, and it is named before the question", async () => {
  const at = await stage({ kept: "files" });
  const first = seedTerm(at.source, "First");
  await apply(at, terms);
  editTerm(at.source, first, { description: "new" });
  seedTerm(at.source, "Second");
  const { run = "" } = await apply(at, terms);
  // Nothing to do, and nothing but a pair: neither leaves anything to take back.
  await apply(at, terms);
  seedTerm(at.source, "Twin");
  seedTerm(at.target, "Twin");
  const adopted = await apply(at, terms);
  expect(adopted.summary.adopt).toBe(1);
  const preview = await previewRollback(at.world.migration(terms));
  expect(preview.details).toMatchObject({
    run: { id: run, command: "apply", created: 1, changed: 1, deleted: 0 },
  });
  const asked: string[] = [];
  const done = await rollbackRun(at.world.migration(terms), {
    allowDelete: true,
    confirm: async (_planned, which) => {
      asked.push(which);
      return true;
    },
  });
  expect(asked).toEqual([expect.stringMatching(`^Run ${run}, the apply of .* \\(1 created, 1 changed\\)$`)]);
  expect(done.details).toMatchObject({ run: { id: run } });
  expect(done.headline).toContain(`Run ${run}, the apply of`);
  expect(termNames(at)).toEqual(["First", "Twin"]);
});

test("where another machine's run came after it, that is told before the question, and not that it is the last one", async () => {
  const at = await stage({ kept: "files" });
  seedTerm(at.source, "First");
  const { run = "" } = await apply(at, terms);
  seedTerm(at.source, "Second");
  const { run: theirs = "" } = await apply(at, terms);
  const runs = join(at.world.folder, "plans", "test", "runs");
  for (const name of readdirSync(runs)) if (name.includes(theirs)) rmSync(join(runs, name));
  const asked: string[] = [];
  const confirm = async (_planned: unknown, which: string): Promise<boolean> => {
    asked.push(which);
    return true;
  };
  await rollbackRun(at.world.migration(terms), { allowDelete: true, confirm });
  expect(asked).toEqual([
    expect.stringMatching(`^Run ${run}, .* \\(1 created\\), and not ${theirs}, which came after it`),
  ]);
  expect(termNames(at)).toEqual(["Second"]);
  const { headline } = await rollback(at, terms);
  expect(headline).toContain(`and not ${theirs}`);
  expect(headline).not.toContain("the last run");
  expect((await previewRollback(at.world.migration(terms), { run })).headline).not.toContain(theirs);
});

test("a second rollback takes nothing more back: it says so, and names the run before by which to go on", async () => {
  const at = await stage({ kept: "files" });
  seedTerm(at.source, "First");
  const { run: first = "" } = await apply(at, terms);
  seedTerm(at.source, "Second");
  const { run: second = "" } = await apply(at, terms);
  await rollback(at, terms, { allowDelete: true });
  const again = await rollback(at, terms, { allowDelete: true });
  expect(again).toMatchObject({
    exitCode: 0,
    headline: expect.stringContaining(`Run ${second}`),
    next: [`ferry rollback test --run ${first} --dry-run`],
  });
  expect(again.headline).toContain("nothing is left of it");
  expect((await previewRollback(at.world.migration(terms))).headline).toContain("nothing is left of it");
  expect(written(at.world)).toEqual([]);
  expect(termNames(at)).toEqual(["First"]);
  await rollback(at, terms, { allowDelete: true, run: first });
  expect(termNames(at)).toEqual([]);
});

test("what was left for want of --allow-delete is still meant by the next rollback", async () => {
  const at = await stage({ kept: "files" });
  seedTerm(at.source, "First");
  await apply(at, terms);
  seedTerm(at.source, "Second");
  await apply(at, terms);
  expect((await rollback(at, terms)).exitCode).toBe(4);
  await rollback(at, terms, { allowDelete: true });
  expect(termNames(at)).toEqual(["First"]);
});

test("a run and the one that went on with it are taken back together, by the end of either's name, and that is told", async () => {
  const at = await stage({ kept: "files" });
  seedTerm(at.source, "Term");
  const migration = at.world.migration(terms, killedAt("outcome:after"));
  await expect(applyPlan(migration, { confirm: async () => true })).rejects.toThrow("killed");
  seedTerm(at.source, "Second");
  const { run = "" } = await apply(at, terms);
  for (const name of [run, run.slice(-6)]) {
    const { headline } = await previewRollback(at.world.migration(terms), { run: name });
    expect(headline).toMatch(/, together with \S+, of which one goes on with the other \(2 created/);
  }
  const refused = previewRollback(at.world.migration(terms), { run: "nosuch" });
  await expect(refused).rejects.toMatchObject({ suggestion: expect.stringContaining(run) as string });
});

test("a rollback is taken back by what it has made anew; of the rest it is said that an apply brings it, which is so", async () => {
  const at = await stage({ kept: "files" });
  const [gone, changed] = [seedTerm(at.source, "Gone"), seedTerm(at.source, "Changed")];
  await apply(at, terms);
  removeTerm(at.source, gone);
  editTerm(at.source, changed, { description: "new" });
  seedTerm(at.source, "New");
  await apply(at, terms, { allowDelete: true });
  const { run = "" } = await rollback(at, terms, { allowDelete: true });
  expect(termNames(at)).toEqual(["Changed", "Gone"]);
  const again = await rollback(at, terms, { run, allowDelete: true });
  const notOnRecord = expect.stringContaining("what it was is not on record: `ferry apply`");
  const advice = [expect.objectContaining({ suggestion: "Run: ferry apply test" })];
  expect(again).toMatchObject({
    exitCode: 4,
    changes: [
      { action: "manual", source: { name: "New" }, reason: notOnRecord, diagnostics: advice },
      { action: "manual", source: { name: "Changed" }, reason: notOnRecord, diagnostics: advice },
      { action: "delete", source: { name: "Gone" }, outcome: "done" },
    ],
  });
  expect((await apply(at, terms)).exitCode).toBe(0);
  expect(termNames(at)).toEqual(["Changed", "New"]);
  expect(at.target.body(at.target.term("Changed"))).toMatchObject({ description: "new" });
});
