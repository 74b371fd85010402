import { describe, expect, test } from "vitest";
import { leaveRuleDraft } from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { removeMappings, setMappings } from "../../../src/operations/mappings.ts";
import { resolveDoubts } from "../../../src/operations/resolve.ts";
import { killedAt, loseBesideOthers, rules } from "../../doubts/support.ts";
import { seedRule, seedTerm } from "../../diff/support/content.ts";
import { writes } from "../../diff/support/log.ts";
import { apply, entryOf, expectAtRest, stage, type Stage, twinOf } from "../../diff/support/run.ts";
import { editRule, editTerm, removeTerm } from "../../diff/support/web.ts";
import type { PlanChanges } from "../../support/world.ts";
import { killedAt as killedOnce, rollback, terms } from "./support.ts";

const plan = { ...terms, policy: { adopt: "never" } } as const;

/** A term that one run has made, and another one has changed. */
async function changed(): Promise<{
  readonly at: Stage;
  readonly runs: readonly string[];
  readonly source: string;
}> {
  const at = await stage();
  const source = seedTerm(at.source, "Term", { extraProperties: { owner: "Ada" } });
  const { run: made = "" } = await apply(at, plan);
  editTerm(at.source, source, { extraProperties: { owner: "Grace" } });
  const { run = "" } = await apply(at, plan);
  return { at, runs: [made, run], source };
}

function owners({ target }: Stage): readonly string[] {
  return [...target.tenant.terms.values()]
    .map(({ published }) => JSON.stringify(published?.extraProperties?.["owner"]))
    .sort((left, right) => left.localeCompare(right));
}

test("what an earlier run did is taken back where the source object stands for another one by now: that one stays its twin", async () => {
  const { at, runs, source } = await changed();
  await removeMappings(at.world.migration(plan), [source]);
  await apply(at, plan);
  expect(owners(at)).toEqual(['"Grace"', '"Grace"']);

  expect(await rollback(at, plan, { run: runs[1] ?? "" })).toMatchObject({
    exitCode: 0,
    summary: { update: 1 },
  });
  expect(owners(at)).toEqual(['"Ada"', '"Grace"']);
  expect((await apply(at, plan)).summary).toMatchObject({ create: 0, update: 0, unchanged: 1, drift: 0 });

  const gone = await rollback(at, plan, { run: runs[0] ?? "", allowDelete: true });
  expect(gone).toMatchObject({ exitCode: 0, summary: { delete: 1 } });
  expect(owners(at)).toEqual(['"Grace"']);
  expect((await apply(at, plan)).summary).toMatchObject({ create: 0, update: 0, unchanged: 1, drift: 0 });
});

test.each([
  ["intent:after", "apply"],
  ["send:after", "apply"],
  ["send:after", "rollback"],
  ["outcome:before", "apply"],
] as const)("so it does where that is killed at %s, and what comes next is an %s", async (point, next) => {
  const { at, runs, source } = await changed();
  await removeMappings(at.world.migration(plan), [source]);
  await apply(at, plan);
  const twin = await twinOf(at, source);
  const [, run = ""] = runs;
  await expect(rollback(at, plan, { run, migration: killedOnce(point) })).rejects.toThrow("killed");
  if (next === "rollback") await rollback(at, plan, { run });
  const result = await apply(at, plan);
  expect(result).toMatchObject({ exitCode: 0, summary: { create: 0, update: 0, drift: 0 } });
  expect(await twinOf(at, source)).toBe(twin);
  expect(owners(at)).toEqual(point === "intent:after" ? ['"Grace"', '"Grace"'] : ['"Ada"', '"Grace"']);
});

test("what a killed rollback had published of a former twin says nothing of the draft that an apply has left of the one of now", async () => {
  const drafted = { ...plan, ...rules } as const;
  const at = await stage();
  const source = seedRule(at.source, "Email", { description: "first" });
  await apply(at, drafted);
  editRule(at.source, source, { description: "second" });
  const { run = "" } = await apply(at, drafted);
  const former = await twinOf(at, source);
  await removeMappings(at.world.migration(drafted), [source]);
  await apply(at, drafted);
  const twin = await twinOf(at, source);
  editRule(at.source, source, { description: "third" });
  await killedAt(at, drafted, "outcome:after");
  const said = (): readonly unknown[] =>
    [former, twin].map((urn) => {
      const rule = at.target.tenant.rules.get(urn);
      return [rule?.published?.["description"], rule?.draft?.["description"]];
    });
  expect(said()).toEqual([
    ["second", undefined],
    ["second", "third"],
  ]);

  const migration = killedOnce("send:after", 2);
  await expect(rollback(at, drafted, { run, migration })).rejects.toThrow("killed");
  expect(said()).toEqual([
    ["first", undefined],
    ["second", "third"],
  ]);

  expect(await apply(at, drafted)).toMatchObject({ exitCode: 0, summary: { drift: 0 } });
  expect(said()).toEqual([
    ["first", undefined],
    ["third", undefined],
  ]);
  await expectAtRest(at, drafted);
});

test("a pair that a person has taken away does not come back with what an earlier run did", async () => {
  const { at, runs, source } = await changed();
  await removeMappings(at.world.migration(plan), [source]);
  await rollback(at, plan, { run: runs[1] ?? "" });
  expect(owners(at)).toEqual(['"Ada"']);
  expect((await apply(at, plan)).summary).toMatchObject({ create: 1, update: 0 });
});

test.each([
  ["terms", "send:after", 1],
  ["rules", "send:after", 1],
  ["rules", "send:after", 2],
] as const)("nor where that is killed: %s at %s %i", async (kind, point, nth) => {
  const at = await stage();
  const moved = { ...plan, select: { kinds: [kind] } } as const;
  const source =
    kind === "terms"
      ? seedTerm(at.source, "Email", { description: "first" })
      : seedRule(at.source, "Email", { description: "first" });
  await apply(at, moved);
  if (kind === "terms") editTerm(at.source, source, { description: "second" });
  else editRule(at.source, source, { description: "second" });
  const { run = "" } = await apply(at, moved);
  await removeMappings(at.world.migration(moved), [source]);
  const migration = killedOnce(point, nth);
  await expect(rollback(at, moved, { run, migration })).rejects.toThrow("killed");
  expect((await apply(at, moved)).summary).toMatchObject({ create: 1, update: 0 });
});

test("what is gone at the target is told, also where a person has taken the pair away", async () => {
  const { at, runs, source } = await changed();
  const twin = (await twinOf(at, source)) as Urn;
  await removeMappings(at.world.migration(plan), [source]);
  removeTerm(at.target, twin);
  const left = await rollback(at, plan, { run: runs[1] ?? "" });
  expect(left).toMatchObject({
    exitCode: 4,
    changes: [{ action: "manual", reason: "it is gone at the target" }],
  });
});

describe("a run, and the one that went on with it, wrote two objects for one of the source", () => {
  const described = ({ target }: Stage): readonly (readonly [string, string])[] =>
    [...target.tenant.terms.values()].map(({ urn, published }) => [urn, published?.description ?? ""]);

  test("what was adopted in the place of what had been made is given back, and not deleted", async () => {
    const met = { ...terms, policy: { adopt: "by-name", missingTarget: "recreate" } } as const;
    const at = await stage();
    const term = seedTerm(at.source, "Term", { description: "ours" });
    await killedAt(at, met, "outcome:after");
    removeTerm(at.target, (await twinOf(at, term)) as Urn);
    const theirs = seedTerm(at.target, "Term", { description: "theirs" });
    expect((await apply(at, met)).summary).toMatchObject({ adopt: 1 });
    expect(described(at)).toEqual([[theirs, "ours"]]);

    expect(await rollback(at, met, { allowDelete: true })).toMatchObject({
      exitCode: 0,
      summary: { update: 1, delete: 0 },
    });
    expect(described(at)).toEqual([[theirs, "theirs"]]);
  });

  test("what was made and then paired otherwise goes after what the new twin was before, the next time", async () => {
    const at = await stage();
    const term = seedTerm(at.source, "Term", { description: "ours" });
    const theirs = seedTerm(at.target, "Theirs", { description: "theirs" });
    await killedAt(at, plan, "outcome:after");
    const made = await twinOf(at, term);
    // With something in doubt the journal stays, and what follows goes on with that run.
    const other = seedTerm(at.source, "Other");
    loseBesideOthers(at, ["Other"]);
    expect((await apply(at, plan)).exitCode).toBe(6);
    await removeMappings(at.world.migration(plan), [term]);
    await setMappings(at.world.migration(plan), [{ source: term, target: theirs }], { check: true });
    const decisions = [{ decision: "abandon", source: other }] as const;
    await resolveDoubts(at.world.migration(plan), { decisions });
    expect((await apply(at, plan)).summary).toMatchObject({ update: 1 });

    const first = await rollback(at, plan, { allowDelete: true });
    expect(first).toMatchObject({ exitCode: 4, summary: { update: 1, manual: 1, delete: 0 } });
    expect(first.changes.map(({ action, target }) => [action, target?.urn])).toEqual([
      ["update", theirs],
      ["manual", made],
    ]);
    expect(described(at)).toEqual(
      expect.arrayContaining([
        [theirs, "theirs"],
        [made, "ours"],
      ]),
    );
    const next = await rollback(at, plan, { allowDelete: true });
    expect(next).toMatchObject({ exitCode: 0, summary: { delete: 1, update: 0 } });
    expect(described(at).map(([urn]) => urn)).not.toContain(made);
    expect(described(at)).toContainEqual([theirs, "theirs"]);
  });
});

describe("what a person has paired otherwise since", () => {
  const rules: PlanChanges = { select: { kinds: ["rules"] } };
  const publish = "POST /api/data-quality/v1/rules/:urn/publish";

  /** A run has changed its twin; by now it stands for a rule that a colleague has made. */
  async function elsewhere(): Promise<{
    readonly at: Stage;
    readonly run: string;
    readonly urns: readonly [Urn, Urn];
  }> {
    const at = await stage();
    const rule = seedRule(at.source, "Rule", { description: "before" });
    await apply(at, rules);
    editRule(at.source, rule, { description: "after" });
    const { run = "" } = await apply(at, rules);
    const twin = (await twinOf(at, rule)) as Urn;
    const theirs = seedRule(at.target, "Theirs", { description: "before" });
    await removeMappings(at.world.migration(rules), [rule]);
    await setMappings(at.world.migration(rules), [{ source: rule, target: theirs }], { check: true });
    await apply(at, rules);
    return { at, run, urns: [twin, theirs] };
  }

  test("what is published is what was taken back, and no draft of the new twin", async () => {
    const { at, run, urns } = await elsewhere();
    const [twin, theirs] = urns;
    leaveRuleDraft(at.target.tenant, theirs, "CHANGE", { description: "a colleague's draft" });
    expect(await rollback(at, rules, { run })).toMatchObject({
      exitCode: 0,
      summary: { update: 1, failed: 0 },
    });
    expect(at.target.body(twin)["description"]).toBe("before");
    expect(at.target.body(theirs)["description"]).toBe("after");
    const drafts = urns.map((urn) => at.target.tenant.rules.get(urn)?.draftType);
    expect(drafts).toEqual(["NONE", "CHANGE"]);
    expect(await entryOf(at, at.source.rule("Rule"))).toMatchObject({ target: theirs });
  });

  test("so it is where the answer to the publication is lost", async () => {
    const { at, run, urns } = await elsewhere();
    const effect = { type: "drop-after-commit" } as const;
    at.world.emulator.faults.add({ match: { route: publish }, when: { times: 1 }, effect });
    expect(await rollback(at, rules, { run })).toMatchObject({
      exitCode: 0,
      summary: { update: 1, failed: 0 },
    });
    expect(urns.map((urn) => at.target.body(urn)["description"])).toEqual(["before", "after"]);
    await expectAtRest(at, rules);
  });

  test.each(["created", "changed"] as const)(
    "what stands for another one by now is left (%s)",
    async (what) => {
      const at = await stage();
      const one = seedTerm(at.source, "One");
      if (what === "changed") {
        await apply(at, terms);
        editTerm(at.source, one, { description: "after" });
      }
      const { run = "" } = await apply(at, terms);
      const twin = await twinOf(at, one);
      const two = seedTerm(at.source, "Two");
      await removeMappings(at.world.migration(terms), [one]);
      await setMappings(at.world.migration(terms), [{ source: two, target: twin }], { check: true });
      const left = await rollback(at, terms, { run, allowDelete: true });
      expect(left).toMatchObject({
        exitCode: 4,
        changes: [{ action: "manual", reason: `it stands for ${two} by now` }],
      });
      expect(left.changes[0]?.diagnostics[0]?.suggestion).toContain(
        `ferry mappings test remove ${two}, and run again`,
      );
      expect(writes(at.world)).toEqual([]);
      expect(await apply(at, terms)).toMatchObject({
        exitCode: 0,
        summary: { create: 1, update: 1, conflict: 0 },
      });
      await expectAtRest(at, terms);
    },
  );
});
