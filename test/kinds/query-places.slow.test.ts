import { describe, expect, test } from "vitest";
import { tablesIn } from "../../src/kinds/shared/tables-in-query.ts";
import type { Result } from "../../src/model/result.ts";
import { seedFolder } from "../diff/support/content.ts";
import { apply, diff, stage } from "../diff/support/run.ts";
import type { PlanChanges } from "../support/world.ts";
import { editQuery, queryOf, seedSqlItem } from "./support/catalog.ts";

/** A query is text: what it names at the source it names at the target, unless `pairing.queries` says otherwise. */

describe("the tables that a query reads", () => {
  test.each([
    ["select a, b from T", [["T"]]],
    [
      "SELECT * FROM DEV.S.T t JOIN dev.s.u AS u ON t.id = u.id WHERE t.x IN (1, 2)",
      [
        ["DEV", "S", "T"],
        ["dev", "s", "u"],
      ],
    ],
    ["select 1 from A, B b, C as c where x.DEV_Y = 1, DEV_Z", [["A"], ["B"], ["C"]]],
    [
      'select * from "My DEV"."T x" left join [a].[b]',
      [
        ["My DEV", "T x"],
        ["a", "b"],
      ],
    ],
    ["select * from `p-dev`.`d`.`t`", [["p-dev", "d", "t"]]],
    ["with x as (select * from DEV_A) select * from (select * from DEV_B) y, z", [["DEV_A"], ["DEV_B"]]],
    ["select 'from DEV_A' from B -- from DEV_C\n/* join DEV_D */", [["B"]]],
    ["select extract(year from d), DEV_X from T", [["d"], ["T"]]],
    ["select 1", []],
    ["", []],
  ])("%s", (query, tables) => {
    expect(tablesIn(query)).toEqual(tables);
  });

  test.each(["(", "[", '"', "'", "/*", "`", ". ", "from ", "a.", " "])(
    "nothing but %j is looked through once",
    (piece) => {
      expect(tablesIn(`select 1 from T ${piece.repeat(300_000)}`)[0]).toEqual(["T"]);
    },
  );
});

const plan: PlanChanges = { select: { kinds: ["folders", "sql-items"] }, pairing: { queries: [] } };

const said = ({ diagnostics }: Result): readonly unknown[] =>
  diagnostics.flatMap(({ code, coordinate, summary, suggestion }) =>
    code === "query-names-source" ? [[coordinate?.name, summary, suggestion]] : [],
  );

test("a query that names a place which the plan calls otherwise is told, with the line that is wanted", async () => {
  const at = await stage();
  const item = seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
  const expected = [
    [
      "Active",
      'the query reads "DEV_SALES", which is "PROD_SALES" at prod by pairing.paths, and no rename under pairing.queries says so: it travels as it is',
      expect.stringContaining('{ pattern: "DEV_SALES", replace: "PROD_SALES" }'),
    ],
  ];
  expect(said(await diff(at, plan))).toEqual(expected);
  expect(said(await apply(at, plan))).toEqual(expected);
  expect(queryOf(at.target, at.target.item("Active"))).toContain("DEV_SALES");
  // What is there is not told again, and what is written again is.
  expect(said(await apply(at, plan))).toEqual([]);
  editQuery(at.source, item, "SELECT 1 FROM DEV_SALES.CUSTOMER.CUSTOMER c JOIN DEV_SALES.CUSTOMER.OTHER o");
  expect(said(await diff(at, plan))).toEqual(expected);
});

test.each([
  ["with that line", { queries: [{ pattern: "DEV_SALES", replace: "PROD_SALES" }] }],
  ["where nothing is called otherwise", { queries: [], paths: [] }],
])("%s nothing is told", async (_when, pairing) => {
  const at = await stage();
  seedSqlItem(at.source, "Active", seedFolder(at.source, "F"));
  expect(said(await diff(at, { ...plan, pairing }))).toEqual([]);
});
