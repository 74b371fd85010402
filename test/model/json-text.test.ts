import { describe, expect, test } from "vitest";
import { canonical, fingerprint, stableText } from "../../src/model/canonical.ts";
import { difference } from "../../src/model/difference.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { child, isObject, isScalar, own } from "../../src/model/json.ts";
import { isDeeper, mostLevels, parseJson } from "../../src/model/json-text.ts";
import { mergePatch } from "../../src/model/merge-patch.ts";
import type { Shape } from "../../src/model/shape.ts";
import { strip } from "../../src/model/shape.ts";
import { translate } from "../../src/model/translate.ts";
import { parseRichText, references } from "../../src/model/walk.ts";

const shape: Shape = { known: [], serverOwned: [] };
const read = (text: string): JsonObject => parseJson(text) as JsonObject;

const written = [
  "1e400",
  "-1e400",
  "1e-400",
  "9007199254740993",
  "-9007199254740993",
  "123456789012345678901234567890",
  "0.1234567890123456789",
  "1.10",
  "1.0",
  "0.0",
  "-0",
  "-0.0",
  "1E5",
  "1e5",
  "10e-1",
  "0.0000001",
  "1234567890.1234567",
];

describe("a number travels as it was written", () => {
  test.each(written)("%s", (number) => {
    for (const text of [
      `{"a":${number}}`,
      `{"a":[1,${number},2]}`,
      `{"a" : ${number} ,"b":[\n${number}\n]}`,
    ]) {
      const again = JSON.stringify(parseJson(text));
      expect(again).toBe(text.replaceAll(/\s/gu, ""));
      expect(JSON.stringify(parseJson(again))).toBe(again);
    }
  });

  test.each(["0", "1", "-1", "95.5", "0.001", "123456789012345", "0.000001", "true", "null", '"1e400"'])(
    "%s is what it ever was",
    (value) => {
      expect(parseJson(`{"a":${value}}`)).toEqual({ a: JSON.parse(value) as Json });
    },
  );

  test("texts that look like numbers stay texts", () => {
    const text = JSON.stringify({
      a: "x: 1e400, [1.10] {9007199254740993}",
      b: "urn:a:b:c:d:1234e678-0000-4000-8000-000000000001",
      c: "2026-01-01T10:30:00.000Z",
      __proto__: null,
    });
    expect(JSON.stringify(parseJson(text))).toBe(text);
  });

  test("fields keep their order, also one named __proto__", () => {
    const text = '{"z":1.10,"__proto__":{"x":1e400},"a":[],"2":1}';
    const value = parseJson(text);
    expect(Object.keys(value as object)).toEqual(["2", "z", "__proto__", "a"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toContain('"__proto__":{"x":1e400}');
  });

  test("what is no JSON is refused as ever", () => {
    for (const text of ["", "{", '{"a":1e}', '{"a":01.10}', "[".repeat(3_000_000), '{"a":1.10}}'])
      expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});

describe("a number that was kept as it was written", () => {
  const value = own(read('{"a":1e400}'), "a") ?? null;

  test("is a scalar and no object", () => {
    expect([isObject(value), isScalar(value), child(read('{"a":1e400}'), "a")]).toEqual([
      false,
      true,
      undefined,
    ]);
  });

  test.each([
    ["1.0", "1"],
    ["1", "1e0"],
    ["10e-1", "1.0"],
    ["1.10", "1.1"],
    ["-0", "0"],
    ["-0.0", "0e5"],
    ["1e21", "1000000000000000000000"],
    ["1e400", "10e399"],
    ["1e400", "1.000e+400"],
    ["9007199254740993", "9007199254740993.0"],
    ["0.0000001", "1e-7"],
  ])("%s is equal to %s", (one, other) => {
    const [left, right] = [one, other].map((number) => read(`{"a":{"b":[[${number}],"x"]}}`));
    expect(stableText(left ?? null)).toBe(stableText(right ?? null));
    expect(fingerprint(left ?? {}, shape)).toBe(fingerprint(right ?? {}, shape));
    expect(difference(left ?? {}, right ?? {}, { shape, targetOnly: "keep", keys: {} }).patch).toEqual({});
  });

  test.each([
    ["1e400", "1e401"],
    ["1e400", "-1e400"],
    ["9007199254740993", "9007199254740992"],
    ["0.1234567890123456789", "0.1234567890123456788"],
    ["1e400", '"1e400"'],
    ["1e99999999999999999999", "1e99999999999999999998"],
    ["1e400", '{"rawJSON":"1e400"}'],
  ])("%s is not equal to %s", (one, other) => {
    const [left, right] = [one, other].map((number) => read(`{"a":${number}}`));
    expect(fingerprint(left ?? {}, shape)).not.toBe(fingerprint(right ?? {}, shape));
    const { patch, undo } = difference(left ?? {}, right ?? {}, { shape, targetOnly: "keep", keys: {} });
    expect(JSON.stringify([patch, undo])).toBe(`[{"a":${one}},{"a":${other}}]`);
  });

  test("the print of a body is that of the plain numbers it is equal to", () => {
    expect(stableText(read('{"b":95.0,"a":[1.50,null,"x"]}'))).toBe('{"a":[1.5,null,"x"],"b":95}');
  });

  test("sets of numbers have no order, however they are written", () => {
    expect(stableText(canonical(read('{"a":[1e400,3,2.0]}'), shape))).toBe(
      stableText(canonical(read('{"a":[2,1e400,3.0]}'), shape)),
    );
  });

  test("goes through all that bodies go through", () => {
    const body = read('{"a":1e400,"list":[1.10,{"b":-0}],"none":[]}');
    const lookup = {
      urn: (urn: string) => ({ state: "target", urn }) as const,
      uuid: () => undefined,
      ownKey: () => undefined,
    };
    const { tree } = translate(strip(body, shape), lookup);
    expect(JSON.stringify(mergePatch({ a: 1 }, tree))).toBe('{"a":1e400,"list":[1.10,{"b":-0}]}');
  });
});

describe("depth", () => {
  const nested = (levels: number, inner = "1"): string => '{"a":'.repeat(levels) + inner + "}".repeat(levels);

  test("of as many levels as a body may have is read whole", () => {
    const text = nested(mostLevels, "1.10");
    expect(JSON.stringify(parseJson(text))).toBe(text);
    expect(isDeeper(parseJson(text), mostLevels)).toBe(false);
  });

  test.each([mostLevels + 1, 1_500, 100_000, 1_000_000])(
    "of %i levels is cut, and seen to be too deep",
    (levels) => {
      for (const inner of ["1", "1e400", '"]}\\"[{"']) {
        const value = read(
          `{"meta":1.0,"data":[{"x":"[{","deep":${nested(levels, inner)},"last":1.10},{"y":2.50}]}`,
        );
        const [deep, other] = own(value, "data") as readonly JsonObject[];
        expect(isDeeper(deep, mostLevels)).toBe(true);
        expect(JSON.stringify(deep)).toMatch(/"last":1\.10\}$/u);
        expect(JSON.stringify(other)).toBe('{"y":2.50}');
        expect(() => fingerprint(value, shape)).not.toThrow();
        expect(references(value)).toEqual([]);
      }
    },
  );

  test("of rich text has no end, and its references are found", () => {
    const gid = "0af0c1de-0000-4000-8000-000000000001";
    const levels = 50_000;
    const text = `[${"[".repeat(levels)}{"type":"entityReference","gid":"${gid}"}${"]".repeat(levels)}]`;
    expect(parseRichText(text)).toHaveLength(1);
    expect(references({ description: text })).toEqual([{ form: "gid", value: gid, pointer: "/description" }]);
  });
});
