import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { undoPatch } from "../../src/engine/undo/deeds.ts";
import { canonical, stableText } from "../../src/model/canonical.ts";
import type { Difference } from "../../src/model/difference.ts";
import { difference } from "../../src/model/difference.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { isObject, own } from "../../src/model/json.ts";
import { mergePatch } from "../../src/model/merge-patch.ts";
import { strip } from "../../src/model/shape.ts";
import { body, typedBody } from "./arbitraries.ts";
import { edited, fresh, merged, served, withoutOneLeaf } from "./edits.ts";
import { patience, runs } from "./runs.ts";
import { atSource, atTarget, partsOf, same, sent, shape, shuffler, write } from "./sketch.ts";

/** A source in the target's words, a target, and the keys that are remembered of the last apply. */
interface Pair {
  readonly source: JsonObject;
  readonly target: JsonObject;
  readonly keys: Readonly<Record<string, string>>;
  /** Of the target: what only it has, at the top level. */
  readonly foreign: readonly { readonly field: string; readonly key: string }[];
}

/** 9 leaves things as they are. */
const choices = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(9) }, fc.nat({ max: 59 })), {
  minLength: 1,
  maxLength: 40,
});

const pairs: fc.Arbitrary<Pair> = fc
  .tuple(typedBody, typedBody, choices, fc.array(fc.boolean(), { minLength: 1 }), fc.nat())
  .map(([base, other, choices, known, seed]) => {
    const isKnown = (id: number): boolean => id < fresh && known[id % known.length] === true;
    const after = edited(base, other, choices);
    const order = shuffler(seed);
    const key = (id: number): string => (isKnown(id) ? atTarget.key(id) : sent.key(id));
    return {
      source: strip(write(after, { ...atTarget, key }), shape),
      target: strip(write(base, { ...atTarget, order }), shape),
      keys: Object.fromEntries(
        partsOf(base).flatMap(({ id }) => (isKnown(id) ? [[atSource.key(id), atTarget.key(id)]] : [])),
      ),
      foreign: base.fields.flatMap(([field, value]) =>
        value.is === "map"
          ? value.parts.flatMap(({ id }) => (isKnown(id) ? [] : [{ field, key: atTarget.key(id) }]))
          : [],
      ),
    };
  });

function between(pair: Pair, targetOnly: "keep" | "remove"): Difference {
  return difference(pair.source, pair.target, { shape, targetOnly, keys: pair.keys });
}

function form(body: JsonObject): string {
  return stableText(canonical(strip(body, shape), shape));
}

describe("the generator of pairs", () => {
  const sample = fc.sample(pairs, { numRuns: 400, seed: 1 });

  it("makes sides that differ by little and by much, and sides that are the same", () => {
    const sizes = sample.map((pair) => between(pair, "remove").fields.length);
    expect(sizes.some((size) => size === 0)).toBe(true);
    expect(sizes.some((size) => size === 1)).toBe(true);
    expect(sizes.some((size) => size > 8)).toBe(true);
  });

  it("adds, removes, changes and replaces sub-entities, and names joins that are new", () => {
    const texts = sample.map((pair) => stableText(between(pair, "remove").patch));
    expect(texts.some((text) => /"new_c[^"]+":\{/.test(text))).toBe(true);
    expect(texts.some((text) => /"d[0-9a-f-]{35}":null/.test(text))).toBe(true);
    expect(texts.some((text) => /"d[0-9a-f-]{35}":\{/.test(text))).toBe(true);
    expect(texts.some((text) => /"fixedParts":\{[^}]*"d[0-9a-f-]{35}":null.*"new_c/.test(text))).toBe(true);
    expect(texts.some((text) => /"joinConfigurationKey":"new_c/.test(text))).toBe(true);
    expect(sample.some(({ foreign }) => foreign.length > 0)).toBe(true);
  });
});

describe("the difference", () => {
  it(
    "of a body and itself is empty, in whatever order it is written",
    () => {
      fc.assert(
        fc.property(typedBody, fc.nat(), (sketch, seed) => {
          const body = strip(write(sketch, atTarget), shape);
          const again = strip(write(sketch, { ...atTarget, order: shuffler(seed), served: true }), shape);
          const { patch, undo, fields } = difference(body, again, { shape, targetOnly: "remove", keys: {} });
          expect({ patch, undo, fields }).toEqual({ patch: {}, undo: {}, fields: [] });
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "brings the target to the source",
    () => {
      fc.assert(
        fc.property(pairs, (pair) => {
          const { patch, fields } = between(pair, "remove");
          expect(form(served(pair.target, patch, "e").body)).toBe(form(pair.source));
          expect(fields.length > 0).toBe(Object.keys(patch).length > 0);
        }),
        runs(500),
      );
    },
    patience(),
  );

  it(
    "is settled by its patch: the next one has nothing left",
    () => {
      fc.assert(
        fc.property(pairs, (pair) => {
          const { body, keys } = served(pair.target, between(pair, "remove").patch, "e");
          const all = { ...pair.keys, ...keys };
          const known = (value: Json): Json =>
            JSON.parse(
              JSON.stringify(value).replaceAll(
                /new_(c[0-9a-f-]{35})/g,
                (whole, key: string) => keys[key] ?? whole,
              ),
            ) as Json;
          const source = renewed(known(pair.source), pair.keys, keys) as JsonObject;
          expect(
            difference(source, strip(body, shape), { shape, targetOnly: "remove", keys: all }).patch,
          ).toEqual({});
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "can be taken back",
    () => {
      fc.assert(
        fc.property(pairs, fc.constantFrom("keep" as const, "remove" as const), (pair, targetOnly) => {
          const { patch, undo } = between(pair, targetOnly);
          const after = served(pair.target, patch, "e");
          // A join that something else at the target still names is not given up by the service.
          fc.pre(!namesWhatIsGone(after.body));
          const back = served(after.body, undoPatch(undo, { ...pair.keys, ...after.keys }), "f");
          expect(form(back.body)).toBe(form(pair.target));
        }),
        runs(500),
      );
    },
    patience(),
  );

  it(
    "is the smallest: without any one leaf of the patch something is left",
    () => {
      fc.assert(
        fc.property(pairs, fc.nat(), (pair, which) => {
          const whole = form(pair.source);
          const smaller = [...withoutOneLeaf(between(pair, "remove").patch)];
          for (const patch of shuffler(which)(smaller).slice(0, 5)) {
            expect(form(served(pair.target, patch, "e").body)).not.toBe(whole);
          }
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "leaves what only the target has, unless it is told otherwise",
    () => {
      fc.assert(
        fc.property(pairs, (pair) => {
          const { body } = served(pair.target, between(pair, "keep").patch, "e");
          for (const { field, key } of pair.foreign) {
            const [before, after] = [at(pair.target, field, key), at(body, field, key)];
            expect(same(after, before)).toBe(true);
          }
        }),
        runs(300),
      );
    },
    patience(),
  );
});

describe("a merge patch", () => {
  it(
    "does what RFC 7386 says, whatever the names are",
    () => {
      fc.assert(
        fc.property(body, body, (one, other) => {
          const [target, patch] = [write(one, atTarget), write(other, { ...atTarget, served: true })];
          expect(same(mergePatch(target, patch), merged(target, patch))).toBe(true);
        }),
        runs(300),
      );
    },
    patience(),
  );
});

/** A sub-entity that was created again has another key now. */
function renewed(
  value: Json,
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): Json {
  const keys = new Map(
    Object.entries(before).flatMap(([source, target]) =>
      now[source] === undefined ? [] : [[target, now[source]] as const],
    ),
  );
  return JSON.parse(
    JSON.stringify(value).replaceAll(/d{8}-[0-9a-f-]{27}/g, (key) => keys.get(key) ?? key),
  ) as Json;
}

function namesWhatIsGone(body: JsonObject): boolean {
  const names = JSON.stringify(body).match(/"joinConfigurationKey":"[0-9a-f-]{36}"/g) ?? [];
  return names.some((name) => at(body, "joins", name.slice(11, -1)) === undefined);
}

function at(body: JsonObject, field: string, key: string): Json | undefined {
  const map = own(body, field);
  return isObject(map) ? own(map, key) : undefined;
}
