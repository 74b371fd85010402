import { beforeAll, describe, expect, test } from "vitest";
import { allOr, isWhole } from "../support/whole.ts";
import { tryPoints } from "./experiment.ts";
import { countPoints, isOfComparison, label, turn } from "./points.ts";
import { rowEstates } from "./rows/index.ts";

/**
 * Runs over rows that are killed, and run again until done: by the emulator's books each selected row is there once, and
 * nothing else was touched. Each class is tried over every fifth estate, and each estate with every fifth class, so that five
 * estates side by side have all of them, and five days. All points: `npm run test:crash -- --estate rows`.
 */
const classes = [
  "lock:after-acquire",
  "intent:after",
  "send:after",
  "outcome:before",
  "outcome:after",
  "journal:after-write",
  "torn:cut",
  "rows:before-rename",
  "rows:after-rename",
  "comparison:before-keep",
  "comparison:after-keep",
  "comparison:after-rename",
  "compact:before-rename",
  "before-commit",
  "after-commit",
];
const inShort: Readonly<Record<string, string>> = {
  "table-rows": "after-commit",
  "instances-back": "send:after",
};

/** The position of an estate, and of a class. */
const isTurn = (estate: number, index: number): boolean => (estate + index + turn) % 5 === 0;

const estates = allOr(rowEstates, ({ name }) => Object.hasOwn(inShort, name));

describe.each(estates.map((estate) => ({ name: estate.name, estate })))("$name", ({ name, estate }) => {
  let counts: ReadonlyMap<string, number>;
  beforeAll(async () => {
    counts = await countPoints(estate, 1);
  });

  const position = rowEstates.indexOf(estate);
  const tried = isWhole ? classes.filter((_, index) => isTurn(position, index)) : [inShort[name] ?? ""];
  test.concurrent.each(tried)("killed at %s", async (what) => {
    const count = counts.get(what) ?? 0;
    // What waits for an approval has nothing to send.
    if (count === 0 && estate.change !== undefined) return;
    // It is kept by the clock, and not at all where rows are removed.
    if (count === 0 && isOfComparison(what) && estate.rows?.leaps !== true) return;
    expect(count, what).toBeGreaterThan(0);
    const point = { class: what, ordinal: 1 + ((7 * classes.indexOf(what) + 3) % count) };
    expect(await tryPoints(estate, point), label(point)).toMatchObject({ kills: 1, problems: [] });
  });
});

test.runIf(isWhole).concurrent.each([
  { name: "table-rows", points: ["after-commit 2", "send:after 1", "outcome:after 2"] },
  { name: "instances", points: ["after-commit 9", "after-commit 7", "intent:after 1"] },
  { name: "instances-back", points: ["after-commit 3", "outcome:after 1", "after-commit 2"] },
])("$name, killed again and again", async ({ name, points }) => {
  const estate = rowEstates.find((one) => one.name === name);
  if (estate === undefined) throw new Error(`there is no estate ${name}`);
  const [first = { class: "", ordinal: 0 }, ...next] = points.map((text) => {
    const [what = "", ordinal = ""] = text.split(" ");
    return { class: what, ordinal: Number(ordinal) };
  });
  expect(await tryPoints(estate, first, ...next)).toMatchObject({ problems: [] });
});
