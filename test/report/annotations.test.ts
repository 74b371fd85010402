import { describe, expect, test } from "vitest";
import type { AppliedChange } from "../../src/model/change.ts";
import { renderAnnotations, renderCodeQuality } from "../../src/report/index.ts";
import { emptyResult, largeResult, resultOf, richResult } from "./fixtures.ts";
import { hostileChanges, hostileNames } from "./hostile.ts";
import { richChanges } from "./rich.ts";

const gitHub = { GITHUB_ACTIONS: "true" };
const blocked = (change: AppliedChange): AppliedChange =>
  Object.assign({}, change, { action: "blocked", outcome: "blocked" } as const);
const blockedBy = (count: number) => resultOf(largeResult(count).changes.map(blocked));
const hostile = resultOf(hostileChanges().map(blocked));

interface Quality {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

describe("annotations", () => {
  test("nothing where nothing is a runner, or nothing is to say", () => {
    expect(renderAnnotations(richResult(), {})).toBe("");
    expect(renderAnnotations(emptyResult(), gitHub)).toBe("");
  });

  test("GitHub gets a command for each, with its reason and its next step", () => {
    expect(renderAnnotations(resultOf(richChanges()), gitHub)).toMatchInlineSnapshot(`
      "::error title=failed%3A monitors "Invoices%2C hourly"::the service refused it: 422, the catalog item has no attribute AMOUNT_EUR%0AThe target refused the object at /attributes/amount%0Aurn:gov:acme-dev:data-quality:dq-monitor:00000000-0000-4000-8000-000000000002%0Anext: run the documentation flow for INVOICES at prod, then ferry apply orders
      ::error title=in doubt%3A monitors "Refunds"::the answer was lost after the request was sent%0Aurn:gov:acme-dev:data-quality:dq-monitor:00000000-0000-4000-8000-000000000003%0Anext: ferry resolve orders
      ::error title=blocked%3A monitors "Stock levels"::connection "dev-wh" has no twin at prod at /catalogItemUrn%0Aurn:gov:acme-dev:data-quality:dq-monitor:00000000-0000-4000-8000-000000000004%0Anext: ferry mappings orders suggest --kinds connections
      ::error title=blocked%3A dashboards "Finance"::waits for monitors "Invoices, hourly", which failed%0Aurn:gov:acme-dev:data-quality:dq-dashboard:00000000-0000-4000-8000-000000000002%0Anext: mend what the reason names, then run ferry diff orders again
      ::warning title=conflict%3A terms "Order"::changed on both sides since the last apply%0Aurn:gov:acme-prod:catalog:term:00000000-0000-4000-8000-000000000069%0Anext: decide which side holds; policy conflict: source-wins takes the source
      ::warning title=drift%3A terms "Invoice"::changed at prod since the last apply, unchanged at dev%0Aurn:gov:acme-prod:catalog:term:00000000-0000-4000-8000-000000000068%0Anext: take the target's change over at the source; or policy drift: overwrite discards it
      ::warning title=manual%3A rules "Postcode (condition builder)"::rules made with the condition builder come without their expression%0Aurn:gov:acme-dev:data-quality:rule:00000000-0000-4000-8000-000000000003%0Anext: do this step by hand; this tool cannot do it
      ::warning title=delete%3A rules "Fax number is well formed"::gone from dev; this tool created it in run 20260901-1200-aa01%0Aurn:gov:acme-prod:data-quality:rule:00000000-0000-4000-8000-00000000006c
      ::warning title=delete%3A monitors "Fax numbers%2C weekly"::gone from dev; this tool created it in run 20260901-1200-aa01%0Aurn:gov:acme-prod:data-quality:dq-monitor:00000000-0000-4000-8000-00000000006d
      "
    `);
  });

  test("no name ends a command or starts another one", () => {
    const lines = renderAnnotations(hostile, gitHub).trimEnd().split("\n");
    for (const line of lines) {
      expect(line).toMatch(/^::(error|warning|notice) title=[^:,]*::/u);
      // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/u);
      expect(line).not.toMatch(/%(?!25|0A|0D|3A|2C)/u);
    }
    expect(hostileNames.length).toBeGreaterThan(20);
  });

  test("GitHub shows ten of a level: the tenth says how many there are", () => {
    const lines = renderAnnotations(blockedBy(37), gitHub).trimEnd().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toContain("title=28 more::");
    expect(renderAnnotations(blockedBy(10), gitHub).trimEnd().split("\n")).toHaveLength(10);
  });

  test("GitLab gets plain lines", () => {
    const text = renderAnnotations(resultOf(richChanges()), { GITLAB_CI: "true" });
    expect(text.split("\n")[0]).toMatch(/^ferry: /u);
    expect(text).toContain('  error: in doubt: monitors "Refunds": the answer was lost');
  });
});

describe("code quality", () => {
  const entries = (result: Parameters<typeof renderCodeQuality>[0]) =>
    JSON.parse(renderCodeQuality(result)) as Quality[];

  test("every entry has what GitLab asks for", () => {
    for (const entry of entries(richResult())) {
      expect(entry.description).not.toBe("");
      expect(entry.check_name).toMatch(/^ferry\/[a-z-]+$/u);
      expect(["info", "minor", "major", "critical", "blocker"]).toContain(entry.severity);
      expect(entry.location).toEqual({ path: "plans/orders.yaml", lines: { begin: 1 } });
    }
  });

  test("fingerprints are unique within a run and the same in the next one", () => {
    const twice = {
      ...richResult(),
      diagnostics: [...richResult().diagnostics, ...richResult().diagnostics],
    };
    const first = entries(twice).map((entry) => entry.fingerprint);
    expect(new Set(first)).toHaveLength(first.length);
    expect(entries(twice).map((entry) => entry.fingerprint)).toEqual(first);
  });

  test("the path stays inside of the repository", () => {
    expect(entries({ ...richResult(), plan: "../../etc/passwd" })[0]?.location.path).toBe(
      "plans/-..-etc-passwd.yaml",
    );
  });

  test("an empty run is an empty list", () => {
    expect(renderCodeQuality(emptyResult())).toBe("[]\n");
  });
});
