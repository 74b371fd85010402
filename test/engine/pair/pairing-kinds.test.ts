import { describe, expect, test } from "vitest";
import type { GivenKind } from "../../../src/kinds/kind.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import { dev, found, named, pair, prod } from "../read/given.ts";

describe("kinds", () => {
  test("are asked after those that they come after, whatever the registry's order, and only when something is wanted", async () => {
    const asked: string[] = [];
    const log = (name: string, after: readonly string[] = []): GivenKind =>
      named(name, [], {
        after,
        candidates: async () => {
          asked.push(name);
          return [];
        },
      });
    const kinds = [log("attributes", ["items"]), log("items", ["sources"]), log("groups"), log("sources")];
    const records = Object.fromEntries(
      ["attributes", "items", "sources"].map((name) => [name, [found(dev(1), "x")]]),
    );
    await pair(kinds, records);
    expect(asked).toEqual(["sources", "items", "attributes"]);
  });

  test("see the twins found before", async () => {
    const parts = named("parts", [found(prod(2), "part of A")], {
      after: ["things"],
      sourceKeys: (_record, context) => [context.twin(dev(9)) === prod(1) ? "part of A" : "?"],
    });
    const { twins } = await pair([parts, named("things", [found(prod(1), "A")])], {
      things: [found(dev(9), "A")],
      parts: [found(dev(8), "P")],
    });
    expect(twins.get(dev(8))).toBe(prod(2));
  });
});

describe("what a plan and a kind add", () => {
  test("renames are applied in the order of the plan, each to what the one before left", async () => {
    const paths = [
      { pattern: "^DEV_", replace: "TEST_" },
      { pattern: "^TEST_(.*)$", replace: "PROD_$1" },
    ];
    const kind = named("things", [found(prod(1), "PROD_A")], {
      sourceKeys: (record, context) => [context.rename(record.name)],
    });
    const { twins } = await pair([kind], { things: [found(dev(9), "DEV_A")] }, { pairing: { paths } });
    expect(twins.get(dev(9))).toBe(prod(1));
  });

  test("a URN in the target's words has the target's tenant, and what is no URN stays", async () => {
    const seen: string[] = [];
    const kind = named("things", [], {
      candidates: async (_client, _records, context) => {
        seen.push(context.inTarget(dev(9)), context.inTarget("no urn"));
        return [];
      },
    });
    await pair([kind], { things: [found(dev(9), "A")] });
    expect(seen).toEqual([prod(9), "no urn"]);
  });

  test("parts of a pair are paired with it; what is wrong with one is said of it alone", async () => {
    const problem = { urn: dev(3), reason: "it counts otherwise", suggestion: "Make them the same." };
    const kind = named("things", [found(prod(1), "A")], {
      parts: () => ({ pairs: [[dev(2), prod(2)]], problems: [problem] }),
    });
    const { twins, unpaired } = await pair([kind], { things: [found(dev(9), "A")] });
    expect([...twins]).toEqual([
      [dev(9), prod(1)],
      [dev(2), prod(2)],
    ]);
    expect(unpaired.get(dev(3))).toEqual({
      kind: "things",
      name: "A",
      reason: problem.reason,
      suggestion: problem.suggestion,
      candidates: [],
      mayDrop: false,
      cause: { key: problem.urn, summary: problem.reason, suggestion: problem.suggestion },
    });
  });

  test("the parts of an explicit pair are known when its twin was read", async () => {
    const mapping = new MappingTable();
    mapping.set("things", dev(9), { name: "A", target: prod(7), origin: "explicit" });
    const kind = named("things", [found(prod(7), "Z")], {
      parts: () => ({ pairs: [[dev(2), prod(2)]], problems: [] }),
    });
    expect((await pair([kind], { things: [found(dev(9), "A")] }, { mapping })).twins.get(dev(2))).toBe(
      prod(2),
    );
  });
});
