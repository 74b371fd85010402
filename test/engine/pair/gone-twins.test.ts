import { expect, test } from "vitest";
import { goneTwins } from "../../../src/engine/pair/gone-twins.ts";
import type { GivenKind } from "../../../src/kinds/kind.ts";
import type { ReadClient } from "../../../src/service/index.ts";
import { found, named, prod } from "../read/given.ts";

/** Of three that a person named the first was read already. */
async function gone(
  read: GivenKind["read"],
  said: readonly string[] = [prod(1), prod(2), prod(3)],
): Promise<readonly string[]> {
  const kind = named("things", [], { read });
  return [...(await goneTwins({ client: {} as ReadClient, kind, said, seen: new Set([prod(1)]) }))];
}

test("what the target does not have when it is asked for by itself is gone, and nothing that it has", async () => {
  expect(await gone(async () => [found(prod(3), "C")])).toEqual([prod(2)]);
});

test("where it cannot be asked for, the person's word stands", async () => {
  expect(await gone(async () => ({ notKnown: "GET ... refused (403)" }))).toEqual([]);
});

test("what was read is not asked for once more, and where that is all of them nobody is asked", async () => {
  const asked: string[][] = [];
  const read: GivenKind["read"] = async (_client, urns) => {
    asked.push([...urns]);
    return [];
  };
  expect(await gone(read, [prod(1)])).toEqual([]);
  expect(await gone(read)).toEqual([prod(2), prod(3)]);
  expect(asked).toEqual([[prod(2), prod(3)]]);
});
