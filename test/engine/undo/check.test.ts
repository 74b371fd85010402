import { expect, test } from "vitest";
import { checkPlanned } from "../../../src/engine/undo/check.ts";
import type { Deed } from "../../../src/engine/undo/deed.ts";
import type { Planned } from "../../../src/engine/undo/plan.ts";
import { describeDeed } from "../../../src/engine/undo/words.ts";

const deed: Deed = {
  kind: "entities",
  source: "urn:source",
  name: "One",
  what: "deleted",
  target: "urn:target",
  left: undefined,
  before: undefined,
  intent: { source: "urn:source", name: "One", undo: { name: "One" } },
  undos: [],
  sent: [],
  keys: {},
};

/** What no list shows, of a kind with this about it. */
function absent(kind: object, more: object = {}): Planned {
  const change = describeDeed(deed, "create", "the run deleted it");
  const reverse = { what: "create", steps: [], body: {} };
  return { deed, kind: { name: "entities", ...kind }, change, reverse, absent: true, ...more } as never;
}

async function checked(item: Planned, finished = false): Promise<readonly Planned[]> {
  return checkPlanned([item], { standing: {} as never, keep: (one) => one, finished }, {} as never);
}

const oneGone = { one: async (): Promise<undefined> => undefined };
const oneThere = { one: async (): Promise<object> => ({ name: "One" }) };

test("what no request finds is gone, and is planned as it was", async () => {
  const item = absent(oneGone);
  expect(await checked(item)).toEqual([item]);
});

test("what a request finds, and no list shows, ends the run; that nothing was written is said where that is so", async () => {
  const ends = async (finished: boolean, suggestion: string): Promise<void> =>
    expect(checked(absent(oneThere), finished)).rejects.toMatchObject({ code: "incomplete", suggestion });
  await ends(false, "Nothing was written. Run it again.");
  await ends(true, "Run it again.");
});

test.each([
  ["of what type it was is not on record", { ...oneGone, remembers: () => ({}), typeOf: () => undefined }],
  ["at the target, no such type", { ...oneGone, misfits: () => [{ reason: "no such type" }] }],
  ["it cannot be asked for by itself", {}],
])("of what cannot be told to be gone nothing is made again: %s", async (reason, kind) => {
  const [left, ...others] = await checked(absent(kind));
  expect(others).toEqual([]);
  expect(left?.change).toMatchObject({ action: "manual", reason: expect.stringContaining(reason) as string });
  expect(left?.reverse).toBeUndefined();
});

test("a property without a place is no word of the type", async () => {
  const item = absent({ ...oneGone, misfits: () => [{ reason: "no such property", place: "/a" }] });
  expect(await checked(item)).toEqual([item]);
});

test("the row of what cannot be asked for is kept", async () => {
  expect(await checked(absent({}, { reverse: undefined, entry: null }))).toEqual([]);
  const told = absent({}, { reverse: undefined });
  expect(await checked(told)).toEqual([told]);
});
