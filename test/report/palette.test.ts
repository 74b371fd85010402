import { describe, expect, test } from "vitest";
import { palette } from "../../src/report/html/styles/palette.ts";

/** Relative luminance and contrast as WCAG 2 defines them. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((one, other) => one - other);
  return (high + 0.05) / (low + 0.05);
}

const colours = new Map(
  [...palette.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/gu)].map(
    ([, name = "", light = "", dark = ""]) => [name, [light, dark]] as const,
  ),
);
const meanings = ["green", "blue", "violet", "teal", "amber", "red", "gray"];
const pairs = [
  ...meanings.flatMap((name) => [
    [name, `${name}-ground`],
    [name, "surface"],
  ]),
  ...["ground", "surface", "sunken"].flatMap((ground) => [
    ["text", ground],
    ["soft", ground],
    ["link", ground],
  ]),
  ...["amber-ground", "red-ground", "gray-ground"].flatMap((ground) => [
    ["text", ground],
    ["soft", ground],
  ]),
].map(([ink = "", ground = ""]) => [ink, ground] as const);

describe("colours can be read", () => {
  test.each(pairs)("%s on %s, in light and in dark", (ink, ground) => {
    for (const theme of [0, 1]) {
      const [a, b] = [colours.get(ink)?.[theme], colours.get(ground)?.[theme]];
      expect(contrast(a ?? "", b ?? "")).toBeGreaterThanOrEqual(4.5);
    }
  });

  test("white on the alarm", () => {
    for (const alarm of colours.get("alarm") ?? [""])
      expect(contrast("#ffffff", alarm)).toBeGreaterThanOrEqual(4.5);
  });
});
