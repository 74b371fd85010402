import { describe, expect, it } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { removeMappings, setMappings } from "../../src/operations/mappings.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedMonitor, seedRule, seedTerm } from "./support/content.ts";
import { onlyPatch, written } from "./support/log.ts";
import { apply, entryOf, expectAtRest, expectChange, stage, twinOf } from "./support/run.ts";
import { subjects } from "./support/subjects.ts";
import { removeMonitor, removeRule, removeTerm } from "./support/web.ts";

const plan: PlanChanges = {
  select: { kinds: ["terms", "rules", "monitors", "dashboards"] },
  policy: { missingTarget: "recreate" },
};
const anew = "what it refers to is created anew";

describe("missingTarget: recreate goes up the identity ladder", () => {
  const kinds = subjects.filter(({ kind }) => ["terms", "rules", "monitors"].includes(kind));

  it.each(kinds)("$kind: one that somebody recreated is adopted, and no second one made", async (subject) => {
    const at = await stage();
    const chosen: PlanChanges = { select: { kinds: subject.select }, policy: plan.policy ?? {} };
    subject.prepare(at.source, at.target);
    const urn = subject.seed(at.source, "Subject");
    await apply(at, chosen);
    subject.drop(at.target, (await twinOf(at, urn)) as Urn);
    const again = subject.seed(at.target, "Subject");
    expectChange(await apply(at, chosen), urn, "adopt", "the same natural key and the same content");
    expect(written(at.world)).toEqual([]);
    expect(await entryOf(at, urn)).toMatchObject({ target: again, origin: "adopted" });
    await expectAtRest(at, chosen);
    // What was theirs is not deleted for that, and its parts are known.
    subject.edit(at.source, urn, "changed at the source");
    expectChange(await apply(at, chosen), urn, "update", "it changed at the source");
    await expectAtRest(at, chosen);
  });

  it.each(kinds)("$kind: one with other content blocks, is adopted by its name, or left", async (subject) => {
    const at = await stage();
    const chosen: PlanChanges = { select: { kinds: subject.select }, policy: plan.policy ?? {} };
    subject.prepare(at.source, at.target);
    const urn = subject.seed(at.source, "Subject");
    await apply(at, chosen);
    const former = await twinOf(at, urn);
    subject.drop(at.target, former as Urn);
    const again = subject.seed(at.target, "Subject");
    subject.edit(at.target, again, "other");
    const change = expectChange(await apply(at, chosen), urn, "blocked", "with other content");
    expect(written(at.world)).toEqual([]);
    expect(change.diagnostics[0]?.suggestion).toContain(
      `ferry mappings test remove ${urn}, and then ferry mappings test set ${urn} ${again}`,
    );
    const byName: PlanChanges = { ...chosen, policy: { missingTarget: "recreate", adopt: "by-name" } };
    const adopted = expectChange(await apply(at, byName), urn, "adopt", "the same natural key");
    expect(adopted.diagnostics).toMatchObject([{ code: "taken-over" }]);
    expect(written(at.world)).toEqual(subject.update);
    expect(await entryOf(at, urn)).toMatchObject({ target: again, origin: "adopted" });
    await expectAtRest(at, byName);
  });

  it("several block, and never makes one more", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "Customer");
    await apply(at, plan);
    removeTerm(at.target, (await twinOf(at, urn)) as Urn);
    for (const _ of [1, 2]) seedTerm(at.target, "Customer");
    expectChange(await apply(at, plan), urn, "blocked", "candidates:");
    expect(written(at.world)).toEqual([]);
    const never: PlanChanges = { ...plan, policy: { missingTarget: "recreate", adopt: "never" } };
    expectChange(await apply(at, never), urn, "create", "to create it again");
    await expectAtRest(at, never);
  });

  it("what refers to it is brought to the one that was found", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    const monitor = seedMonitor(at.source, rule, "Customers");
    await apply(at, plan);
    removeRule(at.target, (await twinOf(at, rule)) as Urn);
    const again = seedRule(at.target, "Email");
    const done = await apply(at, plan);
    expectChange(done, rule, "adopt", "the same content");
    expectChange(done, monitor, "update", anew);
    const body = JSON.stringify(onlyPatch(at.world));
    expect(body).toContain(again);
    expect(body).toContain(at.target.part(again, "email"));
    await expectAtRest(at, plan);
  });

  it("under report what stands there is named, and what is advised works", async () => {
    const at = await stage();
    const report: PlanChanges = { select: { kinds: ["terms"] } };
    const urn = seedTerm(at.source, "Customer");
    await apply(at, report);
    removeTerm(at.target, (await twinOf(at, urn)) as Urn);
    const again = seedTerm(at.target, "Customer", { description: "other" });
    const [told] = expectChange(await apply(at, report), urn, "manual", "removed at the target").diagnostics;
    expect(told?.suggestion).toContain(`Something with the name of terms "Customer" stands there: ${again}.`);
    expect(told?.suggestion).toContain(`ferry mappings test set ${urn} ${again}`);
    await removeMappings(at.world.migration(report), [urn]);
    await setMappings(at.world.migration(report), [{ source: urn, target: again }], { check: true });
    expectChange(await apply(at, report), urn, "update", "it was not brought to what the source says yet");
    await expectAtRest(at, report);
  });
});

const changed = { select: { kinds: ["rules", "monitors"] } };

describe("what a person is told to do", () => {
  it("is the same from the object that is gone, with a namesake, and from what refers to it", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    const monitor = seedMonitor(at.source, rule, "Customers");
    await apply(at, changed);
    removeRule(at.target, (await twinOf(at, rule)) as Urn);
    const advice = async (): Promise<(string | undefined)[]> => {
      const result = await apply(at, changed);
      const gone = expectChange(result, rule, "manual", "removed at the target");
      const user = expectChange(result, monitor, "blocked", "removed at the target");
      return [...gone.diagnostics, ...user.diagnostics].map(({ suggestion }) => suggestion);
    };
    expect(new Set(await advice())).toEqual(
      new Set([
        `To have rules "Email" made again, set policy.missingTarget to recreate, or drop the pair: \`ferry mappings test remove ${rule}\`.`,
      ]),
    );
    const namesake = seedRule(at.target, "Email");
    const said = new Set(await advice());
    expect(said.size).toBe(1);
    expect([...said][0]).toContain(`stands there: ${namesake}. If it is the same thing: ferry mappings test`);
  });

  it("is, under recreate, to select it where the plan leaves it out", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    const monitor = seedMonitor(at.source, rule, "Customers");
    await apply(at, plan);
    removeRule(at.target, (await twinOf(at, rule)) as Urn);
    const without: PlanChanges = { ...plan, select: { ...plan.select, exclude: [{ urns: [rule] }] } };
    const why = 'rules "Email", which was removed at the target, and is not selected';
    const { diagnostics } = expectChange(await apply(at, without), monitor, "blocked", why);
    expect(diagnostics[0]?.suggestion).toContain("Select it");
  });

  it("does what it says where a field cannot change: the pair goes with the object", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    const monitor = seedMonitor(at.source, rule, "Customers", { manualRuleInstances: {} });
    await apply(at, changed);
    const { tenant } = at.source;
    const published = { ...at.source.body(monitor), urn: monitor, catalogItemUrn: at.source.item("PRODUCT") };
    tenant.monitors.put({ urn: monitor, published, draftType: "NONE" });
    const { diagnostics } = expectChange(await apply(at, changed), monitor, "manual", "cannot change");
    const step = `ferry mappings test remove ${monitor}`;
    expect(diagnostics).toMatchObject([
      { code: "fixed-field", suggestion: expect.stringContaining(step) as string },
    ]);
    removeMonitor(at.target, (await twinOf(at, monitor)) as Urn);
    await removeMappings(at.world.migration(changed), [monitor]);
    expectChange(await apply(at, changed), monitor, "create", "nothing at the target");
    await expectAtRest(at, changed);
  });
});
