import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readJsonFile, writeJsonFile } from "../../../src/store/index.ts";
import { formatJson, jsonPieces } from "../../../src/model/json-pieces.ts";
import { findPath, findRepeatedKey, findSyntaxError } from "../../../src/store/files/json-scan.ts";
import { makeTemporaryFolders, storeError } from "./support.ts";
import { inWhole } from "../../support/whole.ts";

const temporaryFolder = makeTemporaryFolders();
const schema = z.looseObject({ version: z.number(), list: z.array(z.looseObject({ name: z.string() })) });

function fileOf(content: string | Buffer): string {
  const path = join(temporaryFolder(), "file.json");
  writeFileSync(path, content);
  return path;
}

describe("a JSON file", () => {
  it("is written with two spaces and a line feed, and read back", async () => {
    const path = join(temporaryFolder(), "a", "file.json");
    const value = { version: 1, list: [{ name: "ä" }] };
    await writeJsonFile(path, value);
    expect(readFileSync(path, "utf8")).toBe(
      '{\n  "version": 1,\n  "list": [\n    {\n      "name": "ä"\n    }\n  ]\n}\n',
    );
    expect(await readJsonFile(path, schema)).toEqual(value);
  });

  it("is written in pieces as it would be in one", () => {
    const keys = fc.constantFrom("a", "list", "10", "9", "__proto__", "line\nfeed");
    fc.assert(
      fc.property(fc.dictionary(keys, fc.jsonValue()), (value) => {
        expect([...jsonPieces({ ...value, none: undefined })].join("")).toBe(formatJson(value));
      }),
    );
    expect([...jsonPieces([1, { a: [] }])].join("")).toBe(formatJson([1, { a: [] }]));
  });

  it("is written a row at a time", () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ at }));
    expect(Math.max(...Array.from(jsonPieces({ rows }), ({ length }) => length))).toBeLessThan(40);
  });

  it("comes back as it is: order, unknown fields and hostile names", async () => {
    const text = '{"future":[1],"__proto__":{"x":1},"list":[{"z":1,"name":"n"}],"version":1}';
    expect(JSON.stringify(await readJsonFile(fileOf(text), schema))).toBe(text);
  });

  it("may begin with a byte order mark", async () => {
    expect(await readJsonFile(fileOf('\uFEFF{"version":1,"list":[]}'), schema)).toEqual({
      version: 1,
      list: [],
    });
  });

  it.each([
    ["Latin-1", Buffer.from('{"version":1,"list":[{"name":"t\u00f6dlich"}]}', "latin1")],
    ["UTF-16", Buffer.from('\uFEFF{"version":1,"list":[]}', "utf16le")],
  ])("is refused in %s: a name would be another one", async (_encoding, bytes) => {
    const path = fileOf(bytes);
    const error = await storeError("bad-json", () => readJsonFile(path, schema));
    expect(error.message).toBe(`${path} is not text in UTF-8`);
  });

  it("says where it has another shape", async () => {
    const path = fileOf('{\n  "version": 1,\n  "list": [\n    { "name": "a" },\n    { "name": 5 }\n  ]\n}\n');
    const error = await storeError("bad-shape", () => readJsonFile(path, schema));
    expect(error.message).toContain("line 5, column 15 (list.1.name)");
    const missing = await storeError("bad-shape", () => readJsonFile(fileOf('{\n "list": []}'), schema));
    expect(missing.message).toContain("(version)");
  });

  it("says where it is no JSON, and that it is missing", async () => {
    const error = await storeError("bad-json", () => readJsonFile(fileOf('{\n  "version": 1,\n}'), schema));
    expect(error.message).toContain("line 3, column 1");
    const path = join(temporaryFolder(), "none.json");
    expect((await storeError("not-found", () => readJsonFile(path, schema))).path).toBe(path);
    await storeError("io-failed", () => readJsonFile(temporaryFolder(), schema));
  });

  it("does not show what is in a file that is no JSON", async () => {
    const error = await storeError("bad-json", () =>
      readJsonFile(fileOf('{"clientSecret": s3cret}'), schema),
    );
    expect(error.message).not.toContain("s3cret");
  });
});

describe("the JSON reader that knows places", () => {
  const text = fc
    .json({ noUnicodeString: false })
    .chain((json) => fc.constantFrom(json, JSON.stringify(JSON.parse(json), null, 2), `\n ${json}\t`));

  it("agrees with JSON.parse on what is JSON", () => {
    fc.assert(fc.property(text, (json) => findSyntaxError(json) === undefined));
    const broken = fc.tuple(
      text,
      fc.nat(),
      fc.nat(3),
      fc.constantFrom("", "}", "]", ",", '"', "x", "0", "\\", "\n", ":"),
    );
    fc.assert(
      fc.property(broken, ([json, at, gone, put]) => {
        const from = at % (json.length + 1);
        const changed = json.slice(0, from) + put + json.slice(from + gone);
        expect(findSyntaxError(changed) === undefined).toBe(isJson(changed));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    "",
    " ",
    "{",
    "[1,]",
    '{"a"}',
    '{"a":1,}',
    "01",
    "1.",
    "-",
    "+1",
    "tru",
    "nullx",
    '"\n"',
    '"\\x"',
    "1 2",
    "[1}",
  ])("refuses %j as JSON.parse does", (json) => {
    expect(isJson(json)).toBe(false);
    expect(findSyntaxError(json)).toBeTypeOf("number");
  });

  it("finds the place of every value", () => {
    fc.assert(
      fc.property(text, (json) => {
        for (const [path, value] of valuesOf(JSON.parse(json))) {
          const rest = json.slice(findPath(json, path)).trimStart();
          const begin = JSON.stringify(value)[0] ?? "";
          expect(typeof value === "number" ? "-0123456789" : begin).toContain(rest[0]);
        }
      }),
    );
    expect(findPath('{"a": {"b": [1, 22]}}', ["a", "b", 1])).toBe(16);
    expect(findPath('{"a": {"b": [1, 22]}}', ["a", "none", 1]), "the nearest around it").toBe(6);
    expect(findPath('{"\\u0061": 5}', ["a"])).toBe(11);
  });

  it("finds a name that an object has twice, however it is written", () => {
    expect(findRepeatedKey('{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}')).toBeUndefined();
    expect(findRepeatedKey('{"a":1,\n"\\u0061":2}')).toEqual({ key: "a", offset: 8 });
    expect(findRepeatedKey('[{"__proto__":1,"__proto__":2}]')).toEqual({ key: "__proto__", offset: 16 });
  });

  inWhole("is not exhausted by depth or length", () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    expect(findSyntaxError(deep)).toBeUndefined();
    expect(findSyntaxError(`"${"\\n".repeat(1_000_000)}${"x".repeat(5_000_000)}"`)).toBeUndefined();
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function* valuesOf(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<[readonly (string | number)[], unknown]> {
  yield [path, value];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* valuesOf(item, [...path, index]);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* valuesOf(item, [...path, key]);
  }
}
