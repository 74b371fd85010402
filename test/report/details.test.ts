import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { columns } from "../../src/report/columns.ts";
import { detailLines } from "../../src/report/details.ts";
import { inWhole } from "../support/whole.ts";

const checks = [
  { side: "dev", name: "detection rules", state: "ok", detail: "can be read, 11 in all" },
  {
    side: "prod",
    name: "sign-in",
    state: "failed",
    detail:
      'POST /auth/realms/prod/protocol/openid-connect/token at "prod": signing in with client id "prod-client" was refused (401): invalid_client, Unknown client, or wrong secret.',
  },
];

describe("a table of details", () => {
  test.each([60, 80, 120])("stays a table of at most %i columns when a cell is long", (width) => {
    const lines = detailLines({ checks }, width);
    expect(lines[1]).toMatch(/^ {2}side +name +state +detail$/u);
    for (const line of lines) expect(columns(line)).toBeLessThanOrEqual(width);
    const at = (lines[1] ?? "").indexOf("detail");
    // What is wrapped stays in its own column, and nothing of it is lost.
    const cells = lines.slice(3).map((line) => line.slice(at));
    expect(cells.join("").replaceAll(" ", "")).toBe(checks[1]?.detail.replaceAll(" ", ""));
    for (const line of lines.slice(4)) expect(line.slice(0, at).trim()).toBe("");
  });

  test("is an outline where the page is too narrow for a table", () => {
    expect(detailLines({ checks }, 44)).toContain("  - side: dev");
  });

  test("is an outline where a URN would have to be broken", () => {
    const urn = "urn:data:prod:data-quality:rule:2164fa5d-eac0-4b47-b024-5b84d19a7f8a";
    const rows = [{ urn, name: "Value is present", sameContent: true }];
    expect(detailLines({ candidates: rows }, 120)).toContain(`  ${urn}  Value is present  true`);
    expect(detailLines({ candidates: rows }, 80)).toEqual([
      "candidates:",
      `  - urn: ${urn}`,
      "    name: Value is present",
      "    sameContent: true",
    ]);
  });

  test("breaks an address after a slash", () => {
    const rows = [{ a: "short", b: `/one/${"x".repeat(20)}/${"y".repeat(30)}` }];
    expect(detailLines(rows, 40)).toEqual([
      "a      b",
      `short  /one/${"x".repeat(20)}/`,
      `       ${"y".repeat(30)}`,
    ]);
  });
});

test("at a terminal long lines are broken between words, under their own text; elsewhere they are whole", () => {
  const urn = "urn:data:prod:data-quality:rule:2164fa5d-eac0-4b47-b024-5b84d19a7f8a";
  const details = { rules: [`"Value is present" (created): ${urn} -> ${urn}`, "short"] };
  expect(detailLines(details, 80)).toEqual(["rules:", `  - ${details.rules[0] ?? ""}`, "  - short"]);
  expect(detailLines(details, 80, true)).toEqual([
    "rules:",
    '  - "Value is present" (created):',
    `      ${urn} ->`,
    `      ${urn}`,
    "  - short",
  ]);
});

test("text of several lines stands at the margin, to be copied", () => {
  expect(detailLines({ count: 1, pairing: "pairing:\n  sources: {}\n" }, 80)).toEqual([
    "count: 1",
    "",
    "pairing:",
    "  sources: {}",
  ]);
  expect(detailLines({ pairing: "a:\n  \u001b[31m\n" }, 80)).toEqual(["a:", "  \\u{1b}[31m"]);
  // What came from a service is not meant: a name ends no line.
  expect(detailLines({ name: "a\n##[b]\n", pairs: [{ name: "a\nb" }] }, 80)).toEqual([
    "name: a\\u{a}##[b]\\u{a}",
    "pairs:",
    "  name",
    "  a\\u{a}b",
  ]);
});

inWhole(
  "a table has as many rows as there are, also more than a call takes arguments where a command runs",
  () => {
    // Whoever runs tests has a larger stack than a command has.
    const module = new URL("../../src/report/details.ts", import.meta.url).href;
    const code = `
    const { detailLines } = await import(${JSON.stringify(module)});
    const mappings = Array.from({ length: 200_000 }, (_, index) => ({ source: "urn:" + index }));
    console.log(detailLines({ mappings }, 100).at(-1).trim());`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
    expect(said).toBe("urn:199999\n");
  },
);

test("a URN that fits into a line of the terminal is not broken at the end of one", () => {
  const urns = ["dq-monitor", "dq-dashboard"].map(
    (type) => `(urn:data:dev:data-quality:${type}:9966d3b7-3483-4e19-aadc-c32f411cdaef):`,
  );
  const lines = detailLines(
    { "in doubt": urns.map((urn) => `monitors "SALES_ORDER" ${urn} no answer`) },
    80,
    true,
  );
  for (const line of lines) expect(columns(line)).toBeLessThanOrEqual(80);
  for (const urn of urns) expect(lines.some((line) => line.trim() === urn)).toBe(true);
});
