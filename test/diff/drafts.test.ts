import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { entriesOf } from "../../src/emulator/quality/sub-entities.ts";
import { leaveMonitorDraft, leaveRuleDraft } from "../../src/emulator/seed.ts";
import { registry } from "../../src/kinds/index.ts";
import { Registry } from "../../src/kinds/registry.ts";
import { rules } from "../../src/kinds/rules.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import type { JsonObject as Body } from "../../src/model/json.ts";
import type { ReadClient } from "../../src/service/index.ts";
import type { Urn } from "../../src/model/urn.ts";
import { stopAfter } from "./support/approved.ts";
import { configurePrimary, seedMonitor, seedRule } from "./support/content.ts";
import { written } from "./support/log.ts";
import { movedMonitor, plan, update } from "./support/monitors.ts";
import { apply, diff, expectAtRest, expectChange, type Stage, stage, twinOf } from "./support/run.ts";
import { keyOf } from "./support/side.ts";
import { editMonitor, editRule } from "./support/web.ts";

const openDraft = "an open draft of somebody else, which would be published with ours";

interface Subject {
  readonly what: string;
  readonly prepare: () => Promise<{ readonly at: Stage; readonly urn: Urn; readonly twin: Urn }>;
}

const subjects: readonly Subject[] = [
  { what: "a monitor", prepare: async () => movedMonitor() },
  {
    what: "a primary monitor",
    prepare: async () => {
      const at = await stage();
      configurePrimary(at.source, "CUSTOMER", { schedule: { cronExpression: "0 0 5 * * ?", enabled: true } });
      await apply(at, plan);
      return { at, urn: at.source.primary("CUSTOMER"), twin: at.target.primary("CUSTOMER") };
    },
  },
];

const drafts = (["CHANGE", "DELETE"] as const).flatMap((type) =>
  (["404", "published"] as const).flatMap((absentDraft) =>
    subjects.map((subject) => ({ ...subject, type, absentDraft })),
  ),
);

describe("an open draft of somebody else", () => {
  it.each(drafts)(
    "$type, of $what (without one: $absentDraft), blocks the update and stays as it is",
    async ({ prepare, type, absentDraft }) => {
      const { at, urn, twin } = await prepare();
      at.target.tenant.quirks.absentDraft = absentDraft;
      leaveMonitorDraft(
        at.target.tenant,
        twin,
        type,
        type === "CHANGE" ? { profilingConfiguration: { enabled: false } } : {},
      );
      const draft = structuredClone(at.target.tenant.monitors.get(twin));
      editMonitor(at.source, urn, { schedule: { cronExpression: "0 0 8 * * ?" } });

      expectChange(await diff(at, plan), urn, "blocked", openDraft);
      const done = await apply(at, plan);
      const change = expectChange(done, urn, "blocked", openDraft);
      expect(change.diagnostics.map(({ code }) => code)).toContain("open-draft");
      expect(done.exitCode).toBe(4);
      expect(written(at.world)).toEqual([]);
      expect(at.target.tenant.monitors.get(twin)).toEqual(draft);
    },
  );

  it.each(subjects)("of $what does not matter while there is nothing to write", async ({ prepare }) => {
    const { at, twin } = await prepare();
    leaveMonitorDraft(at.target.tenant, twin, "CHANGE", { profilingConfiguration: { enabled: false } });
    await expectAtRest(at, plan);
  });

  it.each(subjects)("of $what: the update goes through once the draft is gone", async ({ prepare }) => {
    const { at, urn, twin } = await prepare();
    const { published } = leaveMonitorDraft(at.target.tenant, twin, "CHANGE", {
      profilingConfiguration: { enabled: false },
    });
    editMonitor(at.source, urn, { schedule: { cronExpression: "0 0 8 * * ?" } });
    await apply(at, plan);
    if (published !== undefined) at.target.tenant.monitors.put({ urn: twin, published, draftType: "NONE" });
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(0);
    expect(written(at.world)).toEqual(update);
    await expectAtRest(at, plan);
  });

  it("blocks what waits for it as well, and nothing else", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    const monitor = seedMonitor(at.source, rule, "Customers");
    const other = seedMonitor(at.source, rule, "Others");
    await apply(at, plan);
    const twin = (await twinOf(at, monitor)) as Urn;
    leaveMonitorDraft(at.target.tenant, twin, "CHANGE", { name: "Theirs" });
    for (const urn of [monitor, other])
      editMonitor(at.source, urn, { schedule: { cronExpression: "0 0 8 * * ?" } });
    const done = await apply(at, plan);
    expectChange(done, monitor, "blocked", openDraft);
    expect(expectChange(done, other, "update", "changed at the source").outcome).toBe("done");
    expect(written(at.world)).toEqual(update);
  });
});

describe("a draft of ours that an interrupted run left", () => {
  async function interrupted(): Promise<Awaited<ReturnType<typeof movedMonitor>>> {
    const moved = await movedMonitor();
    const { at, urn } = moved;
    editMonitor(at.source, urn, { name: "Ours" });
    const stop = stopAfter(at, 1, "PATCH");
    const done = await applyPlan(at.world.migration(plan, { stop }), { confirm: async () => true });
    expect(done.exitCode).toBe(5);
    expect(at.target.tenant.monitors.get(moved.twin)).toMatchObject({
      draftType: "CHANGE",
      draft: { name: "Ours" },
    });
    return moved;
  }

  it("is published by the next run", async () => {
    const { at, twin } = await interrupted();
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(0);
    expect(at.target.body(twin)).toMatchObject({ name: "Ours" });
    await expectAtRest(at, plan);
  });

  it("is not published when somebody else has changed it since", async () => {
    const { at, twin } = await interrupted();
    leaveMonitorDraft(at.target.tenant, twin, "CHANGE", { profilingConfiguration: { enabled: false } });
    const row = structuredClone(at.target.tenant.monitors.get(twin));
    const done = await apply(at, plan);
    expect(done.exitCode).not.toBe(0);
    expect(written(at.world)).toEqual([]);
    expect(at.target.tenant.monitors.get(twin)).toEqual(row);
  });
});

/** A moved rule whose twin has a draft of somebody else. */
async function ruleWithDraft(
  theirs: JsonObject,
): Promise<{ readonly at: Stage; readonly urn: Urn; readonly twin: Urn }> {
  const at = await stage();
  const urn = seedRule(at.source, "Email");
  await apply(at, plan);
  const twin = (await twinOf(at, urn)) as Urn;
  leaveRuleDraft(at.target.tenant, twin, "CHANGE", theirs);
  return { at, urn, twin };
}

const theirs: readonly { readonly what: string; readonly draft: JsonObject }[] = [
  { what: "another name", draft: { name: "Theirs" } },
  { what: "another description", draft: { description: "Theirs" } },
  {
    what: "a new input group",
    draft: {
      inputGroups: { more: { joined: true, inputs: { code: { name: "code", dataType: "STRING" } } } },
    },
  },
  { what: "a new parameter", draft: { parameters: { more: { name: "more", dataType: "STRING" } } } },
  { what: "no description any more", draft: { description: null } },
];

describe("an open draft of a rule, where no read shows it", () => {
  it("in which two inputs have swapped their names is never published", async () => {
    const input = (name: string): JsonObject => ({ [name]: { name, dataType: "STRING" } });
    const inputGroups = { main: { joined: false, inputs: { ...input("email"), ...input("phone") } } };
    const at = await stage();
    const urn = seedRule(at.source, "Email", { inputGroups });
    await apply(at, plan);
    const twin = (await twinOf(at, urn)) as Urn;
    const [group, { inputs = {} } = {}] = entriesOf(at.target.body(twin), "inputGroups")[0] ?? [];
    const swapped = ["email", "phone"].map((name, index) => {
      const renamed = { name: ["phone", "email"][index] ?? "" };
      return [keyOf(inputs, "name", name), renamed] as const;
    });
    leaveRuleDraft(at.target.tenant, twin, "CHANGE", {
      inputGroups: { [group ?? ""]: { inputs: Object.fromEntries(swapped) } },
    });
    const row = structuredClone(at.target.tenant.rules.get(twin));
    editRule(at.source, urn, { description: "Another one" });
    const change = expectChange(await apply(at, plan), urn, "update", "it changed at the source");
    expect(change.outcome).toBe("failed");
    expect(change.diagnostics.at(-1)?.summary).toContain("an open draft of somebody else");
    expect(at.target.tenant.rules.get(twin)).toEqual(row);
  });

  it.each(theirs)("with $what is never published", async ({ draft }) => {
    const { at, urn, twin } = await ruleWithDraft(draft);
    const published = structuredClone(at.target.body(twin));
    editRule(at.source, urn, { note: "ours" });
    const done = await apply(at, plan);
    const change = expectChange(done, urn, "update", "it changed at the source");
    expect(change.outcome).toBe("failed");
    expect(change.diagnostics.map(({ summary }) => summary).join()).toContain(
      "it has an open draft of somebody else at the target",
    );
    expect(done.exitCode).toBe(4);
    expect(written(at.world)).toEqual([]);
    expect(at.target.body(twin)).toEqual(published);
    expect(at.target.tenant.rules.get(twin)?.draft).not.toHaveProperty("note");
  });

  it("gets nothing of ours, however often a scheduled run comes by", async () => {
    const { at, urn, twin } = await ruleWithDraft({ description: "Theirs" });
    editRule(at.source, urn, { parameters: { [`new_${randomUUID()}`]: { name: "more", dataType: "LONG" } } });
    const before = structuredClone(at.target.tenant.rules.get(twin)?.draft);
    for (let run = 0; run < 3; run += 1) await apply(at, plan);
    expect(at.target.tenant.rules.get(twin)?.draft).toEqual(before);
  });

  it("does not stop a monitor that only refers to the rule", async () => {
    const { at, urn } = await ruleWithDraft({ name: "Theirs" });
    const monitor = seedMonitor(at.source, urn, "Customers");
    const done = await apply(at, plan);
    expect(expectChange(done, monitor, "create", "nothing at the target").outcome).toBe("done");
  });
});

describe("an open draft of a rule, where a read shows it", () => {
  it("blocks the update and stays as it is", async () => {
    const { at, urn, twin } = await ruleWithDraft({ name: "Theirs" });
    const row = structuredClone(at.target.tenant.rules.get(twin));
    const shown = new Registry([
      ...registry.given(),
      ...registry.moved().map((kind) => (kind === rules ? withShownDrafts(at) : kind)),
    ]);
    editRule(at.source, urn, { note: "ours" });
    at.world.emulator.log.clear();
    const done = await applyPlan(at.world.migration(plan, { registry: shown }), {
      confirm: async () => true,
    });
    expectChange(done, urn, "blocked", openDraft);
    expect(written(at.world)).toEqual([]);
    expect(at.target.tenant.rules.get(twin)).toEqual(row);
  });

  it.each([
    { draftType: "CHANGE", found: true },
    { draftType: "DELETE", found: true },
    { draftType: "NONE", found: false },
  ])("$draftType is a draft: $found", async ({ draftType, found }) => {
    const body: Body = { urn: "urn", draftType };
    const quality = { rule: async (): Promise<Body> => body };
    const client = { quality } as unknown as ReadClient;
    expect(await rules.draft?.(client, { urn: "urn", name: "", body: {} })).toEqual(found ? body : undefined);
  });
});

/** A service that answers version=DRAFT of a rule with its draft; the emulated one does not know of it. */
function withShownDrafts({ target }: Stage): typeof rules {
  return { ...rules, draft: async (_client, found) => target.tenant.rules.get(found.urn)?.draft };
}
