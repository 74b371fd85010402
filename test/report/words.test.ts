import { array, assert, constantFrom, property, string } from "fast-check";
import { expect, test } from "vitest";
import { words } from "../../src/report/html/client/words.ts";
import type { Part, Words } from "../../src/report/html/client/words.ts";

const diff: Words["diff"] = (before, after) => words().diff(before, after);
const whole = (parts: readonly Part[]): string => parts.map((part) => part.text).join("");
const kept = (parts: readonly Part[]): string =>
  parts
    .filter((part) => part.same)
    .map((part) => part.text)
    .join("");
const changed = (parts: readonly Part[]): readonly string[] =>
  parts.filter((part) => !part.same).map((part) => part.text);

test("marks the words that differ, and no others", () => {
  const { before, after } = diff("bought in the last 24 months", "bought in the last 36 months or so");
  expect(changed(before)).toEqual(["24"]);
  expect(changed(after)).toEqual(["36", " or so"]);
});

test("equal texts have no marks; texts with nothing in common are marked whole", () => {
  expect(diff("same", "same").before).toEqual([{ text: "same", same: true }]);
  expect(diff("one", "two").after).toEqual([{ text: "two", same: false }]);
  expect(diff("", "new")).toEqual({ before: [], after: [{ text: "new", same: false }] });
});

test("nothing is lost or made up, and what is the same is the same on both sides", () => {
  const text = array(constantFrom("a", "b", " ", "番号", ".", "\n", "👩‍💻", "_x"), { maxLength: 30 }).map(
    (parts) => parts.join(""),
  );
  for (const source of [text, string({ unit: "binary" })]) {
    assert(
      property(source, source, (a, b) => {
        const { before, after } = diff(a, b);
        expect(whole(before)).toBe(a);
        expect(whole(after)).toBe(b);
        expect(kept(before)).toBe(kept(after));
      }),
    );
  }
});

test("very long texts cost no more than their beginnings and ends", () => {
  const long = (seed: string): string =>
    Array.from({ length: 20_000 }, (_, index) => `${seed}${index}`).join(" ");
  const { before } = diff(`start ${long("a")} end`, `start ${long("b")} end`);
  expect(before[0]).toEqual({ text: "start ", same: true });
  expect(before.at(-1)).toEqual({ text: " end", same: true });
});
