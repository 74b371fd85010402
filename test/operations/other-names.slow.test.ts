import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { recordOf, rowsStage, type RowsStage } from "../records/support.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import type { Result } from "../../src/model/result.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { apply, diff, stage, type Stage } from "../diff/support/run.ts";
import type { PlanChanges } from "../support/world.ts";
import { killedAt, termNames } from "./rollback/support.ts";
import { bare, seedTable, writeOver } from "../diff/support/metadata.ts";
import { wanted } from "../diff/support/side.ts";
import { editTerm, removeTerm } from "../diff/support/web.ts";

const kinds: PlanChanges = { select: { kinds: ["terms"] } };
const never: PlanChanges = { ...kinds, policy: { adopt: "never" } };

/** The same plan, whose target is called otherwise. */
function renamed({ world }: Stage, changes: PlanChanges): ReturnType<typeof world.migration> {
  const plan = world.plan(changes);
  return world.migration(changes, { plan: { ...plan, target: { ...plan.target, name: "live" } } });
}

async function applyRenamed(at: Stage, changes: PlanChanges): Promise<Result> {
  return applyPlan(renamed(at, changes), { confirm: async () => true });
}

async function moved(changes: PlanChanges): Promise<Stage> {
  const at = await stage({ kept: "files" });
  for (const name of ["One", "Two"]) seedTerm(at.source, name);
  await apply(at, changes);
  expect(at.target.tenant.terms.size).toBe(2);
  return at;
}

test("where an environment got another name, nothing is made once more: what was known under the old one is named", async () => {
  const at = await moved(never);
  const refused = {
    name: "StoreError",
    message: expect.stringContaining("holds that of the same two environments under other names"),
    suggestion: expect.stringContaining("rename that folder"),
  };
  await expect(applyRenamed(at, never)).rejects.toMatchObject(refused);
  await expect(diffPlan(renamed(at, never), {})).rejects.toMatchObject(refused);
  expect(at.target.tenant.terms.size).toBe(2);

  const mappings = join(at.world.folder, "mappings");
  await rm(join(mappings, "dev--live"), { recursive: true, force: true });
  await rename(join(mappings, "dev--prod"), join(mappings, "dev--live"));
  expect(await applyRenamed(at, never)).toMatchObject({
    exitCode: 0,
    summary: { create: 0, unchanged: 2 },
  });
  expect(at.target.tenant.terms.size).toBe(2);
});

test("what a run had made that was killed before it wrote its mapping is known under the old name", async () => {
  const at = await stage({ kept: "files" });
  for (const name of ["One", "Two"]) seedTerm(at.source, name);
  const dying = at.world.migration(never, killedAt("outcome:after", 1));
  await expect(applyPlan(dying, { confirm: async () => true })).rejects.toThrow("killed");
  await expect(applyRenamed(at, never)).rejects.toMatchObject({
    message: expect.stringContaining("holds no mapping of terms, and"),
  });
  expect(at.target.tenant.terms.size).toBe(2);
});

test("a mapping under the old name that cannot be read may be that of the same two", async () => {
  const at = await moved(never);
  const mappings = join(at.world.folder, "mappings");
  await writeFile(join(mappings, "README.md"), "Which pairs there are.\n");
  await writeFile(join(mappings, "dev--prod", "terms.json"), "<<<<<<< HEAD\n");
  await expect(applyRenamed(at, never)).rejects.toMatchObject({
    message: expect.stringMatching(/may hold that of the same two.*unsettled merge/),
    suggestion: expect.stringContaining("Or take"),
  });
  expect(at.target.tenant.terms.size).toBe(2);

  await rm(join(mappings, "dev--prod"), { recursive: true });
  expect(await applyRenamed(at, never)).toMatchObject({ exitCode: 0, summary: { create: 2 } });
});

test("a pair of which other kinds are known under the new name makes none of these once more", async () => {
  const at = await moved(never);
  seedFolder(at.source, "New");
  await applyRenamed(at, { select: { kinds: ["folders"], dependencies: "mapped-only" } });
  const folders: PlanChanges = {
    select: { kinds: ["folders"], dependencies: "mapped-only" },
    policy: { adopt: "never" },
  };
  expect(await applyRenamed(at, folders)).toMatchObject({ exitCode: 0, summary: { create: 0 } });
  await expect(applyRenamed(at, never)).rejects.toMatchObject({
    message: expect.stringContaining("holds no mapping of terms, and"),
  });
  expect(at.target.tenant.terms.size).toBe(2);
});

test("what is equal is adopted under the new name, as the plan says", async () => {
  const at = await moved(kinds);
  expect(await applyRenamed(at, kinds)).toMatchObject({ exitCode: 0, summary: { create: 0, adopt: 2 } });
});

test("what a colleague has changed since is not taken over under the new name", async () => {
  const byName: PlanChanges = { ...kinds, policy: { adopt: "by-name" } };
  const at = await moved(byName);
  const twin = at.target.term("One");
  editTerm(at.target, twin, { description: "Theirs" });
  expect((await diff(at, byName)).summary).toMatchObject({ drift: 1 });
  await expect(applyRenamed(at, byName)).rejects.toMatchObject({
    message: expect.stringMatching(/^terms "One" was moved already, as .*dev--prod has it.*overwritten$/),
    suggestion: expect.stringContaining("rename that folder"),
  });
  expect(at.target.body(twin)).toMatchObject({ description: "Theirs" });

  await rm(join(at.world.folder, "mappings", "dev--prod"), { recursive: true });
  expect(await applyRenamed(at, byName)).toMatchObject({ exitCode: 0, summary: { adopt: 2 } });
  expect(at.target.body(twin)).not.toMatchObject({ description: "Theirs" });
});

test("nor what lies over a thing, which is met where that is", async () => {
  const at = await stage({ kept: "files" });
  const plan: PlanChanges = { select: { kinds: ["item-metadata"] }, policy: { conflict: "source-wins" } };
  for (const side of [at.source, at.target]) bare(side);
  const [item, twin] = [at.source, at.target].map((side) => seedTable(side, "TABLE"));
  writeOver(at.source, wanted(item, "table"), { description: "Ours" });
  await apply(at, plan);
  writeOver(at.target, wanted(twin, "table"), { description: "Theirs" });
  expect((await diff(at, plan)).summary).toMatchObject({ drift: 1 });
  await expect(applyRenamed(at, plan)).rejects.toThrow(/^item-metadata "TABLE" was moved already/);
  expect((await diff(at, plan)).summary).toMatchObject({ drift: 1 });
});

test("what has another name at the source since is not made once more either, as long as it is there", async () => {
  const at = await moved(kinds);
  editTerm(at.source, at.source.term("One"), { name: "Uno" });
  await expect(applyRenamed(at, kinds)).rejects.toMatchObject({
    message: expect.stringMatching(/^terms "Uno" was moved already, as .*dev--prod has it/),
    suggestion: expect.stringContaining("rename that folder"),
  });
  expect(termNames(at)).toEqual(["One", "Two"]);

  const mappings = join(at.world.folder, "mappings");
  await rm(join(mappings, "dev--live"), { recursive: true, force: true });
  await rename(join(mappings, "dev--prod"), join(mappings, "dev--live"));
  expect(await applyRenamed(at, kinds)).toMatchObject({ exitCode: 0, summary: { create: 0, update: 1 } });
  expect(termNames(at)).toEqual(["Two", "Uno"]);
});

test("what is gone at the target, or was never moved, is made under the new name", async () => {
  const at = await moved(kinds);
  removeTerm(at.target, at.target.term("One"));
  seedTerm(at.source, "Three");
  expect(await applyRenamed(at, kinds)).toMatchObject({ exitCode: 0, summary: { create: 2, adopt: 1 } });
  expect(termNames(at)).toEqual(["One", "Three", "Two"]);
});

test("a mapping of other environments keeps nobody from beginning", async () => {
  const at = await moved(never);
  const mappings = join(at.world.folder, "mappings");
  await rename(join(mappings, "dev--prod"), join(mappings, "test--live"));
  const plan = at.world.plan(never);
  const other = {
    ...plan,
    target: { ...plan.target, name: "other" },
    source: { ...plan.source, name: "begin" },
  };
  // The source of that mapping is the target here, and the target its source.
  const turned = {
    ...other,
    source: { ...plan.target, name: "begin" },
    target: { ...plan.source, name: "other" },
  };
  expect(await diffPlan(at.world.migration(never, { plan: turned }), {})).toMatchObject({
    summary: { create: 2 },
  });
  expect((await diff(at, { ...never, policy: { adopt: "identical" } })).summary).toMatchObject({ create: 0 });
});

const some = { ...kinds, select: { kinds: ["terms"], include: [{ kind: "terms", name: "T*" }] } };

test.each([
  ["has another name at the source since", kinds],
  ["is met by no name, as the plan says", never],
] as const)(
  "what %s is not made once more where another plan has brought others of its kind under the new name",
  async (_what, changes) => {
    const at = await moved(kinds);
    await applyRenamed(at, some);
    editTerm(at.source, at.source.term("One"), { name: "Uno" });
    await expect(applyRenamed(at, changes)).rejects.toMatchObject({
      message: expect.stringMatching(/^terms "Uno" was moved already, as .*dev--prod has it/),
    });
    expect(termNames(at)).toEqual(["One", "Two"]);
  },
);

test("nor where the run under the old name was killed before it wrote its mapping", async () => {
  const at = await stage({ kept: "files" });
  for (const name of ["One", "Two"]) seedTerm(at.source, name);
  const dying = at.world.migration(kinds, killedAt("outcome:after", 1));
  await expect(applyPlan(dying, { confirm: async () => true })).rejects.toThrow("killed");
  editTerm(at.source, at.source.term("One"), { name: "Uno" });
  await expect(applyRenamed(at, kinds)).rejects.toThrow(/^terms "Uno" was moved already/);
  expect(termNames(at)).toEqual(["One", "Two"]);
});

test("what is the twin of something else by now keeps nobody from being made", async () => {
  const at = await moved(kinds);
  const uno = seedTerm(at.source, "Uno");
  editTerm(at.source, at.source.term("One"), { name: "Eins" });
  await setMappings(renamed(at, kinds), [{ source: uno, target: at.target.term("One") }]);
  const result = await applyRenamed(at, kinds);
  expect(result.summary).toMatchObject({ create: 1, adopt: 1 });
});

test.each([
  ["an unsettled merge", "rules.json", "<<<<<<< HEAD\n"],
  ["a damaged journal", "journal.ndjson", "nothing\n"],
])("%s in the folder of other environments stops no run that makes nothing", async (_what, file, text) => {
  const at = await moved(never);
  const other = join(at.world.folder, "mappings", "qa--uat");
  await mkdir(other);
  await writeFile(join(other, file), text);
  expect(await diffPlan(at.world.migration(never), {})).toMatchObject({ exitCode: 0 });
  expect(await apply(at, never)).toMatchObject({ exitCode: 0 });
});

test("nor one that makes something, where a file beside it tells whose the folder is", async () => {
  const at = await moved(never);
  const mappings = join(at.world.folder, "mappings");
  const own = await readFile(join(mappings, "dev--prod", "terms.json"), "utf8");
  const others = own.replaceAll('"tenant":"prod"', '"tenant":"uat"');
  const unsettled = others.replace(/(\s*"serial": )1,/, "\n<<<<<<< HEAD$11,\n=======$12,\n>>>>>>> theirs");
  expect(unsettled).toContain("<<<<<<<");
  await rename(join(mappings, "dev--prod"), join(mappings, "qa--uat"));
  await writeFile(join(mappings, "qa--uat", "terms.json"), unsettled);
  await rm(join(mappings, "qa--uat", "journal.ndjson"));
  expect(await applyRenamed(at, never)).toMatchObject({ exitCode: 0, summary: { create: 2 } });
});

describe("rows that a colleague has changed since", () => {
  const source = [
    { code: "DE", name: "a" },
    { code: "FR", name: "b" },
  ];

  /** `isKilled`: before it kept what it knew of them. */
  async function touched(isKilled: boolean): Promise<RowsStage> {
    const s = await rowsStage({ kept: "files", source });
    const reached = (at: string): void => {
      if (isKilled && at === "outcome:after" && s.target.open().length === 0) throw new Error("killed");
    };
    const run = s.apply({}, { hooks: { reached } });
    await (isKilled ? expect(run).rejects.toThrow("killed") : run);
    seed.editRecord(s.target, wanted(recordOf(s.target, "DE"), "DE"), { name: "theirs" });
    return s;
  }

  const called = (s: RowsStage): ReturnType<typeof s.world.migration> => {
    const plan = s.world.plan(s.changes);
    return s.world.migration(s.changes, { plan: { ...plan, target: { ...plan.target, name: "live" } } });
  };
  const confirm = async (): Promise<boolean> => true;

  test.each([false, true])("are not written over under the new name (killed: %s)", async (isKilled) => {
    const s = await touched(isKilled);
    const refused = {
      message: expect.stringMatching(/^rows of "Countries" were moved already, as .*dev--prod has it/),
      suggestion: expect.stringContaining("rename that folder so"),
    };
    await expect(diffPlan(called(s), {})).rejects.toMatchObject(refused);
    await expect(applyPlan(called(s), { confirm })).rejects.toMatchObject(refused);
    expect(s.published()).toMatchObject({ DE: { name: "theirs" } });

    const mappings = join(s.world.folder, "mappings");
    await rm(join(mappings, "dev--live"), { recursive: true, force: true });
    await rename(join(mappings, "dev--prod"), join(mappings, "dev--live"));
    expect((await applyPlan(called(s), { confirm })).exitCode).toBe(4);
    expect(s.published()).toMatchObject({ DE: { name: "theirs" } });
  });

  test("keep nobody from moving them to another environment, or where there is nothing to write", async () => {
    const s = await touched(false);
    seed.editRecord(s.target, wanted(recordOf(s.target, "DE"), "DE"), { name: "a" });
    expect((await applyPlan(called(s), { confirm })).exitCode).toBe(0);
    const mappings = join(s.world.folder, "mappings");
    for (const file of await readdir(join(mappings, "dev--prod", "rows"))) {
      if (!file.endsWith(".ndjson")) continue;
      const path = join(mappings, "dev--prod", "rows", file);
      await writeFile(path, (await readFile(path, "utf8")).replaceAll('"tenant":"prod"', '"tenant":"other"'));
    }
    await rm(join(mappings, "dev--prod", "journal.ndjson"), { force: true });
    await rm(join(mappings, "dev--live"), { recursive: true, force: true });
    seed.editRecord(s.target, wanted(recordOf(s.target, "DE"), "DE"), { name: "theirs" });
    expect((await applyPlan(called(s), { confirm })).summary.update).toBe(1);
  });
});
