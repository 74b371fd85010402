import { expect, test } from "vitest";
import { sqlItems } from "../../src/kinds/sql-items.ts";
import { overTheDemo } from "./support/over-the-demo.ts";

test("SQL items of the demo come over with what their creation does not take, and their queries speak of the target", async () => {
  const select = { kinds: ["folders", "sql-items"] };
  const { changes, demo } = await overTheDemo(sqlItems.name, { select });
  expect(changes.map(({ action, outcome }) => [action, outcome])).toEqual([
    ["create", "done"],
    ["create", "done"],
  ]);
  const { prod } = { prod: demo.emulator.tenant("prod") };
  const queries = [...prod.entities.valuesIn("type:dslQuery")].map(({ properties }) =>
    JSON.stringify(properties["query"]),
  );
  expect(queries.join("\n")).not.toContain("DEV_");
  for (const { target } of changes)
    expect([...prod.attributes.valuesIn(`item:${target?.urn ?? ""}`)].length).toBeGreaterThanOrEqual(0);
});
