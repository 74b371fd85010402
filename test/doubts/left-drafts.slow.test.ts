import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { leaveMonitorDraft, leaveRuleDraft } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { Result } from "../../src/model/result.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { written } from "../diff/support/log.ts";
import { movedMonitor, plan as monitors } from "../diff/support/monitors.ts";
import { apply, expectAtRest, expectChange, type Stage } from "../diff/support/run.ts";
import { editMonitor, editRule, removeMonitor, removeRule } from "../diff/support/web.ts";
import type { PlanChanges } from "../support/world.ts";
import { killedAt, movedRule, routes, rules } from "./support.ts";

/** What keeps the draft that an interrupted run left from being published by the next one. */

interface Left {
  readonly at: Stage;
  readonly urn: Urn;
  readonly twin: Urn;
  /** What the twin was called before. */
  readonly before: unknown;
}

interface Subject {
  readonly what: string;
  readonly plan: PlanChanges;
  readonly moved: () => Promise<Omit<Left, "before">>;
  readonly rename: (left: Left) => void;
  /** Goes on with the draft that is open. */
  readonly leave: (left: Left, change: JsonObject) => void;
  /** Something else is published by now, and the draft stays. */
  readonly publishBeside: (left: Left, change: JsonObject) => void;
  readonly remove: (left: Left) => void;
  readonly draftType: (left: Left) => unknown;
}

const subjects: readonly Subject[] = [
  {
    what: "a monitor",
    plan: monitors,
    moved: async () => movedMonitor(),
    rename: ({ at, urn }) => editMonitor(at.source, urn, { name: "Ours" }),
    leave: ({ at, twin }, change) => void leaveMonitorDraft(at.target.tenant, twin, "CHANGE", change),
    publishBeside: ({ at: { target }, twin }, change) => {
      const row = target.tenant.monitors.get(twin);
      if (row?.published === undefined) throw new Error("it is not published");
      target.tenant.monitors.put({ ...row, published: { ...row.published, ...change } });
    },
    remove: ({ at, twin }) => removeMonitor(at.target, twin),
    draftType: ({ at, twin }) => at.target.tenant.monitors.get(twin)?.draftType,
  },
  {
    what: "a rule",
    plan: rules,
    moved: movedRule,
    rename: ({ at, urn }) => editRule(at.source, urn, { name: "Ours" }),
    leave: ({ at, twin }, change) => void leaveRuleDraft(at.target.tenant, twin, "CHANGE", change),
    publishBeside: ({ at: { target }, twin }, change) => {
      const row = target.tenant.rules.get(twin);
      if (row?.published === undefined) throw new Error("it is not published");
      target.tenant.rules.put({ ...row, published: { ...row.published, ...change } });
    },
    remove: ({ at, twin }) => removeRule(at.target, twin),
    draftType: ({ at, twin }) => at.target.tenant.rules.get(twin)?.draftType,
  },
];

const texts = ({ diagnostics }: Result): string => diagnostics.map(({ summary }) => summary).join("; ");

async function left({ plan, moved, rename }: Subject, point: "before" | "after" = "before"): Promise<Left> {
  const found = await moved();
  const one = { ...found, before: found.at.target.body(found.twin)["name"] };
  rename(one);
  // The change is the first.
  await killedAt(one.at, plan, `intent:${point}`, 2);
  return one;
}

describe.each(subjects)("the draft of $what that an interrupted run left", (subject) => {
  const { plan } = subject;

  it("is not published where the object is gone, and it is said how to go on", async () => {
    const one = await left(subject);
    subject.remove(one);
    const done = await apply(one.at, plan);
    expect(done.exitCode).toBe(4);
    expect(texts(done)).toContain(`it is gone at the target (${one.twin}), so the draft`);
    expect(written(one.at.world)).toEqual([]);
  });

  it("is not published where somebody has published another version since, which it does not hold", async () => {
    const one = await left(subject);
    subject.publishBeside(one, { description: "Theirs" });
    const done = await apply(one.at, plan);
    expect(done.exitCode).toBe(4);
    expect(texts(done)).toContain("somebody published another version of it after an interrupted run");
    expect(written(one.at.world)).toEqual([]);
    expect(one.at.target.body(one.twin)).toMatchObject({ name: one.before, description: "Theirs" });
  });

  it("stands in nobody's way where it says what is published by now, and that is told as theirs", async () => {
    const one = await left(subject);
    subject.leave(one, { name: one.before as string });
    const done = await apply(one.at, plan);
    expectChange(done, one.urn, "drift", "it was changed at the target since the last apply");
    expect(texts(done)).not.toContain("somebody else changed the draft");
    expect(subject.draftType(one)).toBe("NONE");
    expect(one.at.target.body(one.twin)["name"]).toBe(one.before);
  });

  it("is not published where a person has decided to leave it", async () => {
    const one = await left(subject, "after");
    const decision = { decision: "abandon", source: one.urn } as const;
    await resolveDoubts(one.at.world.migration(plan), { decisions: [decision] });
    await apply(one.at, plan);
    expect(written(one.at.world)).toEqual([]);
    expect(one.at.target.body(one.twin)["name"]).toBe(one.before);
  });

  it("waits for a run that reads its kind", async () => {
    const one = await left(subject);
    const done = await apply(one.at, { select: { kinds: ["terms"] } });
    expect(done.diagnostics.map(({ code }) => code)).not.toContain("unfinished");
    expect(written(one.at.world)).toEqual([]);
    expect((await apply(one.at, plan)).exitCode).toBe(0);
    expect(one.at.target.body(one.twin)["name"]).toBe("Ours");
  });
});

it("the draft of a rule that an interrupted run left waits where it cannot be seen", async () => {
  const [, subject] = subjects;
  if (subject === undefined) throw new Error("there is no such subject");
  const { at, twin, before } = await left(subject);
  const effect = { type: "status", code: 409 } as const;
  at.world.emulator.faults.add({ match: { route: routes.patchRule }, when: { times: 1 }, effect });
  const done = await apply(at, rules);
  expect(done.exitCode).toBe(4);
  expect(texts(done)).toContain(
    "whether the draft that an interrupted run left is still there could not be seen",
  );
  expect(at.target.body(twin)["name"]).toBe(before);
  expect((await apply(at, rules)).exitCode).toBe(0);
  expect(at.target.body(twin)["name"]).toBe("Ours");
  await expectAtRest(at, rules);
});
