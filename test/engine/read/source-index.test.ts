import { expect, onTestFinished, test } from "vitest";
import { registry } from "../../../src/kinds/index.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import { readBoth } from "../../../src/operations/compare.ts";
import { world } from "../../support/world.ts";

/** Where it did not, all of the source would be read a second time to index it for the diff. */
test("what was seen of the source while it was read fits the kinds as they are opened for the target", async () => {
  const made = await world("demo");
  onTestFinished(async () => made.close());
  const everything = ["terms", "entities", "folders", "sql-items", "item-metadata", "attribute-metadata"];
  const migration = made.migration({ select: { kinds: everything, entityTypes: ["dataProduct"] } });
  onTestFinished(async () => migration.close());
  const mapping = new MappingTable((kind) => registry.owns(kind));
  const { index } = await readBoth(migration, mapping, migration.targetReads());
  const seen = index.take();
  for (const kind of everything) expect(seen?.holds(kind)).toBe(true);
  expect(seen?.fits(await migration.kinds("target"))).toBe(true);
});

test("it does not fit kinds that say another thing by hand", async () => {
  const made = await world("demo");
  onTestFinished(async () => made.close());
  const migration = made.migration({ select: { kinds: ["rules"] } });
  onTestFinished(async () => migration.close());
  const mapping = new MappingTable((kind) => registry.owns(kind));
  const { index } = await readBoth(migration, mapping, migration.targetReads());
  const kinds = await migration.kinds("target");
  const rules = kinds.movedKind("rules");
  if (rules === undefined) throw new Error("there are no rules");
  const other = { ...rules, byHand: () => undefined };
  const fits = (kind: typeof rules): boolean | undefined =>
    seen?.fits(
      Object.assign(Object.create(kinds) as typeof kinds, {
        movedKind: (name: string) => (name === "rules" ? kind : kinds.movedKind(name)),
      }),
    );
  const seen = index.take();
  expect([fits(rules), fits(other)]).toEqual([true, false]);
  expect(fits({ ...rules, shape: { ...rules.shape, labels: ["other"] } })).toBe(false);
});
