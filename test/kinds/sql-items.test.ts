import { expect, test } from "vitest";
import { sqlItems } from "../../src/kinds/sql-items.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedFolder } from "../diff/support/content.ts";
import type { Side } from "../diff/support/side.ts";
import { contract } from "./contract.ts";
import {
  editItem,
  editQuery,
  itemCalled,
  queryOf,
  queryThere,
  removeSqlItem,
  seedSqlItem,
} from "./support/catalog.ts";
import { fresh, type Place } from "./support/place.ts";
import { overTheDemo } from "./support/over-the-demo.ts";

const plan = { select: { kinds: ["folders", "sql-items"] } };

/** In two folders; one has all that a creation does not take. */
function seed(from: Side): readonly Urn[] {
  const reports = seedFolder(from, "Reports");
  const inner = seedFolder(from, "Inner", reports);
  return [
    seedSqlItem(from, "Active", inner, {
      aliases: [{ type: "businessName", value: "Active customers" }],
      extraProperties: { retentionMonths: 12, personalData: true, readers: ["marketing"] },
    }),
    seedSqlItem(from, "Plain", inner),
    seedSqlItem(from, "Third", reports),
  ];
}

const item = "/api/catalog/v1/catalog-items";

contract({
  kind: sqlItems,
  plan,
  routes: { create: `POST ${item}`, patch: `PATCH ${item}/:urn`, delete: `DELETE ${item}/:urn` },
  seed,
  spoil: ({ source }, urn) => editQuery(source, urn, " "),
  edit: (from, urn) => editItem(from, urn, { description: "Changed" }),
  drop: removeSqlItem,
});

async function moved(): Promise<{ readonly at: Place; readonly all: readonly Urn[] }> {
  const at = await fresh();
  const all = seed(at.source);
  expect((await at.apply(plan)).exitCode).toBe(0);
  return { at, all };
}

test("what a creation does not take follows by a patch, and the query speaks of the target", async () => {
  const { at } = await moved();
  const active = itemCalled(at.target, "Active");
  expect(active).toMatchObject({
    description: "What Active shows",
    aliases: [{ type: "businessName", value: "Active customers" }],
    extraProperties: { retentionMonths: 12, personalData: true, readers: ["marketing"] },
    parentUrn: at.target.folder("Inner"),
  });
  expect(queryOf(at.target, active.urn)).toBe(queryThere);
  expect(at.writes().filter(({ method }) => method === "PATCH")).toHaveLength(1);
});

test("SQL items of the demo come over with what their creation does not take, and their queries speak of the target", async () => {
  const select = { kinds: ["folders", "sql-items"] };
  const { changes, demo } = await overTheDemo(sqlItems.name, { select });
  expect(changes.map(({ action, outcome }) => [action, outcome])).toEqual([
    ["create", "done"],
    ["create", "done"],
  ]);
  const prod = demo.emulator.tenant("prod");
  const queries = [...prod.entities.valuesIn("type:dslQuery")].map(({ properties }) =>
    JSON.stringify(properties["query"]),
  );
  expect(queries.join("\n")).not.toContain("DEV_");
  const made = [...prod.items.values()].filter(({ name }) =>
    changes.some(({ source }) => source?.name === name),
  );
  expect(made).toHaveLength(2);
  for (const { urn } of made) expect(prod.attributes.valuesIn(`item:${urn}`).length).toBeGreaterThan(0);
});
