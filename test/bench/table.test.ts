import { describe, expect, test } from "vitest";
import type { Figures } from "./figures/file.ts";
import type { Row } from "./row.ts";
import { amount, isMet, middle } from "./row.ts";
import { change, comparedTable, measuredTable } from "./table.ts";

const requests: Row = {
  key: "requests-sync",
  what: "requests of a whole sync",
  value: 1.0312,
  unit: "x",
  goal: { most: 1.05 },
  from: "602 sent, 584 needed",
};
const version: Row = {
  key: "version",
  what: "ferry --version",
  value: 100,
  unit: "ms",
  goal: { most: 100, under: true },
  spread: [93.2, 131.7],
  from: "Node alone takes 40 ms",
};
const last: Figures = {
  version: "0.1.0",
  measured: "2026-11-21",
  on: "2 cores",
  figures: [
    { key: "requests-sync", value: 1.25, unit: "x" },
    { key: "recording", value: 8, unit: "%", published: true },
  ],
  curves: [],
};

describe("a row", () => {
  test("meets a goal that it equals, but not one that it has to stay under", () => {
    expect(isMet({ value: 1.05, goal: { most: 1.05 } })).toBe(true);
    expect(isMet({ value: 1.0501, goal: { most: 1.05 } })).toBe(false);
    expect(isMet({ value: 5, goal: { most: 5, under: true } })).toBe(false);
    expect(isMet({ value: Number.NaN, goal: { most: 5 } })).toBe(false);
  });

  test("is the median of its rounds, with the least and the most", () => {
    expect(middle([3, 1, 10])).toEqual({ value: 3, spread: [1, 10] });
    expect(middle([4, 1, 3, 10])).toEqual({ value: 3.5, spread: [1, 10] });
    expect(middle([4])).toEqual({ value: 4 });
  });

  test("says small times with two digits", () => {
    expect(["x", "%", "s"].map((unit) => amount(1.234, unit as "x"))).toEqual(["1.23 x", "1.2 %", "1.23 s"]);
    expect([amount(0.4567, "ms"), amount(46.2, "ms")]).toEqual(["0.46 ms", "46 ms"]);
  });
});

test("what was measured stands beside its goal, and what it was made of below", () => {
  expect(measuredTable([requests, version])).toBe(
    [
      "| what                     | measured           | goal      |        |",
      "| ------------------------ | ------------------ | --------- | ------ |",
      "| requests of a whole sync | 1.03 x             | <= 1.05 x | met    |",
      "| ferry --version          | 100 ms (93 to 132) | < 100 ms  | MISSED |",
      "",
      "requests of a whole sync: 602 sent, 584 needed",
      "ferry --version: Node alone takes 40 ms",
      "",
    ].join("\n"),
  );
});

describe("beside the last release", () => {
  test("a row says how it changed; one that was not measured then says so", () => {
    const recording: Row = {
      ...requests,
      key: "recording",
      what: "journal",
      value: 4,
      unit: "%",
      goal: { most: 5 },
    };
    expect(comparedTable([requests, recording, version], last)).toBe(
      [
        "| what                     | goal      | 0.1.0        | now    | change |",
        "| ------------------------ | --------- | ------------ | ------ | ------ |",
        "| requests of a whole sync | <= 1.05 x | 1.25 x       | 1.03 x | -18 %  |",
        "| journal                  | <= 5 %    | 8.0 % *      | 4.0 %  | -50 %  |",
        "| ferry --version          | < 100 ms  | not measured | 100 ms |        |",
        "* as 0.1.0 published it; measured in another way",
        "",
      ].join("\n"),
    );
  });

  test("without one it says that there is none", () => {
    expect(comparedTable([requests], undefined)).toContain("no figures of an earlier release");
  });

  test("more, less and the same", () => {
    expect([change(2, 3), change(2, 1.5), change(2, 2.001), change(0, 1)]).toEqual([
      "+50 %",
      "-25 %",
      "the same",
      "",
    ]);
  });
});
