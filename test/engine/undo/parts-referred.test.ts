import { expect, test } from "vitest";
import type { Deed } from "../../../src/engine/undo/deed.ts";
import { deletesIn, partsGoneIn, withoutPartsReferred } from "../../../src/engine/undo/parts-referred.ts";
import type { Planned, PlanContext, Reverse } from "../../../src/engine/undo/plan.ts";
import { Returning } from "../../../src/engine/undo/rewrite.ts";
import { describeDeed } from "../../../src/engine/undo/words.ts";
import type { MovedKind } from "../../../src/kinds/kind.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";

const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const owners = { name: "owners", mode: "entity", ownsParts: true } as unknown as MovedKind;
const things = { name: "things", mode: "entity" } as unknown as MovedKind;

function planned(name: string, kind: MovedKind, reverse?: Reverse, goesWith?: string): Planned {
  const deed = { kind: kind.name, source: name, name, target: `t-${name}` } as unknown as Deed;
  const change = describeDeed(deed, "update", "the run did it");
  return { deed, kind, change, ...(reverse && { reverse }), ...(goesWith !== undefined && { goesWith }) };
}

const patch = (target: string, body: JsonObject): Reverse => ({
  what: "patch",
  steps: [],
  target,
  patch: body,
});
const removal: Reverse = { what: "delete", steps: [] };

const bodies: Readonly<Record<string, JsonObject>> = {
  "t-a": { parts: { [id(1)]: { name: "one" }, [id(2)]: { name: "two" } } },
};
const context = {
  standing: { snapshot: { has: () => true, body: (_kind: string, urn: string) => bodies[urn] ?? {} } },
  returning: new Returning([], new MappingTable()),
} as unknown as PlanContext;

test("what loses parts is what is changed back to have fewer, of what has parts that others name", () => {
  const loses = patch("t-a", { parts: { [id(1)]: null } });
  const found = partsGoneIn(
    [
      planned("a", owners, loses),
      planned("b", things, loses),
      planned("c", owners, patch("t-a", { parts: { [id(1)]: { name: "x" } } })),
      planned("d", owners, removal),
      planned("e", owners),
    ],
    context,
  );
  expect([...found]).toEqual([["owners:a", { kind: "owners", urn: "t-a", parts: [id(1)] }]]);
});

test("what is deleted is so by itself, or with what it lies over; what is left to be asked about is not", () => {
  const found = deletesIn([
    planned("a", things, removal),
    planned("b", things, undefined, "things:a"),
    planned("c", things, patch("t-c", {})),
    planned("d", things),
  ]);
  expect(["a", "b", "c", "d"].map((name) => found.get(`things:t-${name}`))).toEqual([
    "things:a",
    "things:a",
    undefined,
    undefined,
  ]);
});

test("where no part goes nobody is asked", async () => {
  const all = [planned("a", owners, patch("t-a", { name: "A" }))];
  expect(await withoutPartsReferred(all, context, {} as never)).toBe(all);
});
