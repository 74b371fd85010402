import { expect, it } from "vitest";
import { startWorkflow } from "../../src/emulator/processing/runs.ts";
import type { Tenant } from "../../src/emulator/index.ts";
import type { Invariant } from "./breach.ts";
import { play } from "./round.ts";
import type { Scene } from "./scene.ts";
import { apply, empty } from "./small-stories.ts";
import type { Step, Story, TimedAct } from "./story.ts";

/** What is looked for in the runs that the tool starts is found: each of these does one thing that it must not. */

const story: Story = {
  ...empty,
  runs: { before: true, after: "when-changed", takes: 600_000, fails: 0 },
  steps: [apply],
};

function start(tenant: Tenant, scene: Scene, name: string): void {
  const configuration = [...scene.books.target.flowConfigurations.values()].find(
    (found) => found.name === name,
  );
  const connection = [...scene.books.target.entities.values()].find(
    ({ concreteType }) => concreteType === "connection",
  );
  const subject = { configurationUrn: configuration?.urn ?? "", connectionUrn: connection?.urn ?? "" };
  startWorkflow(tenant, { type: "DOCUMENTATION_FLOW", name, subject, jobs: [name] });
}

const wrongs: readonly [Invariant, string, (scene: Scene) => void][] = [
  ["source-written", "a flow at the source", (scene) => start(scene.books.source, scene, "Import")],
  [
    "started-twice",
    "a second run of a flow that is under way",
    (scene) => {
      start(scene.books.target, scene, "Import");
      start(scene.books.target, scene, "Import");
    },
  ],
  [
    "started-twice",
    "a flow after a run that has written nothing",
    (scene) => start(scene.books.target, scene, "Detect"),
  ],
  [
    "lost",
    "a flow that is asked for and has not run",
    ({ books }) => {
      for (const { urn } of books.target.workflows.values()) books.target.workflows.delete(urn);
    },
  ],
];

it("nothing is found where nothing is broken", async () => {
  const { breaches, told } = await play(story);
  expect(breaches, told.join("\n")).toEqual([]);
});

it.each(wrongs)("%s: %s is found", async (invariant, _what, during) => {
  const { breaches } = await play(story, { during });
  expect(breaches.map((breach) => breach.invariant)).toContain(invariant);
});

it("what a killed run has started is taken up by the next one, and started once", async () => {
  const killed: Step = { ...apply, end: { how: "kill", at: "send:after", nth: 1, power: true } };
  const { breaches, told } = await play({ ...story, steps: [killed, apply] });
  expect(breaches, told.join("\n")).toEqual([]);
  expect(told).toContainEqual(expect.stringContaining("the process dies"));
});

it("where a colleague has started the same, a person says which one it was", async () => {
  const theirs: TimedAct = {
    side: "target",
    kind: "runs",
    how: "use",
    object: 0,
    value: 0,
    when: { at: "write", phase: "after-commit", nth: 1 },
  };
  const lost: Step = {
    ...apply,
    acts: [theirs],
    faults: [
      {
        match: { tenant: "prod", route: "POST /api/catalog/v1/documentation-flow/start" },
        when: { skip: 0, times: 1 },
        effect: { type: "drop-after-commit" },
      },
    ],
  };
  const { breaches, told } = await play({
    ...story,
    steps: [lost, { ...apply, command: { does: "watch" } }, apply],
  });
  expect(breaches, told.join("\n")).toEqual([]);
  expect(told.join("\n")).toContain("workflows began since: any of them may be it");
});
