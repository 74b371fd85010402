import { expect, test } from "vitest";
import { removeMappings } from "../../src/operations/mappings.ts";
import type { Urn } from "../../src/model/urn.ts";
import { uuidOf } from "../../src/model/urn.ts";
import { seedTerm } from "../diff/support/content.ts";
import { writeOver, writtenOver } from "../diff/support/metadata.ts";
import { apply, changeOf, expectAtRest, stage, type Stage } from "../diff/support/run.ts";
import { editTerm, removeTerm } from "../diff/support/web.ts";
import type { PlanChanges } from "../support/world.ts";

/** A text stays as somebody wrote it when what it mentions is deleted, on either side. */

const all: PlanChanges = { select: { kinds: ["terms", "attribute-metadata"] } };
const texts: PlanChanges = { select: { kinds: ["attribute-metadata"], dependencies: "mapped-only" } };

const rich = (...terms: readonly string[]): string =>
  JSON.stringify([
    { text: "See" },
    ...terms.map((gid) => ({ type: "entityReference", gid, entityName: "term" })),
  ]);
const forms = {
  "a reference in rich text": (...urns: readonly Urn[]) => rich(...urns.map(uuidOf)),
  "a URN in a text": (...urns: readonly Urn[]) => `See ${urns.join(" and ")}.`,
};

const column = (at: Stage, side: "source" | "target"): Urn => at[side].attribute("CUSTOMER", "EMAIL");

/** A column's text mentions two terms, and both were moved. */
async function mentioned(form: (...urns: readonly Urn[]) => string) {
  const at = await stage();
  const here = [seedTerm(at.source, "Gone"), seedTerm(at.source, "Stays")] as const;
  writeOver(at.source, column(at, "source"), { description: form(...here) });
  expect((await apply(at, all)).exitCode).toBe(0);
  const there = [at.target.term("Gone"), at.target.term("Stays")] as const;
  const before = writtenOver(at.target, column(at, "target"));
  expect(before).toEqual({ description: form(...there) });
  return { at, here, there, before };
}

test.each(Object.entries(forms))("%s to what is gone on both sides stays as it is", async (_, form) => {
  const { at, here, there, before } = await mentioned(form);
  removeTerm(at.source, here[0]);
  removeTerm(at.target, there[0]);
  for (let run = 0; run < 3; run += 1) await expectAtRest(at, all);
  expect(writtenOver(at.target, column(at, "target"))).toEqual(before);
});

test.each(Object.entries(forms))(
  "%s whose pair a person has taken out leads where it led",
  async (_, form) => {
    const { at, here, before } = await mentioned(form);
    await removeMappings(at.world.migration(texts), [here[0]]);
    for (let run = 0; run < 2; run += 1) await expectAtRest(at, texts);
    expect(writtenOver(at.target, column(at, "target"))).toEqual(before);
  },
);

test("beside it, one to what is made anew is led there", async () => {
  const { at, here, there } = await mentioned(forms["a reference in rich text"]);
  removeTerm(at.source, here[0]);
  for (const urn of there) removeTerm(at.target, urn);
  const recreate: PlanChanges = { ...all, policy: { missingTarget: "recreate" } };
  for (let run = 0; run < 2; run += 1) expect((await apply(at, recreate)).exitCode).toBe(0);
  expect(writtenOver(at.target, column(at, "target"))).toEqual({
    description: rich(uuidOf(there[0]), uuidOf(at.target.term("Stays"))),
  });
  await expectAtRest(at, recreate);
});

test("what the source says anew is brought, and what a colleague does is drift", async () => {
  const { at, here, there } = await mentioned(forms["a reference in rich text"]);
  removeTerm(at.source, here[0]);
  removeTerm(at.target, there[0]);
  await expectAtRest(at, all);
  const [source, target] = [column(at, "source"), column(at, "target")];
  writeOver(at.target, target, { description: rich(uuidOf(there[1]), uuidOf(there[1])) });
  expect(changeOf(await apply(at, all), source)).toMatchObject({ action: "drift" });
  const before = rich(uuidOf(there[0]), uuidOf(there[1]));
  writeOver(at.target, target, { description: before });
  await expectAtRest(at, all);
  const other = seedTerm(at.source, "Other");
  writeOver(at.source, source, { description: rich(uuidOf(other), uuidOf(here[1])) });
  editTerm(at.source, here[1], { description: "anew" });
  expect(changeOf(await apply(at, all), source)).toMatchObject({ action: "update", outcome: "done" });
  expect(writtenOver(at.target, target)).toEqual({
    description: rich(uuidOf(at.target.term("Other")), uuidOf(there[1])),
  });
});
