import type { InstanceParity, Measure, ParityPair } from "../../src/model/parity.ts";
import { percentOf } from "../../src/model/parity.ts";
import type { Result } from "../../src/model/result.ts";
import { emptySummary } from "../../src/model/result.ts";

const uuid = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
const party = (name: string) => ({ name, baseUrl: `https://${name}.example.com`, tenant: "acme" });

export function measure(passed: number, all: number): Measure {
  return { passed, failed: all - passed };
}

export function pairOf(
  index: number,
  changes: Partial<ParityPair> & { readonly name?: string } = {},
): ParityPair {
  const {
    name = `Monitor ${index}`,
    counts = { source: measure(980, 1000), target: measure(980, 1000) },
    ...rest
  } = changes;
  const quality = {
    ...(counts.source === undefined ? {} : { source: percentOf(counts.source) ?? 0 }),
    ...(counts.target === undefined ? {} : { target: percentOf(counts.target) ?? 0 }),
  };
  return {
    kind: index % 4 === 0 ? "primary-monitors" : "monitors",
    source: { urn: `urn:data:dev:data-quality:dq-monitor:${uuid(index)}`, name },
    target: { urn: `urn:data:prod:data-quality:dq-monitor:${uuid(index + 500)}`, name },
    outcome: "equal",
    reason: "quality and dimensions are the same",
    quality,
    counts,
    startedAt: { source: "2026-11-21T02:00:00Z", target: "2026-11-21T02:10:00Z" },
    dimensions: [{ name: "Completeness", ...counts }],
    differences: [],
    ...rest,
  };
}

export function instanceOf(name: string, changes: Partial<InstanceParity> = {}): InstanceParity {
  return {
    name,
    rule: "Value is present",
    terms: [],
    attributes: ["CUSTOMER_ID"],
    source: measure(250, 258),
    target: measure(227, 258),
    results: [
      { name: "Complete", source: 250, target: 227, passes: true },
      { name: "Not Complete", source: 8, target: 31, passes: false },
    ],
    explanations: [{ name: "Number is missing", source: 8, target: 31 }],
    parameters: [],
    findings: [],
    ...changes,
  };
}

/** One of every shape: what differs and why, what cannot be compared, what is equal. */
export function differentPair(index = 1, name = "Harvest Club"): ParityPair {
  const counts = { source: measure(243, 258), target: measure(222, 258) };
  return pairOf(index, {
    name,
    counts,
    outcome: "different",
    reason: 'quality is 8.1 points apart; it comes from "Number is present"',
    dimensions: [
      { name: "Completeness", source: measure(250, 258), target: measure(227, 258) },
      { name: "Validity", source: measure(251, 258), target: measure(251, 258) },
    ],
    differences: [
      {
        what: "quality",
        path: [],
        source: 94.18604651162791,
        target: 86.04651162790698,
        by: 8.139534883720927,
      },
      { what: "dimension", path: ["Completeness"], source: 96.9, target: 88, by: 8.9 },
      { what: "rule-instance", path: ["Number is present"], source: 96.9, target: 88, by: 8.9 },
    ],
    insight: {
      attributes: [
        { name: "CUSTOMER_ID", source: measure(250, 258), target: measure(227, 258) },
        { name: "TIER", source: measure(251, 258), target: measure(251, 258) },
      ],
      instances: [
        instanceOf("Number is present", {
          rule: "Number is present",
          parameters: [{ name: "limit", source: 10, target: 99 }],
          findings: [
            {
              threshold: {
                source: { value: 95, severity: "ERROR" },
                target: { value: 95, severity: "ERROR" },
              },
              status: { target: "ACTIVE" },
            },
          ],
        }),
        instanceOf("Status is known", {
          attributes: ["TIER"],
          source: measure(251, 258),
          target: measure(251, 258),
          results: [],
          explanations: [],
        }),
        instanceOf("E-mail format", { terms: ["E-mail address"], target: measure(0, 0) }),
      ],
      findings: [
        {
          threshold: { source: { value: 90, severity: "WARNING" }, target: { value: 92 } },
          status: { source: "CLOSED", target: "ACTIVE" },
        },
      ],
      samples: {
        columns: ["CUSTOMER_ID", "TIER"],
        hidden: ["EMAIL"],
        rows: {
          source: [{ values: [null, "gold"], invalid: ["Number is present: Number is missing"] }],
          target: [
            { values: [null, "green"], invalid: ["Number is present: Number is missing"] },
            { values: [17, "<b>bold</b>"], invalid: ["Status is known: Unknown status"] },
          ],
        },
      },
      notes: ['2 rule instances of the target may be "E-mail format"; the first one is compared'],
    },
    trend: {
      source: [93, 93.8, 94.19].map((percent, at) => ({
        startedAt: `2026-11-${19 + at}T02:00:00Z`,
        percent,
      })),
      target: [93.5, 86.05].map((percent, at) => ({ startedAt: `2026-11-${20 + at}T02:00:00Z`, percent })),
    },
  });
}

export function parityResult(parity: readonly ParityPair[], changes: Partial<Result> = {}): Result {
  const differs = parity.some(({ outcome }) => outcome === "different");
  return {
    version: "1.2.3",
    command: "parity",
    plan: "harvest",
    exitCode: differs ? 7 : 0,
    summary: emptySummary(),
    changes: [],
    diagnostics: [
      {
        severity: "info",
        code: "evaluates-nothing",
        summary: "33 moved monitors have no rule that is switched on",
      },
    ],
    requests: { source: { reads: 83 }, target: { reads: 106, writes: 0 } },
    durationMs: 878,
    source: party("dev"),
    target: party("prod"),
    headline: "1 moved monitor differs, 41 of 43 say the same as the original. 1 pair could not be compared.",
    next: ["ferry parity harvest --run"],
    parity,
    ...changes,
  };
}

export const hostile = [
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(2)</script>",
  "__proto__",
  "constructor",
  "tab\tand \u202eturned\u0007",
  "| pipe **bold** `code` [link](javascript:alert(3))",
];

/** What a steward sees on an ordinary day. */
export function ordinaryParity(): Result {
  return parityResult([
    ...Array.from({ length: 41 }, (_, index) =>
      pairOf(index + 10, {
        counts: { source: measure(900 + index, 1000), target: measure(900 + index, 1000) },
      }),
    ),
    pairOf(7, {
      outcome: "not-comparable",
      reason: "it has never run at prod",
      counts: { source: measure(99, 100) },
      dimensions: [],
    }),
    differentPair(),
  ]);
}

export function hostileParity(): Result {
  return parityResult([
    ...hostile.map((name, index) => differentPair(index + 1, name)),
    ...hostile.map((reason, index) =>
      pairOf(index + 50, { outcome: "not-comparable", reason, counts: {}, dimensions: [], name: reason }),
    ),
  ]);
}
