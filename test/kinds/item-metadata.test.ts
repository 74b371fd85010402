import { expect, test } from "vitest";
import { itemMetadata } from "../../src/kinds/item-metadata.ts";
import { overTheDemo } from "./support/over-the-demo.ts";

test("what people wrote over items of the demo comes over", async () => {
  const { changes } = await overTheDemo(itemMetadata.name, { select: { kinds: ["item-metadata"] } });
  expect(changes.length).toBeGreaterThan(3);
  expect(changes.some(({ outcome }) => outcome === "done")).toBe(true);
});
