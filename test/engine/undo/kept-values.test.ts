import { expect, test } from "vitest";
import { Deeds } from "../../../src/engine/undo/deeds.ts";
import { KeptValues } from "../../../src/engine/undo/kept-values.ts";
import { parseJson } from "../../../src/model/json-text.ts";
import type { Scratch } from "../../../src/model/packed/spool.ts";

/** On disk, as far as anybody who asks for it can tell. */
function disk(): { readonly bytes: () => number; readonly open: () => Scratch } {
  let count = 0;
  return {
    bytes: () => count,
    open: () => {
      let all = Buffer.alloc(1 << 20);
      let used = 0;
      return {
        append(bytes) {
          while (used + bytes.length > all.length) all = Buffer.concat([all, Buffer.alloc(all.length)]);
          used += bytes.copy(all, used);
          count += bytes.length;
        },
        read(into, position) {
          all.copy(into, 0, position, position + into.length);
        },
      };
    },
  };
}

test("what is kept is what it was: listed, copied, compared, with numbers as they were written", () => {
  const value = {
    source: "a",
    body: parseJson('{"price":1.10,"__proto__":{"x":1},"none":null,"parts":[{"name":"é"}]}'),
    left: undefined,
  };
  const kept = new KeptValues().keep(value);
  expect(kept).toEqual({ source: "a", body: value.body });
  expect({ ...kept }).toEqual({ source: "a", body: value.body });
  expect(JSON.stringify(kept)).toBe(JSON.stringify(value));
  expect(Object.keys(kept)).toEqual(["source", "body"]);
  expect([kept.left, Object.hasOwn(kept, "left")]).toEqual([undefined, false]);
  // In a patch that is a deletion.
  const patch = new KeptValues().keep<Record<string, unknown>>({ none: null });
  expect([patch["none"], ...Object.entries(patch)]).toEqual([null, ["none", null]]);
});

test("of many the most is on disk, and each is found by whoever asks, in any order", () => {
  const { bytes, open } = disk();
  const values = new KeptValues(open);
  const one = (number: number): object => ({
    source: `s${number}`,
    body: { text: `${number} `.repeat(500) },
  });
  const kept = Array.from({ length: 4_000 }, (_, number) => values.keep(one(number)));
  expect(bytes()).toBeGreaterThan(4 << 20);
  for (const number of [3_999, 0, 1, 2_500, 2_499, 2_498, 3_998]) expect(kept[number]).toEqual(one(number));
});

test("what a run did to many objects is kept there, and taken back from there", () => {
  const { bytes, open } = disk();
  const deeds = new Deeds(
    () => true,
    () => false,
    open,
  );
  const at = "2026-01-01T00:00:00Z";
  const text = "what it said ".repeat(400);
  for (let number = 0; number < 2_000; number += 1) {
    const [source, target, op] = [`s${number}`, `t${number}`, `op ${number}`];
    const item = { source, name: source, target, body: { text }, undo: { text: `${number} ${text}` } };
    deeds.feed({ type: "intent", run: "run", op, at, kind: "terms", step: "patch", items: [item] });
    const entry = { name: source, target, origin: "created" as const, keys: { [source]: target } };
    deeds.feed({ type: "outcome", op, at, items: [{ source, result: "done", entry }] });
  }
  expect(bytes()).toBeGreaterThan(4 << 20);
  const all = deeds.newestFirst();
  expect(all).toHaveLength(2_000);
  for (const number of [0, 1_000, 1_999])
    expect(all[1_999 - number]).toMatchObject({
      source: `s${number}`,
      undos: [{ patch: { text: `${number} ${text}` }, keys: { [`s${number}`]: `t${number}` } }],
      sent: [{ body: { text } }],
    });
});
