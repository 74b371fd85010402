import { expect, test } from "vitest";
import { removeMappings } from "../../../src/operations/mappings.ts";
import { seedTerm } from "../../diff/support/content.ts";
import { apply, stage, type Stage } from "../../diff/support/run.ts";
import { editTerm } from "../../diff/support/web.ts";
import { rollback, terms } from "./support.ts";

const plan = { ...terms, policy: { adopt: "never" } } as const;

/** A term that one run has made, and another one has changed. */
async function changed(): Promise<{
  readonly at: Stage;
  readonly runs: readonly string[];
  readonly source: string;
}> {
  const at = await stage();
  const source = seedTerm(at.source, "Term", { extraProperties: { owner: "Ada" } });
  const { run: made = "" } = await apply(at, plan);
  editTerm(at.source, source, { extraProperties: { owner: "Grace" } });
  const { run = "" } = await apply(at, plan);
  return { at, runs: [made, run], source };
}

function owners({ target }: Stage): readonly string[] {
  return [...target.tenant.terms.values()]
    .map(({ published }) => JSON.stringify(published?.extraProperties?.["owner"]))
    .sort((left, right) => left.localeCompare(right));
}

test("what an earlier run did is taken back where the source object stands for another one by now: that one stays its twin", async () => {
  const { at, runs, source } = await changed();
  await removeMappings(at.world.migration(plan), [source]);
  await apply(at, plan);
  expect(owners(at)).toEqual(['"Grace"', '"Grace"']);

  expect(await rollback(at, plan, { run: runs[1] ?? "" })).toMatchObject({
    exitCode: 0,
    summary: { update: 1 },
  });
  expect(owners(at)).toEqual(['"Ada"', '"Grace"']);
  expect((await apply(at, plan)).summary).toMatchObject({ create: 0, update: 0, unchanged: 1, drift: 0 });

  const gone = await rollback(at, plan, { run: runs[0] ?? "", allowDelete: true });
  expect(gone).toMatchObject({ exitCode: 0, summary: { delete: 1 } });
  expect(owners(at)).toEqual(['"Grace"']);
  expect((await apply(at, plan)).summary).toMatchObject({ create: 0, update: 0, unchanged: 1, drift: 0 });
});

test("a pair that a person has taken away does not come back with what an earlier run did", async () => {
  const { at, runs, source } = await changed();
  await removeMappings(at.world.migration(plan), [source]);
  await rollback(at, plan, { run: runs[1] ?? "" });
  expect(owners(at)).toEqual(['"Ada"']);
  expect((await apply(at, plan)).summary).toMatchObject({ create: 1, update: 0 });
});
