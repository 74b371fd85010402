import * as fc from "fast-check";

/** What an environment holds, as plain data; numbers name the things of each kind by their place. */
export interface Estate {
  readonly terms: readonly TermPlan[];
  readonly rules: readonly RulePlan[];
  readonly monitors: readonly MonitorPlan[];
  /** What primary monitors are configured to. */
  readonly primaries: readonly MonitorPlan[];
  readonly dashboards: readonly DashboardPlan[];
}

export interface TermPlan {
  readonly type: string;
  readonly name: string;
  readonly text: string;
  /** Terms that the rich text of its description mentions; without any it is plain text. */
  readonly mentions: readonly number[];
  readonly related: readonly number[];
  readonly broader: number | undefined;
  readonly owner: string | undefined;
  readonly detection: readonly { readonly rule: number; readonly threshold: number }[];
}

export interface RulePlan {
  readonly name: string;
  readonly description: string | undefined;
  readonly dimension: number;
  readonly groups: readonly {
    readonly joined: boolean;
    readonly inputs: readonly { readonly name: string; readonly trims: boolean }[];
  }[];
  readonly parameters: readonly string[];
  readonly conditions: readonly { readonly expression: string; readonly result: number }[];
  readonly group: boolean;
}

export interface MonitorPlan {
  readonly item: number;
  readonly name: string;
  readonly cron: string | undefined;
  readonly instances: readonly InstancePlan[];
  readonly joins: readonly {
    readonly item: number;
    readonly pairs: readonly { readonly local: number; readonly connected: number }[];
  }[];
  readonly thresholds: readonly number[];
  readonly exports: readonly string[];
}

export interface InstancePlan {
  readonly rule: number;
  readonly name: string | undefined;
  readonly mappings: readonly number[];
  /** Attributes of joined items; the number of a join. */
  readonly connected: readonly { readonly join: number; readonly attribute: number }[];
  readonly values: readonly string[];
  readonly thresholds: readonly number[];
}

export interface DashboardPlan {
  readonly name: string;
  readonly description: string | undefined;
  readonly monitors: readonly number[];
  readonly primaries: readonly number[];
}

/** Few enough names that objects share them, and some that bite. */
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("Email", "Phone", "Customer") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "__proto__",
      "new_constructor",
      'a "quoted" / ~ name',
      "émigré \u202E",
      "urn:x",
    ),
  },
);
const words = fc.constantFrom(
  "What it means",
  "",
  "[",
  "see urn:data:dev:catalog:term:nothing",
  "<b>bold</b>",
);
const number = fc.nat({ max: 7 });
const percent = fc.integer({ min: 0, max: 100 });
const optional = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined });

const term: fc.Arbitrary<TermPlan> = fc.record({
  type: fc.constantFrom("businessTerm", "securityTerm"),
  name,
  text: words,
  mentions: fc.array(number, { maxLength: 2 }),
  related: fc.array(number, { maxLength: 2 }),
  broader: optional(number),
  owner: optional(fc.constantFrom("Ada", "Grace")),
  detection: fc.uniqueArray(fc.record({ rule: fc.nat({ max: 1 }), threshold: percent }), {
    maxLength: 2,
    selector: ({ rule }) => rule,
  }),
});

const rule: fc.Arbitrary<RulePlan> = fc.record({
  name,
  description: optional(words),
  dimension: fc.nat({ max: 1 }),
  groups: fc
    .array(
      fc.record({
        joined: fc.boolean(),
        inputs: fc.array(fc.record({ name: fc.constantFrom("email", "phone"), trims: fc.boolean() }), {
          minLength: 1,
          maxLength: 2,
        }),
      }),
      { minLength: 1, maxLength: 2 },
    )
    .map((groups) => groups.map((group, index) => (index === 0 ? { ...group, joined: false } : group))),
  parameters: fc.array(fc.constantFrom("pattern", "limit"), { maxLength: 2 }),
  conditions: fc.array(
    fc.record({ expression: fc.constantFrom("email is null", "true"), result: fc.nat({ max: 1 }) }),
    { minLength: 1, maxLength: 2 },
  ),
  group: fc.boolean(),
});

const monitor: fc.Arbitrary<MonitorPlan> = fc.record({
  item: fc.nat({ max: 4 }),
  name,
  cron: optional(fc.constantFrom("0 0 6 * * ?", "0 0 7 * * ?")),
  instances: fc.array(
    fc.record({
      rule: number,
      name: optional(name),
      mappings: fc.array(fc.nat({ max: 2 }), { maxLength: 2 }),
      connected: fc.array(fc.record({ join: fc.nat({ max: 3 }), attribute: fc.nat({ max: 2 }) }), {
        maxLength: 2,
      }),
      values: fc.array(fc.constantFrom(".+@.+", "10"), { maxLength: 2 }),
      thresholds: fc.array(percent, { maxLength: 2 }),
    }),
    { maxLength: 3 },
  ),
  joins: fc.array(
    fc.record({
      item: fc.nat({ max: 4 }),
      pairs: fc.array(fc.record({ local: fc.nat({ max: 2 }), connected: fc.nat({ max: 2 }) }), {
        minLength: 1,
        maxLength: 2,
      }),
    }),
    { maxLength: 2 },
  ),
  thresholds: fc.array(percent, { maxLength: 2 }),
  exports: fc.array(fc.constantFrom("bad rows", "all rows"), { maxLength: 1 }),
});

const dashboard: fc.Arbitrary<DashboardPlan> = fc.record({
  name,
  description: optional(words),
  monitors: fc.array(number, { maxLength: 3 }),
  primaries: fc.array(fc.nat({ max: 2 }), { maxLength: 2 }),
});

/** Some contents, several of them more than once. */
function withTwins<T>(contents: fc.Arbitrary<T>, most: number): fc.Arbitrary<readonly T[]> {
  return fc
    .tuple(fc.array(contents, { maxLength: most, size: "max" }), fc.array(number, { maxLength: 2 }))
    .map(([list, again]) => [...list, ...again.flatMap((index) => list.slice(index, index + 1))]);
}

export const estates: fc.Arbitrary<Estate> = fc.record({
  terms: withTwins(term, 5),
  rules: withTwins(rule, 4),
  monitors: withTwins(monitor, 3),
  primaries: fc.uniqueArray(monitor, { maxLength: 2, selector: ({ item }) => item % 3 }),
  dashboards: withTwins(dashboard, 2),
});
