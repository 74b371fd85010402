import { describe, expect, test } from "vitest";
import type { Figures, Point } from "../figures/file.ts";
import { picture, rowsPicture } from "./picture.ts";
import { linear, logarithmic } from "./scale.ts";
import { element, text } from "./svg.ts";

const sizes = [1_060, 3_180, 10_400, 30_800, 102_200];

function figures(version: string, of: (objects: number) => Omit<Point, "objects">): Figures {
  const curves = sizes.map((objects) => ({ objects, ...of(objects) }));
  return { version, measured: "2026-11-22", on: "2 cores", figures: [], curves };
}

const now = figures("unreleased", (objects) => ({
  wallSeconds: objects / 2_000,
  cpuSeconds: objects / 2_500,
  peakMebibytes: 200,
  requests: Math.round(objects / 20),
}));
const last = figures("0.1.0", (objects) => ({
  wallSeconds: objects / 500,
  cpuSeconds: objects / 600,
  peakMebibytes: 200 + objects / 50,
  requests: Math.round(objects / 10),
}));

describe("scales", () => {
  test("a linear one begins at nothing and ends at a round number above all", () => {
    const scale = linear([285, 2_685]);
    expect(scale.ticks).toEqual([0, 1_000, 2_000, 3_000]);
    expect([scale.at(0), scale.at(1_500), scale.at(3_000)]).toEqual([0, 0.5, 1]);
    expect(linear([0]).ticks).toEqual([0, 1]);
  });

  test("on a logarithmic one what is ten times as much is always as far away", () => {
    const scale = logarithmic([1_000, 100_000]);
    expect(scale.ticks).toEqual([1_000, 3_000, 10_000, 30_000, 100_000]);
    expect([1_000, 10_000, 100_000].map((value) => Number(scale.at(value).toFixed(6)))).toEqual([0, 0.5, 1]);
  });

  test.each([[[0.9, 170]], [[140, 4_800]], [[5, 5]], [[0.05, 0.06]]])(
    "%j lies within it, with marks",
    (values) => {
      const scale = logarithmic(values, 2);
      for (const value of values) {
        expect(scale.at(value)).toBeGreaterThan(0);
        expect(scale.at(value)).toBeLessThanOrEqual(1);
      }
      expect(scale.ticks.length).toBeGreaterThanOrEqual(2);
      for (const tick of scale.ticks) expect(scale.at(tick)).toBeLessThanOrEqual(1 + 1e-9);
    },
  );
});

describe("the picture", () => {
  const drawn = picture(now, last);
  /** The heights of the points of a look, by chart; down is more. */
  const heights = (look: string): readonly number[] =>
    [...drawn.matchAll(new RegExp(`<circle class="${look}" cx="[\\d.]+" cy="([\\d.]+)"`, "g"))]
      .map(([, y]) => Number(y))
      .slice(1); // The first is in the legend.

  test("has three charts with title, unit, axis and a point for each size of both versions", () => {
    for (const title of ["Processor time", "Peak memory", "Requests"])
      expect(drawn).toContain(`>${title}</text>`);
    for (const unit of ["seconds, logarithmic", "MiB", "requests, logarithmic"])
      expect(drawn).toContain(`>${unit}</text>`);
    expect(drawn.match(/>100,000<\/text>/g)?.length).toBeGreaterThanOrEqual(3);
    expect(drawn.match(/>objects<\/text>/g)).toHaveLength(3);
    expect(heights("now")).toHaveLength(15);
    expect(heights("last")).toHaveLength(15);
  });

  test("what takes more is drawn higher", () => {
    const [mine, theirs] = [heights("now"), heights("last")];
    // All of time, of memory and of requests is more in the older one.
    for (const [index, y] of mine.entries()) expect(theirs[index]).toBeLessThan(y);
    expect(mine.slice(0, 5)).toEqual(mine.slice(0, 5).toSorted((one, other) => other - one));
    expect(new Set(mine.slice(5, 10)).size).toBe(1);
  });

  test("writes today's values beside their points, and everything out for those who do not see it", () => {
    expect(drawn.match(/class="value"/g)).toHaveLength(15);
    expect(drawn).toContain(">41</text>");
    expect(drawn).toContain("now: 1,060 objects: 0.4 s of processor time, 200 MiB, 53 requests;");
    expect(drawn).toContain("0.1.0: 1,060 objects: 1.8 s");
  });

  test("can be read on light and on dark ground, and asks nobody for anything", () => {
    expect(drawn).toContain("prefers-color-scheme: dark");
    expect(drawn).not.toMatch(/(?:href|url\(|@import|<script|<image)/);
  });

  test("without an earlier release there is one line", () => {
    const alone = picture(now, undefined);
    expect(alone.match(/class="line now"/g)).toHaveLength(4);
    expect(alone).not.toContain('class="line last"');
    expect(picture(now, { ...last, curves: [] })).toBe(alone);
  });
});

test.each([
  ["objects", picture(now, last)],
  [
    "rows",
    rowsPicture({
      ...now,
      rows: [2_000, 20_000, 200_000, 1_000_000].map((objects) => ({ ...now.curves[0], objects }) as Point),
    }),
  ],
])("along the axis of %s no two words lie over each other, and what is counted is said", (what, drawn) => {
  expect(drawn.match(new RegExp(`>${what}</text>`, "g"))).toHaveLength(3);
  const named = [...drawn.matchAll(/<text [^>]*class="tick"[^>]*>[^<]+<\/text>/g)].flatMap(([line]) => {
    const [, x] = / x="([\d.]+)"/.exec(line) ?? [];
    const [, name = ""] = />([^<]+)</.exec(line) ?? [];
    return line.includes("middle") ? [{ x: Number(x), half: 3.5 * name.length }] : [];
  });
  expect(named.length).toBeGreaterThanOrEqual(9);
  for (const [index, { x, half }] of named.entries()) {
    const next = named[index + 1];
    if (next !== undefined && next.x > x) expect(x + half).toBeLessThan(next.x - next.half);
  }
});

test("what is written into a picture is text", () => {
  expect(text({ x: 1.2345, class: 'a"b' }, "<b> & 'c'")).toBe(
    `<text x="1.2" class="a&quot;b">&lt;b&gt; &amp; 'c'</text>`,
  );
  expect(element("path", { d: "M0 0" })).toBe('<path d="M0 0"/>');
});

test("rows have a picture of their own: a table, and an entity beside it", () => {
  const drawn = rowsPicture({ ...now, rows: now.curves, records: last.curves.slice(0, 2) });
  expect(drawn).toContain("A whole first sync of rows");
  expect(drawn).toContain("reference data: 1,060 rows: 0.4 s of processor time, 200 MiB, 53 requests");
  expect(drawn.match(/<circle class="now" cx/g)).toHaveLength(3 * sizes.length + 1);
  expect(drawn.match(/<circle class="last" cx/g)).toHaveLength(3 * 2 + 1);
});
