import { expect, test } from "vitest";
import { stewardship } from "../../src/kinds/stewardship.ts";
import { overTheDemo } from "./support/over-the-demo.ts";

test("stewards of terms and items come over, of those that the run creates as well", async () => {
  const { changes } = await overTheDemo(stewardship.name, {
    select: { kinds: ["folders", "sql-items", "terms", "stewardship"] },
  });
  const reasons = changes.map(({ reason, outcome }) => [reason, outcome]);
  expect(reasons).toContainEqual(["after the creation of what it lies over", "done"]);
  expect(reasons).toContainEqual(["first contact: the source says how it should be", "done"]);
});
