import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { applyPlan } from "../../src/operations/apply.ts";
import { exportSnapshot } from "../../src/operations/export.ts";
import type { Urn } from "../../src/model/urn.ts";
import { StoreError } from "../../src/store/index.ts";
import { allOr, inWhole } from "../support/whole.ts";
import type { PlanChanges } from "../support/world.ts";
import { type Approved, applyApproved, approved, plan, tamper } from "./support/approved.ts";
import { seedRule, seedTerm } from "./support/content.ts";
import { sourceWrites, writes, written } from "./support/log.ts";
import { namePair } from "./support/pairs.ts";
import { diff, entryOf, expectAtRest, refusal, twinOf } from "./support/run.ts";
import { names } from "./support/side.ts";
import { editMonitor, editTerm, removeTerm } from "./support/web.ts";

const everything = [
  "DELETE terms/:urn",
  "PATCH catalog-items/:item/dq-monitors/:monitor",
  "PATCH terms/:urn",
  "POST catalog-items/:item/dq-monitors/:monitor/publish",
  "POST dq-monitors/batch/create",
  "POST rules/batch/create",
  "POST terms/bulk",
];

describe("an approved diff", () => {
  it("is done exactly, and then there is nothing left", async () => {
    const made = await approved();
    const done = await applyApproved(made);
    expect(done.exitCode).toBe(0);
    expect([...written(made.at.world)].sort()).toEqual(everything);
    expect(sourceWrites(made.at.world)).toEqual([]);
    expect(done.summary).toMatchObject({ create: 3, update: 2, delete: 1, failed: 0, blocked: 0 });
    await expectAtRest(made.at, plan, { allowDelete: true });
  });

  it("does what was approved, not what the source says by now", async () => {
    const made = await approved();
    const { at, changed } = made;
    seedTerm(at.source, "Later");
    editTerm(at.source, changed.term, { description: "Later still" });
    const done = await applyApproved(made);
    expect(done.exitCode).toBe(0);
    expect(at.target.body(await twinOf(at, changed.term))).toMatchObject({ description: "New" });
    expect(names(at.target.tenant.terms.values())).toEqual(["Customer", "Order"]);
  });

  inWhole("leaves its deletes when they are not allowed", async () => {
    const made = await approved();
    const done = await applyPlan(made.at.world.migration(plan), {
      diff: made.out,
      confirm: async () => true,
    });
    expect(done.changes.filter(({ action }) => action === "delete").map(({ outcome }) => outcome)).toEqual([
      "withheld",
    ]);
    expect([...made.at.target.tenant.terms.values()]).toHaveLength(3);
  });

  inWhole("may be applied again: what it did is done", async () => {
    const made = await approved();
    await applyApproved(made);
    const again = await applyApproved(made);
    expect(again.exitCode).toBe(0);
    expect(written(made.at.world)).toEqual([]);
  });

  inWhole("takes an equal export when the snapshot is gone", async () => {
    const made = await approved(plan, { kept: "files" });
    await rm(made.at.world.places(plan).snapshot, { recursive: true });
    const done = await applyApproved(made);
    expect(done.exitCode).toBe(0);
    expect([...written(made.at.world)].sort()).toEqual(everything);
  });
});

interface Refused {
  readonly what: string;
  readonly move: (made: Approved) => void | Promise<void>;
  readonly changes?: PlanChanges;
  readonly tool?: string;
  /** What the refusal says has moved. */
  readonly says: readonly string[];
}

const refused: readonly Refused[] = [
  {
    what: "an object that was to be updated was changed at the target",
    move: async ({ at, changed }) =>
      editTerm(at.target, (await twinOf(at, changed.term)) as Urn, { description: "Theirs" }),
    says: ['terms "Customer": it was to update, and now it is in conflict'],
  },
  {
    what: "an object that was to be deleted was changed at the target",
    move: async ({ at, gone }) =>
      editTerm(at.target, (await twinOf(at, gone)) as Urn, { description: "Theirs" }),
    says: ['terms "Gone": it was to delete, and now it is left to a person'],
  },
  {
    what: "an object that was to be left alone was changed at the target",
    move: ({ at }) => {
      const rule = at.target.rule("Old");
      const published = at.target.tenant.rules.get(rule)?.published;
      if (published !== undefined)
        at.target.tenant.rules.put({
          urn: rule,
          published: { ...published, description: "Theirs" },
          draftType: "NONE",
        });
    },
    says: ['rules "Old": drift was not in the approved diff'],
  },
  {
    what: "an object that was to be updated is as it should be already",
    move: async ({ at, changed }) =>
      editMonitor(at.target, (await twinOf(at, changed.monitor)) as Urn, { name: "Old, renamed" }),
    says: ['monitors "Old, renamed": it was to update, and now there is nothing to do'],
  },
  {
    what: "an object that was to be updated is gone at the target",
    move: async ({ at, changed }) => removeTerm(at.target, (await twinOf(at, changed.term)) as Urn),
    says: ['terms "Customer": it was to update, and now it is left to a person'],
  },
  {
    what: "a twin of what was to be created turned up at the target",
    move: ({ at }) => void seedTerm(at.target, "Order"),
    says: ['terms "Order": it was to create, and now it is to adopt'],
  },
  {
    what: "somebody else's object of the same name and other content turned up",
    move: ({ at }) => void seedRule(at.target, "Email", { description: "Theirs" }),
    says: [
      'rules "Email": it was to create, and now it is blocked',
      'monitors "Customers": it was to create, and now it is blocked',
    ],
  },
  {
    what: "the source was exported again after it changed",
    move: async ({ at }) => {
      seedTerm(at.source, "Later");
      (await exportSnapshot(at.world.migration(plan))).close();
    },
    says: ["the snapshot is another one: the source moved, or it was exported again"],
  },
  {
    what: "a policy of the plan was changed",
    move: () => {},
    changes: { ...plan, policy: { targetOnly: "remove" } },
    says: ["the plan was changed"],
  },
  {
    what: "the selection of the plan was changed",
    move: () => {},
    changes: { select: { kinds: ["terms"] } },
    says: ["the plan was changed"],
  },
  {
    what: "it is the diff of another plan",
    move: () => {},
    changes: { ...plan, name: "other" },
    says: ["another plan: the diff was made with test, this is other"],
  },
  {
    what: "the tool is another version",
    move: () => {},
    tool: "urn-ferry 0.0.1-test",
    says: ["the tool: the diff was made by urn-ferry 0.0.0-test, this is urn-ferry 0.0.1-test"],
  },
  {
    what: "the mapping says that something stands for what was to be created",
    move: async ({ at, created }) => namePair(at, "terms", created.term, seedTerm(at.target, "Theirs")),
    says: ['terms "Order": it was to create, and now it is to update'],
  },
  {
    what: "the mapping gives an object that was to be updated another target of the same content",
    move: async ({ at, changed }) => {
      const twin = seedTerm(at.target, "Customer");
      await repoint(at, changed.term, twin);
    },
    says: ['terms "Customer": the target object is another one'],
  },
  {
    what: "a change was taken out of the file",
    move: async ({ out, created }) => tamper(out, (text) => without(text, `terms:${created.term}`)),
    says: ['terms "Order": create was not in the approved diff'],
  },
  {
    what: "a patch in the file is another one",
    move: async ({ out }) =>
      tamper(out, (text) => text.replaceAll('"description": "New"', '"description": "Forged"')),
    says: ['terms "Customer": other fields would be changed than were approved'],
  },
];

/** The diff's file without one change. */
function without(text: string, id: string): string {
  const file = JSON.parse(text) as { changes: { id: string }[] };
  return JSON.stringify({ ...file, changes: file.changes.filter((change) => change.id !== id) });
}

async function repoint(at: Approved["at"], source: string, target: string): Promise<void> {
  await namePair(at, "terms", source, target, await entryOf(at, source));
}

describe("an approved diff is refused, and nothing is written, when", () => {
  it.each(allOr(refused, (_row, index) => index % 3 === 0))(
    "$what",
    async ({ move, changes, tool, says }) => {
      const made = await approved();
      await move(made);
      const error = await refusal(async () =>
        applyApproved(made, tool === undefined ? {} : { tool }, changes),
      );
      expect(error.code).toBe("diff-moved");
      for (const said of says) expect(error.details.join("\n")).toContain(said);
      expect(writes(made.at.world)).toEqual([]);
      expect(sourceWrites(made.at.world)).toEqual([]);
    },
  );

  it.each([
    { what: "cut short", change: (text: string) => text.slice(0, text.length / 2) },
    { what: "empty", change: () => "" },
    { what: "of another shape", change: () => '{"format":1}' },
    { what: "of a newer format", change: (text: string) => text.replace('"format": 1', '"format": 2') },
  ])("its file is $what", async ({ change }) => {
    const made = await approved();
    await tamper(made.out, change);
    await expect(applyApproved(made)).rejects.toBeInstanceOf(StoreError);
    expect(writes(made.at.world)).toEqual([]);
  });

  it("its file is not there", async () => {
    const made = await approved();
    await rm(made.out);
    await expect(applyApproved(made)).rejects.toMatchObject({ name: "StoreError", code: "not-found" });
  });

  it("names everything that moved at once", async () => {
    const made = await approved();
    const { at, changed } = made;
    seedTerm(at.target, "Order");
    editTerm(at.target, (await twinOf(at, changed.term)) as Urn, { description: "Theirs" });
    const error = await refusal(async () => applyApproved(made));
    expect(error.details).toHaveLength(2);
    // A new diff is approved and fits again.
    await diff(at, plan, made.out);
    const done = await applyApproved(made);
    expect(done.summary).toMatchObject({ adopt: 1, conflict: 1 });
  });
});
