import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical, fingerprint, stableText } from "../../src/model/canonical.ts";
import { pairKeys, withKeys } from "../../src/model/pair-keys.ts";
import { strip } from "../../src/model/shape.ts";
import { correlatedKeys, subEntityKeys } from "../../src/model/sub-entity.ts";
import { body, changedLeaf, replaced } from "./arbitraries.ts";
import { patience, runs } from "./runs.ts";
import type { Fields, Part, Sketch, Writing } from "./sketch.ts";
import { atTarget, partsOf, same, sent, shape, shuffler, uuidFor, write } from "./sketch.ts";

const order = fc.nat().map(shuffler);
/** Keys that a service assigns: any, but each one once. */
const assigned = fc.nat({ max: 1000 }).map(
  (salt): Writing["key"] =>
    (id) =>
      uuidFor("e", id * 1009 + salt),
);

function form(sketch: Fields, writing: Writing): string {
  return stableText(canonical(strip(write(sketch, writing), shape), shape));
}

describe("the canonical form", () => {
  it(
    "does not depend on keys, on the order of maps, fields and sets, or on what the service fills in",
    () => {
      fc.assert(
        fc.property(body, assigned, order, (sketch, key, order) => {
          expect(form(sketch, { ...atTarget, key, order, served: true })).toBe(form(sketch, atTarget));
        }),
        runs(400),
      );
    },
    patience(),
  );

  it(
    "of a body that is read back after its creation is the one that was sent",
    () => {
      fc.assert(
        fc.property(body, assigned, order, (sketch, key, order) => {
          const body = strip(write(sketch, sent), shape);
          const back = write(sketch, { ...atTarget, key, order, served: true });
          expect(fingerprint(strip(back, shape), shape)).toBe(fingerprint(body, shape));
          expect(JSON.stringify(canonical(body, shape))).not.toMatch(/new_c{8}/);
        }),
        runs(400),
      );
    },
    patience(),
  );

  it(
    "changes with any single leaf",
    () => {
      fc.assert(
        fc.property(body, fc.nat(), (sketch, which) => {
          const other = changedLeaf(sketch, which, "something that nothing else says");
          fc.pre(other !== undefined);
          expect(form(other, atTarget)).not.toBe(form(sketch, atTarget));
        }),
        runs(400),
      );
    },
    patience(),
  );

  it(
    "changes when a sub-entity is gone, also when it has a twin",
    () => {
      fc.assert(
        fc.property(body, fc.nat(), (sketch, which) => {
          const parts = partsOf(sketch);
          const gone = parts[which % Math.max(1, parts.length)];
          fc.pre(gone !== undefined);
          const other = replaced(sketch, (node) =>
            node.is === "map" ? { is: "map", parts: node.parts.filter(({ id }) => id !== gone.id) } : node,
          ) as Fields;
          expect(form(other, atTarget)).not.toBe(form(sketch, atTarget));
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "is the same text for the same value, and the fingerprint is made of it",
    () => {
      fc.assert(
        fc.property(body, body, (one, other) => {
          const [left, right] = [form(one, atTarget), form(other, atTarget)];
          const print = (sketch: Fields): string => fingerprint(strip(write(sketch, atTarget), shape), shape);
          expect(print(one) === print(other)).toBe(left === right);
        }),
        runs(200),
      );
    },
    patience(),
  );
});

describe("stripping", () => {
  it(
    "changes nothing the second time, and loses no sub-entity",
    () => {
      fc.assert(
        fc.property(body, (sketch) => {
          const bare = replaced(sketch, (node) =>
            node.is === "map" ? { is: "map", parts: node.parts.map(emptied) } : node,
          );
          for (const each of [sketch, bare as Fields]) {
            const stripped = strip(write(each, { ...atTarget, served: true }), shape);
            expect(same(strip(stripped, shape), stripped)).toBe(true);
            expect(subEntityKeys(stripped).size).toBe(partsOf(each).length);
          }
        }),
        runs(300),
      );
    },
    patience(),
  );
});

/** Every other sub-entity with nothing in it but further sub-entities. */
function emptied(part: Part): Part {
  if (part.id % 2 === 0) return part;
  return {
    id: part.id,
    body: { is: "object", fields: part.body.fields.filter(([, field]) => field.is === "map") },
  };
}

describe("pairing by content", () => {
  it(
    "finds a twin for every sub-entity of a renamed copy, each one once",
    () => {
      fc.assert(
        fc.property(outsideOfLists(body), assigned, order, (sketch, key, order) => {
          const source = strip(write(sketch, sent), shape);
          const target = strip(write(sketch, { ...atTarget, key, order, served: true }), shape);
          const pairs = pairKeys(source, target, shape);
          expect(new Set(Object.keys(pairs))).toEqual(
            new Set(partsOf(sketch).map(({ id }) => uuidFor("c", id))),
          );
          expect(new Set(Object.values(pairs))).toEqual(subEntityKeys(target));
          const keyed = withKeys(source, pairs);
          expect(subEntityKeys(keyed)).toEqual(subEntityKeys(target));
          // Twins are interchangeable, so the content is compared and not the keys.
          expect(stableText(canonical(keyed, shape))).toBe(stableText(canonical(target, shape)));
        }),
        runs(400),
      );
    },
    patience(),
  );

  it(
    "keeps the pairs that are known",
    () => {
      fc.assert(
        fc.property(
          outsideOfLists(body),
          fc.array(fc.boolean(), { minLength: 1 }),
          order,
          (sketch, known, order) => {
            const isKnown = (id: number): boolean => known[id % known.length] === true;
            const key = (id: number): string => (isKnown(id) ? atTarget.key(id) : sent.key(id));
            const source = strip(write(sketch, { ...atTarget, key }), shape);
            const target = strip(write(sketch, { ...atTarget, order }), shape);
            const pairs = pairKeys(source, target, shape);
            const taken = new Set(
              partsOf(sketch)
                .filter(({ id }) => isKnown(id))
                .map(({ id }) => atTarget.key(id)),
            );
            expect(Object.values(pairs).filter((twin) => taken.has(twin))).toEqual([]);
            expect(new Set(Object.values(pairs)).size).toBe(Object.values(pairs).length);
          },
        ),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "leaves texts that only look like temporary keys as they are",
    () => {
      fc.assert(
        fc.property(body, (sketch) => {
          const source = strip(write(sketch, sent), shape);
          const pairs = Object.fromEntries(
            partsOf(sketch).map(({ id }) => [uuidFor("c", id), atTarget.key(id)]),
          );
          expect(
            same(
              withKeys(source, { ...pairs, [uuidFor("f", 1)]: uuidFor("f", 2) }),
              strip(write(sketch, atTarget), shape),
            ),
          ).toBe(true);
        }),
        runs(300),
      );
    },
    patience(),
  );
});

describe("what an answer says of new keys", () => {
  it(
    "covers every sub-entity that carries its temporary key",
    () => {
      fc.assert(
        fc.property(body, order, (sketch, order) => {
          const answer = write(sketch, { ...atTarget, order, served: true });
          const expected = Object.fromEntries(
            partsOf(sketch).map(({ id }) => [uuidFor("c", id), atTarget.key(id)]),
          );
          expect(correlatedKeys(answer)).toEqual(expected);
        }),
        runs(200),
      );
    },
    patience(),
  );
});

/** A patch replaces an array as a whole, so the service has no sub-entities in one (document 2). */
function outsideOfLists(bodies: fc.Arbitrary<Fields>): fc.Arbitrary<Fields> {
  const inLists = (sketch: Sketch): boolean =>
    sketch.is === "list"
      ? partsOf(sketch).length > 0
      : sketch.is === "object"
        ? sketch.fields.some(([, field]) => inLists(field))
        : sketch.is === "map" && sketch.parts.some(({ body }) => inLists(body));
  return bodies.filter((sketch) => !inLists(sketch));
}
