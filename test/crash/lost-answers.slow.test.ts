import { describe, expect, test } from "vitest";
import { lose } from "./lose.ts";
import { changes, creates, losses, staleList } from "./lost-answers.ts";
import type { Loss, Write } from "./lost-answers.ts";
import { turn } from "./points.ts";
import { allOr, isWhole } from "../support/whole.ts";

/** Every loss on a create, and every other change with some loss; every pair of them: `npm run test:crash`. */
interface Case {
  readonly write: Write;
  readonly loss: Loss;
  readonly kill: boolean;
}

const at = <T>(list: readonly T[], index: number): readonly T[] =>
  list.slice(index % list.length).slice(0, 1);
const single = losses.filter(({ batchOnly }) => batchOnly !== true);
const everyOther = changes.filter((_, index) => (index + turn) % 2 === 1);
const cases = [
  ...losses.flatMap((loss, index): Case[] => {
    const fitting = creates.filter(({ batch }) => batch || loss.batchOnly !== true);
    return at(fitting, index + turn).map((write) => ({ write, loss, kill: (index + turn) % 3 === 0 }));
  }),
  ...everyOther.flatMap((write, index): Case[] =>
    at(single, index * 5 + turn).map((loss) => ({ write, loss, kill: false })),
  ),
];

describe("an answer is lost", () => {
  test.concurrent.each(allOr(cases, (_row, index) => index % 8 === 2))(
    "$write.name: $loss.name (killed while settling: $kill)",
    async ({ write, loss, kill }) => {
      expect(await lose(write, loss, { kill })).toMatchObject({ happened: true, problems: [] });
    },
  );
});

describe("an answer is lost, and what is new is in no list yet", () => {
  const loss: Loss = { name: "", effect: { type: "drop-after-commit" } };
  const lagging = creates.flatMap((write, index) =>
    write.list === undefined ? [] : [{ write, kill: index % 2 === 1 }],
  );
  test.concurrent.each(allOr(lagging, (_row, index) => index === 0))(
    "$write.name (killed while settling: $kill)",
    async ({ write, kill }) => {
      // The first look after the loss and the first after the quiet period see nothing of it.
      const also = [staleList(write, kill ? 3 : 2)];
      expect(await lose(write, loss, { kill, also })).toMatchObject({
        happened: true,
        problems: [],
        draftsLeft: 0,
      });
    },
  );
});

test
  .runIf(isWhole)
  .concurrent("a lost answer leaves at most a draft of a dashboard, and the run says so", async () => {
    const loss: Loss = { name: "", effect: { type: "drop-after-commit" } };
    const dashboard = creates.find(({ name }) => name === "a dashboard is created");
    expect(dashboard).toBeDefined();
    if (dashboard === undefined) return;
    for (const nth of [1, 2]) {
      expect(await lose(dashboard, loss, { nth })).toMatchObject({
        happened: true,
        problems: [],
        draftsLeft: 1,
      });
    }
  });
