import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useStage } from "./support/stage.ts";

/**
 * A plan that is wrong, with a secret written out in it: wherever it stands and whatever YAML takes it for, it is a
 * fault of the plan (64), and no part of the secret is anywhere but in the plan.
 */
const stage = useStage();

const mark = "Zx9Qm7Kp";

/** A plan whose source has these lines where its secret should be, and with more lines at its end. */
function plan(secret: string, end = ""): string {
  return `version: 1
source:
  name: dev
  baseUrl: http://127.0.0.1:9/dev
  realm: dev
  clientId: dev-client
${secret}
target:
  name: prod
  baseUrl: http://127.0.0.1:9/prod
  realm: prod
  clientId: prod-client
  clientSecret: other
${end}`;
}

const secret = (value: string): string => plan(`  clientSecret: ${value}`);
const right = "  clientSecret: fine";
const json = (tail: string): string => `{"version": 1, "source": {"name": "dev", ${tail}`;

const forms: readonly (readonly [what: string, text: string])[] = [
  // What YAML takes an unquoted secret for.
  ["an alias", secret(`*${mark}`)],
  ["an alias with more behind it", secret(`*${mark} ${mark}`)],
  ["an anchor", secret(`&${mark}`)],
  ["an anchor and a value", secret(`&a ${mark}`)],
  ["two anchors", secret(`&a &${mark} b`)],
  ["an anchor and an alias", secret(`&a *${mark}`)],
  ["an anchor with a colon", secret(`&${mark}: x`)],
  ["a tag", secret(`!${mark}`)],
  ["a tag and a value", secret(`!a ${mark}`)],
  ["a tag of YAML", secret(`!!int ${mark}`)],
  ["a tag in full", secret(`!<${mark}> x`)],
  ["a tag with a handle", secret(`!h!${mark} x`)],
  ["bytes", secret(`!!binary ${mark}`)],
  ["a map on one line", secret(`a: b ${mark}`)],
  ["a map whose key it is", secret(`${mark}: b`)],
  ["an open quote", secret(`"${mark}`)],
  ["an open single quote", secret(`'${mark}`)],
  ["an open list", secret(`[${mark}`)],
  ["an open map", secret(`{${mark}`)],
  ["a list", secret(`[${mark}]`)],
  ["a map", secret(`{${mark}}`)],
  ["a map with a list for a key", secret(`{[${mark}]: a}`)],
  ["a list with something behind it", secret(`[a]${mark}`)],
  ["a mark kept by YAML: @", secret(`@${mark}`)],
  ["a mark kept by YAML: `", secret(`\`${mark}`)],
  ["a mark kept by YAML: %", secret(`%${mark}`)],
  ["a block without a line end", secret(`|${mark}`)],
  ["a folded block without a line end", secret(`>${mark}`)],
  ["an item of a list", secret(`- ${mark}`)],
  ["a question", secret(`? ${mark}`)],
  ["an escape that is none", secret(`"\\q${mark}"`)],
  ["an escape with wrong digits", secret(`"\\x${mark}"`)],
  ["quotes with something behind them", secret(`"a" ${mark}`)],
  ["quotes within quotes", secret(`"a"${mark}"`)],
  ["a comma in a map on one line", plan(`  ? { clientSecret: a{${mark}, b ]`)],
  ["a block that holds a tab", plan(`  clientSecret: |\n\t${mark}: {`)],
  ["a block that ends too early", plan(`  clientSecret: |\n   ${mark}\n  ${mark}`)],
  ["a NUL", secret(`${mark}\u0000`)],
  ["an escape of a terminal", secret(`\u001b[31m${mark}`)],
  ["a number", secret("90071992547409931234")],
  ["a number with an exponent", secret("1234567e5")],
  ["a truth", secret("true")],
  // What lost its place.
  ["no space behind the colon", plan(`  clientSecret:${mark}`)],
  ["no space behind the colon, on one line", plan(right, `policy: { "clientSecret:${mark}" }`)],
  ["no space behind the colon, among the keys of the source", plan(`${right}\n  ? clientSecret:${mark}`)],
  ["an equals sign", plan(`  clientSecret=${mark}`)],
  ["a line of its own", plan(`  ${mark}`)],
  ["a key of its own", plan(`${right}\n  ${mark}: a`)],
  ["a key of the plan", plan(right, `${mark}: a`)],
  ["a key of a policy", plan(right, `policy: { ${mark}: a }`)],
  ["a key twice", plan(`  clientSecret: ${mark}\n  clientSecret: ${mark}`)],
  ["a secret twice as a key", plan(`  ${mark}: a\n  ${mark}: b`)],
  ["a word", plan(right, `policy: { adopt: ${mark} }`)],
  ["a kind", plan(right, `select: { kinds: [${mark}] }`)],
  ["a kind of a selector", plan(right, `select: { include: [ { kind: ${mark} } ] }`)],
  ["a file", plan(right, `select: { include: [ { file: ${mark} } ] }`)],
  ["a duration", plan(right, `limits: { requestTimeout: ${mark} }`)],
  ["a number of requests", plan(right, `limits: { concurrency: ${mark} }`)],
  ["a pattern", plan(right, `pairing: { paths: [ { pattern: "(${mark}", replace: a } ] }`)],
  ["a group", plan(right, `pairing: { groups: { a: ${mark} } }`)],
  ["a list where a map is wanted", plan(right, `policy: [${mark}]`)],
  ["a text where a map is wanted", plan(right, `policy: ${mark}`)],
  ["a version", plan(right).replace("version: 1", `version: ${mark}`)],
  ["a name", plan(right).replace("name: dev", `name: "${mark}/"`)],
  ["the name of both", plan(right).replaceAll(/name: (dev|prod)/g, `name: ${mark}`)],
  ["an address", plan(right).replace("http://127.0.0.1:9/dev", mark)],
  ["a password in an address", plan(right).replace("http://", `http://user:${mark}@`)],
  ["a query of an address", plan(right).replace("9/dev", `9/dev?token=${mark}`)],
  ["a nesting that is too deep", secret(`${"[".repeat(200)}${mark}${"]".repeat(200)}`)],
  ["a nesting without an end", secret(`${"[".repeat(100_000)}${mark}`)],
  ["a directive", `%${mark}\n---\n${plan(right)}`],
  ["a directive of YAML", `%YAML ${mark}\n---\n${plan(right)}`],
  ["a second document", `${plan(`  clientSecret: ${mark}`)}\n---\n${mark}: 1\n`],
  ["a text alone", mark],
  ["a list alone", `- ${mark}`],
  ["an alias alone", `*${mark}`],
  ["aliases that contain themselves", plan(right, `policy: &${mark} { adopt: *${mark} }`)],
  ["aliases of aliases", plan(right, laughs())],
  ["more than a plan can hold", plan(right, `# ${mark}\n`.repeat(500_000))],
  // JSON.
  ["JSON with an open text", json(`"clientSecret": "${mark}`)],
  ["JSON without quotes", json(`"clientSecret": *${mark}}}`)],
  ["JSON with an escape that is none", json(`"clientSecret": "\\q${mark}"}}`)],
  ["JSON with a key of its own", json(`"${mark}": 1}}`)],
  ["JSON with a comma too many", json(`"clientSecret": "${mark}",,}`)],
  ["JSON that breaks off", json(`"clientSecret": "${mark}", "x"`)],
];

/** Nine lines that stand for a billion words. */
function laughs(): string {
  const line = (index: number): string =>
    `  a${index}: &a${index} [${Array.from({ length: 10 }, () => (index === 0 ? mark : `*a${index - 1}`)).join(", ")}]`;
  return `policy:\n${Array.from({ length: 9 }, (_none, index) => line(index)).join("\n")}`;
}

/** All that the command left behind, the plan itself excepted. */
function written(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !/move\.(?:yaml|json)$/.test(path))
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

const digits = /90071992547409931234|1234567e5|123456700000/;

test.each(forms)("%s", async (_what, text) => {
  stage().write(text.startsWith("{") ? "plans/move.json" : "plans/move.yaml", text);
  for (const words of ["diff move", "status move -vv", "apply move --yes -vv --json --log-format json"]) {
    const { code, stdout, stderr } = await stage().ferry(words, { env: { GITHUB_ACTIONS: "true" } });
    const all = stdout + stderr + written(stage().folder);
    expect(all).not.toContain(mark);
    expect(all).not.toMatch(digits);
    expect(all).not.toContain("defect");
    expect(code).toBe(64);
  }
  expect(stage().emulator.log.entries).toEqual([]);
});

test("an alias of an anchor is followed; an anchor that nothing refers to is a value without its quotes", async () => {
  stage().plan();
  const text = stage().read("plans/move.yaml").replace("quietPeriod: 50ms", "quietPeriod: &time 10s");
  stage().write("plans/move.yaml", text);
  expect((await stage().ferry("status move")).code).toBe(64);
  stage().write("plans/move.yaml", text.replace("requestTimeout: 10s", "requestTimeout: *time"));
  expect((await stage().ferry("status move")).code).toBe(0);
});

test.each([
  ["that is a folder", "plans"],
  ["that is not there", "no.env"],
])("a file of variables %s is a fault of the command line", async (_what, file) => {
  stage().plan();
  expect((await stage().ferry(["status", "move", "--env-file", file])).code).toBe(64);
});

test("a file of variables with lines that are none: nothing of it is shown", async () => {
  stage().plan();
  stage().write("bad.env", `DEV_CLIENT_SECRET ${mark}\n${mark}\n=${mark}\nexport ${mark}\nPROD="${mark}\n`);
  const env = { DEV_CLIENT_SECRET: undefined };
  const { code, stdout, stderr } = await stage().ferry("diff move -vv --env-file bad.env", { env });
  expect(code).toBe(64);
  expect(stdout + stderr).not.toContain(mark);
});
