import { expect, test } from "vitest";
import { removeMetadataProperty, seedMetadataProperty } from "../../src/emulator/seed.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { Result } from "../../src/model/result.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { bare, seedTable, writeOver } from "../diff/support/metadata.ts";
import { writes } from "../diff/support/log.ts";
import { apply, expectAtRest, stage, type Stage } from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import { editFolder, editTerm } from "../diff/support/web.ts";
import type { PlanChanges } from "../support/world.ts";
import { editEntity, seedProduct, seedSqlItem } from "./support/catalog.ts";

/**
 * "Read-only properties cannot be written" (document 1, "Batch rules"), and an administrator may make one read-only that was moved
 * before: what cannot be brought there any more is told as that, and is no change that each run would try again.
 */

const types = ["folder", "dataProduct", "businessTerm", "catalogItem", "attribute"];
const kinds = ["folders", "terms", "sql-items", "entities", "item-metadata", "attribute-metadata"] as const;
type Kind = (typeof kinds)[number];

function planOf(kind: Kind, missingProperty: "block" | "drop"): PlanChanges {
  const more = kind === "sql-items" ? ["folders"] : [];
  return {
    select: { kinds: [...more, kind], entityTypes: kind === "entities" ? ["dataProduct"] : [] },
    policy: { missingProperty },
  };
}

function withNote({ tenant }: Side, editable: boolean): void {
  for (const type of types) {
    removeMetadataProperty(tenant, type, "note");
    seedMetadataProperty(tenant, type, { name: "note", scalarType: "string", editable });
  }
}

/** What somebody says of it at the source. */
function say({ source }: Stage, kind: Kind, description: string, note: string | null): void {
  const words: JsonObject = { description, extraProperties: { note } };
  if (kind === "folders") {
    const extraProperties: JsonObject = note === null ? {} : { note };
    editFolder(source, source.folder("X"), { description, extraProperties });
  } else if (kind === "terms") editTerm(source, source.term("X"), words);
  else if (kind === "entities") editEntity(source, source.entity("dataProduct", "X"), { description, note });
  else
    writeOver(
      source,
      kind === "attribute-metadata"
        ? source.attribute("TAB", "A")
        : source.item(kind === "sql-items" ? "X" : "TAB"),
      words,
    );
}

async function begin(kind: Kind, plan: PlanChanges, unset?: "null" | "absent"): Promise<Stage> {
  const at = await stage();
  if (unset !== undefined) for (const { tenant } of [at.source, at.target]) tenant.quirks.unset = unset;
  for (const side of [at.source, at.target]) {
    bare(side);
    seedTable(side, "TAB", ["A"]);
    withNote(side, true);
  }
  if (kind === "folders") seedFolder(at.source, "X");
  else if (kind === "terms") seedTerm(at.source, "X");
  else if (kind === "sql-items") seedSqlItem(at.source, "X", seedFolder(at.source, "F"));
  else if (kind === "entities") seedProduct(at.source, "X");
  say(at, kind, "first", "n");
  expect(await apply(at, plan)).toMatchObject({ exitCode: 0 });
  withNote(at.target, false);
  return at;
}

const codes = ({ changes, diagnostics }: Result): readonly unknown[] => [
  changes.map(({ action }) => action),
  [...changes.flatMap((change) => change.diagnostics), ...diagnostics].map(({ code }) => code),
];

test.each(kinds)("%s: what has a value in it is blocked, by one cause, and nothing is sent", async (kind) => {
  const plan = planOf(kind, "block");
  const at = await begin(kind, plan);
  for (const note of ["n", "another"]) {
    say(at, kind, "first", note);
    const result = await apply(at, plan);
    expect(codes(result)).toEqual([["blocked"], ["not-in-the-model"]]);
    expect(result.changes[0]?.reason).toMatch(/^prod: there the property note of \w+ is read-only$/);
    expect(writes(at.world)).toEqual([]);
  }
});

test.each(kinds)("%s: or it is left out, told once for all, and the rest is brought there", async (kind) => {
  const plan = planOf(kind, "drop");
  const at = await begin(kind, plan);
  say(at, kind, "first", "another");
  // Nothing is known otherwise by the first run, since it has compared nothing of it: the second one hears just that again.
  for (const more of [[], ["as-before"]]) {
    expect(codes(await apply(at, plan))).toEqual([[], ["property-dropped", ...more]]);
    expect(writes(at.world)).toEqual([]);
  }
  say(at, kind, "second", "another");
  expect(codes(await apply(at, plan))).toEqual([["update"], ["property-dropped"]]);
});

test.each(kinds)(
  "%s: what the source clears in it stays, which is told by the run that would have cleared it",
  async (kind) => {
    const plan = planOf(kind, "block");
    const at = await begin(kind, plan);
    say(at, kind, "first", null);
    const result = await apply(at, plan);
    expect(codes(result)).toEqual([[], ["not-cleared"]]);
    expect(result.diagnostics[0]?.summary).toMatch(
      /^the source has cleared the property note of \w+, and it stays at prod: there the property note of \w+ is read-only$/,
    );
    await expectAtRest(at, plan);
    // From then on it is the target's own.
    withNote(at.target, true);
    await expectAtRest(at, plan);
  },
);

test.each(kinds)("%s: so it is beside another change", async (kind) => {
  const plan = planOf(kind, "block");
  const at = await begin(kind, plan);
  say(at, kind, "second", null);
  expect(codes(await apply(at, plan))).toEqual([["update"], ["not-cleared"]]);
  await expectAtRest(at, plan);
});

test.each(["block", "drop"] as const)(
  "what is not in it is brought there, and is no change of both sides (%s)",
  async (missing) => {
    for (const kind of kinds) {
      const plan = planOf(kind, missing);
      const at = await begin(kind, plan);
      say(at, kind, "second", missing === "drop" ? "n" : null);
      const { changes, exitCode } = await apply(at, plan);
      expect([kind, exitCode, changes.map(({ action, reason }) => [action, reason])]).toEqual([
        kind,
        0,
        [["update", "it changed at the source"]],
      ]);
    }
  },
);

test("a service that shows what is not set as null is understood", async () => {
  const plan = planOf("terms", "block");
  const at = await begin("terms", plan, "null");
  say(at, "terms", "first", null);
  expect(codes(await apply(at, plan))).toEqual([[], ["not-cleared"]]);
  await expectAtRest(at, plan);
});

test("what a colleague has changed beside it is drift, and not taken for the work of an administrator", async () => {
  const plan = planOf("folders", "drop");
  const at = await begin("folders", plan);
  editFolder(at.target, at.target.folder("X"), { description: "theirs" });
  expect(codes(await apply(at, plan))).toEqual([["drift"], ["drift", "property-dropped"]]);
});
