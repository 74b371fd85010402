import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Row } from "../row.ts";
import type { Figures } from "./file.ts";
import { keepFigures, lastBefore, parseFigures, readFigures } from "./file.ts";
import { busy, figuresOf } from "./figures-of.ts";

const folder = `${mkdtempSync(join(tmpdir(), "figures-"))}/`;
afterAll(() => rmSync(folder, { recursive: true }));

function of(version: string): Figures {
  return {
    version,
    measured: "2026-11-21",
    on: "2 cores",
    figures: [{ key: "memory", value: 2.9, unit: "x", published: true }],
    curves: [{ objects: 1_000, wallSeconds: 1.5, cpuSeconds: 1.2, peakMebibytes: 120, requests: 100 }],
  };
}

const row: Row = { key: "memory", what: "", value: 1.23456, unit: "x", goal: { most: 1.3 }, from: "" };

describe("the figures of a version", () => {
  test("are read as they were kept, in the order of the versions", () => {
    for (const version of ["unreleased", "0.10.0", "0.2.0", "0.9.1"]) keepFigures(of(version), folder);
    const all = readFigures(folder);
    expect(all.map(({ version }) => version)).toEqual(["0.2.0", "0.9.1", "0.10.0", "unreleased"]);
    expect(all[0]).toEqual(of("0.2.0"));
    expect(lastBefore("0.10.0", all)?.version).toBe("0.9.1");
    expect(lastBefore("0.11.0", all)?.version).toBe("0.10.0");
    expect(lastBefore("unreleased", all)?.version).toBe("0.10.0");
    expect(lastBefore("0.2.0", all)).toBeUndefined();
  });

  test.each([
    ["a unit that nobody knows", { figures: [{ key: "memory", value: 1, unit: "stones" }] }],
    ["a figure that is none", { figures: [{ key: "memory", value: "1.2", unit: "x" }] }],
    ["a word too many", { machine: "mine" }],
    ["no version", { version: "next" }],
    ["a point without objects", { curves: [{ ...of("1.0.0").curves[0], objects: 0 }] }],
  ])("are refused with %s", (_what, wrong) => {
    expect(() => parseFigures(JSON.stringify({ ...of("1.0.0"), ...wrong }))).toThrow();
  });

  test("keep what was not measured again", () => {
    const before = of("1.0.0");
    const other = { key: "version", value: 46, unit: "ms" as const };
    const next = figuresOf("1.0.0", [row], { ...before, figures: [...before.figures, other] }, undefined);
    expect(next.figures).toEqual([other, { key: "memory", value: 1.235, unit: "x" }]);
    expect(next.curves).toEqual(before.curves);
  });
});

test("figures of a busy machine say so", () => {
  expect(busy(0.2)).toBeUndefined();
  const warning = busy(3.14);
  expect(warning).toContain("busy (load 3.1)");
  expect(figuresOf("1.0.0", [row], undefined, warning).on).toMatch(
    /^\d+ cores, Node [\d.]+; the machine is busy/,
  );
  expect(figuresOf("1.0.0", [row], undefined, undefined).on).toMatch(/^\d+ cores, Node [\d.]+$/);
});

test("all that is kept in this folder can be read", () => {
  for (const { figures } of readFigures())
    expect(new Set(figures.map(({ key }) => key)).size).toBe(figures.length);
});
