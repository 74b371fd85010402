import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { jsonWithKeys, withKeys } from "../../src/model/pair-keys.ts";
import { patience, runs } from "./runs.ts";
import { uuidFor } from "./sketch.ts";

const uuid = fc.nat({ max: 5 }).map((id) => uuidFor("a", id));
const temporary = uuid.map((id) => `new_${id}`);
/** What looks like a temporary key in JSON and stands within a text, or has marks that are escaped. */
const nasty = fc
  .tuple(fc.constantFrom("", "{", "[", ",", ":", '{"', '["', ',"', ':"', "\\", '\\"', "a\\"), temporary)
  .chain(([before, key]) =>
    fc.constantFrom("", '"', '":', "\\", '\\"', "x").map((after) => before + key + after),
  );
const text = fc.oneof(temporary, uuid, nasty, fc.string());
const { tree } = fc.letrec<{ tree: JsonObject; value: unknown }>((tie) => ({
  tree: fc.dictionary(fc.oneof(temporary, nasty, fc.string()), tie("value"), { maxKeys: 4 }) as never,
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("tree"),
  ),
}));
/** Keys of the target are none of those that stand in the tree: a key is assigned once. */
const pairs = fc.dictionary(
  fc.oneof({ weight: 6, arbitrary: uuid }, { weight: 1, arbitrary: fc.string() }),
  fc.oneof(
    { weight: 6, arbitrary: fc.nat({ max: 9 }).map((id) => uuidFor("b", id)) },
    { weight: 1, arbitrary: fc.string() },
  ),
);

it(
  "a tree is written under its keys as it would be once it had them",
  () => {
    fc.assert(
      fc.property(tree, pairs, (tree, pairs) => {
        expect(JSON.parse(jsonWithKeys(tree, pairs))).toEqual(
          JSON.parse(JSON.stringify(withKeys(tree, pairs))),
        );
      }),
      runs(500),
    );
  },
  patience(),
);

it("keys that the tree has are replaced, whatever text holds the like", () => {
  const [one, two, twin] = [uuidFor("a", 1), uuidFor("a", 2), uuidFor("b", 1)];
  const tree = {
    parts: { [`new_${one}`]: { by: `new_${one}`, list: [`new_${one}`, `new_${two}`] } },
    said: `"new_${one}"`,
    also: `,"new_${one}"`,
  };
  expect(jsonWithKeys(tree, { [one]: twin })).toBe(
    JSON.stringify({
      parts: { [twin]: { by: twin, list: [twin, `new_${two}`] } },
      said: `"new_${one}"`,
      also: `,"new_${one}"`,
    }),
  );
});
