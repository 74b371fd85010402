import { expect, test } from "vitest";
import { seedDenylist } from "../../src/emulator/seed.ts";
import { termDenylist } from "../../src/kinds/term-denylist.ts";
import { seedTerm } from "../diff/support/content.ts";
import { seedTable } from "../diff/support/metadata.ts";
import { contract } from "./contract.ts";
import { overTheDemo } from "./support/over-the-demo.ts";
import { goneWhenWritten } from "./support/spoil.ts";
import { times } from "./support/times.ts";

contract({
  kind: termDenylist,
  plan: { select: { kinds: ["term-denylist"] } },
  routes: { deny: "POST /api/catalog/v1/attributes/term-assignments/denylist/batch/add" },
  seed(from, to) {
    const termUrns = [seedTerm(from, "First"), seedTerm(from, "Second")];
    const names = times(101, (number) => `COLUMN_${number}`);
    for (const side of [from, to]) seedTable(side, "WIDE", names);
    return names.map((name) => {
      const attributeUrn = from.attribute("WIDE", name);
      for (const termUrn of termUrns) seedDenylist(from.tenant, { attributeUrn, termUrn });
      return attributeUrn;
    });
  },
  spoil: goneWhenWritten,
  edit: (from, attributeUrn) =>
    void seedDenylist(from.tenant, { attributeUrn, termUrn: seedTerm(from, `Third for ${attributeUrn}`) }),
  stays: true,
});

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
