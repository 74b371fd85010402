import { expect, test } from "vitest";
import { OthersTwins } from "../../../src/engine/pair/others-twins.ts";
import { type Unpaired } from "../../../src/engine/pair/unpaired.ts";
import { found, named, noPairing, prod } from "../read/given.ts";

const sources = named("sources", [], { pairedUnder: "sources" });
const tables = named("tables", []);
const pairing = { ...noPairing, sources: { Dev: "Prod", Lost: "Nowhere" } };

function without(name: string, more: Partial<Unpaired> = {}): Unpaired {
  const cause = { key: "", summary: "" };
  return {
    kind: "sources",
    name,
    reason: "",
    suggestion: "",
    candidates: [],
    mayDrop: false,
    cause,
    ...more,
  };
}

/** Prod is what the plan gives to somebody, the second one is a twin, and of the third nothing is said. */
function others(): OthersTwins {
  const known = new OthersTwins(pairing);
  known.named(sources, [found(prod(1), "Prod"), found(prod(2), "Twin"), found(prod(3), "Free")]);
  known.named(tables, [found(prod(4), "Prod")]);
  known.paired(sources, prod(2));
  return known;
}

test("what the plan gives to somebody, and what is a twin, is somebody's; a table of such a name is not", () => {
  const known = others();
  expect([1, 2, 3, 4].map((number) => known.isSomebodys(prod(number)))).toEqual([true, true, false, false]);
});

test("the plan's own word for a thing goes before its name", () => {
  const known = new OthersTwins({ ...noPairing, groups: { one: "uuid" } });
  const groups = named("groups", [], {
    pairedUnder: "groups",
    planWord: ({ urn }) => (urn === prod(1) ? "uuid" : "other"),
  });
  known.named(groups, [found(prod(1), "other"), found(prod(2), "uuid")]);
  expect([known.isSomebodys(prod(1)), known.isSomebodys(prod(2))]).toEqual([true, false]);
});

test.each([
  ["one that has a twin, or was not looked for", undefined, 1, false],
  ["one of which it is not known", without("Else", { notKnown: true }), 1, false],
  ["one that the plan pairs with what is not there: nothing there is its twin", without("Lost"), 3, true],
  ["the same under the plan's word for it", without("Else", { word: "Lost" }), 3, true],
  ["one that the plan does not name: what is somebody else's is not its twin", without("Else"), 1, true],
  ["and what is nobody's may be", without("Else"), 3, false],
  ["one of a kind that the plan does not pair one by one", without("Lost", { kind: "tables" }), 3, false],
] as const)("%s", (_what, unpaired, there, isOther) => {
  expect(others().isOther(unpaired, prod(there))).toBe(isOther);
});
