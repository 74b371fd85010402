import { beforeAll, describe, expect, test } from "vitest";
import { catalogBack } from "./estates/catalog.ts";
import { miniBack } from "./estates/mini-back.ts";
import { tryPoints } from "./experiment.ts";
import { countPoints, label, turn } from "./points.ts";
import { allOr, isWhole } from "../support/whole.ts";

/** Kills a rollback at points of each class that it comes by, early and late. All points: `npm run test:crash`. */
const classes = [
  "lock:after-acquire",
  "intent:before",
  "intent:after",
  "send:after",
  "outcome:after",
  "journal:after-write",
  "mapping:before-rename",
  "compact:before-rename",
  "before-commit",
  "after-commit",
  "torn:cut",
] as const;

const estates = [
  { estate: miniBack, classes },
  { estate: catalogBack, classes: ["intent:after", "send:after", "outcome:after", "after-commit"] },
] as const;

describe.each(estates)("a rollback of $estate.name that is killed", ({ estate, classes: tried }) => {
  let counts: ReadonlyMap<string, number>;
  beforeAll(async () => {
    counts = await countPoints(estate, 1);
  });

  const rows = tried.map((name, index) => ({ name, index }));
  test.concurrent.each(allOr(rows, ({ name }) => name === "after-commit"))(
    "at $name",
    async ({ name, index }) => {
      const count = counts.get(name) ?? 0;
      expect(count, name).toBeGreaterThan(0);
      const point = { class: name, ordinal: 1 + ((5 * index + 3 + turn) % count) };
      expect(await tryPoints(estate, point), label(point)).toMatchObject({ kills: 1, problems: [] });
    },
  );
});

test
  .runIf(isWhole)
  .concurrent("a rollback that is killed again and again ends well when it is let", async () => {
    const [first, ...next] = [
      { class: "send:after", ordinal: 3 },
      { class: "intent:after", ordinal: 2 },
      { class: "outcome:after", ordinal: 1 },
    ] as const;
    expect(await tryPoints(miniBack, first, ...next)).toMatchObject({ kills: 3, problems: [] });
  });
