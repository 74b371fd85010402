import { expect, test } from "vitest";
import { itemMetadata } from "../../src/kinds/item-metadata.ts";
import { bare, seedTable, writeOver } from "../diff/support/metadata.ts";
import { wanted } from "../diff/support/side.ts";
import { contract } from "./contract.ts";
import { overTheDemo } from "./support/over-the-demo.ts";
import { goneWhenWritten } from "./support/spoil.ts";
import { times } from "./support/times.ts";

contract({
  kind: itemMetadata,
  plan: { select: { kinds: ["item-metadata"] } },
  routes: { patch: "PATCH /api/catalog/v1/catalog-items/:urn" },
  seed(from, to) {
    for (const side of [from, to]) bare(side);
    return times(7, (number) => {
      const [urn] = [from, to].map((side) => seedTable(side, `TABLE_${number}`));
      writeOver(from, wanted(urn, "table"), {
        description: `What is in table ${number}`,
        aliases: [{ type: "ATLAS_ASSET_ID", value: `a-${number}` }],
        extraProperties: { businessName: `Table ${number}`, personalData: number % 2 === 0 },
      });
      return wanted(urn, "table");
    });
  },
  spoil: goneWhenWritten,
  edit: (from, urn) => writeOver(from, urn, { extraProperties: { businessName: "Changed" } }),
});

test("what people wrote over items of the demo comes over", async () => {
  const { changes } = await overTheDemo(itemMetadata.name, { select: { kinds: ["item-metadata"] } });
  expect(changes.length).toBeGreaterThan(3);
  expect(changes.some(({ outcome }) => outcome === "done")).toBe(true);
});
