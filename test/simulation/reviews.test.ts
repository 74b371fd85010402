import { expect, it, test } from "vitest";
import { asText } from "../../src/emulator/json.ts";
import { play } from "./round.ts";
import type { Scene } from "./scene.ts";
import { apply, empty } from "./small-stories.ts";
import type { How, Step, Story, TimedAct } from "./story.ts";
import { storyOf } from "./telling.ts";

const inPart: ReadonlySet<How> = new Set(["part", "refuse"]);

test("in one history of ten people decide on a part of a review", () => {
  const stories = Array.from({ length: 300 }, (_, seed) => storyOf(seed));
  const decided = stories.filter(({ steps }) =>
    steps.some(({ acts }) => acts.some(({ how }) => inPart.has(how))),
  );
  expect(decided.every(({ table }) => table?.publish === "review")).toBe(true);
  expect(decided.length).toBeGreaterThan(12);
  expect(decided.length).toBeLessThan(45);
});

const story: Story = { ...empty, table: { rows: 4, there: [], publish: "review" }, steps: [] };

function deciding(how: How, value: number): Step {
  const act: TimedAct = { side: "target", kind: "rows", how, object: 0, value, when: { at: "before" } };
  return { ...apply, acts: [act] };
}

it.each([
  ["part", 4],
  ["part", 3],
  ["refuse", 3],
  ["refuse", 4],
  ["refuse", 5],
] as const)("a review that is decided on in part breaks nothing (%s, %d)", async (how, value) => {
  const { breaches, told } = await play({ ...story, steps: [apply, deciding(how, value), apply] });
  expect(breaches, told.join("\n")).toEqual([]);
  expect(told.join("\n")).toMatch(how === "part" ? /approved \d of 4 rows/ : /refused|rejected the rest/);
});

it("what is published though nobody has approved it is found", async () => {
  const during = ({ books }: Scene): void => {
    const [table] = books.target.referenceData.tables.values();
    const [review] = books.target.referenceData.reviews.values();
    const [record] = review?.records ?? [];
    if (table !== undefined && record !== undefined)
      books.target.referenceData.publish(table, [record], "at-once");
  };
  const { breaches } = await play({ ...story, steps: [apply] }, { during });
  expect(breaches.map(({ invariant }) => invariant)).toContain("not-approved");
});

it("what a colleague has written into a draft that waits, and is published with it, is found", async () => {
  let count = 0;
  const during = ({ books }: Scene): void => {
    count += 1;
    if (count !== 2) return;
    const [table] = books.target.referenceData.tables.values();
    const open = table?.open().filter(({ draft }) => asText(draft["name"]).startsWith("theirs in it")) ?? [];
    if (table !== undefined) books.target.referenceData.publish(table, open, "at-once");
  };
  const acts = [...deciding("publish", 1).acts, ...deciding("more", 1).acts];
  const { breaches } = await play({ ...story, steps: [apply, { ...apply, acts }] }, { during });
  expect(breaches.map(({ invariant }) => invariant)).toContain("draft-published");
});

/** As a run that had looked at it: what a colleague had made by hand was there before it began. */
it("what is published out of a review beside the row that a colleague has made by hand is found", async () => {
  let count = 0;
  const during = ({ books }: Scene): void => {
    count += 1;
    if (count !== 2) return;
    const [table] = books.target.referenceData.tables.values();
    const published = new Set(table?.records().flatMap((one) => one.published?.["code"] ?? []));
    const beside = table?.open().filter(({ draft }) => published.has(draft["code"] ?? "")) ?? [];
    if (table !== undefined) books.target.referenceData.publish(table, beside, "at-once");
  };
  const acts = [...deciding("publish", 1).acts, ...deciding("recreate", 1).acts];
  const steps = [apply, { ...apply, acts }];
  const { breaches } = await play({ ...story, steps }, { during });
  expect(breaches.map(({ what }) => what).join("\n")).toMatch(/publishes ours beside it/);
  const { breaches: none, told } = await play({ ...story, steps });
  expect(none, told.join("\n")).toEqual([]);
  expect(told.join("\n")).toMatch(/made the row C\d at the target, which waits to be published/);
});
