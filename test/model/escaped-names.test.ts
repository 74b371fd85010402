import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseNamed } from "../../src/model/escaped-names.ts";
import { parseJson } from "../../src/model/json-text.ts";

test.each([
  ['{"a\\\\":0}', '{"a\\"":0}', 'a"'],
  ['{"of":"","\\\\":0}', '{"of":"","\\"":0}', '"'],
  ['{"of":1.10,"a\\\\n":0}', '{"of":1.10,"a\\nb":0}', "a\nb"],
  ['[{"x":{"\\\\u0":1}}]', '[{"x":{"\\u0041b":1}}]', "Ab"],
])("a name is read as it is written, whatever was read before: %s, %s", (before, text, name) => {
  for (const read of [parseJson, parseNamed]) {
    for (let times = 0; times < 3; times += 1) read(before);
    const names: string[] = [];
    const look = (value: unknown): void => {
      if (typeof value !== "object" || value === null || JSON.isRawJSON(value)) return;
      for (const [one, field] of Object.entries(value)) {
        names.push(one);
        look(field);
      }
    };
    look(read(text));
    expect(names).toContain(name);
  }
});

test("texts with any names come back as they went in", () => {
  const name = fc
    .array(fc.constantFrom("\\", '"', "\n", "n", "a", "u0041", "é", "~0", "__proto__"), { maxLength: 3 })
    .map((parts) => parts.join(""));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<unknown>(0, 'a\\"b', null, "\\"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.array(fc.tuple(name, tie("value")), { maxLength: 4 }).map((fields) => Object.fromEntries(fields)),
    ),
  }));
  fc.assert(
    fc.property(value, (one) => {
      const text = JSON.stringify(one);
      expect(JSON.stringify(parseJson(text))).toBe(text);
      expect(JSON.stringify(parseNamed(text))).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});
