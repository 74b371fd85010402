import { expect, test } from "vitest";
import { termDenylist } from "../../src/kinds/term-denylist.ts";
import { overTheDemo } from "./support/over-the-demo.ts";

test("terms that detection must not assign come over, to attributes of new SQL items as well", async () => {
  const { changes } = await overTheDemo(termDenylist.name, {
    select: { kinds: ["folders", "sql-items", "terms", "term-denylist"] },
  });
  expect(changes.map(({ action, outcome }) => [action, outcome])).toEqual([
    ["update", "done"],
    ["update", "done"],
    ["update", "done"],
  ]);
});
