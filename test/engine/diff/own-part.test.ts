import { expect, test } from "vitest";
import { ownPart } from "../../../src/engine/diff/own-part.ts";
import type { DiffInput } from "../../../src/engine/diff/input.ts";
import type { Nodes } from "../../../src/engine/diff/node.ts";
import { uuidOf } from "../../../src/model/urn.ts";
import { dev, prod } from "../read/given.ts";

/** What a body says of a part of its own: whose key at the target is known, was known, or never was. */

const [there, lost, stranger] = [dev(1), dev(2), dev(3)];
const keys = { [uuidOf(there)]: uuidOf(prod(5)) };
const remembered = { [uuidOf(lost)]: uuidOf(prod(6)) };

function found(
  urn: string,
  known: "" | "named" | "twins" | "inside" | "unpaired" = "",
): ReturnType<typeof ownPart> {
  const has = (list: string): ReadonlyMap<string, unknown> => new Map(known === list ? [[urn, ""]] : []);
  const pairs = { twins: has("twins"), inside: has("inside"), unpaired: has("unpaired") };
  return ownPart(
    urn,
    keys,
    remembered,
    { target: { pairs } } as unknown as DiffInput,
    { named: has("named") } as unknown as Nodes,
    () => ({ namespace: "data", tenant: "prod" }),
  );
}

test("one that is there is named by its key there", () => {
  expect(found(there)).toEqual({ state: "target", urn: prod(5) });
});

test("one that was there, and is not, has no key that could be sent", () => {
  expect(found(lost)).toMatchObject({
    state: "unresolved",
    reason: expect.stringContaining("a part of its own"),
  });
});

test.each([
  ["what is no part of it", stranger, ""],
  ["what is no URN", uuidOf(there), ""],
  ["an object of the source", there, "named"],
  ["a given thing with a twin", there, "twins"],
  ["a given thing without one", there, "unpaired"],
  ["what stands in a moved object", lost, "inside"],
] as const)("of %s nothing is said, whatever its UUID names besides", (_what, urn, known) => {
  expect(found(urn, known)).toBeUndefined();
});
