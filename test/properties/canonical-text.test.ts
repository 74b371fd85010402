import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical, stableText } from "../../src/model/canonical.ts";
import { canonicalText } from "../../src/model/canonical-text.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { parseJson } from "../../src/model/json-text.ts";
import type { Shape } from "../../src/model/shape.ts";
import { strip } from "../../src/model/shape.ts";
import { body } from "./arbitraries.ts";
import { patience, runs } from "./runs.ts";
import { atTarget, shape as sketched, write } from "./sketch.ts";

const uuids = ["1", "2", "3"].map((digit) => `${digit}${digit}345678-1234-1234-1234-123456789abc`);
const urns = uuids.map((uuid) => `urn:ata:dev:catalog:term:${uuid}`);
const names = ["a", "b", "10", "9", "correlationId", "owned", "set", "__proto__", "ä", "\uD800"];
const shape: Shape = {
  known: [],
  serverOwned: ["/owned", "/a/owned", "/*/b", "/set/*/a"],
  sets: ["/set", "/a/set", "/b/*/set"],
};

/** Nearly every odd thing that a body can hold, with what looks like a key in every place. */
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom(null, true, 0, -0, 1.5, 1e21, "", "text", ...uuids, ...urns, `new_${uuids[0]}`),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("fields"),
    tie("map"),
  ),
  fields: fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 4 }),
  map: fc.dictionary(fc.constantFrom(...uuids, `new_${uuids[1]}`), tie("value"), { maxKeys: 3 }),
})).value;
const odd = fc.dictionary(fc.constantFrom(...names, ...uuids), value, { maxKeys: 5 });

function longWay(stripped: JsonObject, of: Shape): string {
  return stableText(canonical(stripped, of));
}

/** As it comes from the wire: with own fields of any name, and numbers as they were written. */
function wire(body: unknown): JsonObject {
  return parseJson(JSON.stringify(body)) as JsonObject;
}

describe("the canonical text", () => {
  it(
    "is that of the canonical form, also of what nobody would send",
    () => {
      let taken = 0;
      fc.assert(
        fc.property(odd, (fields) => {
          const served = wire(fields);
          const short = canonicalText(served, shape, true);
          if (short !== undefined) expect(short).toBe(longWay(strip(served, shape), shape));
          const plain = canonicalText(served, shape, false);
          if (plain !== undefined) expect(plain).toBe(longWay(served, shape));
          if (short !== undefined && short !== "{}") taken += 1;
        }),
        runs(2000),
      );
      expect(taken).toBeGreaterThan(0);
    },
    patience(),
  );

  it(
    "is that of the canonical form of what is sent and read back",
    () => {
      fc.assert(
        fc.property(body, (sketch) => {
          const served = write(sketch, { ...atTarget, served: true });
          const short = canonicalText(served, sketched, true);
          if (short !== undefined) expect(short).toBe(longWay(strip(served, sketched), sketched));
        }),
        runs(400),
      );
    },
    patience(),
  );

  it("leaves to the long way what names a part of the same object, and numbers as they were written", () => {
    const [key = ""] = uuids;
    expect(canonicalText({ parts: { [key]: { name: "one" } }, names: key }, shape, true)).toBeUndefined();
    expect(canonicalText({ parts: { [key]: { name: "one" } }, names: "x" }, shape, true)).toBe(
      '{"names":"x","parts":{"~":[{"name":"one"}]}}',
    );
    expect(canonicalText(parseJson('{"a":1.10}') as JsonObject, shape, true)).toBeUndefined();
  });
});
