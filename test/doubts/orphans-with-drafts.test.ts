import { describe, expect, it } from "vitest";
import { leaveMonitorDraft, leaveRuleDraft } from "../../src/emulator/seed.ts";
import { registry } from "../../src/kinds/index.ts";
import { Registry } from "../../src/kinds/registry.ts";
import { rules as rulesKind } from "../../src/kinds/rules.ts";
import type { MovedMonitor } from "../diff/support/monitors.ts";
import { written } from "../diff/support/log.ts";
import { address, movedMonitor, plan, update } from "../diff/support/monitors.ts";
import { apply, expectChange } from "../diff/support/run.ts";
import { editMonitor, removeMonitor, removeRule } from "../diff/support/web.ts";
import { applyWith, befallen, lose, movedRule, routes, rules } from "./support.ts";

const reason = "an open draft of somebody else, which would be deleted with it";
const allowDelete = true;

async function orphaned(): Promise<MovedMonitor> {
  const moved = await movedMonitor();
  removeMonitor(moved.at.source, moved.urn);
  return moved;
}

describe("a monitor that is gone at the source", () => {
  it.each([
    { what: "changes", type: "CHANGE", change: { name: "Theirs" } },
    { what: "a deletion that nobody has published", type: "DELETE", change: {} },
  ] as const)("is not deleted with somebody's open draft of $what", async ({ type, change }) => {
    const { at, urn, twin } = await orphaned();
    leaveMonitorDraft(at.target.tenant, twin, type, change);
    const row = structuredClone(at.target.tenant.monitors.get(twin));
    const done = await apply(at, plan, { allowDelete });
    expectChange(done, urn, "blocked", reason);
    expect(done.exitCode).toBe(4);
    expect(written(at.world)).toEqual([]);
    expect(at.target.tenant.monitors.get(twin)).toEqual(row);
  });

  it("is deleted with a draft that says what is published", async () => {
    const { at, urn, twin } = await orphaned();
    leaveMonitorDraft(at.target.tenant, twin, "CHANGE");
    const done = await apply(at, plan, { allowDelete });
    expect(expectChange(done, urn, "delete", "gone at the source").outcome).toBe("done");
    expect(written(at.world)).toEqual([`DELETE ${address}`]);
  });
});

it("a rule that is gone at the source is not deleted with somebody's open draft, where a read shows it", async () => {
  const { at, urn, twin } = await movedRule();
  removeRule(at.source, urn);
  leaveRuleDraft(at.target.tenant, twin, "CHANGE", { name: "Theirs" });
  const shown: typeof rulesKind = {
    ...rulesKind,
    draft: async (_client, found) => at.target.tenant.rules.get(found.urn)?.draft,
  };
  const kinds = registry.moved().map((kind) => (kind === rulesKind ? shown : kind));
  const done = await applyWith(
    at,
    rules,
    { registry: new Registry([...registry.given(), ...kinds]) },
    { allowDelete },
  );
  expectChange(done, urn, "blocked", reason);
  expect(written(at.world)).toEqual([]);
  expect(at.target.tenant.rules.has(twin)).toBe(true);
});

it("a rule is not deleted with somebody's open draft where a gateway did not find the question about it, once", async () => {
  const { at, urn, twin } = await movedRule();
  removeRule(at.source, urn);
  leaveRuleDraft(at.target.tenant, twin, "CHANGE", { name: "Theirs" });
  lose(at, routes.patchRule, { type: "status", code: 404, page: true });
  const done = await apply(at, rules, { allowDelete });
  expect(befallen(at)).toHaveLength(1);
  expect(expectChange(done, urn, "delete", "gone at the source").outcome).toBe("failed");
  expect(at.target.tenant.rules.get(twin)?.draft).toMatchObject({ name: "Theirs" });
});

it("an update goes through with a draft that says what is published", async () => {
  const { at, urn, twin } = await movedMonitor();
  leaveMonitorDraft(at.target.tenant, twin, "CHANGE");
  editMonitor(at.source, urn, { name: "Ours" });
  const done = await apply(at, plan);
  expect(done.exitCode).toBe(0);
  expect(written(at.world)).toEqual(update);
  expect(at.target.body(twin)["name"]).toBe("Ours");
});
