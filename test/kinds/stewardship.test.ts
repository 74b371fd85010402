import { expect, test } from "vitest";
import { seedStewardship } from "../../src/emulator/seed.ts";
import { stewardship } from "../../src/kinds/stewardship.ts";
import { seedTable } from "../diff/support/metadata.ts";
import { wanted } from "../diff/support/side.ts";
import { contract } from "./contract.ts";
import { overTheDemo } from "./support/over-the-demo.ts";
import { goneWhenWritten } from "./support/spoil.ts";
import { times } from "./support/times.ts";

contract({
  kind: stewardship,
  plan: { select: { kinds: ["stewardship"], dependencies: "mapped-only" } },
  routes: { manage: "POST /api/catalog/v1/stewardship/batch/manage" },
  seed(from, to) {
    return times(101, (number) => {
      const [table] = [from, to].map((side) => seedTable(side, `TABLE_${number}`));
      const entityUrn = wanted(table, "table");
      seedStewardship(from.tenant, { entityUrn, groupUrn: from.group("Customer domain") });
      return entityUrn;
    });
  },
  spoil: goneWhenWritten,
  edit: (from, entityUrn) =>
    seedStewardship(from.tenant, { entityUrn, groupUrn: from.group("Data stewards") }),
  stays: true,
});

test("stewards of terms and items come over, of those that the run creates as well", async () => {
  const { changes } = await overTheDemo(stewardship.name, {
    select: { kinds: ["folders", "sql-items", "terms", "stewardship"] },
  });
  const reasons = changes.map(({ reason, outcome }) => [reason, outcome]);
  expect(reasons).toContainEqual(["after this run has created or adopted what it lies over", "done"]);
  expect(reasons).toContainEqual(["first contact: the source says how it should be", "done"]);
});
