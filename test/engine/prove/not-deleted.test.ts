import { expect, test } from "vitest";
import { notDeleted } from "../../../src/engine/prove/not-deleted.ts";
import type { AppliedChange } from "../../../src/model/change.ts";

const deleted = {
  id: "d",
  kind: "things",
  action: "delete",
  outcome: "done",
  target: { urn: "t", name: "One" },
};

/** Whether it is told that what this change has deleted is there; the list shows it, and by itself it is there or not. */
async function isTold(
  more: object = {},
  {
    lists = true,
    shows = true,
    isAskable = true,
  }: { lists?: boolean; shows?: boolean; isAskable?: boolean } = {},
): Promise<boolean> {
  const one = async (_client: unknown, urn: string): Promise<object | undefined> =>
    shows && urn === "t" ? {} : undefined;
  const target = {
    has: (kind: string, urn: string) => lists && kind === "things" && urn === "t",
    body: () => ({}),
  };
  const registry = { movedKind: () => (isAskable ? { one } : {}) };
  const change = { ...deleted, ...more } as unknown as AppliedChange;
  const told = await notDeleted([change], target, { client: {} as never, registry: registry as never });
  expect(told.every(({ code, coordinate }) => code === "verify-difference" && coordinate?.urn === "t")).toBe(
    true,
  );
  return told.length > 0;
}

test("what a run has deleted and is there is told; a list may lag behind", async () => {
  expect(await isTold()).toBe(true);
  expect(await isTold({}, { lists: false })).toBe(false);
  expect(await isTold({}, { shows: false })).toBe(false);
  // Of what cannot be asked for by itself the list is all that tells.
  expect(await isTold({}, { isAskable: false })).toBe(true);
});

test("what it has not deleted is to be there", async () => {
  expect(await isTold({ action: "update" })).toBe(false);
  expect(await isTold({ outcome: "withheld" })).toBe(false);
  expect(await isTold({ target: undefined })).toBe(false);
});
