import { beforeAll, describe, expect, test } from "vitest";
import { catalog, catalogChanged } from "./estates/catalog.ts";
import type { Estate } from "./estates/estate.ts";
import { miniChanged } from "./estates/mini-changed.ts";
import { mini } from "./estates/mini.ts";
import { tryPoints } from "./experiment.ts";
import { classes, countPoints, isOfRows, label, turn } from "./points.ts";
import { allOr, isWhole } from "../support/whole.ts";

/**
 * Kills the real command at one point of every class, runs it again, and looks at what became of it; `npm test` has one
 * before and one after the service has it. All points: `npm run test:crash`.
 */
const estates: readonly {
  readonly estate: Estate;
  readonly classes: readonly string[];
  readonly inShort: readonly string[];
}[] = [
  {
    estate: mini,
    classes: classes.filter((name) => !isOfRows(name)),
    inShort: ["intent:after"],
  },
  {
    estate: miniChanged,
    // What a second run does otherwise than the first: it changes, publishes and deletes.
    classes: ["intent:after", "outcome:after", "after-commit"],
    inShort: [],
  },
  {
    estate: catalog,
    classes: ["intent:after", "send:after", "outcome:after", "journal:after-write", "after-commit"],
    inShort: [],
  },
  {
    estate: catalogChanged,
    classes: ["intent:after", "send:after", "outcome:after", "after-commit"],
    inShort: [],
  },
];

// A run over more kinds, or over what has changed, dies in the same ways: their rows are tried where there is time.
describe.each(allOr(estates, ({ estate }) => estate === mini))(
  "a run that is killed over $estate.name",
  ({ estate, classes: tried, inShort }) => {
    let counts: ReadonlyMap<string, number>;
    beforeAll(async () => {
      counts = await countPoints(estate, 1);
    });

    test("comes by every class of points", () => {
      for (const name of tried) expect(counts.get(name), name).toBeGreaterThan(0);
    });

    const rows = tried.map((name, index) => ({ name, index }));
    const some = allOr(rows, ({ name }) => inShort.includes(name));
    test.concurrent.each(some)("at $name", async ({ name, index }) => {
      const count = counts.get(name) ?? 0;
      const point = { class: name, ordinal: 1 + ((5 * index + 2 + turn) % count) };
      expect(await tryPoints(estate, point), label(point)).toMatchObject({ kills: 1, problems: [] });
    });
  },
);

test.runIf(isWhole).concurrent("a run that is killed again and again ends well when it is let", async () => {
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
