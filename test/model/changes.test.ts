import { describe, expect, it } from "vitest";
import * as fc from "fast-check";
import type { AppliedChange, Change, Work } from "../../src/model/change.ts";
import { parseJson } from "../../src/model/json-text.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { altered, Changes } from "../../src/model/packed/changes.ts";

const work: Required<Work> = {
  sourceFingerprint: "a".repeat(32),
  ownFingerprint: "c".repeat(32),
  targetFingerprint: "b".repeat(32),
  leadsTo: "e".repeat(16),
  noPlace: "d".repeat(16),
  unasked: ["/properties/grade"],
  hidden: { properties: { note: "n" } },
  row: "d".repeat(16),
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
  beside: { id: "terms:urn", reason: "it stays", suggestion: "rename it" },
};
const urn = "urn:x:dev:catalog:term:00000000-0000-4000-8000-00000000000a";

function change(more: Partial<Change> = {}): Change {
  const source = { urn, name: "\ud800 Zoë" };
  return {
    id: `terms:${urn}`,
    action: "update",
    kind: "terms",
    source,
    target: { urn: "urn:there", name: "there" },
    reason: "the source has changed",
    fields: [{ path: "/name", from: "a", to: parseJson('{"of":1.10}') }],
    diagnostics: [],
    dependsOn: [],
    work,
    ...more,
  };
}

describe.each([
  ["all in memory", undefined],
  ["some of them", 3],
  ["all written down", 0],
])("a change that is kept, %s", (_where, most) => {
  const all = [
    change(),
    change({ action: "create", fields: [], inBrief: true, dependsOn: ["rules:a"] }),
    change({ id: "terms:another", reason: "another reason" }),
    change({
      id: `${change().id}#old`,
      action: "delete",
      pulledInBy: { kind: "rules", urn: "u", name: "n" },
    }),
  ];

  it("says what went in, field by field, copied, listed and as JSON, whatever was looked at between", () => {
    const changes = new Changes(undefined, most);
    const kept = all.map((one) => changes.keep(one));
    for (const [at, one] of all.entries()) {
      const back = kept[at];
      for (const [field, value] of Object.entries(one)) {
        expect(back?.[field as keyof Change]).toEqual(value);
        expect(kept[(at + 1) % all.length]?.source).toEqual(all[(at + 1) % all.length]?.source);
      }
      expect([back?.records, back?.acknowledged, back?.pulledInBy]).toEqual([
        undefined,
        undefined,
        one.pulledInBy,
      ]);
      expect({ ...back }).toEqual(one);
      expect(Object.keys(back ?? {})).toEqual(Object.keys(one));
      expect(JSON.stringify(back)).toBe(JSON.stringify(one));
      expect(back).toEqual(one);
      const { work: _work, ...rest } = back ?? change();
      expect("work" in rest).toBe(false);
    }
    expect(JSON.stringify(kept[0]?.work?.patch)).toContain('"threshold":1.10,"big":9007199254740993');
  });

  it("is not held twice, and cannot be changed", () => {
    const changes = new Changes(undefined, most);
    const kept = changes.keep(change());
    expect(changes.keep(kept)).toBe(kept);
    expect(() => Object.assign(kept, { reason: "mine" })).toThrow(TypeError);
    expect(kept.reason).toBe("the source has changed");
  });

  it("is put otherwise without losing anything, also twice, and kept again", () => {
    const changes = new Changes(undefined, most);
    for (const one of all) {
      const done = altered<AppliedChange>(changes.keep(one), { outcome: "done" });
      expect(done).toEqual({ ...one, outcome: "done" });
      const told = altered<AppliedChange>(done, {
        reason: "told",
        work: undefined,
        outcome: "failed",
      } as object);
      const { work: _work, ...rest } = one;
      const expected = { ...rest, reason: "told", outcome: "failed" };
      expect({ ...told }).toEqual(expected);
      expect("work" in told).toBe(false);
      expect(changes.keep(told)).toEqual(expected);
      expect(altered<AppliedChange>(one, { outcome: "done" })).toEqual({ ...one, outcome: "done" });
    }
  });

  it("has its own reason, however many there are", () => {
    const changes = new Changes(undefined, most);
    const many = Array.from({ length: 5_000 }, (_, at) => change({ reason: `reason ${at}` }));
    const kept = many.map((one) => changes.keep(one));
    for (const at of [0, 1_999, 2_000, 2_001, 4_999]) expect(kept[at]).toEqual(many[at]);
  });

  it("comes back whatever it says", () => {
    const text = fc.string({ unit: "binary" });
    const any = fc.record(
      {
        reason: text,
        source: fc.record({ urn: text, name: text }),
        fields: fc.array(fc.record({ path: text, to: fc.jsonValue() as fc.Arbitrary<string> })),
        dependsOn: fc.array(text),
        finding: text,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 8 }), (some) => {
        const changes = new Changes(undefined, most);
        const made = some.map((more) => change(more));
        const kept = made.map((one) => changes.keep(one));
        expect(kept.map((one) => JSON.stringify(one))).toEqual(made.map((one) => JSON.stringify(one)));
      }),
    );
  });
});
