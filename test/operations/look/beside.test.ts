import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyPlan } from "../../../src/operations/apply.ts";
import { diffPlan } from "../../../src/operations/diff.ts";
import type { Result } from "../../../src/model/result.ts";
import { StoreError } from "../../../src/store/index.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, type Stage, stage } from "../../diff/support/run.ts";
import { editTerm } from "../../diff/support/web.ts";
import type { PlanChanges } from "../../support/world.ts";
import { atRest, isAsBefore, plan } from "./support.ts";
import { allOr } from "../../support/whole.ts";

const files = { kept: "files" } as const;
const full = new StoreError("disk-full", "a file", "cannot write a file: the disk is full", "");

describe("what was applied last", () => {
  const merging: PlanChanges = { select: { kinds: ["terms"] }, policy: { conflict: "merge" } };

  async function withoutBase(): Promise<Stage & { readonly applied: string; readonly text: string }> {
    const at = await stage(files);
    seedTerm(at.source, "Term", { description: "First" });
    await apply(at, merging);
    editTerm(at.source, at.source.term("Term"), { description: "Second" });
    await apply(at, merging);
    const { applied } = at.world.places(merging);
    const text = readFileSync(applied, "utf8");
    rmSync(applied);
    editTerm(at.source, at.source.term("Term"), { description: "Ours" });
    editTerm(at.target, at.target.term("Term"), { type: "theirs" });
    expect((await apply(at, merging)).changes.map(({ action }) => action)).toEqual(["conflict"]);
    expect(isAsBefore(await apply(at, merging))).toBe(true);
    return { ...at, applied, text };
  }

  test("decides: where it is there again both are brought together", async () => {
    const at = await withoutBase();
    writeFileSync(at.applied, at.text);
    const result = await apply(at, merging);
    expect([isAsBefore(result), result.changes.map(({ outcome }) => outcome)]).toEqual([false, ["done"]]);
    expect(at.target.body(at.target.term("Term"))).toMatchObject({ description: "Ours", type: "theirs" });
  });
});

describe("the last diff", () => {
  test.each(allOr(["", "{", "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n"], (text) => text.length > 1))(
    "is made anew where its file says %j",
    async (text) => {
      const at = await atRest(files);
      const { diff } = at.world.places(plan);
      const before = readFileSync(diff, "utf8");
      writeFileSync(diff, text);
      const result = await apply(at, plan);
      expect([result.exitCode, isAsBefore(result)]).toEqual([0, false]);
      expect(readFileSync(diff, "utf8")).toBe(before);
    },
  );
});

describe("the snapshot", () => {
  test.each([
    ["is missing", (path: string) => rmSync(path)],
    ["is empty", (path: string) => writeFileSync(path, "")],
    ["ends early", (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -40))],
  ])("is made anew where a file of it %s: later commands read it", async (_what, damage) => {
    const at = await atRest(files);
    const path = join(at.world.places(plan).snapshot, "terms.ndjson");
    const before = readFileSync(path, "utf8");
    damage(path);
    const result = await apply(at, plan);
    expect([result.exitCode, isAsBefore(result)]).toEqual([0, false]);
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(isAsBefore(await apply(at, plan))).toBe(true);
  });
});

describe("a look that cannot be kept, or taken away", () => {
  test("takes nothing from what the run came to", async () => {
    const at = await atRest();
    seedTerm(at.source, "Later");
    const onFull = async (): Promise<Result> => {
      const migration = at.world.migration(plan);
      migration.store.work.saveLook = async () => Promise.reject(full);
      return applyPlan(migration, { confirm: async () => true });
    };
    const wrote = await onFull();
    expect([wrote.exitCode, wrote.changes.map(({ outcome }) => outcome)]).toEqual([0, ["done"]]);
    const atRestNow = await onFull();
    expect([atRestNow.exitCode, isAsBefore(atRestNow), atRestNow.changes]).toEqual([0, false, []]);
  });

  test("is left where a folder is in its place", async () => {
    const at = await atRest(files);
    const { look } = at.world.places(plan);
    rmSync(look);
    mkdirSync(look);
    expect(await apply(at, plan)).toMatchObject({ exitCode: 0, changes: [] });
  });
});

describe("a program that has read something before", () => {
  test("keeps no look: what it knows from then was not heard", async () => {
    const at = await stage();
    const wide: PlanChanges = { select: { kinds: ["sql-items", "item-metadata", "terms"] } };
    seedTerm(at.source, "Term");
    await apply(at, wide);
    const { work } = at.world.migration(wide).store;
    const migration = at.world.migration(wide);
    await diffPlan(migration);
    expect((await applyPlan(migration, { confirm: async () => true })).changes).toEqual([]);
    const heard = (await work.lastLook()) as Heard | undefined;
    await work.saveLook(undefined);
    await apply(at, wide);
    const whole = (await work.lastLook()) as Heard;
    expect(models(whole)).toEqual(["source", "target"]);
    expect(heard === undefined || models(heard).length === 2).toBe(true);
  });

  interface Heard {
    readonly reads: readonly { readonly side: string; readonly path: string }[];
  }

  /** The sides of which the metadata model was read. */
  function models({ reads }: Heard): readonly string[] {
    return [
      ...new Set(reads.flatMap(({ side, path }) => (path.includes("/metadata-model/") ? [side] : []))),
    ].sort();
  }
});

describe("a run that failed while it read", () => {
  test("leaves nothing that was read ahead to a later one of the same program", async () => {
    const at = await atRest();
    const { source } = at;
    editTerm(source, source.term("Term 107"), { description: "Otherwise" });
    const migration = at.world.migration(plan);
    const { work } = migration.store;
    const createSnapshot = work.createSnapshot.bind(work);
    work.createSnapshot = async () => Promise.reject(full);
    await expect(applyPlan(migration, { confirm: async () => true })).rejects.toBe(full);
    work.createSnapshot = createSnapshot;
    // There is room again, an hour later.
    for (let number = 1; number <= 120; number += 1)
      editTerm(source, source.term(`Term ${number}`), { description: "Since" });
    expect((await diffPlan(migration)).summary).toMatchObject({ update: 120, unchanged: 6 });
  });
});
