import { expect, test } from "vitest";
import { isDay } from "../../src/plan/values.ts";

test("a day is one of the calendar", () => {
  const days = ["2027-03-31", "2028-02-29"];
  const others = [
    "2027-02-29",
    "2027-13-01",
    "2027-02-30",
    "2027-00-10",
    "27-03-31",
    "2027-3-31",
    "2027-03-31x",
  ];
  expect(days.filter((day) => !isDay(day))).toEqual([]);
  expect(others.filter(isDay)).toEqual([]);
});
