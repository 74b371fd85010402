import { beforeAll, describe, expect, test } from "vitest";
import type { Estate } from "./estates/estate.ts";
import { miniChanged } from "./estates/mini-changed.ts";
import { mini } from "./estates/mini.ts";
import { tryPoints } from "./experiment.ts";
import { classes, countPoints, label } from "./points.ts";

/**
 * Kills the real command at one point of every class, runs it again, and looks at what became of it. All points:
 * `npm run test:crash`.
 */
const estates: readonly { readonly estate: Estate; readonly classes: readonly string[] }[] = [
  { estate: mini, classes },
  {
    estate: miniChanged,
    // What a second run does otherwise than the first: it changes, publishes and deletes.
    classes: ["intent:after", "outcome:after", "after-commit"],
  },
];

describe.each(estates)("a run that is killed over $estate.name", ({ estate, classes: tried }) => {
  let counts: ReadonlyMap<string, number>;
  beforeAll(async () => {
    counts = await countPoints(estate, 1);
  });

  test("comes by every class of points", () => {
    for (const name of tried) expect(counts.get(name), name).toBeGreaterThan(0);
  });

  test.concurrent.each(tried.map((name, index) => ({ name, index })))("at $name", async ({ name, index }) => {
    const count = counts.get(name) ?? 0;
    const point = { class: name, ordinal: 1 + ((5 * index + 2) % count) };
    expect(await tryPoints(estate, point), label(point)).toMatchObject({ kills: 1, problems: [] });
  });
});

test.concurrent("a run that is killed again and again ends well when it is let", async () => {
  const points = [
    "after-commit 3",
    "lock:after-acquire 1",
    "send:after 2",
    "journal:after-write 4",
    "compact:before-rename 1",
  ];
  const [first = { class: "", ordinal: 0 }, ...next] = points.map((text) => {
    const [name = "", ordinal = ""] = text.split(" ");
    return { class: name, ordinal: Number(ordinal) };
  });
  expect(await tryPoints(mini, first, ...next)).toMatchObject({ kills: points.length, problems: [] });
});
