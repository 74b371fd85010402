import { expect, test } from "vitest";
import { tooManyRefused } from "../../../src/engine/records/bad-rows.ts";

test.each([
  [1, "1 row of Countries was refused"],
  [1_200, "1,200 rows of Countries were refused"],
])("%d refused: %s", (count, told) => {
  expect(tooManyRefused(count, "Countries").reason).toBe(`${told}, more than limits.badRows allows`);
});
