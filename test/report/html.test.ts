import { hash } from "node:crypto";
import { Script } from "node:vm";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { Payload } from "../../src/report/html/payload.ts";
import { piecesOfHtml, piecesOfJson, renderHtml } from "../../src/report/index.ts";
import { emptyResult, largeResult, resultOf, richResult } from "./fixtures.ts";
import { hostileChanges } from "./hostile.ts";
import { richChanges } from "./rich.ts";

const html = renderHtml(richResult());
const between = (text: string, start: string, end: string): string => {
  const from = text.indexOf(start) + start.length;
  return text.slice(from, text.indexOf(end, from));
};
const payload = (text: string): Payload =>
  JSON.parse(between(text, '<script type="application/json" id="data">', "</script>")) as Payload;

describe("HTML", () => {
  test("asks for nothing from anywhere", () => {
    const page = html.replace(between(html, 'id="data">', "</script>"), "");
    expect(page).not.toMatch(/\b(src|href)="(?!data:)/u);
    expect(page).not.toMatch(/@import|url\((?!#)|fetch\(|XMLHttpRequest|WebSocket|sendBeacon|import\(/u);
  });

  test("its policy allows exactly its own script and styles", () => {
    const policy = between(html, 'Content-Security-Policy" content="', '"');
    const digest = (text: string): string => `'sha256-${hash("sha256", text, "base64")}'`;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src ${digest(between(html, "<script>", "</script>"))};`);
    expect(policy).toContain(`style-src ${digest(between(html, "<style>", "</style>"))};`);
    expect(policy).not.toContain("unsafe");
  });

  test("what is secret is masked in its data alone: what the page is made of is no secret, and has to stay", () => {
    for (const secret of ["data", "test", "none", "true", "name", "Email", "1234"]) {
      const result = { ...richResult(), headline: `it says ${secret}, 1234`, plan: secret, durationMs: 1234 };
      const page = renderHtml(result, (text) => text.replaceAll(secret, "***"));
      for (const [start, end] of [
        ["<script>", "</script>"],
        ["<style>", "</style>"],
        ['Content-Security-Policy" content="', '"'],
      ] as const)
        expect(between(page, start, end)).toBe(between(html, start, end));
      const texts = (value: unknown): readonly string[] =>
        typeof value === "string"
          ? [value]
          : typeof value === "object" && value !== null
            ? Object.values(value).flatMap(texts)
            : [];
      expect(texts(payload(page)).filter((text) => text.includes(secret))).toEqual([]);
      expect(Object.keys(payload(page))).toEqual(Object.keys(payload(html)));
      expect(between(page, "<title>", "</title>")).toContain("***");
      expect(between(page, "<noscript>", "</noscript>")).toContain("it says ***");
    }
  });

  test("data can end no element: its text has no angle bracket, ampersand or line separator", () => {
    const data = between(html, 'id="data">', "</script>");
    expect(data).not.toMatch(/[<>&\u2028\u2029]/u);
    expect(html.match(/<\/script>/gu)).toHaveLength(2);
    expect(html.match(/<script/gu)).toHaveLength(2);
  });

  test("the title and what is shown without a script are escaped", () => {
    const evil = "</title><script>alert(1)</script>";
    const page = renderHtml({ ...emptyResult(), plan: evil, headline: evil });
    expect(page.match(/<script/gu)).toHaveLength(2);
    expect(page).toContain("&#60;/title&#62;");
  });

  test("the script is whole: functions need no module of the tool, and it parses", () => {
    const script = between(html, "<script>", "</script>");
    expect(script).not.toMatch(/\b(?:__vi|_vi_import|require\(|import[ ({]|export )|<!--|<\/script/u);
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/u,
    );
    expect(() => new Script(script)).not.toThrow();
  });

  test("holds every change, with its fields, once and in the order of the other formats", () => {
    const { items } = payload(html);
    expect(items.map((item) => item.id).toSorted()).toEqual(
      richResult()
        .changes.map((change) => change.id)
        .toSorted(),
    );
    expect(items.map((item) => item.at)).toEqual(items.map((_, index) => index));
    const fields = richResult().changes.flatMap((change) => change.fields);
    expect(items.flatMap((item) => item.fields)).toHaveLength(fields.length);
  });

  test("links lead both ways, and only to what is there", () => {
    const { items } = payload(renderHtml(resultOf(richChanges())));
    const rule = items.find((item) => item.name === "Order total is positive");
    expect(rule?.needs).toEqual([
      { text: 'terms "Customer"', at: items.find((item) => item.name === "Customer")?.at },
    ]);
    expect(rule?.neededBy.map((link) => link.text)).toEqual([
      'monitors "Invoices, hourly"',
      'monitors "Orders, daily"',
    ]);
    const board = items.find((item) => item.name === "Quality overview");
    expect(board?.needs.map((link) => link.at === undefined)).toEqual([false, true]);
    const term = items.find((item) => item.name === "Email address");
    expect(term?.pulledInBy).toEqual({
      text: 'rules "Email is well formed"',
      at: items.find((item) => item.name === "Email is well formed")?.at,
    });
  });

  test("a note that says no more than its entry is left out", () => {
    const change = richChanges().find(({ action }) => action === "manual");
    if (change?.source === undefined) throw new Error("the fixture has nothing manual");
    const coordinate = { kind: change.kind, ...change.source };
    const own = { severity: "error", code: "condition-builder", coordinate, summary: change.reason } as const;
    const notes = (found: object): unknown =>
      payload(renderHtml(resultOf([{ ...change, diagnostics: [{ ...own, ...found }] }]))).items[0]?.notes;
    expect(notes({})).toEqual([]);
    expect(notes({ pointer: "/name" })).toMatchObject([{ text: "", where: "/name" }]);
    expect(notes({ coordinate: { ...coordinate, urn: "urn:of:another" } })).toMatchObject([
      { where: expect.stringContaining("urn:of:another") },
    ]);
  });

  test("a row tells how much more is said inside, and how weighty it is, also where that is read later", () => {
    const [first] = richChanges();
    if (first === undefined) throw new Error("the fixture is empty");
    const said = (severity: "info" | "warning" | "error", code: Diagnostic["code"]): Diagnostic => ({
      severity,
      code,
      summary: `something about ${code}`,
    });
    const changes = [
      { ...first, id: "terms:a", diagnostics: [said("info", "row-note"), said("warning", "row-none")] },
      { ...first, id: "terms:b", diagnostics: [said("error", "refused")] },
      { ...first, id: "terms:c", diagnostics: [] },
    ];
    const saidOf = (all: typeof changes): Record<string, unknown> =>
      Object.fromEntries(payload(renderHtml(resultOf(all))).items.map(({ id, said }) => [id, said]));
    const few = saidOf(changes);
    expect(few["terms:a"]).toEqual({ count: 2, severity: "warning" });
    expect(few["terms:b"]).toEqual({ count: 1, severity: "error" });
    expect(few["terms:c"]).toBeUndefined();
    const others = Array.from({ length: 2_500 }, (_, at) => ({
      ...first,
      id: `terms:${at}`,
      diagnostics: [],
    }));
    expect(saidOf([...changes, ...others])).toMatchObject(few);
  });

  test("a text and a number that look alike are told apart", () => {
    const [first] = richChanges();
    if (first === undefined) throw new Error("the fixture is empty");
    const change = {
      ...first,
      fields: [
        { path: "/a", from: 5, to: "5" },
        { path: "/b", from: "5", to: "6" },
      ],
    };
    const fields = payload(renderHtml(resultOf([change]))).items[0]?.fields;
    expect(fields?.map((field) => [field.from?.text, field.to?.text])).toEqual([
      ["5", '"5"'],
      ["5", "6"],
    ]);
  });

  test("names are shown safely: no control or direction character is left but line breaks in values", () => {
    const { items } = payload(renderHtml(resultOf(hostileChanges())));
    const unsafe = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
    for (const item of items) {
      for (const text of [item.name, item.reason, item.kind, ...item.steps]) expect(text).not.toMatch(unsafe);
      for (const field of item.fields) {
        expect(field.path).not.toMatch(unsafe);
        expect((field.from?.text ?? "").replaceAll("\n", "")).not.toMatch(unsafe);
      }
    }
  });

  test("5,000 changes make a file of a few megabytes", () => {
    expect(Buffer.byteLength(renderHtml(largeResult()))).toBeLessThan(6_000_000);
  });

  test("5,000 changes are written in pieces, each a small part of them", () => {
    const result = largeResult();
    for (const pieces of [[...piecesOfHtml(result)], [...piecesOfJson(result)]]) {
      const whole = pieces.reduce((sum, { length }) => sum + length, 0);
      expect(pieces.length).toBeGreaterThan(5_000);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(whole / 4);
    }
  });
});
