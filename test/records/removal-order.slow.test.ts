import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { asText } from "../../src/emulator/json.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { inRemovalOrder } from "../../src/operations/records/removal-order.ts";
import type { OpenedTable } from "../../src/operations/records/tables.ts";
import { author, masterParty, stage } from "./masters-stage.ts";
import type { MasterEntity, Stage } from "./masters-stage.ts";
import { diesAt } from "./support.ts";

/** Whose masters lead to others go before these, in whichever order the plan names them. */

const house: MasterEntity = { ...masterParty, filter: {}, authored: "all" };
const places: MasterEntity = {
  ...house,
  entity: "address",
  key: ["cmo_street", "cmo_zip"],
  relationships: ["party"],
};

/** A party with addresses, moved by a plan that names parties first. */
async function moved(addresses: number): Promise<Stage> {
  const here = await stage([house, places], true);
  const barn = author(here.dev, { cmo_code: "BARN" }, "party");
  author(here.dev, { cmo_code: "KEPT" }, "party");
  author(here.dev, { cmo_street: "9 Kept", cmo_zip: "1" }, "address");
  for (let number = 0; number < addresses; number += 1)
    books.relateMasters(
      here.dev,
      barn,
      "addresses",
      author(here.dev, { cmo_street: `${number} Market`, cmo_zip: "1" }, "address"),
    );
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  return here;
}

function removed({ dev }: Stage): void {
  for (const row of books.findMasters(dev, "party", "cmo_code", "BARN")) dev.masters("party")?.delete(row);
  const all = [...(dev.masters("address")?.rows ?? [])];
  for (const row of all)
    if (row.authored?.values["cmo_street"] !== "9 Kept") dev.masters("address")?.delete(row);
}

const left = ({ prod }: Stage): readonly number[] =>
  ["party", "address"].map((entity) => prod.masters(entity)?.size ?? 0);

const orders: readonly (readonly [string, readonly MasterEntity[]])[] = [
  ["as their relations lead", [house, places]],
  ["the other way round", [places, house]],
];

test.each(
  orders.flatMap(([how, entities]) =>
    (["apply", "rollback"] as const).flatMap((command) =>
      [1, 2].map((addresses) => [command, how, addresses, entities] as const),
    ),
  ),
)(
  "one %s takes away both where the plan names them %s (addresses: %i)",
  async (command, _how, count, all) => {
    const here = await moved(count);
    here.name(...all);
    if (command === "apply") removed(here);
    const result = command === "apply" ? await here.apply({ allowDelete: true }) : await here.back();
    expect([result.exitCode, left(here)]).toEqual([exitCodes.done, command === "apply" ? [1, 1] : [0, 0]]);
  },
);

test("masters that people have related, by what the plan does not move, go in one run as well", async () => {
  const unrelated = { ...places, relationships: [] };
  const here = await stage([unrelated, house], true);
  // Which of them is the parent is known from others that stay.
  for (const { data, code, count } of [
    { data: here.dev, code: "KEPT", count: 2 },
    { data: here.prod, code: "BARN", count: 1 },
  ]) {
    const parent = author(data, { cmo_code: code }, "party");
    for (let number = 0; number < count; number += 1) {
      const made = author(data, { cmo_street: `${number} ${code}`, cmo_zip: "1" }, "address");
      books.relateMasters(data, parent, "addresses", made);
    }
  }
  expect([(await here.apply({ allowDelete: true })).exitCode, left(here)]).toEqual([exitCodes.done, [1, 2]]);
});

test.each(["apply", "rollback"] as const)(
  "a killed %s has left no address without its party, where the plan names them the other way round",
  async (command) => {
    for (let nth = 1; ; nth += 1) {
      const here = await moved(2);
      here.name(places, house);
      if (command === "apply") removed(here);
      const options = { allowDelete: true, confirm: async () => true };
      const died = await diesAt("outcome:after", nth, async (hooks) => {
        const migration = here.made.migration({}, { plan: here.plan, hooks });
        return command === "apply" ? applyPlan(migration, options) : rollbackRun(migration, options);
      });
      if (died === undefined) {
        expect(nth).toBeGreaterThan(2);
        break;
      }
      const there = [...(here.prod.masters("address")?.rows ?? [])].filter((row) =>
        asText(row.authored?.values["cmo_street"]).endsWith("Market"),
      );
      for (const { parents } of there)
        expect(here.prod.masters("party")?.get(parents?.get("party_has_address") ?? 0)).toBeDefined();
    }
  },
);

/** Tables that say which of them lead where; the one that leads first. */
async function ordered(
  ids: readonly string[],
  leads: readonly (readonly [string, string])[],
): Promise<readonly string[]> {
  const tables = ids.map((id) => ({
    opened: {
      table: { id },
      open: {
        leads: async () => ({
          here: leads.flatMap(([from, to]) => (to === id ? [from] : [])),
          to: [],
        }),
      },
    } as unknown as OpenedTable,
  }));
  return (await inRemovalOrder(tables)).map(({ opened }) => opened.table.id);
}

test("the last of the plan goes first where nothing tells, and within a circle", async () => {
  expect(await ordered(["A", "B", "C"], [])).toEqual(["C", "B", "A"]);
  const circle = [
    ["A", "B"],
    ["B", "A"],
  ] as const;
  expect(await ordered(["A", "B", "C"], circle)).toEqual(["C", "B", "A"]);
  // What a circle leads to goes behind it.
  expect(await ordered(["A", "B", "C"], [...circle, ["A", "C"]])).toEqual(["B", "A", "C"]);
});

test("a chain of tables goes from its beginning, however the plan has it", async () => {
  const chain = [
    ["A", "B"],
    ["B", "C"],
  ] as const;
  for (const ids of [
    ["A", "B", "C"],
    ["C", "A", "B"],
    ["B", "C", "A"],
  ])
    expect(await ordered(ids, chain)).toEqual(["A", "B", "C"]);
});
