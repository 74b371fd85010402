import { expect, test } from "vitest";
import { removeMetadataProperty, seedMetadataProperty } from "../../src/emulator/seed.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { bare, seedTable, writeOver } from "../diff/support/metadata.ts";
import { apply, stage, type Stage } from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import { editFolder, editTerm } from "../diff/support/web.ts";
import type { PlanChanges } from "../support/world.ts";
import { editEntity, seedProduct } from "./support/catalog.ts";

/**
 * The administrators change the metadata models, and nobody touches an object at the source: what a colleague has changed at the
 * target is drift before and after that, and never "changed on both sides", of which the source might win.
 */

const types = ["folder", "dataProduct", "businessTerm", "catalogItem"];
const kinds = ["folders", "terms", "entities", "item-metadata"] as const;
type Kind = (typeof kinds)[number];

const theirs = "a colleague's words";

function planOf(kind: Kind): PlanChanges {
  return {
    select: { kinds: [kind], entityTypes: kind === "entities" ? ["dataProduct"] : [] },
    policy: { missingProperty: "drop", drift: "report", conflict: "source-wins" },
  };
}

function withNote({ tenant }: Side): void {
  for (const type of types) seedMetadataProperty(tenant, type, { name: "note", scalarType: "string" });
}

async function begin(kind: Kind): Promise<Stage> {
  const at = await stage();
  for (const side of [at.source, at.target]) {
    bare(side);
    seedTable(side, "TAB", ["A"]);
  }
  withNote(at.source);
  const extraProperties = { note: "n" };
  switch (kind) {
    case "folders":
      seedFolder(at.source, "X", undefined, { extraProperties });
      break;
    case "terms":
      seedTerm(at.source, "X", { extraProperties });
      break;
    case "entities":
      seedProduct(at.source, "X", extraProperties);
      break;
    case "item-metadata":
      writeOver(at.source, at.source.item("TAB"), { description: "ours", extraProperties });
      break;
  }
  return at;
}

/** A colleague has described it otherwise at the target. */
function edit({ target }: Stage, kind: Kind): void {
  const words = { description: theirs };
  if (kind === "folders") editFolder(target, target.folder("X"), words);
  else if (kind === "terms") editTerm(target, target.term("X"), words);
  else if (kind === "entities") editEntity(target, target.entity("dataProduct", "X"), words);
  else writeOver(target, target.item("TAB"), words);
}

async function actions(at: Stage, kind: Kind): Promise<readonly string[]> {
  const { changes } = await apply(at, planOf(kind));
  return changes.map(({ action }) => action);
}

test.each(kinds)("%s: the target's model gets a property that was left out", async (kind) => {
  const at = await begin(kind);
  await apply(at, planOf(kind));
  edit(at, kind);
  expect(await actions(at, kind)).toEqual(["drift"]);
  withNote(at.target);
  expect(await actions(at, kind)).toEqual(["drift"]);
});

test.each(kinds)("%s: the source's model loses a property", async (kind) => {
  const at = await begin(kind);
  withNote(at.target);
  await apply(at, planOf(kind));
  edit(at, kind);
  expect(await actions(at, kind)).toEqual(["drift"]);
  for (const type of types) removeMetadataProperty(at.source.tenant, type, "note");
  expect(await actions(at, kind)).toEqual(["drift"]);
});
