import { expect, test } from "vitest";
import { least, plus, problems } from "./support.ts";

/** What is wrong with a plan is told at once, as far as it can be told at once. */
const summaries = (text: string, env: Readonly<Record<string, undefined>> = {}): readonly string[] =>
  problems(text, { env }).map(({ summary }) => summary);

test("several variables that are not set are one list of names, with one piece of advice", () => {
  const unset = { DEV_ID: undefined, DEV_SECRET: "", PROD_ID: undefined, PROD_SECRET: undefined };
  expect(problems(least, { env: unset })).toEqual([
    {
      path: "",
      summary:
        "these environment variables are not set, or empty: DEV_ID (line 6), DEV_SECRET (line 7, empty), PROD_ID (line 12), PROD_SECRET (line 13)",
      suggestion: "Set them (export NAME=...), or name a file that does with --env-file.",
    },
  ]);
});

test("one that is wanted at two places is one", () => {
  expect(summaries(least.replace("${PROD_SECRET}", "${DEV_ID}"), { DEV_ID: undefined })).toEqual([
    "the environment variable DEV_ID is not set",
  ]);
});

test("nothing else is said of a place whose variable is not set", () => {
  const text = plus('policy: { adopt: "${ADOPT}" }\n').replace("https://dev.example.com", "${DEV_URL}");
  expect(summaries(text)).toEqual([
    "these environment variables are not set: DEV_URL (line 4), ADOPT (line 14)",
  ]);
});

test("what a plan means is looked at also where something of it has the wrong form", () => {
  const text = plus(
    "select: { kinds: [rulez, monitors], include: [ { kind: dashboards, name: x }, { kind: monitors, file: none.txt } ] }\n" +
      "policy: { drfit: report, ignoreFields: { boards: [a] } }\n" +
      "pairing: { groups: { Stewards: 6f1c1f0e-3b0a-4d53-9d3e-2f6a1d0c9b11 } }\n" +
      "acknowledged: [ { kind: term, name: x, reason: y } ]\n",
  );
  expect(summaries(text)).toEqual([
    '"select.kinds[0]": there is no such kind',
    '"select.include[0].kind": the kind dashboards is not selected',
    '"acknowledged[0].kind": there is no such kind',
    '"pairing.groups": not every group of the source is named by its UUID',
    expect.stringMatching(/^"select\.include\[1\]\.file": the file /),
    'unknown key "policy.drfit"',
  ]);
});

test.each([
  ["an unknown key of its own", "polcy: {}\nselect: { kinds: [entities] }\n", "select.entityTypes"],
  ["a wrong version", "select: { kinds: [entities] }\n", "select.entityTypes", "version: 1", "version: 3"],
  ["a side without a realm", "select: { kinds: [rulez] }\n", "select.kinds[0]", "  realm: acme\n", ""],
  [
    "a side that is a list",
    "select: { kinds: [rulez] }\n",
    "select.kinds[0]",
    /target:[^]*SECRET}\n/,
    "target: []\n",
  ],
])("beside %s", (_what, part, path, from: string | RegExp = "", to = "") => {
  const found = problems(`${least.replace(from, to)}${part}`);
  expect(found.map((problem) => problem.path)).toEqual(expect.arrayContaining([path]));
  expect(found.length).toBeGreaterThan(1);
});

test.each([
  // Without its server it would be said to lack one.
  [
    "a side",
    "select: { kinds: [master-data] }\nrecords: { masterData: [ { layer: instance, entity: a } ] }\n",
  ],
  ["rows", "select: { kinds: [reference-data] }\nrecords: { referenceData: [ { tabel: A } ] }\n"],
  ["a selection", "select: { kinds: rules, include: [ { kind: folders } ] }\n"],
])("what would follow from a wrong part is not told: %s", (what, part) => {
  const text = what === "a side" ? least.replace(/realm: acme/g, "reelm: acme") : least;
  for (const { summary } of problems(`${text}${part}`)) expect(summary).not.toMatch(/selected/);
});

test("two sides of which one has the wrong form are not held against each other", () => {
  const text = least.replace("name: prod", "name: a").replace("realm: acme", "reelm: acme");
  expect(summaries(text)).toEqual(['"source.realm" is missing', 'unknown key "source.reelm"']);
});

test("what two checks say of one value is told once", () => {
  expect(summaries(plus("acknowledged: [ { kind: terms, name: x, reason: y, until: tomorrow } ]\n"))).toEqual(
    ['"acknowledged[0].until": write a day such as 2027-03-31'],
  );
});
