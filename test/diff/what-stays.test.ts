import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { seedTerm } from "./support/content.ts";
import { apply, changeOf, diff, stage, twinOf } from "./support/run.ts";
import { editTerm, removeTerm } from "./support/web.ts";

/** What a reviewer reads of objects with which nothing is done: nobody is to take it for what would be sent. */

const plan = { select: { kinds: ["terms"] } };

test("what stays, since something at the target refers to it, is not shown as if it were emptied", async () => {
  const at = await stage();
  const term = seedTerm(at.source, "Depot", { description: "Where goods wait" });
  await apply(at, plan);
  const twin = (await twinOf(at, term)) as Urn;
  removeTerm(at.source, term);
  expect(changeOf(await diff(at, plan), term)).toMatchObject({ action: "delete" });
  seedTerm(at.target, "Theirs", { extraProperties: { partOf: twin } });
  const found = changeOf(await diff(at, plan), term);
  expect([found?.action, found?.fields]).toEqual(["manual", []]);
});

test("a reference that leads nowhere is named as the source's", async () => {
  const at = await stage();
  const depot = seedTerm(at.source, "Depot");
  const area = seedTerm(at.source, "Area");
  await apply(at, plan);
  removeTerm(at.target, (await twinOf(at, depot)) as Urn);
  editTerm(at.source, area, { extraProperties: { partOf: depot } });
  expect(changeOf(await diff(at, plan), area)).toMatchObject({
    action: "blocked",
    fields: [{ to: depot, toName: "Depot (at the source; nothing stands for it)" }],
  });
});
