import { describe, expect, test } from "vitest";
import type { ParityPair } from "../../src/model/parity.ts";
import { barText } from "../../src/report/parity/text.ts";
import { percentText } from "../../src/report/parity/order.ts";
import { renderHtml, renderJson, renderMarkdown, renderText } from "../../src/report/index.ts";
import {
  differentPair,
  hostile,
  hostileParity,
  measure,
  ordinaryParity,
  pairOf,
  parityResult,
} from "./parity-fixture.ts";

/** What would let a text turn its surroundings around or out. */
// oxlint-disable-next-line no-control-regex -- that there are none is the question
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;

describe("text", () => {
  const text = renderText(ordinaryParity(), { width: 100 });

  test("puts both sides as bars beside each other, what differs first, down to the rule instance", () => {
    expect(text).toContain("Differs (1)");
    expect(text).toMatch(/dev {3}█{18}▌· {2}94\.19 % {2}243 of 258/);
    expect(text).toMatch(/prod {2}█{17}··· {2}86\.05 % {2}222 of 258/);
    expect(text).toContain("rule instance Number is present (on CUSTOMER_ID): 96.9 % (250 of 258) at dev");
    expect(text).toContain('records "Number is missing": 8 at dev, 31 at prod');
    expect(text).toContain("parameter limit: 10 at dev, 99 at prod");
    expect(text).toContain("threshold WARNING 90 % here, 92 % there: CLOSED at dev, ACTIVE at prod");
    expect(text).toContain("not read out, protected: EMAIL");
    expect(text.indexOf("Differs (1)")).toBeLessThan(text.indexOf("Not comparable (1)"));
    expect(text.indexOf("Not comparable (1)")).toBeLessThan(text.indexOf("Says the same (41)"));
  });

  test("its whole report has pairs in it, and no changes", () => {
    const told = renderText(ordinaryParity(), { width: 100, whole: "plans/orders/parity.html" });
    expect(told).toContain("Every pair: plans/orders/parity.html");
    expect(told).not.toContain("Every change");
  });

  test("what is equal is counted, and listed when more is asked for", () => {
    expect(text).not.toContain("Monitor 12");
    expect(renderText(ordinaryParity(), { width: 100, verbose: 1 })).toContain('monitors "Monitor 13"');
  });

  test("many that cannot be compared for one reason stand together, by name; with -v each by itself", () => {
    const never = (count: number, kind = "monitors"): readonly ParityPair[] =>
      Array.from({ length: count }, (_, index) => ({
        ...pairOf(index + 1, {
          outcome: "not-comparable",
          reason: "it has never run at prod",
          counts: { source: measure(99, 100) },
          dimensions: [],
        }),
        kind,
      }));
    const result = parityResult([...never(47), ...never(4, "primary-monitors")]);
    const told = renderText(result, { width: 100 });
    expect(told.split("it has never run at prod")).toHaveLength(6);
    expect(told).toContain(
      "monitors (47): it has never run at prod\n      Monitor 1, Monitor 10, Monitor 11",
    );
    expect(told).toMatch(/, \.\.\. and \d+ more/);
    expect(told).toContain('primary-monitors "Monitor 4" 99 %: it has never run at prod');
    expect(renderText(result, { width: 100, verbose: 1 }).split("it has never run")).toHaveLength(52);
    const page = renderMarkdown(result);
    expect(page).toContain("- **47 monitors**: it has never run at prod (Monitor 1, Monitor 10");
    expect(page.split("it has never run at prod")).toHaveLength(6);
    expect(renderText(parityResult(never(4)), { width: 100 }).split("never run")).toHaveLength(5);
  });

  test("fits its width, and what is hostile is text", () => {
    const hostileText = renderText(hostileParity(), { width: 72, verbose: 1 });
    expect(hostileText.replaceAll("\n", "")).not.toMatch(unsafe);
    const long = hostileText.split("\n").filter((line) => Array.from(line).length > 90);
    expect(long).toEqual([]);
  });

  test.each([
    [100, "100 %"],
    [99.9999, "99.99 %"],
    [0.0001, "0.01 %"],
    [0, "0 %"],
    [undefined, "–"],
  ])("%s per cent is not rounded to what it is not: %s", (percent, shown) => {
    expect(percentText(percent)).toBe(shown);
  });

  test.each([
    [0, "·".repeat(20)],
    [100, "█".repeat(20)],
    [250, "█".repeat(20)],
    [undefined, "·".repeat(20)],
  ])("a bar of %s per cent", (percent, bar) => {
    expect(barText(percent)).toBe(bar);
  });
});

describe("order", () => {
  test("the largest difference first; what differs in a dimension alone by that", () => {
    const small = pairOf(1, {
      name: "small",
      outcome: "different",
      counts: { source: measure(100, 100), target: measure(99, 100) },
      differences: [{ what: "quality", path: [], source: 100, target: 99, by: 1 }],
    });
    const inside = pairOf(2, {
      name: "inside",
      outcome: "different",
      differences: [{ what: "dimension", path: ["Validity"], source: 100, target: 95, by: 5 }],
    });
    const text = renderText(parityResult([small, inside, differentPair(3, "large")]), { width: 100 });
    const places = ["large", "inside", "small"].map((name) => text.indexOf(`"${name}"`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).toContain('"inside": 5 points apart');
  });
});

describe("JSON", () => {
  test("has each pair as the design says", () => {
    const document = JSON.parse(renderJson(ordinaryParity())) as { parity: ParityPair[] };
    const found = document.parity.find(({ outcome }) => outcome === "different");
    expect(Object.keys(found ?? {}).slice(0, 6)).toEqual([
      "kind",
      "source",
      "target",
      "outcome",
      "reason",
      "quality",
    ]);
    expect(found).toMatchObject({ quality: { source: 94.18604651162791, target: 86.04651162790698 } });
    expect(document.parity).toHaveLength(43);
  });
});

describe("Markdown", () => {
  const text = renderMarkdown(ordinaryParity());

  test("has a table of what differs, and why, folded", () => {
    expect(text).toContain(
      "| monitors **Harvest Club** | 94.19 % (243 of 258) | 86.05 % (222 of 258) | 8.14 points |",
    );
    expect(text).toContain("<details><summary>monitors Harvest Club</summary>");
    expect(text).toContain("  - records");
    expect(text).toContain("### Not comparable (1)");
  });

  test("keeps what is hostile inside, and its size", () => {
    const hostileText = renderMarkdown(hostileParity());
    expect(hostileText).not.toMatch(unsafe);
    expect(hostileText).not.toContain("<img");
    expect(hostileText).not.toContain("<script");
    expect(hostileText).not.toMatch(/(?<!\\)\[link\]\(/);
    const many = parityResult(
      Array.from({ length: 3_000 }, (_, index) => differentPair(index, hostile[index % 6])),
    );
    const cut = renderMarkdown(many);
    expect(new TextEncoder().encode(cut).length).toBeLessThanOrEqual(60_000);
    expect(cut).toMatch(/more lines did not fit here/);
  });
});

describe("HTML", () => {
  test("is one file whose policy lets nothing else in, and what is hostile stays data", () => {
    const page = renderHtml(hostileParity());
    expect(page).toContain("default-src 'none'");
    expect(page).not.toContain("<img src=x");
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page).not.toMatch(/[\u202a-\u202e]/u);
  });

  test("a sync that compared at its end keeps the page of its changes", () => {
    const page = renderHtml({ ...ordinaryParity(), command: "sync" });
    expect(page).toContain("Search the changes");
  });
});
