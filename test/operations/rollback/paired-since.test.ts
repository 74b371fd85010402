import { expect, test } from "vitest";
import type { Urn } from "../../../src/model/urn.ts";
import { setMappings } from "../../../src/operations/mappings.ts";
import { seedFolder, seedTerm } from "../../diff/support/content.ts";
import { apply, stage, twinOf } from "../../diff/support/run.ts";
import type { Side } from "../../diff/support/side.ts";
import { removeTerm } from "../../diff/support/web.ts";
import { removeOne, removeSqlItem, seedPort, seedProduct, seedSqlItem } from "../../kinds/support/catalog.ts";
import type { PlanChanges } from "../../support/world.ts";
import { rollback, terms } from "./support.ts";

/** What a run has deleted, and whose object of the source a person has paired with another one since, under whichever kind that pair is put down. */

interface Way {
  readonly kind: string;
  readonly plan: PlanChanges;
  readonly seed: (side: Side, name: string) => Urn;
  readonly remove: (side: Side, urn: Urn) => void;
}

const queries = { pairing: { queries: [{ pattern: "DEV_SALES", replace: "PROD_SALES" }] } };

const ways: readonly Way[] = [
  { kind: "terms", plan: terms, seed: seedTerm, remove: removeTerm },
  {
    kind: "entities",
    plan: { select: { kinds: ["entities"], entityTypes: ["dataProduct"] } },
    seed: seedProduct,
    remove: removeOne,
  },
  {
    kind: "sql-items",
    plan: { select: { kinds: ["folders", "sql-items"] }, ...queries },
    seed: (side, name) => seedSqlItem(side, name, side.folder("F")),
    remove: removeSqlItem,
  },
];

test.each(ways)("is not made again beside that ($kind)", async ({ plan, seed, remove }) => {
  const at = await stage();
  seedFolder(at.source, "F");
  const urn = seed(at.source, "Gone");
  seed(at.source, "Other");
  await apply(at, plan);
  const twin = await twinOf(at, urn);
  remove(at.source, urn);
  const { run = "", summary } = await apply(at, plan, { allowDelete: true, maxDeletes: 1 });
  expect(summary.delete).toBe(1);

  const theirs = seed(at.target, "Theirs");
  await setMappings(at.world.migration(plan), [{ source: urn, target: theirs }]);
  const counts = at.target.tenant.counts();
  const result = await rollback(at, plan, { run });
  expect(result.changes).toEqual([]);
  expect(at.target.tenant.counts()).toEqual(counts);
  expect(await twinOf(at, urn)).toBe(theirs);
  expect(twin).not.toBe(theirs);
});

test("what stood in it stands in that one when it is made again", async () => {
  const plan: PlanChanges = {
    select: { kinds: ["entities"], entityTypes: ["dataProduct", "outputPort"] },
  };
  const at = await stage();
  const product = seedProduct(at.source, "Gone");
  const port = seedPort(at.source, product, "Port");
  seedProduct(at.source, "Other");
  await apply(at, plan);
  for (const urn of [port, product]) removeOne(at.source, urn);
  const { run = "", summary } = await apply(at, plan, { allowDelete: true, maxDeletes: 2 });
  expect(summary.delete).toBe(2);

  const theirs = seedProduct(at.target, "Theirs");
  await setMappings(at.world.migration(plan), [{ source: product, target: theirs }]);
  expect(await rollback(at, plan, { run })).toMatchObject({ exitCode: 0, summary: { create: 1 } });
  const again = at.target.tenant.entities.get(await twinOf(at, port));
  expect(again?.parentUrn).toBe(theirs);
});
