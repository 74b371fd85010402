import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, type Stage, stage } from "../../diff/support/run.ts";
import { editTerm } from "../../diff/support/web.ts";
import type { PlanChanges } from "../../support/world.ts";
import { atRest, isAsBefore, plan } from "./support.ts";

const files = { kept: "files" } as const;

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
  test.each(["", "{", "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n"])(
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
