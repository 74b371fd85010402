import { expect, test } from "vitest";
import { measures } from "./measures/index.ts";
import { help, wishOf } from "./options.ts";

test("without a word every measure is taken but those that have to be named", () => {
  const chosen = measures.filter(({ onlyNamed }) => onlyNamed !== true);
  expect(chosen).toHaveLength(measures.length - 3);
  expect(wishOf([])).toEqual({ do: "rows", chosen, of: undefined, keep: false, quick: false });
});

test("--only takes some, in the order of the bench", () => {
  const wish = wishOf(["--only", "start, whole, million"]);
  expect(wish.do === "rows" ? wish.chosen.map(({ key }) => key) : []).toEqual(["whole", "start", "million"]);
  expect(() => wishOf(["--only", "whole,speed"])).toThrow("there is no measure speed");
});

test("what --quick gives is not kept", () => {
  expect(() => wishOf(["--quick", "--keep"])).toThrow("none to keep");
});

test("the help names every measure and every flag", () => {
  for (const { key, what } of measures) expect(help()).toMatch(new RegExp(`${key} +${what}`));
  for (const flag of ["only", "of", "keep", "curves", "draw", "quick"])
    expect(help()).toContain(`  --${flag} `);
});
