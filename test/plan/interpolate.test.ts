import { describe, expect, test } from "vitest";
import { interpolate } from "../../src/plan/interpolate.ts";
import { nearest } from "../../src/plan/nearest.ts";
import type { PlanProblem } from "../../src/plan/plan-error.ts";
import { least, load, placed, problems } from "./support.ts";

const env = { ONE: "1", TWO_2: "two", DOLLARS: "$& $1 ${ONE} $${ONE}", EMPTY: "" };

function filled(value: unknown): unknown {
  const found: PlanProblem[] = [];
  const result = interpolate(value, env, found);
  expect(found).toEqual([]);
  return result;
}

describe("${NAME}", () => {
  test.each([
    ["${ONE}", "1"],
    ["a ${ONE} b ${TWO_2} c", "a 1 b two c"],
    ["${ONE}${ONE}", "11"],
    ["$ONE", "$ONE"],
    ["${}", "${}"],
    ["${1ONE}", "${1ONE}"],
    ["${ONE", "${ONE"],
    ["${ ONE }", "${ ONE }"],
    ["${ONE:-other}", "${ONE:-other}"],
    ["$${ONE}", "${ONE}"],
    ["$${NOT_THERE}", "${NOT_THERE}"],
    ["$${ONE} ${ONE}", "${ONE} 1"],
    ["^DEV_(.*)$", "^DEV_(.*)$"],
  ])("%s becomes %s", (text, result) => {
    expect(filled(text)).toBe(result);
  });

  test("what a variable holds is not looked into again", () => {
    expect(filled("${DOLLARS}")).toBe(env.DOLLARS);
  });

  test("it is filled in at every depth, in values and not in keys", () => {
    const value = { a: [{ b: "${ONE}" }, 2, true, null], "${ONE}": "${TWO_2}" };
    expect(filled(value)).toEqual({ a: [{ b: "1" }, 2, true, null], "${ONE}": "two" });
  });

  test("a variable that is missing or empty is named, with its place", () => {
    const found: PlanProblem[] = [];
    interpolate({ a: { b: ["x", "${NOT_THERE} ${EMPTY}"] } }, env, found);
    expect(found).toEqual([
      {
        path: "a.b[1]",
        summary: "the environment variable NOT_THERE is not set",
        suggestion: expect.stringContaining("--env-file"),
        variable: { name: "NOT_THERE", isEmpty: false },
      },
      {
        path: "a.b[1]",
        summary: "the environment variable EMPTY is empty",
        suggestion: expect.stringContaining("EMPTY"),
        variable: { name: "EMPTY", isEmpty: true },
      },
    ]);
  });

  test("nothing that belongs to every object counts as a variable", () => {
    const found: PlanProblem[] = [];
    interpolate("${toString} ${constructor} ${__proto__}", {}, found);
    expect(found).toHaveLength(3);
  });
});

describe("in a plan", () => {
  test("the line of a missing variable is told", () => {
    expect(placed(problems(least, { env: { PROD_ID: undefined } }))).toEqual([
      {
        path: "target.clientId",
        line: 12,
        summary: "the environment variable PROD_ID is not set",
        suggestion: expect.stringContaining("export PROD_ID="),
        variable: { name: "PROD_ID", isEmpty: false },
      },
    ]);
  });

  test("a secret may be of any marks", () => {
    const secret = "a: b #c\n\"'\\ ${DEV_ID} $& {{x}}";
    const { plan, secrets } = load(least, { env: { DEV_SECRET: secret } });
    expect(plan.source.clientSecret).toBe(secret);
    expect(secrets[0]).toBe(secret);
  });

  test("no problem tells what a variable holds", () => {
    const text = JSON.stringify(problems(`${least}policy: { adopt: "\${DEV_SECRET}" }\n`));
    expect(text).not.toContain("dev secret");
  });
});

test.each([
  ["rulez", "rules"],
  ["RULES", "rules"],
  ["monitor", "monitors"],
  ["termassignments", "term-assignments"],
  ["something else", undefined],
  ["", undefined],
])('by "%s" was meant %s', (word, meant) => {
  expect(nearest(word, ["terms", "rules", "monitors", "dashboards", "term-assignments"])).toBe(meant);
});

describe("$NAME without braces", () => {
  test.each([
    ["source.clientSecret", least.replace("${DEV_SECRET}", "$DEV_SECRET")],
    ["target.realm", least.replace("realm: acme\n  clientId: ${PROD_ID}", "realm: $REALM\n  clientId: x")],
    ["source.baseUrl", least.replace("https://dev.example.com", "https://$HOST/dev")],
    [
      "target.masterData.password",
      `${least}  masterData:\n    baseUrl: https://mdm.example.com\n    username: me\n    password: $MDM\n`,
    ],
  ])("is told of %s, and not shown", (path, text) => {
    const [problem, ...others] = placed(problems(text)).filter(({ summary }) => summary.includes("$"));
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      path,
      summary: `"${path}" has a $ and a word, which stay as they are: braces are missing`,
      suggestion: "Write a variable as ${NAME}.",
    });
  });

  test("is the value of a variable like any other", () => {
    const { plan } = load(least, { env: { DEV_SECRET: "$ecret", PROD_SECRET: "${ecret:-x}" } });
    expect([plan.source.clientSecret, plan.target.clientSecret]).toEqual(["$ecret", "${ecret:-x}"]);
  });

  test.each([
    ["source.clientSecret", least.replace("${DEV_SECRET}", "${DEV_SECRET:-secret}")],
    ["source.clientId", least.replace("${DEV_ID}", "${DEV ID}")],
    ["target.clientId", least.replace("${PROD_ID}", "${}")],
    ["target.clientSecret", least.replace("${PROD_SECRET}", '"${PROD_SECRET"')],
    ["source.baseUrl", least.replace("https://dev.example.com", "https://${HOST:-dev}/x")],
  ])("braces that name no variable are told of %s, and not shown", (path, text) => {
    const [problem, ...others] = placed(problems(text)).filter(({ summary }) => summary.includes("${"));
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      path,
      summary: `"${path}" has a \${ that names no variable, and stays as it is`,
      suggestion: expect.stringMatching(/^Write a variable as \$\{NAME\}, of letters/),
    });
  });

  test("is a text like any other where it may be one", () => {
    const secret = least.replace("${DEV_SECRET}", '"a$b"').replace("${PROD_SECRET}", "$1");
    const plan = `${secret}pairing: { paths: [ { pattern: "^DEV$", replace: "$A" } ] }\n`;
    expect(load(plan).plan.source.clientSecret).toBe("a$b");
  });
});
