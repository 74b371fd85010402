import { expect, test } from "vitest";
import type { PlanProblem } from "../../src/plan/plan-error.ts";
import type { LoadSettings } from "./support.ts";
import { least, plus, problems } from "./support.ts";

/** Values that cannot be: each problem with its path and line. */
const without = (line: RegExp): string => least.replace(line, "");

const saying = (
  ...[path, line, summary, rest = {}]: readonly [
    string,
    number | undefined,
    string | RegExp,
    Partial<PlanProblem>?,
  ]
): unknown => ({
  path,
  // Wherever the line is known it is shown, with a caret under the place.
  ...(line === undefined
    ? {}
    : {
        line,
        column: expect.any(Number),
        excerpt: [expect.stringMatching(new RegExp(`^${line} \\| `)), expect.stringMatching(/^ +\^$/)],
      }),
  summary: typeof summary === "string" ? summary : expect.stringMatching(summary),
  ...rest,
});
type Wrong = readonly [what: string, text: string, said: unknown];
const wrongs: readonly Wrong[] = [
  [
    "a flow before that is to follow upon what was written",
    plus("flows: { before: [ { configuration: Import, connection: wh, run: when-changed } ] }"),
    saying("flows.before[0].run", 14, '"flows.before[0].run": it is none of always', {
      suggestion: "Write one of always.",
    }),
  ],
  ["no version", without(/^version.*\n/), saying("version", undefined, '"version" is missing')],
  [
    "another version",
    least.replace("1", "2"),
    saying("version", 1, /this version of ferry reads plans of version 1/),
  ],
  ...['""', '"  "', '" prod"', '"prod "', '"pr\\nod"', '"\\u200b"'].map((word): Wrong => [
    `${word} as what a person types`,
    plus(`  confirm: ${word}`),
    saying("target.confirm", 14, /^"target\.confirm": write a word that can be typed/),
  ]),
  ["no realm", without(/ {2}realm.*\n/), saying("source.realm", 2, '"source.realm" is missing')],
  ["an empty realm", least.replace("acme", '""'), saying("source.realm", 5, /^"source\.realm": /)],
  [
    "a number for a realm",
    least.replace("acme", "7"),
    saying("source.realm", 5, /expected a text, found a number/, {
      suggestion: "A text that looks like something else has to stand in quotes.",
    }),
  ],
  [
    "a name with a slash",
    least.replace("name: dev", "name: de/v"),
    saying("source.name", 3, /letters, digits, dots/),
  ],
  [
    "a name that is right but for its length",
    least.replace("name: dev", `name: ${"d".repeat(65)}`),
    saying("source.name", 3, /^"source\.name": is too long: .* 64 characters at most$/),
  ],
  [
    "a name of dots",
    least.replace("name: prod", "name: .."),
    saying("target.name", 9, /letters, digits, dots/),
  ],
  [
    "no address",
    least.replace("https://dev", "dev"),
    saying("source.baseUrl", 4, /use an address such as https:/),
  ],
  [
    "another protocol",
    least.replace("https://dev", "ftp://dev"),
    saying("source.baseUrl", 4, /use an address/),
  ],
  ["no kinds", plus("select: { kinds: [] }"), saying("select.kinds", 14, /^"select\.kinds": /)],
  [
    "kinds as a text",
    plus("select: { kinds: rules }"),
    saying("select.kinds", 14, /expected a list, found a text/),
  ],
  [
    "another adopt",
    plus("policy:\n  adopt: all"),
    saying("policy.adopt", 15, '"policy.adopt": it is none of identical, by-name, never', {
      suggestion: "Write one of identical, by-name, never.",
    }),
  ],
  [
    "another dependencies",
    plus("select: { dependencies: no }"),
    saying("select.dependencies", 14, '"select.dependencies": it is none of include, mapped-only', {
      suggestion: "Write one of include, mapped-only.",
    }),
  ],
  [
    "a word with a slip",
    plus("policy: { adopt: identicl }"),
    saying("policy.adopt", 14, '"policy.adopt": it is none of identical, by-name, never', {
      suggestion: "Did you mean identical?",
    }),
  ],
  [
    "a number for a word",
    plus("policy: { schedules: 7 }"),
    saying("policy.schedules", 14, '"policy.schedules": it is none of keep, disable', {
      suggestion: "Write one of keep, disable.",
    }),
  ],
  [
    "nothing for a word",
    plus("policy: { drift: }"),
    saying("policy.drift", 14, '"policy.drift": it is empty', {
      suggestion: "Write one of report, overwrite.",
    }),
  ],
  [
    "a pattern that is none",
    plus('pairing:\n  paths: [ { pattern: "(", replace: "" } ]'),
    saying("pairing.paths[0].pattern", 15, /not a regular expression/),
  ],
  ["a group that is no UUID", plus("pairing:\n  groups: { a: b }"), saying("pairing.groups.a", 15, /UUID/)],
  [
    "a group of the source by its URN",
    plus(
      'pairing:\n  groups: { "urn:data:dev:iam:group:0f8fad5b-d9cb-469f-a165-70867728950e": 7c9e6679-7425-40de-944b-e07fc1f90ae7 }',
    ),
    saying("pairing.groups", 15, /UUID/, { suggestion: expect.stringContaining("bare UUID") as string }),
  ],
  [
    "a group of the source twice, in other letters",
    plus(
      "pairing:\n  groups: { 0f8fad5b-d9cb-469f-a165-70867728950e: 7c9e6679-7425-40de-944b-e07fc1f90ae7, 0F8FAD5B-D9CB-469F-A165-70867728950E: 7c9e6679-7425-40de-944b-e07fc1f90ae8 }",
    ),
    saying("pairing.groups", 15, /twice/, { suggestion: expect.stringContaining("bare UUID") as string }),
  ],
  [
    "no concurrency",
    plus("limits: { concurrency: 0 }"),
    saying("limits.concurrency", 14, /^"limits\.concurrency": /),
  ],
  ["too much concurrency", plus("limits: { concurrency: 65 }"), saying("limits.concurrency", 14, /64/)],
  [
    "half a request",
    plus("limits: { concurrency: 1.5 }"),
    saying("limits.concurrency", 14, /^"limits\.concurrency": /),
  ],
  ...["64", "64mb", "64 MB", "-1MB", "much"].map((written): Wrong => [
    `a size of ${written}`,
    plus(`limits: { answerSize: "${written}" }`),
    saying("limits.answerSize", 14, /write a size such as 64MB/),
  ]),
  ...["0KB", "1GB"].map((written): Wrong => [
    `a size of ${written}`,
    plus(`limits: { answerSize: ${written} }`),
    saying("limits.answerSize", 14, /at least 1KB and at most 500MB/),
  ]),
  [
    "a time without sense",
    plus("limits: { requestTimeout: soon }"),
    saying("limits.requestTimeout", 14, /60s, 2m or 500ms/),
  ],
  [
    "a time of another unit",
    plus("limits: { quietPeriod: 2d }"),
    saying("limits.quietPeriod", 14, /60s, 2m or 500ms/),
  ],
  [
    "no time",
    plus("limits: { requestTimeout: 0s }"),
    saying("limits.requestTimeout", 14, /more than nothing/),
  ],
  [
    "nothing as a number",
    plus("limits: { quietPeriod: 0 }"),
    saying("limits.quietPeriod", 14, /^"limits\.quietPeriod": /),
  ],
  [
    "a time that no timer can wait",
    plus("limits: { requestTimeout: 1000h }"),
    saying("limits.requestTimeout", 14, /at most 24h/),
  ],
  [
    "a key twice",
    plus("policy: {}\npolicy: {}"),
    saying("", 15, /unique$/, { column: 1, excerpt: ["15 | policy: {}", "     ^"] }),
  ],
  [
    "broken YAML",
    plus("select: ["),
    saying("", 14, /end with a \]$/, { column: 10, excerpt: ["14 | select: [", "              ^"] }),
  ],
  [
    "a tab for a space",
    plus("select:\n\tkinds: []"),
    saying("", 15, /[Tt]abs/, { column: 1, excerpt: ["15 |  kinds: []", "     ^"] }),
  ],
  [
    "YAML that is broken several times: the first place, and how many more",
    plus("select: [\npolicy: {\n"),
    saying("", 15, /^this is not YAML: .* \(and \d+ more behind it\)$/, {
      column: expect.any(Number),
      excerpt: expect.anything(),
    }),
  ],
  [
    "broken YAML far out on a long line: the part around the place",
    plus(`select: { kinds: [${"rules, ".repeat(40)}"rules ] }`),
    saying("", 14, /not YAML/, {
      column: expect.any(Number),
      excerpt: [expect.stringMatching(/^14 \| .{72}$/), expect.stringMatching(/^ +\^$/)],
    }),
  ],
  [
    "broken YAML at a secret that is written out: nothing of it is shown",
    least.replace("${DEV_SECRET}", "s3cr3t: value"),
    saying("", 7, /not YAML/, {
      column: 17,
      excerpt: ["7 |   clientSecret: ...", "                    ^"],
      suggestion: "A value with marks of YAML in it has to stand in quotes.",
    }),
  ],
];

test.each(wrongs)("%s", (_what, text, said) => {
  expect(problems(text)).toEqual([said]);
});

test("a file of URNs that is not there: its place is told, and its name is a value", () => {
  const found = problems(plus("select:\n  include: [ { file: nothing.txt } ]"));
  expect(found).toEqual([
    saying(
      "select.include[0].file",
      15,
      '"select.include[0].file": the file cannot be read: it does not exist',
      {
        suggestion: "Correct the path: it starts in the folder of the plan.",
      },
    ),
  ]);
});

test.each([
  ["nothing", ""],
  ["a list", "- version: 1"],
  ["a text", "a plan"],
])("%s is no plan", (_what, text) => {
  const [first, ...others] = problems(text);
  expect(others).toEqual([]);
  expect(first?.summary).not.toMatch(/^""/);
});

test("all problems are told at once", () => {
  const settings: LoadSettings = { env: { DEV_ID: undefined, PROD_SECRET: "" } };
  const found = problems(plus("selct: {}\npolicy: { adopt: all }\nlimits: { concurrency: 0 }"), settings);
  expect(found.map(({ path, summary }) => path || summary).sort()).toEqual([
    "limits.concurrency",
    "policy.adopt",
    "selct",
    "these environment variables are not set, or empty: DEV_ID (line 6), PROD_SECRET (line 13, empty)",
  ]);
});
