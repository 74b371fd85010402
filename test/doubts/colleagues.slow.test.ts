import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { leaveMonitorDraft, leaveRuleDraft } from "../../src/emulator/seed.ts";
import { registry } from "../../src/kinds/index.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import type { Result } from "../../src/model/result.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedMonitor, seedRule, seedTerm } from "../diff/support/content.ts";
import { writes, written } from "../diff/support/log.ts";
import { movedMonitor, plan as monitorPlan, update } from "../diff/support/monitors.ts";
import { apply, changeOf, diff, expectChange, type Stage, stage, twinOf } from "../diff/support/run.ts";
import { subjects } from "../diff/support/subjects.ts";
import { editMonitor, editRule, editTerm, removeRule, removeTerm } from "../diff/support/web.ts";
import { movedRule, onArrival, routes, rules, said, terms } from "./support.ts";

/** What a colleague does at the target while the run is at work: after the diff, and before the write. */

const changedSince = "it was changed at the target after the diff was made";

/** Applies what the diff says; the colleague acts when the diff is made and nothing is written yet. */
async function applyWhile(at: Stage, plan: object, act: () => void): Promise<Result> {
  at.world.emulator.log.clear();
  return applyPlan(at.world.migration(plan), {
    allowDelete: true,
    confirm: async () => {
      act();
      return true;
    },
  });
}

async function rollbackWhile(at: Stage, plan: object, act: () => void): Promise<Result> {
  at.world.emulator.log.clear();
  return rollbackRun(at.world.migration(plan), {
    allowDelete: true,
    confirm: async () => {
      act();
      return true;
    },
  });
}

function alphabetical(left = "", right = ""): number {
  return left.localeCompare(right);
}

/** What only adds takes nothing of theirs away, and need not look. */
const changeable = subjects.filter(
  ({ kind, update }) => update.length > 0 && registry.movedKind(kind)?.mode !== "link",
);
const removable = subjects.filter(({ remove }) => remove.length > 0);

/** One of a kind, moved; the primary monitor of an item is one that the tool has written before. */
async function moved(
  subject: (typeof subjects)[number],
): Promise<{ at: Stage; urn: Urn; twin: Urn; plan: object }> {
  const at = await stage();
  const plan = { select: { kinds: subject.select, entityTypes: subject.entityTypes ?? [] } };
  subject.prepare(at.source, at.target);
  const urn = subject.seed(at.source, "Subject");
  await apply(at, plan);
  const isPrimary = subject.kind === "primary-monitors";
  const twin = isPrimary ? at.target.primary("CUSTOMER") : ((await twinOf(at, urn)) as Urn);
  return { at, urn, twin, plan };
}

describe.each(changeable)("$kind that a colleague edits before they are patched", (subject) => {
  it("keep the edit, fail by name, and are a conflict in the next run", async () => {
    const { at, urn, twin, plan } = await moved(subject);
    subject.edit(at.source, urn, "changed at the source");
    let theirs: JsonObject = {};
    const done = await applyWhile(at, plan, () => {
      subject.edit(at.target, twin, "changed at the target");
      theirs = at.target.body(twin);
    });
    expect(changeOf(done, urn)?.outcome).toBe("failed");
    expect(said(done)).toContain(changedSince);
    expect(done.exitCode).toBe(4);
    expect(written(at.world)).toEqual([]);
    expect(at.target.body(twin)).toEqual(theirs);
    expectChange(await diff(at, plan), urn, "conflict", "it changed on both sides");
  });

  it("keep it when the change is one that a rollback takes back", async () => {
    const { at, urn, twin, plan } = await moved(subject);
    subject.edit(at.source, urn, "changed at the source");
    await apply(at, plan);
    let theirs: JsonObject = {};
    const done = await rollbackWhile(at, plan, () => {
      subject.edit(at.target, twin, "changed at the target");
      theirs = at.target.body(twin);
    });
    expect(done.exitCode).toBe(4);
    expect(said(done)).toContain(changedSince);
    expect(written(at.world)).toEqual([]);
    expect(at.target.body(twin)).toEqual(theirs);
  });
});

describe.each(removable)("$kind that a colleague edits before they are deleted", (subject) => {
  it("stay, and are named", async () => {
    const { at, urn, twin, plan } = await moved(subject);
    subject.drop(at.source, urn);
    const done = await applyWhile(at, plan, () => subject.edit(at.target, twin, "changed at the target"));
    expect(changeOf(done, urn)).toMatchObject({ action: "delete", outcome: "failed" });
    expect(said(done)).toContain(changedSince);
    expect(written(at.world)).toEqual([]);
    expect(at.target.body(twin)).toBeTruthy();
    expectChange(await diff(at, plan), urn, "manual", "it was changed at the target since the last apply");
  });

  it("stay when it is a rollback that would delete them", async () => {
    const { at, urn, twin, plan } = await moved(subject);
    const done = await rollbackWhile(at, plan, () => subject.edit(at.target, twin, "changed at the target"));
    expect(changeOf(done, urn)).toMatchObject({ action: "delete", outcome: "failed" });
    expect(done.exitCode).toBe(4);
    expect(at.target.body(twin)).toBeTruthy();
  });
});

/** Long lists take minutes: who refers to them is asked for first, and the look at them is the last. */
describe.each(removable.filter(({ kind }) => ["terms", "rules", "monitors", "sql-items"].includes(kind)))(
  "$kind that a colleague edits while it is looked who refers to them",
  (subject) => {
    it.each([
      ["an apply", applyWhile],
      ["a rollback", rollbackWhile],
    ])("stay, where %s would delete them", async (what, during) => {
      const { at, urn, twin, plan } = await moved(subject);
      if (what === "an apply") subject.drop(at.source, urn);
      let edited = 0;
      const done = await during(at, plan, () => {
        const off = at.world.emulator.on(({ phase, entry }) => {
          const isList = entry.method === "GET" && entry.path.endsWith("s") && entry.tenant === "prod";
          if (phase !== "received" || !isList) return;
          off();
          edited += 1;
          subject.edit(at.target, twin, "changed at the target");
        });
      });
      expect(edited).toBe(1);
      expect(changeOf(done, urn)).toMatchObject({ action: "delete", outcome: "failed" });
      expect(said(done)).toContain(changedSince);
      expect(at.target.body(twin)).toBeTruthy();
    });
  },
);

describe("a draft that a colleague opens after the diff", () => {
  it("of a rule or a monitor that is to be deleted keeps it", async () => {
    const { at, rule, urn, twin } = await movedMonitor();
    const ruleTwin = (await twinOf(at, rule)) as Urn;
    at.source.tenant.monitors.delete(urn);
    const done = await applyWhile(at, monitorPlan, () => {
      leaveMonitorDraft(at.target.tenant, twin, "CHANGE", { name: "Unfinished" });
    });
    expect(changeOf(done, urn)?.outcome).toBe("failed");
    expect(said(done)).toContain("somebody opened a draft");
    expect(at.target.tenant.monitors.get(twin)?.draft).toMatchObject({ name: "Unfinished" });

    removeRule(at.source, rule);
    at.target.tenant.monitors.delete(twin);
    const second = await applyWhile(at, rules, () => {
      leaveRuleDraft(at.target.tenant, ruleTwin, "CHANGE", { name: "Unfinished" });
    });
    expect(changeOf(second, rule)?.outcome).toBe("failed");
    expect(said(second)).toContain("open draft of somebody else");
    expect(at.target.tenant.rules.get(ruleTwin)?.draft).toMatchObject({ name: "Unfinished" });
  });

  it("of a monitor that is to be changed stays as it is: the same field too", async () => {
    const { at, urn, twin } = await movedMonitor();
    editMonitor(at.source, urn, { name: "Ours" });
    const done = await applyWhile(at, monitorPlan, () => {
      leaveMonitorDraft(at.target.tenant, twin, "CHANGE", { name: "Unfinished" });
    });
    expect(changeOf(done, urn)?.outcome).toBe("failed");
    expect(said(done)).toContain("somebody opened a draft");
    expect(writes(at.world)).toEqual([]);
    expect(at.target.tenant.monitors.get(twin)?.draft).toMatchObject({ name: "Unfinished" });
  });

  it("of a rule that is to be changed stays as it is", async () => {
    const { at, urn, twin } = await movedRule();
    editRule(at.source, urn, { name: "Ours" });
    const done = await applyWhile(at, rules, () => {
      leaveRuleDraft(at.target.tenant, twin, "CHANGE", { name: "Unfinished" });
    });
    expect(changeOf(done, urn)?.outcome).toBe("failed");
    expect(writes(at.world)).toEqual([]);
    expect(at.target.tenant.rules.get(twin)?.draft).toMatchObject({ name: "Unfinished" });
  });
});

describe("in the middle of a run", () => {
  it("no draft of ours lies open while others are begun", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    const urns = ["One", "Two", "Three"].map((name) => seedMonitor(at.source, rule, name));
    await apply(at, monitorPlan);
    for (const urn of urns) editMonitor(at.source, urn, { description: "ours" });
    await applyWhile(at, { ...monitorPlan, limits: { concurrency: 1 } }, () => {});
    expect(written(at.world)).toEqual([...update, ...update, ...update]);
  });

  it("what a colleague edits while others are patched and deleted is spared, and nothing else is", async () => {
    const at = await stage();
    const all = Array.from({ length: 6 }, (_, index) => seedTerm(at.source, `Term ${index}`));
    await apply(at, terms);
    const twins = await Promise.all(all.map(async (urn) => (await twinOf(at, urn)) as Urn));
    for (const urn of all.slice(0, 3)) editTerm(at.source, urn, { description: "ours" });
    for (const urn of all.slice(3)) removeTerm(at.source, urn);
    const one = { ...terms, limits: { concurrency: 1 } };
    onArrival(at, routes.patchTerm, () => {
      for (const twin of [twins[1], twins[4]])
        if (twin !== undefined) editTerm(at.target, twin, { description: "theirs" });
    });
    const done = await applyWhile(at, one, () => {});
    expect(all.map((urn) => changeOf(done, urn)?.outcome)).toEqual([
      "done",
      "failed",
      "done",
      "done",
      "failed",
      "done",
    ]);
    const left = [...at.target.tenant.terms.values()].map(({ published }) => published?.description);
    expect(left.toSorted(alphabetical)).toEqual(["ours", "ours", "theirs", "theirs"]);
  });

  it("a term of a circle that a colleague edits between its creation and its second part keeps the edit", async () => {
    const at = await stage();
    const one = seedTerm(at.source, "One");
    const other = seedTerm(at.source, "Other", { extraProperties: { relatedTerms: [one] } });
    editTerm(at.source, one, { extraProperties: { relatedTerms: [other] } });
    let edited = 0;
    const off = at.world.emulator.on(({ phase, entry }) => {
      if (phase !== "after-commit" || entry.route !== routes.createTerms) return;
      const found = [...at.target.tenant.terms.values()].find(({ published }) => published?.name === "One");
      if (found === undefined) return;
      off();
      edited += 1;
      editTerm(at.target, found.urn, { extraProperties: { relatedTerms: [found.urn] } });
    });
    const done = await applyWhile(at, terms, () => {});
    expect(edited).toBe(1);
    const twin = at.target.term("One");
    expect(at.target.body(twin)["extraProperties"]).toEqual({ relatedTerms: [twin] });
    expect(done.exitCode).toBe(4);
    expect(said(done)).toContain(changedSince);
  });

  it("one that may not be read alone fails alone, and nothing is sent for it", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "Term");
    const gone = seedTerm(at.source, "Gone");
    await apply(at, terms);
    editTerm(at.source, urn, { description: "ours" });
    removeTerm(at.source, gone);
    at.world.emulator.faults.add({
      match: { tenant: "prod", route: "GET /api/catalog/v1/terms/:urn" },
      effect: { type: "status", code: 403 },
    });
    const done = await applyWhile(at, terms, () => {});
    expect(changeOf(done, urn)?.outcome).toBe("failed");
    expect(said(done)).toContain("it could not be read again");
    expect(written(at.world)).toEqual([]);
  });
});

describe("what it costs", () => {
  it("is one read for a term and its steward where it goes, two for a monitor, and one of whatever may refer to what goes; a rule answers a change of nothing", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    const monitor = seedMonitor(at.source, rule, "Customers");
    const gone = seedMonitor(at.source, rule, "Gone");
    const [term, old] = [seedTerm(at.source, "Term"), seedTerm(at.source, "Old")];
    const plan = { select: { kinds: ["terms", "rules", "monitors"] } };
    await apply(at, plan);
    editTerm(at.source, term, { description: "ours" });
    editMonitor(at.source, monitor, { name: "Ours" });
    removeTerm(at.source, old);
    at.source.tenant.monitors.delete(gone);
    let asked = 0;
    const done = await applyWhile(at, plan, () => {
      asked = at.world.emulator.log.entries.length;
    });
    expect(done.exitCode).toBe(0);
    const reads = at.world.emulator.log.entries.slice(asked).filter(({ method }) => method === "GET");
    expect(reads.map(({ route }) => route.replace(/^GET \/api\/[a-z-]+\/v1\//, "")).sort()).toEqual(
      [
        ...Array.from({ length: 4 }, () => "catalog-items/:item/dq-monitors/:monitor"),
        "entities/:urn",
        "terms/:urn",
        "terms/:urn",
        // Who may refer to a monitor or a term that goes, once for both.
        "attributes",
        "dq-dashboards",
        "dq-monitors",
        ...Array.from({ length: 4 }, () => "entities"),
        "metadata-model/entities",
        "terms",
      ].sort(),
    );
  });
});
