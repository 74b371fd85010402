import { expect, test } from "vitest";
import { planOf } from "../support/plan.ts";
import { narrowed, wider } from "./selected.ts";
import type { Step } from "./story.ts";
import { storyOf } from "./telling.ts";

/** The plan is edited between runs: told from a seed of its own. */
test("in some histories the plan selects less for a while, and never nothing", () => {
  const stories = Array.from({ length: 300 }, (_, seed) => storyOf(seed));
  const edited = stories.flatMap(({ kinds = [], links, table, masters, steps }) => {
    const all =
      kinds.length + [links, table, masters].filter((part) => part !== undefined && part !== false).length;
    const selections = steps.flatMap(({ selecting }) => selecting ?? []);
    return selections.length === 0 ? [] : [{ all, selections }];
  });
  expect(edited.length).toBeGreaterThan(15);
  expect(edited.length).toBeLessThan(75);
  const left = edited.filter(({ all, selections }) =>
    selections.every(({ without = [] }) => without.length < all),
  );
  expect(left).toHaveLength(edited.length);
  const words = edited.flatMap(({ selections }) => selections.flatMap((one) => Object.keys(one)));
  expect(new Set(words)).toEqual(new Set(["without", "exclude", "dependencies"]));
});

test("the plan says so, and what it says of records goes with their kind", () => {
  const table = { table: "Countries", key: ["code"], publish: "direct" } as const;
  const records = { referenceData: [table], masterData: [], remove: false } as unknown as NonNullable<
    Parameters<typeof narrowed>[0]["records"]
  >;
  const given = { select: { kinds: ["terms", "folders", "reference-data"] }, records };
  const plan = planOf(
    narrowed(given, { without: ["folders", "reference-data"], exclude: "E*", dependencies: "mapped-only" }),
  );
  expect(plan.select).toMatchObject({
    kinds: ["terms"],
    dependencies: "mapped-only",
    exclude: [{ name: "E*" }],
  });
  expect(plan.records?.referenceData).toEqual([]);
  expect(planOf(narrowed(given, {})).records?.referenceData).toEqual([table]);
});

test("a story that fails is tried with more of it", () => {
  const step: Step = {
    command: { does: "apply", allowDelete: false, verify: false },
    policy: {},
    acts: [],
    faults: [],
    selecting: { without: ["terms"], exclude: "E*" },
  };
  expect([...wider(step)].map(({ selecting }) => selecting)).toEqual([
    undefined,
    { exclude: "E*" },
    { without: ["terms"] },
  ]);
});
