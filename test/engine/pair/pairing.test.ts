import { describe, expect, test } from "vitest";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import { dev, found, named, pair, prod } from "../read/given.ts";

/** Things that come after, and what each of them is told of the twin of one that came before. */
function partsSeeing(urn: string): {
  readonly parts: ReturnType<typeof named>;
  readonly seen: (string | undefined)[];
} {
  const seen: (string | undefined)[] = [];
  const parts = named("parts", [], {
    after: ["things"],
    sourceKeys: (_record, context) => {
      seen.push(context.twin(urn));
      return [];
    },
  });
  return { parts, seen };
}

describe("a given thing", () => {
  test("is paired with the one thing of its key", async () => {
    const pairs = await pair([named("things", [found(prod(1), "A"), found(prod(2), "B")])], {
      things: [found(dev(8), "B"), found(dev(9), "A")],
    });
    expect([...pairs.twins]).toEqual([
      [dev(8), prod(2)],
      [dev(9), prod(1)],
    ]);
    expect(pairs.unpaired.size).toBe(0);
    expect(pairs.records.get(prod(1))?.name).toBe("A");
  });

  test("without a twin says so, with the advice of its kind and what is near", async () => {
    const kind = named("things", [found(prod(1), "A"), found(prod(2), "B")], {
      targetKeys: (record) => [`${record.name} elsewhere`],
    });
    const { twins, unpaired } = await pair([kind], { things: [found(dev(9), "A")] });
    expect(twins.size).toBe(0);
    const reason = `nothing at the target fits it: looked for name "A"; the nearest there is "A" (${prod(1)})`;
    const suggestion = `If that is the one, run \`ferry mappings PLAN set ${dev(9)} ${prod(1)}\`. If not: create the things.`;
    expect(unpaired.get(dev(9))).toEqual({
      kind: "things",
      name: "A",
      reason,
      suggestion,
      candidates: [],
      mayDrop: false,
      nearest: "A",
      cause: {
        key: dev(9),
        summary: 'thing "A" has no twin at the target',
        detail: `things "A": ${reason}`,
        suggestion,
      },
    });
  });

  test("that fits several is paired with none of them, and at most ten are named", async () => {
    const many = Array.from({ length: 12 }, (_, index) => found(prod(index), "A"));
    const { twins, unpaired } = await pair([named("things", many)], { things: [found(dev(9), "A")] });
    expect(twins.size).toBe(0);
    expect(unpaired.get(dev(9))).toMatchObject({
      reason: "12 things at the target fit it",
      candidates: many.slice(0, 10),
    });
  });

  test("whose twin another one of the source fits as well is paired with nothing, and neither is that", async () => {
    const { twins, unpaired } = await pair([named("things", [found(prod(1), "A")])], {
      things: [found(dev(8), "A"), found(dev(9), "A")],
    });
    expect(twins.size).toBe(0);
    for (const source of [dev(8), dev(9)]) {
      expect(unpaired.get(source)).toMatchObject({
        reason: "several things at the source fit the same one at the target",
        candidates: [{ urn: prod(1) }],
      });
    }
  });

  test("takes its most trusted key first", async () => {
    const kind = named("things", [found(prod(1), "old"), found(prod(2), "new")], {
      sourceKeys: () => ["new", "old"],
    });
    expect([...(await pair([kind], { things: [found(dev(9), "A")] })).twins]).toEqual([[dev(9), prod(2)]]);
  });

  test("goes on to the next key when nothing has the first", async () => {
    const kind = named("things", [found(prod(1), "old")], { sourceKeys: () => ["new", "old"] });
    expect([...(await pair([kind], { things: [found(dev(9), "A")] })).twins]).toEqual([[dev(9), prod(1)]]);
  });

  test("does not go on when the first key fits several: a less trusted key decides nothing then", async () => {
    const candidates = [found(prod(1), "new"), found(prod(2), "new"), found(prod(3), "old")];
    const kind = named("things", candidates, { sourceKeys: () => ["new", "old"] });
    const { unpaired } = await pair([kind], { things: [found(dev(9), "A")] });
    expect(unpaired.get(dev(9))?.reason).toBe("2 things at the target fit it");
  });

  test("a thing that the list shows twice, since it moved while it was read, is no second one", async () => {
    const candidates = [found(prod(1), "A"), found(prod(2), "B"), found(prod(1), "A")];
    const { twins } = await pair([named("things", candidates)], { things: [found(dev(9), "A")] });
    expect([...twins]).toEqual([[dev(9), prod(1)]]);
  });

  test("gives way to one that came to the same twin by a more trusted key", async () => {
    const kind = named("things", [found(prod(1), "PROD_FLAG")], {
      sourceKeys: ({ name }) => [name, name.replace("DEV_", "PROD_")],
    });
    const { twins, unpaired } = await pair([kind], {
      things: [found(dev(8), "DEV_FLAG"), found(dev(9), "PROD_FLAG")],
    });
    expect([...twins]).toEqual([[dev(9), prod(1)]]);
    expect(unpaired.get(dev(8))).toMatchObject({
      reason: "several things at the source fit the same one at the target",
      candidates: [{ urn: prod(1) }],
    });
  });

  test("and another one that came to the same twin by an equally good key are both unpaired", async () => {
    const kind = named("things", [found(prod(1), "shared")], { sourceKeys: ({ name }) => [name, "shared"] });
    const { twins, unpaired } = await pair([kind], { things: [found(dev(8), "A"), found(dev(9), "B")] });
    expect(twins.size).toBe(0);
    expect([...unpaired.keys()]).toEqual([dev(8), dev(9)]);
  });

  test("counts once when several of its own keys are the same", async () => {
    const kind = named("things", [found(prod(1), "A")], {
      sourceKeys: () => ["A", "A"],
      targetKeys: () => ["A", "A"],
    });
    expect((await pair([kind], { things: [found(dev(9), "A")] })).twins.get(dev(9))).toBe(prod(1));
  });

  test("without any key belongs to something that has no twin", async () => {
    const kind = named("things", [found(prod(1), "A")], { sourceKeys: () => [] });
    expect((await pair([kind], { things: [found(dev(9), "A")] })).unpaired.get(dev(9))?.reason).toBe(
      "what it belongs to has no twin at the target",
    );
  });

  test("may be dropped where policy says so for its kind", async () => {
    const records = { things: [found(dev(9), "A")], others: [found(dev(8), "B")] };
    const kinds = [named("things", []), named("others", [])];
    const { unpaired } = await pair(kinds, records, { mayDrop: (kind) => kind.name === "things" });
    expect([unpaired.get(dev(9))?.mayDrop, unpaired.get(dev(8))?.mayDrop]).toEqual([true, false]);
  });
});

describe("an explicit mapping", () => {
  const mapping = new MappingTable();
  mapping.set("things", dev(9), { name: "A", target: prod(2), origin: "explicit" });

  test("wins over a natural key, over several that fit, and over nothing that does", async () => {
    for (const names of [
      ["A", "B"],
      ["A", "A"],
      ["B", "B"],
    ]) {
      const candidates = names.map((name, index) => found(prod(index + 1), name));
      const { twins } = await pair(
        [named("things", candidates)],
        { things: [found(dev(9), "A")] },
        { mapping },
      );
      expect(twins.get(dev(9))).toBe(prod(2));
    }
  });

  test("has its target for itself: what would come to it by its key has no twin, and is told whose it is", async () => {
    const { twins, unpaired } = await pair(
      [named("things", [found(prod(2), "B")])],
      { things: [found(dev(9), "A"), found(dev(8), "B")] },
      { mapping },
    );
    expect([...twins]).toEqual([[dev(9), prod(2)]]);
    expect(unpaired.get(dev(8))).toMatchObject({
      reason: `its twin would be "B" (${prod(2)}), which the mapping has as the twin of "A" (${dev(9)})`,
      mayDrop: false,
    });
  });

  test.each([2, 3])("of %i that name the same target none is believed", async (many) => {
    const several = new MappingTable();
    const things = Array.from({ length: many }, (_, index) => found(dev(index + 1), `A${index}`));
    for (const [index, { urn, name }] of things.entries())
      several.set(`things${index}`, urn, { name, target: prod(2), origin: "explicit" });
    const { twins, unpaired } = await pair(
      [named("things", [found(prod(2), "B")])],
      { things },
      { mapping: several },
    );
    expect(twins.size).toBe(0);
    for (const { urn } of things)
      expect(unpaired.get(urn)?.reason).toContain("which the mapping has as the twin of");
  });

  test("is known to kinds that come after", async () => {
    const { parts, seen } = partsSeeing(dev(9));
    await pair([named("things", []), parts], { parts: [found(dev(1), "P")] }, { mapping });
    expect(new Set(seen)).toEqual(new Set([prod(2)]));
  });
});

describe("a person's pair whose twin is gone", () => {
  const mapping = new MappingTable();
  mapping.set("things", dev(9), { name: "A", target: prod(2), origin: "explicit" });
  const records = { things: [found(dev(9), "A")], parts: [found(dev(1), "P")] };
  const { parts, seen } = partsSeeing(dev(9));

  test("is told, and neither led to a namesake nor known to what comes after", async () => {
    const { twins, unpaired } = await pair([named("things", [found(prod(1), "A")]), parts], records, {
      mapping,
    });
    expect(twins.size).toBe(0);
    expect(unpaired.get(dev(9))?.reason).toBe(
      `its twin by the mapping, ${prod(2)}, is not at the target any more`,
    );
    expect(new Set(seen)).toEqual(new Set([undefined]));
  });

  test("stands where nobody can list what there is", async () => {
    const kind = named("things", [], { candidates: async () => ({ notKnown: "refused" }) });
    expect((await pair([kind], records, { mapping })).twins.get(dev(9))).toBe(prod(2));
  });

  test("is the twin of its name where it is moved itself, and the list is whole", async () => {
    const isMoved = (): boolean => true;
    const there = [found(prod(1), "A")];
    const whole = await pair([named("things", there)], records, { mapping, isMoved });
    expect([...whole.supposed]).toEqual([[dev(9), prod(1)]]);
    const still = await pair([named("things", [...there, found(prod(2), "B")])], records, {
      mapping,
      isMoved,
    });
    expect([...still.supposed]).toEqual([[dev(9), prod(2)]]);
    const onlySaid = async (): Promise<{ onlySaid: typeof there }> => ({ onlySaid: there });
    const said = await pair([named("things", [], { candidates: onlySaid })], records, { mapping, isMoved });
    expect([[...said.supposed], [...said.untold]]).toEqual([[], [dev(9)]]);
  });
});

test("what is moved itself stays the twin of what has another name by now, though a namesake is there", async () => {
  const mapping = new MappingTable();
  mapping.set("things", dev(9), { name: "A", target: prod(2), origin: "created" });
  const read = async (): Promise<readonly ReturnType<typeof found>[]> => [found(prod(2), "B")];
  const { supposed } = await pair(
    [named("things", [found(prod(1), "A")], { read })],
    { things: [found(dev(9), "A")] },
    { mapping, isMoved: () => true },
  );
  expect([...supposed]).toEqual([[dev(9), prod(2)]]);
});

describe("a given thing that is moved as well", () => {
  const things = named("thing", [found(prod(1), "A"), found(prod(2), "B")]);
  const isMoved = (_kind: string, urn: string): boolean => urn === dev(8) || urn === dev(9);
  const parts = named("parts", [found(prod(5), "P")], {
    after: ["thing"],
    partOf: ({ name }) => (name === "elsewhere" ? dev(7) : dev(9)),
    sourceKeys: (record, context) => (context.twin(dev(9)) === prod(1) ? [record.name] : []),
  });
  const records = {
    thing: [found(dev(7), "B"), found(dev(8), "C"), found(dev(9), "A")],
    parts: [found(dev(3), "P"), found(dev(4), "Q"), found(dev(5), "elsewhere")],
  };

  test("is no pair before identities are decided, and what stands in it is held with it", async () => {
    const { twins, unpaired, supposed, untold, inside } = await pair([things, parts], records, { isMoved });
    expect([...twins]).toEqual([[dev(7), prod(2)]]);
    expect([...supposed]).toEqual([[dev(9), prod(1)]]);
    expect([...untold]).toEqual([dev(8)]);
    expect([...unpaired.keys()]).toEqual([dev(5)]);
    const part = { kind: "parts", holder: dev(9), holderTwin: prod(1) };
    expect(inside.get(dev(3))).toEqual({ ...part, name: "P", twin: prod(5), unpaired: undefined });
    expect(inside.get(dev(4))).toMatchObject({
      ...part,
      name: "Q",
      twin: undefined,
      unpaired: { reason: expect.stringContaining("nothing at the target fits it"), mayDrop: false },
    });
  });

  test("is what a comparison has told since, whatever its name says", async () => {
    const told = new Map([[dev(9), prod(2)]]);
    const { supposed } = await pair([things], { thing: [found(dev(9), "A")] }, { isMoved, told });
    expect([...supposed]).toEqual([[dev(9), prod(2)]]);
  });
});

describe("of what nobody knows", () => {
  const records = { things: [found(dev(9), "A")] };

  test("at the target no twin is found, and none is missing: it is not left out either", async () => {
    const kind = named("things", [], { candidates: async () => ({ notKnown: "GET ... refused (403)" }) });
    const { unpaired, unlisted } = await pair([kind], records, { mayDrop: () => true });
    expect(unlisted.get("things")?.reason).toBe(
      "what things there are at the target is not known: GET ... refused (403)",
    );
    expect(unpaired.get(dev(9))).toMatchObject({ notKnown: true, mayDrop: false });
  });

  test("at the source the list is told, also where nothing of it is looked for", async () => {
    const sourceNotKnown = (): string => "GET ... refused (403)";
    const { unlisted } = await pair([named("things", [])], {}, { sourceNotKnown });
    expect(unlisted.get("things")?.reason).toContain("at the source is not known");
  });

  test("but what the plan says, a thing that it does not say cannot have been looked for", async () => {
    const kind = named("things", [], {
      candidates: async () => ({ onlySaid: [found(prod(1), "B"), found(prod(2), "B")] }),
    });
    const { unpaired } = await pair([kind], { things: [found(dev(8), "B"), found(dev(9), "A")] });
    expect(unpaired.get(dev(9))?.reason).toBe("what it belongs to has no twin at the target");
    expect(unpaired.get(dev(8))?.reason).toBe("2 things at the target fit it");
  });
});

test("a key that another one of the source has as well leads to nothing, also where that one is paired by a person", async () => {
  const mapping = new MappingTable();
  mapping.set("things", dev(8), { name: "A", target: prod(2), origin: "explicit" });
  const { twins, unpaired } = await pair(
    [named("things", [found(prod(1), "A"), found(prod(2), "B")])],
    { things: [found(dev(8), "A"), found(dev(9), "A")] },
    { mapping },
  );
  expect([...twins]).toEqual([[dev(8), prod(2)]]);
  expect(unpaired.get(dev(9))?.reason).toBe("several things at the source fit the same one at the target");
});

test("what a kind knows to be elsewhere is not taken by its key", async () => {
  const kind = named("things", [found(prod(1), "A")], { isElsewhere: () => true });
  expect((await pair([kind], { things: [found(dev(9), "A")] })).twins.size).toBe(0);
});
