import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ByKey } from "../../../src/engine/pair/by-key.ts";
import { runs } from "../../properties/runs.ts";

/** Two pairs of words that FNV-1a gives the same 32 bits. */
const collide = ["costarring", "liquid", "declinate", "macallums"];
const key = fc.oneof(fc.constantFrom(...collide, "", "\uD800"), fc.string({ unit: "binary", maxLength: 3 }));

test("things are found by each of their keys, once, in their order, as in a map of lists", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(key, { maxLength: 3 }), { maxLength: 60 }),
      fc.array(key, { maxLength: 5 }),
      (all, more) => {
        const items = all.map((keys) => ({ keys }));
        const byKey = new ByKey(items, ({ keys }) => keys);
        for (const asked of [...collide, ...all.flat(), ...more]) {
          const expected = items.filter(({ keys }) => keys.includes(asked));
          expect(byKey.get(asked)).toEqual(expected);
          expect(byKey.get(asked, 2)).toEqual(expected.slice(0, 2));
        }
      },
    ),
    runs(200),
  );
});

test("what has the same hash is told apart by its key", () => {
  const byKey = new ByKey(collide, (word) => [word]);
  for (const word of collide) expect(byKey.get(word)).toEqual([word]);
});
