import { expect, it } from "vitest";
import type { Table } from "../../src/emulator/reference-data/table.ts";
import { seedRecord } from "../../src/emulator/seed.ts";
import type { Invariant } from "./breach.ts";
import { play } from "./round.ts";
import type { Scene } from "./scene.ts";
import { apply, empty } from "./small-stories.ts";
import type { Step, Story, TimedAct } from "./story.ts";

/** What is looked for where the plan has rows removed is found: each of these does one thing that the tool must not. */

const removing: Step = { ...apply, command: { does: "apply", allowDelete: true, verify: false } };
const act: TimedAct = {
  side: "source",
  kind: "rows",
  how: "remove",
  object: 0,
  value: 1,
  when: { at: "before" },
};
const rows: Story = {
  ...empty,
  removes: true,
  table: { rows: 3, there: [1], publish: "direct" },
  steps: [apply, { ...removing, acts: [act] }],
};
const masters: Story = {
  ...empty,
  removes: true,
  masters: { parties: 2, segments: 2, there: [], people: { parties: 3, says: "address" } },
  steps: [apply, { ...removing, acts: [{ ...act, kind: "masters", value: 2 }] }],
};

function tableOf({ books }: Scene): Table {
  const [table] = books.target.referenceData.tables.values();
  if (table === undefined) throw new Error("there is no table");
  return table;
}

const codes = (scene: Scene): readonly unknown[] =>
  tableOf(scene)
    .records()
    .map(({ published }) => published?.["code"]);

/** As the tool would have it. */
function publishDeletion(scene: Scene, code: string): void {
  const table = tableOf(scene);
  const record = table.records().find(({ published }) => published?.["code"] === code);
  if (record === undefined) return;
  table.setState(record, "DELETED");
  scene.books.target.referenceData.publish(table, [record], "at-once");
}

function deleteParty({ world }: Scene, code: string): void {
  const all = world.emulator.masterData("prod").masters("party");
  const row = all?.rows.find(({ authored }) => authored?.values["cmo_code"] === code);
  if (row !== undefined) all?.delete(row);
}

it.each([
  ["rows", rows],
  ["masters", masters],
])("nothing is found where nothing is broken: %s", async (_what, story) => {
  const { breaches, told } = await play(story);
  expect(breaches, told.join("\n")).toEqual([]);
});

it("what only the target has goes, whoever made it, and stays where nobody allows that", async () => {
  const seen: (readonly unknown[])[] = [];
  await play(rows, { during: (scene) => void seen.push(codes(scene)) });
  expect(seen.slice(0, 2)).toEqual([
    ["C1", "OWN", "C0", "C2"],
    ["C1", "C2"],
  ]);
});

it.each<[Invariant, string, Story, (scene: Scene) => void]>([
  [
    "deleted",
    "a row that goes though nobody has allowed it",
    { ...rows, steps: [apply] },
    (scene) => publishDeletion(scene, "OWN"),
  ],
  [
    "deleted-though-wanted",
    "a row that the source has",
    { ...rows, steps: [removing] },
    (scene) => publishDeletion(scene, "C1"),
  ],
  [
    "exit-code",
    "a row of the target alone that a run says nothing of",
    { ...rows, steps: [] },
    (scene) => {
      if (codes(scene).includes("LEFT")) return;
      seedRecord(scene.books.target, tableOf(scene), { code: "LEFT", name: "behind everybody's back" });
    },
  ],
  [
    "deleted",
    "a master that the plan's filter does not let through",
    { ...masters, steps: [removing] },
    (scene) => deleteParty(scene, "THEIRS"),
  ],
  [
    "deleted-though-wanted",
    "a master that the source has",
    { ...masters, steps: [removing] },
    (scene) => deleteParty(scene, "H0"),
  ],
])("%s: %s is found", async (invariant, _what, story, during) => {
  const { breaches } = await play(story, { during });
  expect(breaches.map((breach) => breach.invariant)).toContain(invariant);
});

it("a master to which a colleague has related a record is left, and its loss is found", async () => {
  // The first party of the target is the one that only it has.
  const related: TimedAct = { ...act, side: "target", kind: "masters", how: "use", object: 0, value: 0 };
  const story: Story = { ...masters, steps: [apply, { ...removing, acts: [related] }] };
  const { breaches, told } = await play(story);
  expect(breaches, told.join("\n")).toEqual([]);
  const lost = await play(story, { during: (scene) => deleteParty(scene, "OWN") });
  // In the first step nobody leads to it yet.
  expect(lost.breaches.map((breach) => breach.invariant)).toContain("deleted");
  let commands = 0;
  const used = await play(story, {
    during: (scene) => {
      commands += 1;
      if (commands === 2) deleteParty(scene, "OWN");
    },
  });
  expect(used.breaches.map((breach) => breach.invariant)).toEqual(["deleted-though-used"]);
});
