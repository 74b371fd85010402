import { expect, test } from "vitest";
import type { Deed } from "../../../src/engine/undo/deed.ts";
import { deletesIn, partsGoneIn, withoutPartsReferred } from "../../../src/engine/undo/parts-referred.ts";
import type { Planned, PlanContext, Reverse } from "../../../src/engine/undo/plan.ts";
import { Returning } from "../../../src/engine/undo/rewrite.ts";
import { describeDeed } from "../../../src/engine/undo/words.ts";
import type { MovedKind } from "../../../src/kinds/kind.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import { ServiceError } from "../../../src/service/index.ts";

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

const urnOf = (type: string, digit: number): string => `urn:data:prod:data-quality:${type}:${id(digit)}`;
const [owner, monitor] = [urnOf("rule", 3), urnOf("monitor", 4)];
const shape = { known: ["name", "ref", "parts"], serverOwned: [] };
const maps: JsonObject = { name: "Monitor", ref: id(1) };

interface Scene {
  /** What the rollback does besides to take the part 1 out of its owner. */
  readonly others?: readonly Planned[];
  /** What the monitor says at the target. */
  readonly says?: JsonObject;
  /** Who else refers to it cannot be seen. */
  readonly isRefused?: boolean;
}

const at = (name: string, kind: string, target: string, reverse?: Reverse, goesWith?: string): Planned => {
  const made = planned(
    name,
    { name: kind, mode: "entity", shape } as unknown as MovedKind,
    reverse,
    goesWith,
  );
  return { ...made, deed: { ...made.deed, kind, target } };
};

/** Of each what is sent for it, and what is told. */
async function told({ others = [], says = maps, isRefused = false }: Scene = {}): Promise<readonly string[]> {
  const find = async () => {
    if (isRefused)
      throw new ServiceError("no", { kind: "server", arrived: "maybe", method: "GET", path: "/" });
    return [];
  };
  const rules = {
    name: "rules",
    mode: "entity",
    shape,
    refersTo: [],
    ownsParts: true,
    othersReferring: [{ what: "views", find }],
  };
  const monitors = { name: "monitors", mode: "entity", shape, refersTo: ["rules"] };
  const kinds = [rules, monitors] as unknown as readonly MovedKind[];
  const there = new Map([
    [`rules ${owner}`, { name: "Rule", parts: { [id(1)]: {}, [id(2)]: {} } }],
    [`monitors ${monitor}`, says],
  ]);
  const snapshot = {
    kinds: () => kinds.map(({ name }) => name),
    has: (kind: string, urn: string) => there.has(`${kind} ${urn}`),
    body: (kind: string, urn: string) => there.get(`${kind} ${urn}`) ?? {},
    stream: (kind: string) =>
      [...there].flatMap(([key, body]) => {
        const [of, urn] = key.split(" ");
        return of === kind ? [{ urn, name: body["name"], body }] : [];
      }),
  };
  const registry = {
    moved: () => kinds,
    movedKind: (name: string) => kinds.find((kind) => kind.name === name),
  };
  const loses = planned("rule", kinds[0] as MovedKind, patch(owner, { parts: { [id(1)]: null } }));
  const all = [{ ...loses, deed: { ...loses.deed, target: owner } }, ...others];
  const scene = { registry, standing: { snapshot }, returning: context.returning } as unknown as PlanContext;
  const found = await withoutPartsReferred(all, scene, { client: {}, report: () => undefined } as never);
  return found.map(({ reverse, change }) =>
    [reverse?.what ?? "left", ...change.diagnostics.map(({ code }) => code)].join(" "),
  );
}

test("what loses a part that something refers to which stays so is left as it is", async () => {
  expect(await told()).toEqual(["left left-as-it-is"]);
  expect(await told({ says: { name: "Monitor", ref: id(2) } })).toEqual(["patch"]);
});

test("what is deleted, goes with that, or lets go of the part is in nobody's way; what is left to a person is", async () => {
  const letsGo = at("m", "monitors", monitor, patch(monitor, { ref: null }));
  expect(await told({ others: [letsGo] })).toEqual(["patch", "patch"]);
  expect(await told({ others: [at("m", "monitors", monitor, removal)] })).toEqual(["patch", "delete"]);
  const holder = at("h", "holders", "t-h", removal);
  const along = at("m", "monitors", monitor, undefined, "holders:h");
  expect(await told({ others: [holder, along] })).toEqual(["patch", "delete", "left"]);
  expect(await told({ others: [at("m", "monitors", monitor)] })).toEqual(["left left-as-it-is", "left"]);
  const keeps = at("m", "monitors", monitor, patch(monitor, { name: "M" }));
  expect(await told({ others: [keeps] })).toEqual(["left left-as-it-is", "patch"]);
});

test("where nobody can see who refers to it the part goes, and that is said of it alone", async () => {
  const says = { name: "Monitor" };
  const other = at("o", "rules", urnOf("rule", 5), patch(urnOf("rule", 5), { name: "O" }));
  expect(await told({ says, isRefused: true, others: [other] })).toEqual(["patch users-unknown", "patch"]);
  // Who was seen keeps it all the same.
  expect(await told({ isRefused: true })).toEqual(["left left-as-it-is"]);
});
