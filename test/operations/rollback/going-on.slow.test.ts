import { expect, test } from "vitest";
import { diffPlan } from "../../../src/operations/diff.ts";
import { applyPlan } from "../../../src/operations/apply.ts";
import { resolveDoubts } from "../../../src/operations/resolve.ts";
import { previewRollback } from "../../../src/operations/rollback.ts";
import { planStatus } from "../../../src/operations/status.ts";
import { verifyPlan } from "../../../src/operations/verify.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, stage, type Stage } from "../../diff/support/run.ts";
import { editTerm, removeTerm } from "../../diff/support/web.ts";
import { decidedRollback, killedAt, rollback, terms } from "./support.ts";

/** Two runs that changed a term each; the second is the last. */
async function twoRuns(): Promise<{ readonly at: Stage; readonly first: string }> {
  const at = await stage({ kept: "files" });
  const [one, two] = [seedTerm(at.source, "One"), seedTerm(at.source, "Two")];
  await apply(at, terms);
  editTerm(at.source, one, { description: "new" });
  const { run: first = "" } = await apply(at, terms);
  editTerm(at.source, two, { description: "new" });
  await apply(at, terms);
  return { at, first };
}

function described({ target }: Stage): readonly unknown[] {
  return ["One", "Two"].map((name) => target.body(target.term(name))["description"] === "new");
}

/** The command that `status` and `resolve` say goes on with it. */
async function told(at: Stage): Promise<readonly unknown[]> {
  const status = await planStatus(at.world.migration(terms));
  const { next } = await resolveDoubts(at.world.migration(terms), { decisions: [] });
  return [status.exitCode, status.next, next?.[0]];
}

test.each(["intent:after", "send:after", "outcome:after"])(
  "a rollback that died at %s goes on as a rollback, also with what is in doubt: an apply would bring all of it again",
  async (point) => {
    const { at } = await twoRuns();
    await expect(rollback(at, terms, { migration: killedAt(point) })).rejects.toThrow("killed");
    expect(await told(at)).toEqual([5, ["ferry rollback test"], "ferry rollback test"]);
    // What was looked at with `resolve` changes nothing about it.
    expect(await told(at)).toEqual([5, ["ferry rollback test"], "ferry rollback test"]);
    expect((await rollback(at, terms)).exitCode).toBe(0);
    expect(described(at)).toEqual([true, false]);
  },
);

test.each([false, true])(
  "whoever looks at what a rollback left in doubt is led to that rollback, and not to an apply (one of an earlier run: %s)",
  async (isEarlier) => {
    const at = await stage({ kept: "files" });
    const gone = seedTerm(at.source, "Gone");
    await apply(at, terms);
    const before = at.source.tenant.terms.get(gone);
    removeTerm(at.source, gone);
    const { run = "" } = await apply(at, terms, { allowDelete: true });
    seedTerm(at.source, "Later");
    if (isEarlier) await apply(at, terms);
    // It was about to make it again; who looks does not know whether it has.
    const migration = killedAt("intent:after");
    const named = isEarlier ? { run } : {};
    await expect(rollback(at, terms, { ...named, migration })).rejects.toThrow("killed");
    // The source has thought better of it.
    if (before !== undefined) at.source.tenant.terms.put(before);
    const again = `ferry rollback test${isEarlier ? ` --run ${run}` : ""}`;
    const looked = await diffPlan(at.world.migration(terms));
    const doubt = looked.diagnostics.find(({ code }) => code === "in-doubt");
    expect(doubt).toMatchObject({ suggestion: `Run: ${again}` });
    expect(looked.next?.[0]).toBe(again);
    const held = looked.changes.find(({ action }) => action === "blocked");
    expect(held?.diagnostics[0]?.suggestion).toContain(`\`${again}\` to settle it`);
    const proof = await verifyPlan(at.world.migration(terms));
    expect(proof.diagnostics.find(({ code }) => code === "in-doubt")).toMatchObject({
      suggestion: `Run: ${again}`,
    });
    await expect(previewRollback(at.world.migration(terms), named)).rejects.toMatchObject({
      suggestion: expect.stringContaining(`\`${again}\` settles them`),
    });
  },
);

test.each(["intent:after", "outcome:after"])(
  "one of an earlier run that died at %s goes on with that run, and not with the last one",
  async (point) => {
    const { at, first } = await twoRuns();
    const migration = killedAt(point);
    await expect(rollback(at, terms, { run: first, migration })).rejects.toThrow("killed");
    const again = `ferry rollback test --run ${first}`;
    expect(await told(at)).toEqual([5, [again], again]);
    expect((await rollback(at, terms, { run: first })).exitCode).toBe(0);
    expect(described(at)).toEqual([false, true]);
  },
);

test("a decision that is refused names the rollback that was interrupted as well", async () => {
  const { at } = await twoRuns();
  await expect(rollback(at, terms, { migration: killedAt("intent:after") })).rejects.toThrow("killed");
  const source = [...at.source.tenant.terms.values()].map(({ urn }) => urn as string)[1] ?? "";
  const decisions = [{ decision: "take", source, target: "urn:data:prod:catalog:term:none" }] as const;
  await expect(resolveDoubts(at.world.migration(terms), { decisions })).rejects.toMatchObject({
    suggestion: "Candidates: none. Run: ferry rollback test",
  });
});

test("one of a run that was named by the beginning of its name goes on by the whole of it: the rollback has the same", async () => {
  const { at } = await twoRuns();
  const day = 86_400_000;
  const now = (): number => Date.now() + 40 * day;
  seedTerm(at.source, "Later");
  const { run: later = "" } = await applyPlan(at.world.migration(terms, { now }), {
    confirm: async () => true,
  });
  const migration = { ...killedAt("outcome:after"), now };
  await expect(rollback(at, terms, { run: later.slice(0, 8), allowDelete: true, migration })).rejects.toThrow(
    "killed",
  );
  const again = `ferry rollback test --run ${later}`;
  expect(await told(at)).toEqual([5, [again], again]);
  expect((await rollback(at, terms, { run: later, allowDelete: true, migration: { now } })).exitCode).toBe(0);
  expect(at.target.tenant.terms.size).toBe(2);
});

test("what a rollback asks a person, and is decided, goes on as that rollback", async () => {
  const { at, decided } = await decidedRollback();
  expect(decided).toMatchObject({ exitCode: 0, next: ["ferry rollback test"] });
  expect(await rollback(at, terms)).toMatchObject({ exitCode: 0, summary: { create: 0 } });
  expect(at.target.tenant.terms.size).toBe(2);
});
