import { describe, expect, test } from "vitest";
import { keptOtherwise } from "../../src/engine/prove/kept-otherwise.ts";
import type { AppliedChange, Change, FieldChange } from "../../src/model/change.ts";
import type { Result } from "../../src/model/result.ts";
import { seedRule, seedTerm } from "../diff/support/content.ts";
import { apply, stage, type Stage } from "../diff/support/run.ts";
import { editRule, editTerm } from "../diff/support/web.ts";
import { keepsDescriptions } from "../support/forms.ts";

/** No document says that a service keeps every text as it is sent: one that trims it is no colleague. */

const plan = { select: { kinds: ["terms", "rules"] } };
const verify = { verify: true };

function codes({ changes, diagnostics }: Result): readonly string[] {
  return [...diagnostics, ...changes.flatMap((change) => change.diagnostics)].map(({ code }) => code);
}

async function brought(): Promise<Stage> {
  const at = await stage();
  keepsDescriptions(at.target.tenant, (text) => text.trim());
  seedTerm(at.source, "T", { description: "One " });
  seedRule(at.source, "R", { description: "One " });
  return at;
}

function edit({ source }: Stage, description: string): void {
  editTerm(source, source.term("T"), { description });
  editRule(source, source.rule("R"), { description });
}

describe("what the service keeps in a form of its own", () => {
  test("is named by the run that brings it, is no drift, and the source's next word comes", async () => {
    const at = await brought();
    const first = await apply(at, plan, verify);
    expect([first.exitCode, codes(first)]).toEqual([0, ["kept-otherwise", "kept-otherwise"]]);
    expect(first.diagnostics[0]?.summary).toBe(
      'the target keeps it in a form of its own: /description is "One" and was sent as "One "',
    );
    const again = await apply(at, plan, verify);
    expect([again.exitCode, again.changes, codes(again)]).toEqual([0, [], []]);
    edit(at, "Two ");
    const next = await apply(at, plan, verify);
    expect([next.exitCode, codes(next)]).toEqual([0, ["kept-otherwise", "kept-otherwise"]]);
    expect(next.changes.map(({ action, outcome }) => [action, outcome])).toEqual([
      ["update", "done"],
      ["update", "done"],
    ]);
    expect(at.target.body(at.target.term("T"))).toMatchObject({ description: "Two" });
    const last = await apply(at, plan, verify);
    expect([last.exitCode, last.changes]).toEqual([0, []]);
  });

  test("what somebody says there after that is drift, and a conflict with what the source says", async () => {
    const at = await brought();
    await apply(at, plan, verify);
    editTerm(at.target, at.target.term("T"), { description: "Theirs" });
    const drift = await apply(at, plan, verify);
    expect(drift.changes.map(({ action }) => action)).toEqual(["drift"]);
    editTerm(at.source, at.source.term("T"), { description: "Three" });
    const conflict = await apply(at, plan, verify);
    expect(conflict.changes.map(({ action }) => action)).toEqual(["conflict"]);
    expect(at.target.body(at.target.term("T"))).toMatchObject({ description: "Theirs" });
  });

  test("is not sent again by each run where what only the target has is to go, and that goes", async () => {
    const at = await brought();
    await apply(at, plan, verify);
    const removing = { ...plan, policy: { targetOnly: "remove" } } as const;
    const again = await apply(at, removing, verify);
    expect([again.exitCode, again.changes]).toEqual([0, []]);
  });

  test("a change whose answer shows it is known without reading back", async () => {
    const at = await brought();
    await apply(at, plan, verify);
    edit(at, "Two ");
    const next = await apply(at, plan);
    expect(next.exitCode).toBe(0);
    expect(next.changes.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ["terms", "done"],
      ["rules", "done"],
    ]);
    // That of a rule is shown by the answer to its publish; what answers for a term shows it as it was sent.
    expect(codes(next)).toEqual(["kept-otherwise"]);
    const last = await apply(at, plan);
    expect(last.changes.filter(({ kind }) => kind === "rules")).toEqual([]);
  });

  test("what somebody makes of it while the run goes on, and is no form of it, is a difference", async () => {
    const at = await brought();
    at.world.emulator.on(({ phase, entry }) => {
      if (phase !== "answered" || entry.tenant !== "prod" || !entry.path.endsWith("/terms/bulk")) return;
      editTerm(at.target, at.target.term("T"), { description: "Theirs" });
    });
    const first = await apply(at, plan, verify);
    expect(first.exitCode).toBe(7);
    expect(codes(first)).toContain("verify-difference");
  });
});

test("a form that somebody gives, while the run goes on, what it has not sent is a difference, and theirs", async () => {
  const at = await stage();
  seedTerm(at.source, "T", { description: "One" });
  await apply(at, plan);
  editTerm(at.source, at.source.term("T"), { description: "Two" });
  const twin = at.target.term("T");
  at.world.emulator.on(({ phase, entry }) => {
    if (phase === "after-commit" && entry.tenant === "prod" && entry.method === "PATCH")
      editTerm(at.target, twin, { name: "t" });
  });
  const done = await apply(at, plan, verify);
  expect([done.exitCode, codes(done)]).toEqual([7, ["verify-difference"]]);
  editTerm(at.source, at.source.term("T"), { name: "T2" });
  expect((await apply(at, plan)).changes.map(({ action }) => action)).toEqual(["conflict"]);
  expect(at.target.body(twin)).toMatchObject({ name: "t" });
});

describe("of what is shown otherwise", () => {
  const source = { urn: "urn:s", name: "T" };
  const shown = (fields: readonly FieldChange[], more: Partial<Change> = {}): Change =>
    ({
      id: "terms:s",
      kind: "terms",
      action: "drift",
      source,
      fields,
      work: { targetFingerprint: "p" },
      ...more,
    }) as unknown as Change;
  const sent = (fields: readonly FieldChange[], more: Partial<AppliedChange> = {}): AppliedChange =>
    ({
      id: "terms:s",
      kind: "terms",
      action: "update",
      outcome: "done",
      source,
      fields,
      ...more,
    }) as unknown as AppliedChange;
  const form: FieldChange = { path: "/description", from: "One", to: "One " };

  test("a form of what the run has sent is taken", () => {
    const [kept, ...others] = keptOtherwise([shown([form])], [sent([])]);
    expect(kept).toMatchObject({ kind: "terms", source: "urn:s", targetFingerprint: "p" });
    expect(others).toEqual([]);
    const emptied: FieldChange = { path: "/description", to: "" };
    expect(keptOtherwise([shown([emptied])], [sent([])])).toHaveLength(1);
  });

  test.each<[string, readonly string[], string, number]>([
    ["the very field", ["/type", "/description"], "/description", 1],
    ["another field", ["/type"], "/description", 0],
    ["another property", ["/extraProperties/note"], "/extraProperties/other", 0],
    [
      "the same of a part, which goes by another label since",
      ["/inputs/E mail /name"],
      "/inputs/E mail/name",
      1,
    ],
    ["another of a part than what has none", ["/type"], "/inputs/One/name", 0],
  ])("what the run has sent is taken, and nothing else: %s", (_what, paths, path, count) => {
    const changed = sent(paths.map((one) => ({ path: one, from: "was", to: "One " })));
    expect(keptOtherwise([shown([{ ...form, path }])], [changed])).toHaveLength(count);
    // What was made was sent as a whole.
    expect(keptOtherwise([shown([{ ...form, path }])], [{ ...changed, action: "create" }])).toHaveLength(1);
  });

  test.each<[string, Change, AppliedChange]>([
    ["nothing is, of what the run has not written", shown([form]), sent([], { action: "unchanged" })],
    ["nor of what was not done", shown([form]), sent([], { outcome: "failed" })],
    ["nor what stands in conflict", shown([form], { action: "conflict" }), sent([])],
    ["nor where another field is no form", shown([form, { path: "/type", from: "a", to: "b" }]), sent([])],
    ["nor what was there before", shown([form]), sent([{ path: "/description", from: "One", to: "One " }])],
    ["nor where nothing is named", shown([]), sent([])],
    ["nor a value that is gone", shown([{ path: "/description", to: "One" }]), sent([])],
  ])("%s", (_what, change, reported) => {
    expect(keptOtherwise([change], [reported])).toEqual([]);
  });
});
