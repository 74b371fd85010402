import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json, JsonObject, Tenant } from "../../src/emulator/index.ts";
import { demoPairing, demoQueries } from "../../src/emulator/scenarios/index.ts";
import type { Result } from "../../src/model/result.ts";
import { catalogMeaningOf, compareMeanings, type Meaning } from "../support/meaning.ts";
import { disturbed, leaves } from "../support/meaning/disturb.ts";
import { noRenames } from "../support/meaning/given.ts";
import { catalogKinds } from "../support/plan.ts";
import { world, type World } from "../support/world.ts";
import { run } from "./support.ts";

/**
 * The rest of the catalog of the demo, migrated and compared by meaning with code that takes nothing from the tool; and
 * the comparison tried, since it must see every single difference.
 */
const everything = {
  select: {
    kinds: catalogKinds,
    entityTypes: ["dataProduct", "dataContract", "outputPort", "qualityIssue", "issueComment"],
  },
};

describe("the rest of the catalog by meaning", () => {
  let demo: World;
  let target: Tenant;
  let meant: Meaning;
  let result: Result;

  /** An alias of which the source says nothing stays where it is. */
  const itsOwn = /GL_ENTRY differs: \/0\/aliases: nothing became .*gl-1"}\]$/;

  /** What the target has of its own is nobody's loss. */
  const noticed = (): readonly string[] =>
    compareMeanings(meant, catalogMeaningOf(target, noRenames, [])).filter(
      (line) => !line.endsWith("is at the target only") && !itsOwn.test(line),
    );

  beforeAll(async () => {
    demo = await world("demo");
    target = demo.emulator.tenant("prod");
    result = await run(demo, everything);
    meant = catalogMeaningOf(demo.emulator.tenant("dev"), demoPairing, demoQueries);
  });
  afterAll(async () => demo.close());

  test("every field of every kind means at the target what it means at the source", () => {
    expect(result.changes.map(({ outcome, kind, source }) => [kind, source?.name, outcome])).toEqual(
      result.changes.map(({ kind, source }) => [kind, source?.name, "done"]),
    );
    expect(noticed()).toEqual([]);
    const heads = [
      "folder",
      "SQL",
      "entity",
      "written over item",
      "written over attribute",
      "steward",
      "denied",
    ];
    for (const head of heads)
      expect(meant.things.filter(({ label }) => label.startsWith(head)).length, head).toBeGreaterThan(1);
  });

  interface Row {
    readonly urn: string;
    readonly row: JsonObject;
    readonly put: (row: JsonObject) => void;
  }

  function rows<T extends { readonly urn: string }>(
    collection: { values(): Iterable<T>; put(row: T): unknown },
    fields: readonly (keyof T & string)[],
    isWanted: (row: T) => boolean,
  ): Row[] {
    return [...collection.values()].filter(isWanted).map((whole) => ({
      urn: whole.urn,
      row: Object.fromEntries(
        fields.flatMap((field) => (whole[field] === undefined ? [] : [[field, whole[field] as Json]])),
      ),
      put: (row) => void collection.put({ ...whole, ...row }),
    }));
  }

  const own = new Set(["source", "connection", "location", "group", "detectionRule", "dslQuery"]);
  /** What only the target has; and what the service counts is neither read nor written. */
  const others =
    /Finance reports|Month-end close|weather service|GL_ENTRY|LEDGER_ASSET_ID|Driven, not planned|rowCount|consumerCount/;

  const subjects: readonly (readonly [string, number, () => Row[]])[] = [
    [
      "folder",
      8,
      () => rows(target.folders, ["name", "description", "parentUrn", "extraProperties"], () => true),
    ],
    [
      "SQL item",
      8,
      () =>
        rows(
          target.items,
          ["description", "aliases", "extraProperties", "connectionUrn", "parentUrn"],
          (item) => target.folders.has(item.parentUrn),
        ),
    ],
    [
      "item",
      12,
      () =>
        rows(
          target.items,
          ["description", "aliases", "extraProperties"],
          (item) => !target.folders.has(item.parentUrn),
        ),
    ],
    [
      "attribute",
      12,
      () => rows(target.attributes, ["description", "extraProperties", "termDetectionDenylist"], () => true),
    ],
    ["query", 1, () => rows(target.entities, ["properties"], (entity) => entity.concreteType === "dslQuery")],
    [
      "entity",
      30,
      () =>
        rows(
          target.entities,
          ["parentUrn", "parentProperty", "properties"],
          (entity) => !own.has(entity.concreteType),
        ),
    ],
  ];

  test.each(subjects)("sees a leaf of a %s: changed, or gone", (_, least, all) => {
    let count = 0;
    for (const { row, put } of all()) {
      if (others.test(JSON.stringify(row))) continue;
      for (const path of leaves(row)) {
        count += 1;
        const how = count % 3 === 0 && path.length > 1 ? "remove" : "change";
        put(disturbed(row, path, how));
        expect(noticed().length, `${how} ${path.join("/")} of ${JSON.stringify(row)}`).toBeGreaterThan(0);
        put(row);
      }
    }
    expect(count).toBeGreaterThan(least);
    expect(noticed()).toEqual([]);
  });

  test("sees another steward, and none", () => {
    const urns = [...target.stewards].filter(
      ([urn]) => !others.test(JSON.stringify(target.entities.get(urn) ?? "")),
    );
    const groups = [...new Set(target.stewards.values())];
    let count = 0;
    for (const [urn, group] of urns) {
      const isOwn = target.items.get(urn)?.name === "driver" || target.typeOf(urn) === "location";
      if (isOwn) continue;
      count += 1;
      target.stewards.set(urn, groups.find((other) => other !== group) ?? group);
      expect(noticed().length).toBeGreaterThan(0);
      target.stewards.delete(urn);
      expect(noticed().length).toBeGreaterThan(0);
      target.stewards.set(urn, group);
    }
    expect(count).toBeGreaterThan(3);
    expect(noticed()).toEqual([]);
  });
});
