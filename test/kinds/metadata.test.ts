import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { attributeMetadata } from "../../src/kinds/attribute-metadata.ts";
import { itemMetadata } from "../../src/kinds/item-metadata.ts";
import type { Urn } from "../../src/model/urn.ts";
import { killedAt } from "../doubts/support.ts";
import { onlyPatch, written } from "../diff/support/log.ts";
import { bare, writeOver, writtenOver } from "../diff/support/metadata.ts";
import { apply, changeOf, diff, expectAtRest, stage, type Stage } from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import type { PlanChanges } from "../support/world.ts";

/** Who wrote over it first decides what becomes of it: over items and over columns alike. */
const subjects = [
  {
    kind: itemMetadata.name,
    route: "PATCH catalog-items/:urn",
    thing: (side: Side): Urn => side.item("CUSTOMER"),
    aliases: true,
  },
  {
    kind: attributeMetadata.name,
    route: "PATCH attributes/:urn",
    thing: (side: Side): Urn => side.attribute("CUSTOMER", "EMAIL"),
    aliases: false,
  },
];

describe.each(subjects)("$kind", ({ kind, route, thing, aliases }) => {
  const planned = (policy: PlanChanges["policy"] = {}): PlanChanges => ({
    select: { kinds: [kind] },
    policy,
  });
  const plan = planned();
  const said = (who: string): JsonObject => ({
    description: `Written by ${who}`,
    extraProperties: { businessName: `Named by ${who}` },
    ...(aliases && { aliases: [{ type: "ATLAS_ASSET_ID", value: who }] }),
  });
  const cleared: JsonObject = {
    description: null,
    extraProperties: { businessName: null },
    ...(aliases && { aliases: [] }),
  };

  async function two(source: JsonObject, target: JsonObject): Promise<{ at: Stage; here: Urn; there: Urn }> {
    const at = await stage();
    for (const side of [at.source, at.target]) bare(side);
    const [here, there] = [thing(at.source), thing(at.target)];
    writeOver(at.source, here, source);
    writeOver(at.target, there, target);
    return { at, here, there };
  }

  test("what is empty at the source and filled at the target stays as it is, and nobody is told of it", async () => {
    const { at, there } = await two({}, said("the target"));
    expect((await diff(at, plan)).changes).toEqual([]);
    await apply(at, plan);
    expect(written(at.world)).toEqual([]);
    expect(writtenOver(at.target, there)).toEqual(said("the target"));
  });

  test("what a killed run had brought, and the source has cleared since, is cleared by the next one", async () => {
    const { at, here, there } = await two(said("the source"), {});
    await killedAt(at, plan, "outcome:before");
    expect(writtenOver(at.target, there)).toEqual(said("the source"));
    writeOver(at.source, here, cleared);
    expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "update", outcome: "done" });
    expect(writtenOver(at.target, there)).toEqual({});
    await expectAtRest(at, plan);
  });

  test("it is cleared, every field, where the plan says to remove what only the target has", async () => {
    const { at, here, there } = await two({}, said("the target"));
    const remove = planned({ targetOnly: "remove" });
    const result = await apply(at, remove);
    expect(changeOf(result, here)).toMatchObject({ action: "update", outcome: "done" });
    expect(written(at.world)).toEqual([route]);
    expect(onlyPatch(at.world)).toEqual(cleared);
    expect(writtenOver(at.target, there)).toEqual({});
    await expectAtRest(at, remove);
  });

  test("what was brought there is cleared when the source clears it, and not before", async () => {
    const { at, here, there } = await two(said("the source"), {});
    await apply(at, plan);
    expect(writtenOver(at.target, there)).toEqual(said("the source"));
    await expectAtRest(at, plan);
    writeOver(at.source, here, cleared);
    const result = await apply(at, plan);
    expect(changeOf(result, here)).toMatchObject({ action: "update", outcome: "done" });
    expect(onlyPatch(at.world)).toEqual(cleared);
    expect(writtenOver(at.target, there)).toEqual({});
    await expectAtRest(at, plan);
  });

  test("a field that the source says nothing of stays the target's, beside one that is brought there", async () => {
    const { at, here, there } = await two(
      { description: "Of the source" },
      { extraProperties: { businessName: "Of the target" } },
    );
    await apply(at, plan);
    expect(onlyPatch(at.world)).toEqual({ description: "Of the source" });
    const both = { description: "Of the source", extraProperties: { businessName: "Of the target" } };
    expect(writtenOver(at.target, there)).toEqual(both);
    await expectAtRest(at, plan);
    writeOver(at.source, here, { description: null });
    await apply(at, plan);
    expect(onlyPatch(at.world)).toEqual({ description: null });
    expect(writtenOver(at.target, there)).toEqual({ extraProperties: { businessName: "Of the target" } });
    await expectAtRest(at, plan);
  });

  test("a field that was the target's own is a conflict when the source says something else of it", async () => {
    const { at, here, there } = await two(
      { description: "Of the source" },
      { extraProperties: { businessName: "Of the target" } },
    );
    await apply(at, plan);
    writeOver(at.source, here, { extraProperties: { businessName: "Of the source" } });
    expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "conflict" });
    expect(written(at.world)).toEqual([]);
    const wins = planned({ conflict: "source-wins" });
    expect(changeOf(await apply(at, wins), here)).toMatchObject({ action: "update", outcome: "done" });
    expect(onlyPatch(at.world)).toEqual({ extraProperties: { businessName: "Of the source" } });
    expect(writtenOver(at.target, there)).toMatchObject({ description: "Of the source" });
    await expectAtRest(at, plan);
  });

  test("an empty text at the target is no word, and what the source says is brought there", async () => {
    const empty = { description: "", extraProperties: { businessName: "" } };
    const { at, here, there } = await two(said("the source"), empty);
    const result = await apply(at, plan);
    expect(changeOf(result, here)).toMatchObject({ action: "update", outcome: "done", diagnostics: [] });
    expect(writtenOver(at.target, there)).toEqual(said("the source"));
    await expectAtRest(at, plan);
  });

  test("both filled and different is a conflict with both values, and the source wins where the plan says so", async () => {
    const { at, here, there } = await two(said("the source"), said("the target"));
    const first = await apply(at, plan);
    const change = changeOf(first, here);
    expect(change).toMatchObject({ action: "conflict" });
    expect(change?.fields).toContainEqual({
      path: "/description",
      from: "Written by the target",
      to: "Written by the source",
    });
    expect(change?.diagnostics[0]?.suggestion).toContain("policy.conflict");
    expect(first).toMatchObject({ exitCode: 4, summary: { conflict: 1 } });
    expect(written(at.world)).toEqual([]);
    // It is one again, and again nothing is written.
    expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "conflict" });
    expect(written(at.world)).toEqual([]);
    const wins = planned({ conflict: "source-wins" });
    expect(changeOf(await apply(at, wins), here)).toMatchObject({ action: "update", outcome: "done" });
    expect(writtenOver(at.target, there)).toEqual(said("the source"));
    await expectAtRest(at, plan);
  });

  test("both filled and the same is nothing to be done, and is known from then on", async () => {
    const { at, here, there } = await two(said("somebody"), said("somebody"));
    await apply(at, plan);
    expect(written(at.world)).toEqual([]);
    await expectAtRest(at, plan);
    writeOver(at.target, there, { description: "Changed there" });
    expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "drift" });
  });

  test("what somebody changed at the target is drift, also when it was cleared there, and is brought back by policy", async () => {
    for (const edit of [{ description: "Changed there" }, cleared]) {
      const { at, here, there } = await two(said("the source"), {});
      await apply(at, plan);
      writeOver(at.target, there, edit);
      expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "drift" });
      expect(written(at.world)).toEqual([]);
      const overwrite = planned({ drift: "overwrite" });
      expect(changeOf(await apply(at, overwrite), here)).toMatchObject({ action: "update", outcome: "done" });
      expect(writtenOver(at.target, there)).toEqual(said("the source"));
      await expectAtRest(at, plan);
    }
  });

  test("changed on both sides since is a conflict, also when the source cleared it", async () => {
    for (const edit of [{ description: "Changed here" }, cleared]) {
      const { at, here, there } = await two(said("the source"), {});
      await apply(at, plan);
      writeOver(at.source, here, edit);
      writeOver(at.target, there, { description: "Changed there" });
      expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "conflict" });
      expect(written(at.world)).toEqual([]);
      const wins = planned({ conflict: "source-wins" });
      expect(changeOf(await apply(at, wins), here)).toMatchObject({ action: "update", outcome: "done" });
      expect(writtenOver(at.target, there)).toEqual(writtenOver(at.source, here));
      await expectAtRest(at, plan);
    }
  });
});
