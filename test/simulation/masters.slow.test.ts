import { expect, it } from "vitest";
import type { MasterData } from "../../src/emulator/index.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { Invariant } from "./breach.ts";
import { play } from "./round.ts";
import type { Scene } from "./scene.ts";
import { apply, empty } from "./small-stories.ts";
import type { Story, TimedAct } from "./story.ts";

/** What is looked for in master data is found: each of these does one thing that the tool must not. */

const story: Story = {
  ...empty,
  masters: { parties: 4, segments: 2, there: [1] },
  steps: [apply, apply],
};

const edit: TimedAct = {
  side: "target",
  kind: "masters",
  how: "text",
  object: 2,
  value: 1,
  when: { at: "before" },
};

function serverOf({ world }: Scene, side: "source" | "target"): MasterData {
  return world.emulator.masterData(side === "source" ? "dev" : "prod");
}

const party = (side: "Dev" | "Prod", sourceId: string, name: string, origin = `crm#party#${side}`) => ({
  entity: "party",
  origin,
  sourceId,
  attributes: { src_name: name },
});

function author(data: MasterData, code: string): void {
  books.authorMaster(data, { entity: "segment", attributes: { cmo_code: code, cmo_name: "twice" } });
}

const wrongs: readonly [Invariant, string, (scene: Scene) => void][] = [
  [
    "source-written",
    "an instance of the source that changes",
    (scene) => void books.putInstance(serverOf(scene, "source"), party("Dev", "P1", "other")),
  ],
  [
    "overwritten",
    "an instance of another origin that changes",
    (scene) => void books.putInstance(serverOf(scene, "target"), party("Prod", "P0", "x", "erp#party#Prod")),
  ],
  [
    "overwritten",
    "an instance of the target alone that changes",
    (scene) => void books.putInstance(serverOf(scene, "target"), party("Prod", "own", "other")),
  ],
  ["made-twice", "a master that is there twice", (scene) => author(serverOf(scene, "target"), "S0")],
];

it("nothing is found where nothing is broken", async () => {
  const { breaches, told } = await play(story);
  expect(breaches, told.join("\n")).toEqual([]);
});

it.each(wrongs)("%s: %s is found", async (invariant, _what, during) => {
  const { breaches } = await play(story, { during });
  expect(breaches.map((breach) => breach.invariant)).toContain(invariant);
});

it.each([
  ["wrong-content", "P1"],
  ["lost", "P9"],
] as const)("%s: what the tool has not brought is found at the end", async (invariant, sourceId) => {
  let played = 0;
  const { breaches } = await play(
    { ...story, steps: [] },
    {
      // Behind the tool's back, when it has come to its end for the last time.
      during: (scene) => {
        played += 1;
        if (played !== 3) return;
        const data = serverOf(scene, "target");
        if (invariant === "wrong-content") books.putInstance(data, party("Prod", sourceId, "other"));
        else vanish(scene);
      },
    },
  );
  expect(breaches.map((breach) => breach.invariant)).toContain(invariant);
});

/** The source has one more, and says that it always had. */
function vanish(scene: Scene): void {
  const made: TimedAct = { ...edit, side: "source", how: "create" };
  scene.records.get("masters")?.act(made);
}

it("a colleague's work on what was brought is kept under a plan that reports it, and its loss is found", async () => {
  const steps = [apply, { ...apply, acts: [edit] }];
  expect((await play({ ...story, steps })).breaches).toEqual([]);
  // The tool goes by another plan than the judge.
  const { breaches } = await play({ ...story, steps }, { policy: { drift: "overwrite" } });
  expect(breaches.map((breach) => breach.invariant)).toContain("overwritten");
});
