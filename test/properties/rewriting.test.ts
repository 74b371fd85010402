import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { strip } from "../../src/model/shape.ts";
import { subEntityKeys } from "../../src/model/sub-entity.ts";
import type { Lookup, Resolution } from "../../src/model/translate.ts";
import { resolveMarkers, translate } from "../../src/model/translate.ts";
import { parseUrn, uuidOf } from "../../src/model/urn.ts";
import { references, walk } from "../../src/model/walk.ts";
import { body, objects } from "./arbitraries.ts";
import { patience, runs } from "./runs.ts";
import type { Fields, Writing } from "./sketch.ts";
import { atSource, atTarget, partsOf, same, sent, shape, urnOf, write } from "./sketch.ts";

const all = Array.from({ length: objects }, (_, index) => index);

/** Between two ways of writing the same sketch: every object is mapped, every key is known. */
function between(from: Writing, to: Writing, sketch: Fields): Lookup {
  const uuids = new Map(all.map((object) => [from.uuid(object), to.uuid(object)]));
  const keys = new Map(partsOf(sketch).map(({ id }) => [from.key(id), to.key(id)]));
  return {
    urn(urn) {
      const uuid = uuids.get(uuidOf(urn));
      if (uuid === undefined || parseUrn(urn)?.tenant !== from.tenant)
        return { state: "unresolved", reason: "unknown" };
      return {
        state: "target",
        urn: urn.replace(`:${from.tenant}:`, `:${to.tenant}:`).replace(uuidOf(urn), uuid),
      };
    },
    uuid(uuid) {
      const found = uuids.get(uuid);
      return found === undefined ? undefined : { state: "target", uuid: found };
    },
    ownKey: (key) => keys.get(key),
  };
}

/** Only some of the objects are mapped, and no key is known. */
function partly(mapped: readonly boolean[], otherwise: (urn: string) => Resolution): Lookup {
  const whole = between(atSource, atTarget, { is: "object", fields: [] });
  const isMapped = (uuid: string): boolean =>
    mapped[all.findIndex((object) => atSource.uuid(object) === uuid)] === true;
  return {
    urn: (urn) => (isMapped(uuidOf(urn)) ? whole.urn(urn) : otherwise(urn)),
    uuid(uuid) {
      if (isMapped(uuid)) return whole.uuid(uuid);
      const resolution = otherwise(
        urnOf(
          atSource,
          all.findIndex((object) => atSource.uuid(object) === uuid),
        ),
      );
      return resolution.state === "pending" ? resolution : undefined;
    },
    ownKey: () => undefined,
  };
}

const someMapped = fc.array(fc.boolean(), { minLength: objects, maxLength: objects });

/** Target UUIDs that are those of other objects at the source. */
const swapped = fc
  .uniqueArray(fc.constantFrom(...all), { minLength: objects, maxLength: objects })
  .map((order): Writing => ({ ...atTarget, uuid: (object) => atSource.uuid(order[object] ?? object) }));

describe("the walker", () => {
  it(
    "gives back an equal body when nothing is changed, fields that look like the prototype included",
    () => {
      fc.assert(
        fc.property(body, (sketch) => {
          const written = write(sketch, { ...atSource, served: true });
          const before = JSON.stringify(written);
          const walked = walk(written, (_form, value) => value);
          expect(same(walked, written)).toBe(true);
          expect(Object.getPrototypeOf(walked)).toBe(Object.prototype);
          expect(JSON.stringify(written), "the body itself is left alone").toBe(before);
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "collects exactly what it rewrites",
    () => {
      fc.assert(
        fc.property(body, (sketch) => {
          const written = write(sketch, atSource);
          const visited: string[] = [];
          walk(written, (form, value, pointer) => {
            visited.push(`${form} ${value} ${pointer()}`);
            return value;
          });
          expect(
            references(written).map(({ form, value, pointer }) => `${form} ${value} ${pointer}`),
          ).toEqual(visited);
          expect(
            new Set(references(written).flatMap(({ form, value }) => (form === "key" ? [value] : []))),
          ).toEqual(subEntityKeys(written));
        }),
        runs(300),
      );
    },
    patience(),
  );
});

describe("translation", () => {
  it(
    "gives exactly what the target would hold",
    () => {
      fc.assert(
        fc.property(body, (sketch) => {
          const stripped = strip(write(sketch, { ...atSource, served: true }), shape);
          const { tree, unresolved, loose } = translate(stripped, between(atSource, atTarget, sketch));
          expect(unresolved).toEqual([]);
          expect(loose).toEqual([]);
          expect(same(tree, strip(write(sketch, atTarget), shape))).toBe(true);
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "there and back again is where it started, also between ids that both sides use",
    () => {
      fc.assert(
        fc.property(body, swapped, (sketch, to) => {
          const stripped = strip(write(sketch, atSource), shape);
          const there = translate(stripped, between(atSource, to, sketch)).tree;
          expect(same(there, strip(write(sketch, to), shape))).toBe(true);
          const back = translate(there, between(to, atSource, sketch)).tree;
          expect(same(back, stripped)).toBe(true);
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "names unknown keys by new_ and the source key, at every level and wherever a field names them",
    () => {
      fc.assert(
        fc.property(body, (sketch) => {
          const lookup: Lookup = { ...between(atSource, atTarget, sketch), ownKey: () => undefined };
          const { tree } = translate(strip(write(sketch, atSource), shape), lookup);
          expect(same(tree, strip(write(sketch, sent), shape))).toBe(true);
          expect([...subEntityKeys(tree)].every((key) => key.startsWith("new_") && key.length === 40)).toBe(
            true,
          );
        }),
        runs(200),
      );
    },
    patience(),
  );

  it(
    "leaves no reference to the source that it does not report",
    () => {
      fc.assert(
        fc.property(body, someMapped, fc.boolean(), (sketch, mapped, drops) => {
          const lookup = partly(mapped, () =>
            drops ? { state: "drop", reason: "the plan" } : { state: "unresolved", reason: "unknown" },
          );
          const { tree, unresolved, loose, dropped } = translate(
            strip(write(sketch, atSource), shape),
            lookup,
          );
          const reported = new Set([...unresolved, ...loose, ...dropped].map(({ value }) => value));
          const left = JSON.stringify(tree).match(/urn:data:dev:[^"\\ ]*|a{8}-[0-9a-f-]{27}/g) ?? [];
          expect(left.filter((id) => !reported.has(id))).toEqual([]);
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "says of every reference that it cannot resolve where it stands",
    () => {
      fc.assert(
        fc.property(body, someMapped, (sketch, mapped) => {
          const stripped = strip(write(sketch, atSource), shape);
          const lookup = partly(mapped, () => ({
            state: "unresolved",
            reason: "unknown",
            suggestion: "map it",
          }));
          const { unresolved, loose, pending } = translate(stripped, lookup);
          const expected = references(stripped).filter(
            ({ form, value }) => form !== "key" && isUnmapped(value, mapped),
          );
          const told = [...unresolved, ...loose].map(({ form, value, pointer }) => ({
            form,
            value,
            pointer,
          }));
          expect(sortedText(told)).toEqual(sortedText(expected));
          expect(unresolved.every(({ form }) => form === "urn")).toBe(true);
          expect(pending.size).toBe(0);
        }),
        runs(300),
      );
    },
    patience(),
  );

  it(
    "comes to the same whether a reference exists already or is put in when it does",
    () => {
      fc.assert(
        fc.property(body, someMapped, (sketch, mapped) => {
          const stripped = strip(write(sketch, atSource), shape);
          const later = translate(
            stripped,
            partly(mapped, (urn) => ({ state: "pending", owner: urn })),
          );
          const whole = between(atSource, atTarget, sketch);
          const { tree, left } = resolveMarkers(later.tree, (urn) => {
            const found = whole.urn(urn);
            return found.state === "target" ? found.urn : undefined;
          });
          expect(left).toEqual([]);
          expect(same(tree, strip(write(sketch, sent), shape))).toBe(true);
          const waiting = references(stripped).filter(({ value }) => isUnmapped(value, mapped));
          expect(new Set([...later.pending].map(uuidOf))).toEqual(
            new Set(waiting.map(({ value }) => uuidOf(value) || value)),
          );
          const unknown = resolveMarkers(later.tree, () => undefined);
          expect(same(unknown.tree, later.tree), "what is unknown stays a marker").toBe(true);
          expect(new Set(unknown.left)).toEqual(later.pending);
        }),
        runs(300),
      );
    },
    patience(),
  );
});

function isUnmapped(value: string, mapped: readonly boolean[]): boolean {
  const uuid = uuidOf(value) || value;
  const object = all.findIndex((index) => atSource.uuid(index) === uuid);
  return object >= 0 && mapped[object] !== true;
}

function sortedText(values: readonly unknown[]): readonly string[] {
  return values.map((value) => JSON.stringify(value)).sort();
}
