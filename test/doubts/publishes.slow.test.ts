import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { leaveDashboardDraft, leaveMonitorDraft, leaveRuleDraft } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedDashboard } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import { movedMonitor, plan as monitors, update } from "../diff/support/monitors.ts";
import {
  apply,
  changeOf,
  entryOf,
  expectAtRest,
  expectChange,
  type Stage,
  stage,
} from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import { editMonitor, editRule } from "../diff/support/web.ts";
import {
  afterCommit,
  foreign,
  killedAt,
  late,
  lose,
  losePatchOfRule,
  more,
  movedRule,
  onArrival,
  routes,
  rules,
  said,
} from "./support.ts";

interface Subject {
  readonly what: string;
  readonly plan: PlanChanges;
  readonly patch: string;
  readonly publish: string;
  readonly writes: readonly string[];
  moved(): Promise<{ readonly at: Stage; readonly urn: Urn; readonly twin: Urn }>;
  /** What somebody else adds. */
  readonly theirs: JsonObject;
  /** What changes at the source: the name. */
  rename(side: Side, urn: Urn): void;
  /** Opens a draft, or goes on with the one that is open. */
  leave(side: Side, urn: Urn, change: JsonObject): void;
  discard(side: Side, urn: Urn): void;
  /** Published at once. */
  edit(side: Side, urn: Urn, change: JsonObject): void;
  draftOf(side: Side, urn: Urn): { readonly draftType: string; readonly draft?: JsonObject } | undefined;
}

const subjects: readonly Subject[] = [
  {
    what: "a monitor",
    plan: monitors,
    patch: routes.patchMonitor,
    publish: routes.publishMonitor,
    writes: update,
    theirs: foreign,
    moved: async () => movedMonitor(),
    rename: (side, urn) => editMonitor(side, urn, { name: "Ours" }),
    leave: ({ tenant }, urn, change) => void leaveMonitorDraft(tenant, urn, "CHANGE", change),
    discard: ({ tenant }, urn) => {
      const { draft: _draft, ...row } = leaveMonitorDraft(tenant, urn, "CHANGE");
      tenant.monitors.put({ ...row, draftType: "NONE" });
    },
    edit: editMonitor,
    draftOf: ({ tenant }, urn) => tenant.monitors.get(urn),
  },
  {
    what: "a rule",
    plan: rules,
    patch: routes.patchRule,
    publish: routes.publishRule,
    writes: ["PATCH rules/:urn", "POST rules/:urn/publish"],
    theirs: more,
    moved: movedRule,
    rename: (side, urn) => editRule(side, urn, { name: "Ours" }),
    leave: ({ tenant }, urn, change) => void leaveRuleDraft(tenant, urn, "CHANGE", change),
    discard: ({ tenant }, urn) => {
      const { draft: _draft, ...row } = leaveRuleDraft(tenant, urn, "CHANGE");
      tenant.rules.put({ ...row, draftType: "NONE" });
    },
    edit: editRule,
    draftOf: ({ tenant }, urn) => tenant.rules.get(urn),
  },
];

describe.each(subjects)("the publish of $what", (subject) => {
  const { plan, patch, publish, writes } = subject;
  const [, published = ""] = writes;

  it("whose answer was lost after the commit is done, and somebody else's new draft stays open", async () => {
    const { at, urn, twin } = await subject.moved();
    subject.rename(at.source, urn);
    lose(at, publish, { type: "drop-after-commit" });
    afterCommit(at, publish, () => subject.leave(at.target, twin, { name: "Unfinished" }));
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(0);
    expect(changeOf(done, urn)?.outcome).toBe("done");
    expect(written(at.world)).toEqual(writes);
    expect(at.target.body(twin)["name"]).toBe("Ours");
    expect(subject.draftOf(at.target, twin)).toMatchObject({
      draftType: "CHANGE",
      draft: { name: "Unfinished" },
    });
    await expectAtRest(at, plan);
  });

  it("that arrives while it is waited for is not sent again", async () => {
    const { at, urn, twin } = await subject.moved();
    subject.rename(at.source, urn);
    lose(at, publish, late);
    const slow = { ...plan, limits: { quietPeriodMs: 400 } };
    expect((await apply(at, slow)).exitCode).toBe(0);
    expect(written(at.world)).toEqual(writes);
    expect(at.target.body(twin)["name"]).toBe("Ours");
    await expectAtRest(at, slow);
  });

  it("past which somebody has published since is done, and theirs is drift", async () => {
    const { at, urn, twin } = await subject.moved();
    subject.rename(at.source, urn);
    lose(at, publish, { type: "drop-after-commit" });
    afterCommit(at, publish, () => subject.edit(at.target, twin, { description: "Theirs" }));
    const done = await apply(at, plan);
    expect([done.exitCode, changeOf(done, urn)?.outcome]).toEqual([0, "done"]);
    expectChange(await apply(at, plan), urn, "drift", "it was changed at the target since the last apply");
    expect(subject.draftOf(at.target, twin)).toMatchObject({ draftType: "NONE" });
  });

  it("that was lost before the commit is sent again", async () => {
    const { at, urn, twin } = await subject.moved();
    subject.rename(at.source, urn);
    lose(at, publish, { type: "drop-before-commit" });
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(written(at.world)).toEqual([...writes, published]);
    expect(at.target.body(twin)["name"]).toBe("Ours");
  });

  it("that was lost before the commit is not sent again with what somebody else added since", async () => {
    const { at, urn, twin } = await subject.moved();
    const before = at.target.body(twin)["name"];
    subject.rename(at.source, urn);
    lose(at, publish, { type: "drop-before-commit" });
    onArrival(at, publish, () => subject.leave(at.target, twin, subject.theirs));
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(6);
    expect(written(at.world)).toEqual(writes);
    expect(at.target.body(twin)["name"]).toBe(before);
  });

  it("that an interrupted run left is not made with what somebody else added since", async () => {
    const { at, urn, twin } = await subject.moved();
    const before = at.target.body(twin)["name"];
    subject.rename(at.source, urn);
    await killedAt(at, plan, "intent:before", 2);
    subject.leave(at.target, twin, { name: "Unfinished" });
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(4);
    expect(written(at.world)).toEqual([]);
    expect(done.diagnostics.map(({ summary }) => summary).join()).toContain(
      "somebody else changed the draft",
    );
    expect(at.target.body(twin)["name"]).toBe(before);
    expect(subject.draftOf(at.target, twin)).toMatchObject({ draft: { name: "Unfinished" } });
  });

  it("that is answered with the old version has failed, and the next run sends the change again", async () => {
    const { at, urn, twin } = await subject.moved();
    const entry = await entryOf(at, urn);
    subject.rename(at.source, urn);
    afterCommit(at, patch, () => subject.discard(at.target, twin));
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(4);
    expect(changeOf(done, urn)?.outcome).toBe("failed");
    expect(said(done)).toContain("what the service published is not what was sent");
    expect(await entryOf(at, urn)).toEqual(entry);

    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(written(at.world)).toEqual(writes);
    expect(at.target.body(twin)["name"]).toBe("Ours");
    await expectAtRest(at, plan);
  });

  it("that is answered with somebody else's version has failed, and the next run says conflict", async () => {
    const { at, urn, twin } = await subject.moved();
    subject.rename(at.source, urn);
    afterCommit(at, patch, () => subject.leave(at.target, twin, { name: "Theirs" }));
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(4);
    expect(changeOf(done, urn)?.outcome).toBe("failed");
    expect(at.target.body(twin)["name"]).toBe("Theirs");

    const next = await apply(at, plan);
    expectChange(next, urn, "conflict", "it changed on both sides");
    expect(next.exitCode).toBe(4);
    expect(written(at.world)).toEqual([]);
  });
});

it("a publish in doubt of a rule is left to a person where the look at its draft is refused", async () => {
  const { at, urn, twin } = await movedRule();
  const before = at.target.body(twin)["name"];
  editRule(at.source, urn, { name: "Ours" });
  lose(at, routes.publishRule, { type: "drop-before-commit" });
  onArrival(at, routes.publishRule, () => refused(at));
  const done = await apply(at, rules);
  expect(done.exitCode).toBe(6);
  expect(said(done)).toContain("whether the draft is still ours could not be seen");
  expect(written(at.world).filter((what) => what === "POST rules/:urn/publish")).toHaveLength(1);
  expect(at.target.body(twin)["name"]).toBe(before);
});

it("so is a patch in doubt of it", async () => {
  const { at, urn } = await movedRule();
  editRule(at.source, urn, { name: "Ours" });
  losePatchOfRule(at, { type: "drop-before-commit" });
  refused(at, 1);
  const done = await apply(at, rules);
  expect(done.exitCode).toBe(6);
  expect(said(done)).toContain("whether it happened could not be seen");
});

/** All but so many changes of a rule, and changes of nothing. */
function refused({ world }: Stage, skip = 0): void {
  const effect = { type: "status", code: 409 } as const;
  world.emulator.faults.add({ match: { route: routes.patchRule }, when: { skip }, effect });
}

describe("the publish of a new dashboard", () => {
  const plan: PlanChanges = { select: { kinds: ["dashboards"] } };
  const create = "POST dq-dashboards";
  const publish = "POST dq-dashboards/:urn/publish";

  it("whose answer was lost after the commit is done, and somebody else's new draft stays open", async () => {
    const at = await stage();
    seedDashboard(at.source, "Board");
    lose(at, routes.publishDashboard, { type: "drop-after-commit" });
    afterCommit(at, routes.publishDashboard, () => {
      leaveDashboardDraft(at.target.tenant, at.target.dashboard("Board"), "CHANGE", { name: "Unfinished" });
    });
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(written(at.world)).toEqual([create, publish]);
    expect(at.target.tenant.dashboards.get(at.target.dashboard("Board"))?.draftType).toBe("CHANGE");
    await expectAtRest(at, plan);
  });

  it("that was lost before the commit is sent again", async () => {
    const at = await stage();
    seedDashboard(at.source, "Board");
    lose(at, routes.publishDashboard, { type: "drop-before-commit" });
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(written(at.world)).toEqual([create, publish, publish]);
    await expectAtRest(at, plan);
  });
});
