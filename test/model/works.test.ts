import { describe, expect, it } from "vitest";
import type { Work } from "../../src/model/change.ts";
import { parseJson } from "../../src/model/json-text.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { wholeWork, Works } from "../../src/model/packed/works.ts";

const whole: Required<Work> = {
  sourceFingerprint: "a".repeat(32),
  ownFingerprint: "c".repeat(32),
  targetFingerprint: "b".repeat(32),
  patch: parseJson(
    '{"description":"\\ud800 é","threshold":1.10,"big":9007199254740993,"__proto__":{"a":1}}',
  ) as JsonObject,
  undo: { description: null },
  keys: { "00000000-0000-4000-8000-000000000001": "00000000-0000-4000-8000-000000000002" },
  left: ["/a"],
  kept: { "/b": "c" },
  deferred: ["parent"],
  deferredOn: ["terms:urn"],
  unfinished: "publish",
};
const fields = Object.keys(whole) as (keyof Work)[];

describe("what a change is to do", () => {
  it("comes back field by field, as a whole and as JSON, whatever was looked at between", () => {
    const works = new Works();
    const all = fields.map((field): Work => ({ [field]: whole[field] }));
    const kept = [...all, whole, {}].map((work) => works.keep(work));
    for (const [at, work] of [...all, whole, {} as Work].entries()) {
      for (const field of fields) {
        expect(kept[at]?.[field]).toEqual(work[field]);
        expect(kept[(at + 1) % kept.length]?.patch).toEqual(
          [...all, whole, {} as Work, ...all][at + 1]?.patch,
        );
      }
      expect(wholeWork(kept[at])).toEqual(work);
      expect(JSON.stringify({ work: kept[at] })).toBe(JSON.stringify({ work }));
    }
    expect(JSON.stringify(kept.at(-2)?.patch)).toContain('"threshold":1.10,"big":9007199254740993');
  });

  it("is left as it is where it is an object of its own", () => {
    expect(wholeWork(whole)).toBe(whole);
    expect(wholeWork(undefined)).toBeUndefined();
  });
});
