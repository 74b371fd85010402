import { describe, expect, it } from "vitest";
import { play } from "./round.ts";
import { apply, empty } from "./small-stories.ts";
import type { Step, Story, TimedAct } from "./story.ts";
import { storyOf } from "./telling.ts";

/** A process is cut off while the target is at work on what it has sent, and a colleague acts on that very thing. */

const before = { at: "before" } as const;

function cutAt(match: { readonly method: string; readonly path: string }, edited: TimedAct, skip = 0): Step {
  return {
    ...apply,
    acts: [edited],
    faults: [
      {
        match: { tenant: "prod", ...match },
        when: { skip, times: 1 },
        effect: { type: "delay", ms: 20_000, at: "before-commit" },
      },
    ],
    end: { how: "cut", slow: 1, power: false },
  };
}

function atSource(kind: TimedAct["kind"], value = 1): TimedAct {
  return { side: "source", kind, how: "text", object: 0, value, when: before };
}

function onTheSame(
  how: TimedAct["how"],
  when: TimedAct["when"],
  side: TimedAct["side"] = "target",
): TimedAct {
  return { side, kind: "sent", how, object: 0, value: 7, when };
}

const term = { name: "Email", type: "businessTerm", text: "" } as const;
const plain = { mentions: [], related: [], broader: undefined, owner: undefined, detection: [] } as const;

const ofTerms: Story = {
  ...empty,
  estate: { ...empty.estate, terms: [{ ...term, ...plain }] },
  steps: [],
};
const ofRows: Story = { ...empty, table: { rows: 2, there: [], publish: "direct" }, steps: [] };
const ofMasters: Story = { ...empty, masters: { parties: 1, segments: 0, there: [] }, steps: [] };

const change = cutAt({ method: "PATCH", path: "/api/catalog/v1/terms/" }, atSource("terms"));
const changeOfRow = cutAt({ method: "POST", path: "/draft/batch$/" }, atSource("rows"), 1);
const changeOfRecord = cutAt({ method: "PUT", path: "/api/rest/instance/party" }, atSource("masters"));

describe("a colleague who acts on what was sent", () => {
  it.each([
    ["as the process dies", { at: "death" }, 1],
    ["before the next run", before, 2],
    ["when it comes to its end", { at: "late", phase: "before-commit" }, 2],
    ["right behind that", { at: "late", phase: "after-commit" }, 2],
  ] as const)("is told %s", async (_when, when, step) => {
    const act = onTheSame("text", when);
    const steps = [apply, change, apply].map((one, index) =>
      index === step ? { ...one, acts: [...one.acts, act] } : one,
    );
    const { told, breaches } = await play({ ...ofTerms, steps: [...steps, apply] });
    expect(breaches).toEqual([]);
    expect(told.join("\n")).toMatch(
      /a colleague changed term businessTerm\/Email .* at the target \(text 7\)/,
    );
  });

  it("acts on its twin at the source as well, and on what is made, once it is there", async () => {
    const made = cutAt({ method: "POST", path: "/terms/bulk$/" }, atSource("terms"));
    const acts = [
      onTheSame("text", { at: "late", phase: "after-commit" }),
      onTheSame("text", before, "source"),
    ];
    const { told, breaches } = await play({ ...ofTerms, steps: [made, { ...apply, acts }] });
    expect(breaches).toEqual([]);
    expect(told.join("\n")).toMatch(/term businessTerm\/Email .* at the source/);
    expect(told.join("\n")).toMatch(/term businessTerm\/Email .* at the target/);
  });

  it.each([
    ["a row", ofRows, changeOfRow, before],
    // A request that was on its way before writes over what it finds.
    ["a record of master data", ofMasters, changeOfRecord, { at: "late", phase: "after-commit" }],
  ] as const)(
    "of %s is not written over, and is seen where the tool does that",
    async (_what, story, cut, when) => {
      const steps = [apply, cut, { ...apply, acts: [onTheSame("text", when)] }];
      const { told, breaches } = await play({ ...story, steps });
      expect(breaches).toEqual([]);
      expect(told.join("\n")).toContain("about which something was sent");
      const overwriting = { drift: "overwrite", conflict: "source-wins" } as const;
      const wrong = await play({ ...story, steps }, { policy: overwriting });
      expect(wrong.breaches[0]).toMatchObject({ invariant: "overwritten" });
      expect(wrong.breaches[0]?.what).toContain("behind what was sent");
    },
  );
});

it("is in some stories, and in more of those that move records", () => {
  const stories = Array.from({ length: 600 }, (_, index) => storyOf(40_000 + index));
  const isOfSent = ({ steps }: Story): boolean =>
    steps.some(({ acts }) => acts.some(({ kind }) => kind === "sent"));
  const share = (some: readonly Story[]): number => some.filter(isOfSent).length / some.length;
  const [records, others] = [true, false].map((has) =>
    stories.filter(({ table, masters }) => (table !== undefined || masters !== undefined) === has),
  ) as [Story[], Story[]];
  expect(share(others)).toBeGreaterThan(0.04);
  expect(share(others)).toBeLessThan(0.12);
  expect(share(records)).toBeGreaterThan(0.25);
});
