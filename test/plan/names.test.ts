import { expect, test } from "vitest";
import type { PlanProblem } from "../../src/plan/plan-error.ts";
import { least, plus, placed, problems } from "./support.ts";

/** Unknown keys at every level and misspelt kinds: what is written, and all that is said about it. */
type Row = readonly [what: string, text: string, said: readonly PlanProblem[]];

const unknown = (path: string, line: number, suggestion: string): PlanProblem => ({
  path,
  line,
  summary: `unknown key "${path}"`,
  suggestion,
});
const at = (path: string, line: number, summary: string, suggestion?: string): PlanProblem => ({
  path,
  line,
  summary,
  ...(suggestion === undefined ? {} : { suggestion }),
});
const kinds =
  "folders, sql-items, terms, entities, rules, monitors, dashboards, term-assignments, term-denylist, item-metadata, attribute-metadata, stewardship, reference-data, master-data";
const rows: readonly Row[] = [
  ["a key of the plan", plus("selct: {}"), [unknown("selct", 14, "Did you mean select?")]],
  [
    "a key that is like no other",
    plus("colour: red"),
    [
      unknown(
        "colour",
        14,
        "Known keys here: version, source, target, select, pairing, policy, acknowledged, limits, records, flows.",
      ),
    ],
  ],
  [
    "a key of the source",
    least.replace("  realm: acme", "  relm: acme"),
    [at("source.realm", 2, '"source.realm" is missing'), unknown("source.relm", 5, "Did you mean realm?")],
  ],
  [
    "confirm at the source",
    least.replace("target:", "  confirm: dev\ntarget:"),
    [
      unknown(
        "source.confirm",
        8,
        "Known keys here: name, baseUrl, authUrl, realm, clientId, clientSecret, masterData.",
      ),
    ],
  ],
  ["a key of the target", plus("  confrim: prod"), [unknown("target.confrim", 14, "Did you mean confirm?")]],
  ["a key of select", plus("select:\n  kind: [rules]"), [unknown("select.kind", 15, "Did you mean kinds?")]],
  [
    "a key of an include",
    plus("select:\n  include:\n    - name: a\n    - nmae: b"),
    [unknown("select.include[1].nmae", 17, "Did you mean name?")],
  ],
  [
    "a key of an exclude",
    plus("select:\n  exclude: [ { knd: rules } ]"),
    [unknown("select.exclude[0].knd", 15, "Did you mean kind?")],
  ],
  [
    "a key of pairing",
    plus("pairing:\n  source: {}"),
    [unknown("pairing.source", 15, "Did you mean sources?")],
  ],
  [
    "a key of a path",
    plus('pairing:\n  paths:\n    - { pattern: a, replace: b, flags: "i" }'),
    [unknown("pairing.paths[0].flags", 16, "Known keys here: pattern, replace.")],
  ],
  ["a key of policy", plus("policy:\n  drfit: report"), [unknown("policy.drfit", 15, "Did you mean drift?")]],
  [
    "a key of limits",
    plus("limits:\n  concurency: 2"),
    [unknown("limits.concurency", 15, "Did you mean concurrency?")],
  ],
  [
    "a kind",
    plus("select:\n  kinds:\n    - rules\n    - montiors"),
    [at("select.kinds[1]", 17, '"select.kinds[1]": there is no such kind', "Did you mean monitors?")],
  ],
  [
    "a kind that is like no other",
    plus("select: { kinds: [schedules] }"),
    [at("select.kinds[0]", 14, '"select.kinds[0]": there is no such kind', `Kinds: ${kinds}.`)],
  ],
  [
    "the kind of an include",
    plus("select:\n  include:\n    - { kind: rule, name: a }"),
    [
      at(
        "select.include[0].kind",
        16,
        '"select.include[0].kind": there is no such kind',
        "Did you mean rules?",
      ),
    ],
  ],
  [
    "the kind of an exclude",
    plus("select:\n  exclude:\n    - { kind: trems, name: a }"),
    [
      at(
        "select.exclude[0].kind",
        16,
        '"select.exclude[0].kind": there is no such kind',
        "Did you mean terms?",
      ),
    ],
  ],
  [
    "a selector of a kind that is not selected",
    plus("select:\n  kinds: [rules]\n  exclude: [{ kind: terms }]"),
    [
      at(
        "select.exclude[0].kind",
        16,
        '"select.exclude[0].kind": the kind terms is not selected',
        "Add terms to select.kinds, or take this selector out.",
      ),
    ],
  ],
  [
    "source and target that are one",
    least.replace("prod.example.com", "DEV.example.com/"),
    [
      at(
        "target",
        8,
        "source and target are the same environment",
        "Correct baseUrl or realm of one of them.",
      ),
    ],
  ],
  ...["http://127.0.0.1:8080/", "http://[::1]:8080", "http://localhost.:8080"].map((other): Row => [
    `source and target that are one: ${other}`,
    least
      .replace("https://dev.example.com", "http://localhost:8080")
      .replace("https://prod.example.com", other),
    [
      at(
        "target",
        8,
        "source and target are the same environment",
        "Correct baseUrl or realm of one of them.",
      ),
    ],
  ]),
];

test.each(rows)("%s", (_what, text, said) => {
  const sorted = (list: readonly PlanProblem[]): readonly PlanProblem[] =>
    [...list].sort((left, right) => (left.line ?? 0) - (right.line ?? 0));
  expect(placed(sorted(problems(text)))).toEqual(said);
});
