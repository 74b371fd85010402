import { expect, test } from "vitest";
import { attributeMetadata } from "../../src/kinds/attribute-metadata.ts";
import { overTheDemo } from "./support/over-the-demo.ts";

test("what people wrote over attributes comes over, those of SQL items that the run creates among them", async () => {
  const { changes } = await overTheDemo(attributeMetadata.name, {
    select: { kinds: ["folders", "sql-items", "attribute-metadata"] },
  });
  const reasons = changes.map(({ reason, outcome }) => [reason, outcome]);
  expect(reasons).toContainEqual(["after the creation of what it lies over", "done"]);
  expect(reasons).toContainEqual(["first contact: the source says how it should be", "done"]);
});
