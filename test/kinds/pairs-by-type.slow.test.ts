import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { listMappings, setMappings } from "../../src/operations/mappings.ts";
import { writing } from "../../src/operations/state.ts";
import { seedFolder } from "../diff/support/content.ts";
import { apply, diff, expectAtRest, expectChange, refusal, stage, twinOf } from "../diff/support/run.ts";
import type { Stage } from "../diff/support/run.ts";
import type { PlanChanges } from "../support/world.ts";
import { editEntity, editItem, seedProduct, seedSqlItem } from "./support/catalog.ts";

/**
 * The URN of an SQL item is that of a catalog item, and any type may be an entity: who pairs one by its URN alone, or by a file
 * that was written before the first run, puts it down under another kind than the one that moves it.
 */
const plan: PlanChanges = {
  select: { kinds: ["folders", "sql-items", "entities"], entityTypes: ["dataProduct"] },
};

/** One of each sort, and how somebody changes it at the target. */
const sorts = [
  {
    what: "an SQL item",
    kind: "sql-items",
    byType: "catalog-items",
    seed: (side: Stage["source"], name: string) => seedSqlItem(side, name, side.folder("F")),
    edit: (side: Stage["source"], urn: Urn) => editItem(side, urn, { description: "theirs" }),
  },
  {
    what: "an entity",
    kind: "entities",
    byType: "others",
    seed: seedProduct,
    edit: (side: Stage["source"], urn: Urn) => editEntity(side, urn, { description: "theirs" }),
  },
] as const;

async function begin(): Promise<Stage> {
  const at = await stage();
  seedFolder(at.source, "F");
  await apply(at, plan);
  return at;
}

test.each(sorts)(
  "of $what that is mapped, a pair under its type is the one there is: what was last applied stays known, and no other twin takes its place",
  async ({ seed, edit, kind, byType }) => {
    const at = await begin();
    const source = seed(at.source, "One");
    await apply(at, plan);
    const target = (await twinOf(at, source)) as Urn;
    edit(at.target, target);
    const set = async (twin: string): Promise<unknown> =>
      setMappings(at.world.migration(plan), [{ kind: byType, source, target: twin }]);
    expect(await set(target)).toMatchObject({ headline: "0 pairs set. 1 was so already." });
    expectChange(await diff(at, plan), source, "drift", "it was changed at the target");
    const error = await refusal(async () => set(seed(at.target, "Two")));
    expect(error.message).toContain(`is mapped already: to ${target}`);
    const { details } = await listMappings(at.world.migration(plan), { text: source });
    expect(details.mappings).toMatchObject([{ kind, target }]);
  },
);

test.each(sorts)(
  "of $what that a person pairs by its URN alone, a later change at the target is a conflict",
  async ({ seed, edit }) => {
    const at = await begin();
    const source = seed(at.source, "One");
    const target = seed(at.target, "One");
    await setMappings(at.world.migration(plan), [{ source, target }], { check: true });
    edit(at.target, target);
    expectChange(await apply(at, plan), source, "conflict", "it was changed at the target");
    expect(at.target.body(target)).toMatchObject(
      seed === seedProduct ? { properties: { description: "theirs" } } : { description: "theirs" },
    );
  },
);

test.each(sorts)("$what that was abandoned is taken up with its twin", async ({ seed, kind }) => {
  const at = await begin();
  const source = seed(at.source, "One");
  const migration = at.world.migration(plan);
  await writing(migration, async (_run, { lease }) => {
    const abandoned = await migration.store.state.abandoned();
    abandoned.set({ kind, source, name: "One", step: "create", at: "2026-01-02T03:04:05.000Z" });
    await migration.store.state.saveAbandoned(lease, abandoned);
  });
  expectChange(await diff(at, plan), source, "manual", "abandoned by a person");
  await setMappings(migration, [{ source, target: seed(at.target, "One") }], { check: true });
  expect((await apply(at, plan)).exitCode).toBe(0);
  await expectAtRest(at, plan);
});
