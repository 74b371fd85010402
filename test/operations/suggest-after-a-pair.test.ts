import { expect, test } from "vitest";
import { setMappings } from "../../src/operations/mappings.ts";
import { suggestMappings } from "../../src/operations/suggest.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { stage } from "../diff/support/run.ts";
import { seedSqlItem } from "../kinds/support/catalog.ts";
import { killedAt, terms } from "../doubts/support.ts";
import type { PlanChanges } from "../support/world.ts";

const onlyMade: PlanChanges = { select: { kinds: ["terms"], include: [{ kind: "terms", name: "Made" }] } };

test("what a person has paired before any run has seen it is no suggestion any more, nor is its twin", async () => {
  const plan: PlanChanges = {
    select: { kinds: ["folders", "sql-items"] },
    pairing: { queries: [{ pattern: "DEV_SALES", replace: "PROD_SALES" }] },
  };
  const at = await stage();
  for (const side of [at.source, at.target]) seedFolder(side, "F");
  const seed = (side: typeof at.source, name: string) => seedSqlItem(side, name, side.folder("F"));
  const paired = seed(at.source, "View");
  seed(at.target, "View");
  seed(at.source, "Theirs");
  const twin = seed(at.target, "Theirs");
  const suggested = async (): Promise<readonly string[]> => {
    const { details } = await suggestMappings(at.world.migration(plan));
    return details.suggestions.filter(({ kind }) => kind === "sql-items").map(({ name }) => name);
  };
  expect((await suggested()).toSorted()).toEqual(["Theirs", "View"]);
  await setMappings(at.world.migration(plan), [{ source: paired, target: twin }]);
  expect(await suggested()).toEqual([]);
});

test("nor is what an interrupted run may have made, which nobody can pair before that is settled", async () => {
  const at = await stage();
  for (const name of ["Made", "Other"]) seedTerm(at.source, name);
  await killedAt(at, onlyMade, "send:after");
  seedTerm(at.target, "Other");
  const { details } = await suggestMappings(at.world.migration(terms));
  expect(details.suggestions.map(({ name }) => name)).toEqual(["Other"]);
  expect((await setMappings(at.world.migration(terms), details.suggestions)).headline).toContain(
    "1 pair set",
  );
});
