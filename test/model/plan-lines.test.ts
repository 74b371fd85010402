import { describe, expect, it, test } from "vitest";
import { likeness, mostAlike } from "../../src/model/alike.ts";
import { guessRename, pairLine, quoted, renameLine } from "../../src/model/plan-lines.ts";
import { parse } from "yaml";

describe("a rename that is guessed", () => {
  it.each([
    ["DEV_SALES/ORDERS", "PROD_SALES/ORDERS", "^DEV_", "PROD_"],
    ["/data/dev/orders", "/data/prod/orders", "/dev/", "/prod/"],
    ["lake/orders-dev", "lake/orders-prod", "-dev$", "-prod"],
    ["dev.db/x", "prod.db/x", "^dev\\.", "prod."],
    ["DEV/x", "a$&b/x", "^DEV/", "a$$&b/"],
  ])("makes %s to %s by %s", (from, to, pattern, replace) => {
    const guess = guessRename(from, to);
    expect(guess).toMatchObject({ pattern, replace });
    expect(from.replace(new RegExp(guess?.pattern ?? "?", "u"), guess?.replace ?? "")).toBe(to);
  });

  it("ends with its word, so that it does not catch another one that begins alike", () => {
    const { pattern = "" } = guessRename("DEV_SALES/A", "PROD_SALES/A") ?? {};
    expect("DEVICES/A").not.toMatch(new RegExp(pattern, "u"));
  });

  it.each([
    ["SALES", "ORDERS"],
    ["same", "same"],
  ])("is none for %s and %s", (from, to) => {
    expect(guessRename(from, to)).toBeUndefined();
  });
});

test("lines for the plan are YAML whatever is in a name, and safe on a terminal", () => {
  const hostile = 'a": {b}, # c\n\u001b[31m\u202e\u200b\u009b';
  expect(parse(`{ ${pairLine(hostile, "x")} }`)).toEqual({ [hostile]: "x" });
  expect(parse(renameLine({ pattern: hostile, replace: hostile }))).toEqual([
    { pattern: hostile, replace: hostile },
  ]);
  expect(quoted(hostile)).toMatch(/^[\u0020-\u007e]*$/u);
});

describe("names that are alike", () => {
  it("are found among many, and none is found where none is", () => {
    const names = ["Snowflake PROD", "Shop Postgres PROD", "Landing zone PROD"];
    const nearest = (name: string): string | undefined => mostAlike(name, names, (found) => found);
    expect(nearest("Snowflake DEV")).toBe("Snowflake PROD");
    expect(nearest("landing zone dev")).toBe("Landing zone PROD");
    expect(nearest("Kafka")).toBeUndefined();
    expect(mostAlike("A", ["B", "a"], (found) => found)).toBe("a");
  });

  it("are so by what they share", () => {
    expect(likeness("Same", "sAME")).toBe(1);
    expect(likeness("abc", "xyz")).toBe(0);
    expect(likeness("dev-wh", "prod-wh")).toBeGreaterThan(likeness("dev-wh", "prod-shop-db"));
  });
});
