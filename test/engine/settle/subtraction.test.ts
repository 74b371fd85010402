import { expect, test } from "vitest";
import type { Candidate, Doubt } from "../../../src/engine/settle/subtraction.ts";
import { doubtOf, subtract } from "../../../src/engine/settle/subtraction.ts";
import type { EntityKind } from "../../../src/kinds/kind.ts";
import { fingerprint } from "../../../src/model/canonical.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { own } from "../../../src/model/json.ts";
import type { Shape } from "../../../src/model/shape.ts";

const shape: Shape = { known: ["name", "note", "more", "folder"], serverOwned: [], fixed: ["folder"] };
const plain = {
  name: "things",
  mode: "entity",
  shape,
  naturalKey: (body: JsonObject) => [own(body, "name") ?? ""],
} as unknown as EntityKind;

function sent(source: string, body: JsonObject, more: Partial<Doubt["item"]> = {}): Doubt {
  const item = { source, name: source, fingerprint: fingerprint(body, shape), body, ...more };
  return { op: "run/1", run: "run", kind: "things", step: "create", item, at: 0, reason: "no answer" };
}

const there = (urn: string, body: JsonObject): Candidate => ({ urn, name: urn, body });

/** Of each source what it is taken for; of what is asked about, by the beginning of why, what may be it. */
function told(doubts: readonly Doubt[], candidates: readonly Candidate[], kind = plain) {
  const { taken, absent, ask } = subtract(kind, doubts, candidates);
  return Object.fromEntries([
    ...taken.map(({ doubt, urn }) => [doubt.item.source, urn]),
    ...absent.map(({ item }) => [item.source, "absent"]),
    ...ask.map(({ doubt, reason, candidates: found }) => [
      doubt.item.source,
      `${said.find((one) => reason.includes(one)) ?? reason}: ${found.map(({ urn }) => urn).join(" ")}`,
    ]),
  ]);
}

const said = [
  "created the same",
  "changed the one",
  "other content",
  "another name",
  "its place (",
  "and more",
];

const one = { name: "One", note: "a" };
const two = { name: "Two", note: "b" };

test("what looks like what was sent is taken, and of several that are alike each is somebody's", () => {
  expect(told([sent("A", one), sent("B", two)], [there("1", one), there("2", two)])).toEqual({
    A: "1",
    B: "2",
  });
  expect(told([sent("A", one), sent("B", one)], [there("1", one), there("2", one)])).toEqual({
    A: "1",
    B: "2",
  });
  // One of the two has come to nothing.
  expect(told([sent("A", one), sent("B", one)], [there("1", one)])).toEqual({ A: "1", B: "absent" });
  expect(told([sent("A", one)], [])).toEqual({ A: "absent" });
  expect(told([sent("A", one)], [there("2", two)])).toEqual({ A: "absent" });
});

test("the parts of what is taken are known by what they say", () => {
  const [ours, theirs] = ["1", "2"].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
  const body = { name: "One", more: { [`new_${ours}`]: { name: "x" } } };
  const shown = { name: "One", more: { [`${theirs}`]: { name: "x" } } };
  const doubt = sent("A", body);
  expect(subtract(plain, [doubt], [there("1", shown)]).taken).toEqual([
    { doubt, urn: "1", keys: { [`${ours}`]: theirs } },
  ]);
});

test("more that look like it than were sent are asked about, each with all of them", () => {
  expect(told([sent("A", one), sent("B", two)], [there("1", one), there("2", one), there("3", two)])).toEqual(
    {
      A: "created the same: 1 2",
      B: "3",
    },
  );
});

test("what looks like it is asked about where something else of its natural key is new that none of the others may be", () => {
  const edited = there("2", { name: "One", note: "edited" });
  expect(told([sent("A", one)], [there("1", one), edited])).toEqual({ A: "changed the one: 1 2" });
  // Another one of that key is looked for still: that may be it, and is asked about by itself.
  const other = { name: "One", note: "other" };
  expect(told([sent("A", one), sent("B", other)], [there("1", one), edited])).toEqual({
    A: "1",
    B: "other content: 2",
  });
  // One that was found is no longer looked for.
  const both = [there("1", one), there("3", other), edited];
  expect(told([sent("A", one), sent("B", other)], both)).toEqual({
    A: "changed the one: 1 2",
    B: "changed the one: 3 2",
  });
});

test("what is not found is asked about where something new may be it, by its name first", () => {
  const renamed = there("2", { name: "Other", note: "a" });
  const edited = there("1", { name: "One", note: "edited" });
  expect(told([sent("A", one)], [edited, renamed])).toEqual({ A: "other content: 1" });
  expect(told([sent("A", one)], [renamed])).toEqual({ A: "another name: 2" });
  // What another one is taken for is nobody else's.
  const twin = { name: "Other", note: "a" };
  expect(told([sent("A", one), sent("B", twin)], [renamed])).toEqual({ A: "absent", B: "2" });
  const same = { ...plain, naturalKey: () => ["one key"] } as unknown as EntityKind;
  expect(told([sent("A", one), sent("B", two)], [there("2", two)], same)).toEqual({ A: "absent", B: "2" });
});

test("what stands in another place is asked about, with what has another name as well", () => {
  const inFolder = { ...one, folder: "a" };
  const byPlace = { ...plain, naturalKey: (body: JsonObject) => [body["name"] ?? "", body["folder"] ?? ""] };
  const kind = byPlace as unknown as EntityKind;
  const moved = there("1", { ...one, folder: "b" });
  const renamed = there("2", { ...inFolder, name: "Other" });
  expect(told([sent("A", inFolder)], [moved], kind)).toEqual({ A: "its place (: 1" });
  expect(told([sent("A", inFolder)], [moved, renamed], kind)).toEqual({ A: "another name: 2 1" });
  expect(told([sent("A", inFolder), sent("B", { ...one, folder: "b" })], [moved], kind)).toEqual({
    A: "absent",
    B: "1",
  });
  const [asked] = subtract(kind, [sent("A", inFolder)], [moved]).ask;
  expect(asked?.reason).toContain("(folder)");
  // A name that cannot be changed is no place.
  const fixed = { ...byPlace, shape: { ...shape, fixed: ["name", "folder"] } } as unknown as EntityKind;
  expect(told([sent("A", inFolder)], [renamed], fixed)).toEqual({ A: "another name: 2" });
  expect(told([sent("A", inFolder)], [there("1", { ...one, name: "Other", folder: "b" })], fixed)).toEqual({
    A: "absent",
  });
});

test("a kind that has its name elsewhere says what it is without", () => {
  const kind = {
    ...plain,
    withoutName: ({ more: _name, ...rest }: JsonObject) => rest,
  } as unknown as EntityKind;
  const body = { ...one, more: "label" };
  expect(told([sent("A", body)], [there("1", { ...body, more: "x" })], kind)).toEqual({
    A: "other content: 1",
  });
  const keyed = { ...kind, naturalKey: ({ more }: JsonObject) => [more ?? ""] } as unknown as EntityKind;
  expect(told([sent("A", body)], [there("1", { ...body, more: "x" })], keyed)).toEqual({
    A: "another name: 1",
  });
});

test("what the metadata model has no place for may not be shown of what was made", () => {
  const kind = {
    ...plain,
    misfits: (body: JsonObject) =>
      Object.hasOwn(body, "more")
        ? [{ reason: "no place", place: ["more", "x"] }, { reason: "no type" }]
        : [],
  } as unknown as EntityKind;
  const body = { ...one, more: { x: "1", y: "2" } };
  const shown = { name: "Other", note: "a", more: { y: "2" } };
  expect(told([sent("A", body)], [there("1", shown)], kind)).toEqual({ A: "another name: 1" });
  const whole = { ...shown, more: { x: "1", y: "2" } };
  expect(told([sent("A", body)], [there("1", whole)], kind)).toEqual({ A: "another name: 1" });
  expect(told([sent("A", body)], [there("1", shown)])).toEqual({ A: "absent" });
  expect(told([sent("A", body)], [there("1", { ...shown, more: { y: "3" } })], kind)).toEqual({
    A: "absent",
  });
});

test("what has no name is known by saying all that was sent where that was to stand", () => {
  const kind = {
    ...plain,
    mayBeNameless: true,
    naturalKey: (body: JsonObject) => [body],
  } as unknown as EntityKind;
  const body = { note: "a", folder: "f" };
  const filled = there("1", { ...body, more: "filled" });
  expect(told([sent("A", body)], [filled], kind)).toEqual({ A: "and more: 1" });
  expect(told([sent("A", body)], [there("1", { ...body, folder: "g", more: "filled" })], kind)).toEqual({
    A: "absent",
  });
  expect(told([sent("A", body)], [there("1", { ...body, note: "b", more: "filled" })], kind)).toEqual({
    A: "absent",
  });
  const anywhere = { note: "a" };
  expect(told([sent("A", anywhere)], [filled], kind)).toEqual({ A: "absent" });
  const named = { ...kind, mayBeNameless: false } as unknown as EntityKind;
  expect(told([sent("A", body)], [filled], named)).toEqual({ A: "absent" });
  // What another one is taken for is nobody else's.
  const whole = { ...body, more: "filled" };
  expect(told([sent("A", body), sent("B", whole)], [filled], kind)).toEqual({ A: "absent", B: "1" });
});

test("what was sent may not be on record: only its print tells then", () => {
  const { body: _body, ...item } = sent("A", one).item;
  const bare = { ...sent("A", one), item };
  expect(told([bare], [there("1", one)])).toEqual({ A: "1" });
  expect(told([bare], [there("1", two)])).toEqual({ A: "absent" });
});

test("a doubt says what its answer named, where it named anything", () => {
  const intent = {
    type: "intent",
    run: "r",
    op: "r/1",
    at: "",
    kind: "things",
    step: "create",
    items: [],
  } as const;
  const { item } = sent("A", one);
  expect(doubtOf(intent, item, { reason: "lost" }, 5)).toMatchObject({
    effect: "creates",
    at: 5,
    reason: "lost",
  });
  expect(doubtOf(intent, item, { reason: "lost" }, 5)).not.toHaveProperty("named");
  expect(doubtOf(intent, item, { reason: "lost", named: "urn" }, 5)).toMatchObject({ named: "urn" });
});
