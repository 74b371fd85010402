import { expect, test } from "vitest";
import { attributeMetadata } from "../../src/kinds/attribute-metadata.ts";
import { bare, seedTable, writeOver } from "../diff/support/metadata.ts";
import { contract } from "./contract.ts";
import { overTheDemo } from "./support/over-the-demo.ts";
import { goneWhenWritten } from "./support/spoil.ts";
import { times } from "./support/times.ts";

contract({
  kind: attributeMetadata,
  plan: { select: { kinds: ["attribute-metadata"] } },
  routes: { patch: "PATCH /api/catalog/v1/attributes/:urn" },
  seed(from, to) {
    const names = times(7, (number) => `COLUMN_${number}`);
    for (const side of [from, to]) {
      bare(side);
      seedTable(side, "WIDE", names);
    }
    return names.map((name, index) => {
      const urn = from.attribute("WIDE", name);
      writeOver(from, urn, {
        description: `What is in ${name}`,
        extraProperties: { businessName: `Column ${index}`, maxAgeDays: index, sensitive: index % 2 === 0 },
      });
      return urn;
    });
  },
  spoil: goneWhenWritten,
  edit: (from, urn) => writeOver(from, urn, { extraProperties: { businessName: "Changed" } }),
});

test("what people wrote over attributes comes over, those of SQL items that the run creates among them", async () => {
  const { changes } = await overTheDemo(attributeMetadata.name, {
    select: { kinds: ["folders", "sql-items", "attribute-metadata"] },
  });
  const reasons = changes.map(({ reason, outcome }) => [reason, outcome]);
  expect(reasons).toContainEqual(["after this run has created or adopted what it lies over", "done"]);
  expect(reasons).toContainEqual(["first contact: the source says how it should be", "done"]);
});
