import { describe, expect, test } from "vitest";
import { parseFaults } from "../../src/emulator/index.ts";

describe("parseFaults", () => {
  test("takes an array, or an object with faults", () => {
    const rules = [
      {
        match: { path: "/terms$/" },
        when: { skip: 1, times: 2, chance: 0.5 },
        effect: { type: "drop-after-commit" },
      },
      { effect: { type: "status", code: 503, retryAfter: "Wed, 21 Oct 2026 07:28:00 GMT", commit: true } },
      { effect: { type: "missing-items", indexes: [0, 3] } },
    ];
    expect(parseFaults(rules)).toEqual(rules);
    expect(parseFaults({ faults: rules })).toEqual(rules);
  });

  test.each<[string, unknown, string]>([
    ["no array", { rules: [] }, "holds an array of rules"],
    ["a rule that is no object", ["x"], "faults[0] must be an object"],
    ["no effect", [{}], "faults[0].effect is required"],
    [
      "an unknown effect",
      [{ effect: { type: "explode" } }],
      "faults[0].effect.type must be one of refuse-connection, drop",
    ],
    ["an unknown part of a rule", [{ wen: {}, effect: { type: "garbage" } }], "faults[0].wen is not known"],
    [
      "an unknown condition",
      [{ match: { host: "x" }, effect: { type: "garbage" } }],
      "faults[0].match.host is not known",
    ],
    [
      "an unknown field of an effect",
      [{ effect: { type: "garbage", ms: 1 } }],
      "faults[0].effect.ms is not known",
    ],
    ["a missing field", [{ effect: { type: "delay" } }], "faults[0].effect.ms is required"],
    ["a missing count", [{ effect: { type: "partial-commit" } }], "faults[0].effect.count is required"],
    ["a stale list without measure", [{ effect: { type: "stale-list" } }], "needs ms or requests"],
    ["a status that is none", [{ effect: { type: "status", code: 200 } }], "must be a status of 400 to 599"],
    [
      "a chance above 1",
      [{ when: { chance: 2 }, effect: { type: "garbage" } }],
      "faults[0].when.chance must be a number of 0 to 1",
    ],
    [
      "a negative skip",
      [{ when: { skip: -1 }, effect: { type: "garbage" } }],
      "faults[0].when.skip must be a whole number",
    ],
    [
      "a bad expression",
      [{ match: { path: "/(/" }, effect: { type: "garbage" } }],
      "is no regular expression",
    ],
    ["a path that is none", [{ match: { path: "terms" }, effect: { type: "garbage" } }], "must start with /"],
    [
      "a stage that is none",
      [{ effect: { type: "delay", ms: 1, at: "now" } }],
      "must be before-commit or after-commit",
    ],
  ])("refuses %s", (_what, json, message) => {
    expect(() => parseFaults(json)).toThrow(message);
  });

  test("names every fault of the file at once", () => {
    const file = [{ effect: { type: "delay" } }, { effect: { type: "garbage" } }, { effect: {} }];
    expect(() => parseFaults(file)).toThrow(/faults\[0\][\s\S]*faults\[2\]/);
  });
});
