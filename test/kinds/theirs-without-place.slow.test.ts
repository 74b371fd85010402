import { expect, test } from "vitest";
import { changeMetadataProperty, seedMetadataProperty } from "../../src/emulator/seed.ts";
import type { Json } from "../../src/emulator/json.ts";
import type { Result } from "../../src/model/result.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { bare, seedTable, writeOver } from "../diff/support/metadata.ts";
import { apply, keepTarget, stage, type Stage } from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import { editFolder, editTerm } from "../diff/support/web.ts";
import { allOr } from "../support/whole.ts";
import type { PlanChanges } from "../support/world.ts";
import { editEntity, seedProduct } from "./support/catalog.ts";

/**
 * The target's model makes a property something else, so that the plan leaves it out (`missingProperty: drop`), and later what it
 * was. What a run had brought there, and a colleague has changed since, is theirs: nobody was asked about it meanwhile.
 */

const types = ["folder", "dataProduct", "businessTerm", "catalogItem"];
const all = ["folders", "terms", "entities", "item-metadata"] as const;
type Kind = (typeof all)[number];
const kinds = allOr(all, (kind) => kind === "entities" || kind === "item-metadata");

interface Words {
  readonly note?: string;
  readonly description?: string;
}

function planOf(kind: Kind, policy: PlanChanges["policy"] = {}): PlanChanges {
  return {
    select: { kinds: [kind], entityTypes: kind === "entities" ? ["dataProduct"] : [] },
    policy: { missingProperty: "drop", ...policy },
  };
}

/** It is there, with a note, at both sides. */
async function begin(kind: Kind): Promise<Stage> {
  const at = await stage();
  for (const side of [at.source, at.target]) {
    bare(side);
    seedTable(side, "TAB", ["A"]);
    for (const type of types) seedMetadataProperty(side.tenant, type, { name: "note", scalarType: "string" });
  }
  const extraProperties = { note: "n" };
  if (kind === "folders") seedFolder(at.source, "X", undefined, { extraProperties });
  else if (kind === "terms") seedTerm(at.source, "X", { extraProperties });
  else if (kind === "entities") seedProduct(at.source, "X", extraProperties);
  else writeOver(at.source, at.source.item("TAB"), { description: "ours", extraProperties });
  expect((await apply(at, planOf(kind))).exitCode).toBe(0);
  return at;
}

function edit(side: Side, kind: Kind, { note, ...words }: Words): void {
  const change = { ...words, ...(note === undefined ? {} : { extraProperties: { note } }) };
  if (kind === "folders") editFolder(side, side.folder("X"), change);
  else if (kind === "terms") editTerm(side, side.term("X"), change);
  else if (kind === "item-metadata") writeOver(side, side.item("TAB"), change);
  else
    editEntity(side, side.entity("dataProduct", "X"), { ...words, ...(note === undefined ? {} : { note }) });
}

function noteOf({ target }: Stage, kind: Kind): Json | undefined {
  const { tenant } = target;
  if (kind === "folders") return tenant.folders.get(target.folder("X"))?.extraProperties?.["note"];
  if (kind === "terms") return tenant.terms.get(target.term("X"))?.published?.extraProperties?.["note"];
  if (kind === "item-metadata") return tenant.items.get(target.item("TAB"))?.extraProperties?.["note"];
  return tenant.entities.get(target.entity("dataProduct", "X"))?.properties["note"];
}

function noPlace({ target }: Stage): void {
  for (const type of types) changeMetadataProperty(target.tenant, type, "note", { scalarType: "boolean" });
}

function placeAgain({ target }: Stage): void {
  for (const type of types) changeMetadataProperty(target.tenant, type, "note", { scalarType: "string" });
}

function told({ exitCode, changes }: Result): readonly unknown[] {
  return [exitCode, ...changes.map(({ action }) => action)];
}

function codes({ changes }: Result): readonly string[] {
  return changes.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
}

test.each(kinds)(
  "%s: what a colleague has changed meanwhile is drift when it has a place again",
  async (kind) => {
    const at = await begin(kind);
    edit(at.target, kind, { note: "theirs" });
    noPlace(at);
    expect(told(await apply(at, planOf(kind)))).toEqual([0]);
    expect(told(await apply(at, planOf(kind)))).toEqual([0]);
    placeAgain(at);
    expect(told(await apply(at, planOf(kind)))).toEqual([4, "drift"]);
    expect(noteOf(at, kind)).toBe("theirs");
  },
);

test.each(kinds)("%s: and a conflict where the source says something else by then", async (kind) => {
  const at = await begin(kind);
  edit(at.target, kind, { note: "theirs" });
  noPlace(at);
  expect(told(await apply(at, planOf(kind)))).toEqual([0]);
  edit(at.source, kind, { note: "later" });
  placeAgain(at);
  expect(told(await apply(at, planOf(kind)))).toEqual([4, "conflict"]);
  expect(noteOf(at, kind)).toBe("theirs");
});

test.each(kinds)(
  "%s: so it is where another field was brought meanwhile, which nothing holds up",
  async (kind) => {
    const at = await begin(kind);
    edit(at.target, kind, { note: "theirs" });
    edit(at.source, kind, { description: "later" });
    noPlace(at);
    expect(told(await apply(at, planOf(kind)))).toEqual([0, "update"]);
    expect(told(await apply(at, planOf(kind)))).toEqual([0]);
    placeAgain(at);
    const back = await apply(at, planOf(kind));
    expect(told(back)).toEqual([4, "conflict"]);
    expect(back.changes[0]?.reason).toBe(
      "it was changed at the target, and nobody has been asked about that yet",
    );
    expect(noteOf(at, kind)).toBe("theirs");
    expect(await keepTarget(at, planOf(kind))).toBe(kind);
    expect(told(await apply(at, planOf(kind)))).toEqual([0, "adopt"]);
    expect(told(await apply(at, planOf(kind)))).toEqual([0]);
    expect(noteOf(at, kind)).toBe("theirs");
  },
);

test.each(kinds)(
  "%s: the same where both sides were merged meanwhile, and the source has changed it as well",
  async (kind) => {
    const plan = planOf(kind, { conflict: "merge" });
    const at = await begin(kind);
    edit(at.target, kind, { note: "theirs", description: "theirs" });
    edit(at.source, kind, { note: "later" });
    noPlace(at);
    expect(told(await apply(at, plan))).toEqual([0, "adopt"]);
    placeAgain(at);
    expect(told(await apply(at, plan))).toEqual([4, "conflict"]);
    expect(noteOf(at, kind)).toBe("theirs");
  },
);

test("merged, and the target alone has changed it: it stays", async () => {
  const plan = planOf("entities", { conflict: "merge" });
  const at = await begin("entities");
  edit(at.target, "entities", { note: "theirs", description: "theirs" });
  const urn = at.target.entity("dataProduct", "X");
  editEntity(at.source, at.source.entity("dataProduct", "X"), { name: "Y" });
  noPlace(at);
  expect(told(await apply(at, plan))).toEqual([0, "update"]);
  placeAgain(at);
  expect(told(await apply(at, plan))).toEqual([0]);
  expect(at.target.tenant.entities.get(urn)?.properties).toMatchObject({
    name: "Y",
    note: "theirs",
    description: "theirs",
  });
});

test.each(kinds)("%s: what a person has decided on holds", async (kind) => {
  const at = await begin(kind);
  edit(at.target, kind, { note: "theirs" });
  expect(await keepTarget(at, planOf(kind))).toBe(kind);
  expect(told(await apply(at, planOf(kind)))).toEqual([0, "adopt"]);
  noPlace(at);
  expect(told(await apply(at, planOf(kind)))).toEqual([0]);
  placeAgain(at);
  expect(told(await apply(at, planOf(kind)))).toEqual([0]);
  expect(noteOf(at, kind)).toBe("theirs");
  edit(at.source, kind, { note: "later" });
  expect(told(await apply(at, planOf(kind)))).toEqual([4, "conflict"]);
});

test.each(kinds)("%s: what nobody has changed there is no word of theirs", async (kind) => {
  const at = await begin(kind);
  noPlace(at);
  edit(at.source, kind, { note: "later" });
  expect(told(await apply(at, planOf(kind)))).toEqual([0]);
  placeAgain(at);
  const back = await apply(at, planOf(kind));
  expect(told(back)).toEqual([0, "update"]);
  expect(codes(back)).toEqual([]);
  expect(noteOf(at, kind)).toBe("later");
});

/** It is read-only for a while: what stands there cannot be asked for. */
function hide({ target }: Stage, isHidden: boolean): void {
  for (const type of types) changeMetadataProperty(target.tenant, type, "note", { editable: !isHidden });
}

test.each(kinds)("%s: read-only for a while, and changed by the source alone", async (kind) => {
  const at = await begin(kind);
  hide(at, true);
  edit(at.source, kind, { note: "later" });
  expect(told(await apply(at, planOf(kind)))).toEqual([0]);
  expect(told(await apply(at, planOf(kind)))).toEqual([0]);
  hide(at, false);
  const back = await apply(at, planOf(kind));
  expect([told(back), back.changes[0]?.reason]).toEqual([[0, "update"], "it changed at the source"]);
  expect(noteOf(at, kind)).toBe("later");
});

test.each(kinds)(
  "%s: read-only for a while, and changed on both sides, where drift is overwritten",
  async (kind) => {
    const plan = planOf(kind, { drift: "overwrite" });
    const at = await begin(kind);
    edit(at.target, kind, { note: "theirs" });
    hide(at, true);
    edit(at.source, kind, { note: "later" });
    expect(told(await apply(at, plan))).toEqual([0]);
    hide(at, false);
    expect(told(await apply(at, plan))).toEqual([4, "conflict"]);
    expect(noteOf(at, kind)).toBe("theirs");
  },
);

/** While it is read-only another field is brought, twice. */
async function broughtMeanwhile(
  kind: Kind,
  { theirs, ours }: { readonly theirs?: string; readonly ours?: string },
): Promise<Stage> {
  const at = await begin(kind);
  if (theirs !== undefined) edit(at.target, kind, { note: theirs });
  hide(at, true);
  for (const description of ["one", "other"]) {
    edit(at.source, kind, { description, ...(ours === undefined ? {} : { note: ours }) });
    expect(told(await apply(at, planOf(kind)))).toEqual([0, "update"]);
    expect(told(await apply(at, planOf(kind)))).toEqual([0]);
  }
  hide(at, false);
  return at;
}

test.each(kinds)(
  "%s: read-only for a while, in which another field is brought: who has changed it shows when it is back",
  async (kind) => {
    const ours = await broughtMeanwhile(kind, { ours: "later" });
    const back = await apply(ours, planOf(kind));
    expect([told(back), back.changes[0]?.reason]).toEqual([[0, "update"], "it changed at the source"]);
    expect(noteOf(ours, kind)).toBe("later");

    const nobody = await broughtMeanwhile(kind, {});
    expect(told(await apply(nobody, planOf(kind)))).toEqual([0]);

    const theirs = await broughtMeanwhile(kind, { theirs: "theirs" });
    expect(told(await apply(theirs, planOf(kind)))).toEqual([4, "drift"]);

    const both = await broughtMeanwhile(kind, { theirs: "theirs", ours: "later" });
    expect(told(await apply(both, planOf(kind, { drift: "overwrite" })))).toEqual([4, "conflict"]);
    expect(noteOf(both, kind)).toBe("theirs");
  },
);
