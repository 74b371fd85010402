import { expect, test } from "vitest";
import { entities } from "../../src/kinds/entities.ts";
import { overTheDemo } from "./support/over-the-demo.ts";

test("entities of the demo come over, parents before their children", async () => {
  const { changes } = await overTheDemo(entities.name, {
    select: {
      kinds: ["folders", "sql-items", "terms", "entities"],
      entityTypes: ["dataProduct", "dataContract", "outputPort"],
    },
  });
  expect(changes.length).toBeGreaterThan(5);
  for (const { action, outcome } of changes) expect([action, outcome]).toEqual(["create", "done"]);
});
