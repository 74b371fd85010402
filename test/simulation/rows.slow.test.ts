import { expect, it } from "vitest";
import type { Table, TableRecord } from "../../src/emulator/reference-data/table.ts";
import { draftRecord, editRecord, removeRecord, seedRecord } from "../../src/emulator/seed.ts";
import type { Invariant } from "./breach.ts";
import { play } from "./round.ts";
import type { Scene, Staging } from "./scene.ts";
import { apply, empty } from "./small-stories.ts";
import type { Step, Story, TimedAct } from "./story.ts";

/** What is looked for in the rows of a table is found: each of these does one thing that the tool must not. */

const draft: TimedAct = {
  side: "target",
  kind: "rows",
  how: "draft",
  object: 0,
  value: 1,
  when: { at: "before" },
};
const story: Story = {
  ...empty,
  table: { rows: 3, there: [1], publish: "direct" },
  steps: [apply, { ...apply, acts: [draft] }],
};

function tableOf({ books }: Scene, side: "source" | "target"): Table {
  const [table] = books[side].referenceData.tables.values();
  if (table === undefined) throw new Error("there is no table");
  return table;
}

const wrongs: readonly [Invariant, string, (scene: Scene) => void][] = [
  [
    "source-written",
    "a row of the source that changes",
    (scene) => {
      const table = tableOf(scene, "source");
      const [record] = table.records();
      if (record !== undefined) editRecord(table, record, { name: "other" });
    },
  ],
  [
    "overwritten",
    "a row of the target alone that changes",
    (scene) => {
      const table = tableOf(scene, "target");
      const own = table.records().find((record) => record.published?.["code"] === "OWN");
      if (own !== undefined) editRecord(table, own, { name: "other" });
    },
  ],
  [
    "draft-published",
    "a colleague's draft that is published",
    (scene) => {
      const table = tableOf(scene, "target");
      scene.books.target.referenceData.publish(table, table.open(), "at-once");
    },
  ],
  [
    "made-twice",
    "a row that is there twice",
    (scene) => void seedRecord(scene.books.target, tableOf(scene, "target"), { code: "C0", name: "twice" }),
  ],
  [
    "lost",
    "a row that is left in the draft",
    (scene) => void draftRecord(scene.books.target, tableOf(scene, "target"), { code: "C2", name: "left" }),
  ],
];

const marked: Step = { ...apply, acts: [{ ...draft, how: "draft-delete", object: 2 }] };

it.each<[Invariant, string, (table: Table, record: TableRecord) => void]>([
  ["draft-published", "published", removeRecord],
  ["draft-discarded", "taken back", (table, record) => table.setState(record, "UNCHANGED")],
])(
  "%s: the deletion of a row that a colleague has drafted is found when it is %s",
  async (invariant, _how, end) => {
    expect((await play({ ...story, steps: [apply, marked] })).breaches).toEqual([]);
    const during = (scene: Scene): void => {
      const table = tableOf(scene, "target");
      for (const record of table.open()) if (record.state === "DELETED") end(table, record);
    };
    const { breaches } = await play({ ...story, steps: [apply, marked] }, { during });
    expect(breaches.map((breach) => breach.invariant)).toContain(invariant);
  },
);

it("a person rejects a review, has its rows forgotten, and approves the next one", async () => {
  const table = { rows: 3, there: [], publish: "review" } as const;
  const rejects = { ...draft, how: "discard" as const };
  const forgets: Step = { ...apply, command: { does: "resolve", nature: 1 } };
  const steps = [apply, { ...apply, acts: [rejects] }, forgets, apply];
  const { breaches, told } = await play({ ...story, table, steps });
  expect(breaches, told.join("\n")).toEqual([]);
  expect(told).toContainEqual(expect.stringContaining("rejected a review of 3 rows"));
  expect(told).toContainEqual(expect.stringContaining("has it forgotten"));
});

it("nothing is found where nothing is broken", async () => {
  const { breaches, told } = await play(story);
  expect(breaches, told.join("\n")).toEqual([]);
});

it.each(wrongs)("%s: %s is found", async (invariant, _what, during) => {
  const { breaches } = await play(story, { during });
  expect(breaches.map((breach) => breach.invariant)).toContain(invariant);
});

it("a run that says that something is in doubt, and nothing is, is found out where a table is moved as well", async () => {
  const { breaches } = await play(story, { result: (result) => ({ ...result, exitCode: 6 }) });
  expect(breaches.map((breach) => breach.invariant)).toContain("exit-code");
});

it("rows that are told to be in doubt, and are not, are found out when a person has them forgotten", async () => {
  const doubtful: Staging["result"] = (result) => ({
    ...result,
    exitCode: 6,
    changes: result.changes.map((change) =>
      change.records === undefined ? change : { ...change, records: { ...change.records, inDoubt: 1 } },
    ),
  });
  const { breaches } = await play({ ...story, steps: [] }, { result: doubtful });
  expect(breaches.map((breach) => breach.what)).toContainEqual(expect.stringContaining("refuses to forget"));
});

it("a colleague's work on a row that was brought is kept under a plan that reports it, and its loss is found", async () => {
  const steps = [apply, { ...apply, acts: [{ ...draft, how: "text" as const, object: 2 }] }];
  expect((await play({ ...story, steps })).breaches).toEqual([]);
  // The tool goes by another plan than the judge.
  const { breaches } = await play({ ...story, steps }, { policy: { drift: "overwrite" } });
  expect(breaches.map((breach) => breach.invariant)).toContain("overwritten");
});
