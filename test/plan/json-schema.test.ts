import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { planTemplate } from "../../src/cli/plan-template.ts";
import { registry } from "../../src/kinds/index.ts";
import { planJsonSchema } from "../../src/plan/json-schema.ts";
import { planForm } from "../../src/plan/schema.ts";
import { least, plus, problems } from "./support.ts";

/** The schema for editors beside the parser: what one refuses for its form the other refuses too. */
interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

const schema = planJsonSchema(registry.sections(), registry.selectable());
const validate = new Ajv({ allErrors: true }).compile(schema);
const form = planForm(registry.sections());

function complaints(plan: unknown): readonly string[] {
  validate(plan);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}

const root = join(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const shown = [...readme.matchAll(/```yaml\n(version: 1\nsource:[\s\S]*?)```/g)].map(
  ([, text]) => text ?? "",
);
const files = readdirSync(join(root, "plans")).filter((file) => /\.ya?ml$/.test(file));

test.each<[what: string, text: string]>([
  ["what init writes", planTemplate()],
  ["the least that a plan says", least],
  ...files.map((file): [string, string] => [
    `plans/${file}`,
    readFileSync(join(root, "plans", file), "utf8"),
  ]),
  ...shown.map((text, at): [string, string] => [`the README's plan ${at + 1}`, text]),
])("takes %s", (_what, text) => {
  expect(complaints(parse(text))).toEqual([]);
});

test("the README shows a plan, and there is an example", () => {
  expect(shown.length).toBeGreaterThan(0);
  expect(files).toContain("example.yaml");
});

/** Every object of the schema, with the way to make one that is as small as it may be. */
function* rooms(node: Node, path: string, wrap: (value: unknown) => unknown): Generator<[string, unknown]> {
  if (node.properties !== undefined) {
    yield [path, wrap({ ...(sample(node) as object), zzz: 1 })];
    const whole = sample(node) as object;
    for (const [key, inner] of Object.entries(node.properties))
      yield* rooms(inner, path === "" ? key : `${path}.${key}`, (value) => wrap({ ...whole, [key]: value }));
  }
  if (node.items !== undefined) yield* rooms(node.items, path, (value) => wrap([value]));
  for (const one of node.anyOf ?? []) yield* rooms(one, path, wrap);
}

function sample(node: Node): unknown {
  if (node.const !== undefined) return node.const;
  // A variable in its place would not say which form it is.
  const fixed = node.anyOf?.find((one) => one.const !== undefined);
  if (fixed !== undefined) return fixed.const;
  if (node.enum !== undefined) return node.enum[0];
  if (node.properties !== undefined) {
    const needed = (node.required ?? []).map((key) => [key, sample(node.properties?.[key] ?? {})] as const);
    return Object.fromEntries(needed);
  }
  if (node.type === "array") return [];
  if (node.type === "object") return {};
  return "${NAME}";
}

const objects = [...rooms(schema, "", (value) => value)];

test.each(objects)("an unknown key of %j is refused by both", (path, plan) => {
  expect(complaints(plan)).toContainEqual(expect.stringContaining("must NOT have additional properties"));
  const { error } = form.schema.safeParse(plan);
  const at = error?.issues.filter(({ code }) => code === "unrecognized_keys").map((issue) => issue.path);
  expect(at?.map((keys) => keys.filter((key) => typeof key !== "number").join("."))).toContain(path);
});

test("no part of a plan is left out", () => {
  expect(new Set(objects.map(([path]) => path))).toEqual(new Set(Object.keys(form.keys)));
});

test("every key says what it is for, in a sentence", () => {
  const poor: string[] = [];
  const walk = (node: Node, path: string): void => {
    for (const [key, inner] of Object.entries(node.properties ?? {})) {
      if (!/^[A-Z].*\.$/s.test(inner.description ?? "")) poor.push(`${path}${key}`);
      walk(inner, `${path}${key}.`);
    }
    for (const inner of [...(node.anyOf ?? []), ...(node.items === undefined ? [] : [node.items])])
      walk(inner, path);
  };
  walk(schema, "");
  // Give the key's schema a .describe("...") where it stands: editors show it.
  expect(poor).toEqual([]);
});

describe("values", () => {
  const texts: readonly (readonly [part: string, good: boolean])[] = [
    ["policy: { adopt: by-name }", true],
    ["policy: { adopt: by-nmae }", false],
    ["policy: { adopt: '${ADOPT}' }", true],
    ["policy: { adopt: '$${ADOPT}' }", false],
    ["policy: { adopt: $ADOPT }", false],
    ["limits: { concurrency: 64 }", true],
    ["limits: { concurrency: 65 }", false],
    ["limits: { concurrency: '8' }", false],
    ["limits: { requestTimeout: 2m }", true],
    ["limits: { requestTimeout: 30 }", true],
    ["limits: { requestTimeout: 2 minutes }", false],
    ["limits: { requestTimeout: '${TIME}' }", true],
    ["limits: { answerSize: 64MB }", true],
    ["limits: { answerSize: 64 }", false],
    ["select: { kinds: [rules, sql-items] }", true],
    ["select: { kinds: [rulez] }", false],
    ["select: { kinds: [] }", false],
    ["select: { include: [ { kind: rules, name: 'A*' } ] }", true],
    ["select: { include: [ { kind: rulez } ] }", false],
    ["select: { dependencies: none }", false],
    ["pairing: { sources: { a: b } }", true],
    ["pairing: { sources: [a] }", false],
    ["pairing: { paths: [ { pattern: a, replace: b } ] }", true],
    ["pairing: { paths: [ { pattern: a } ] }", false],
    ["pairing: { groups: { a: b } }", false],
  ];
  const env = { ADOPT: "never", TIME: "5s" };

  test.each(texts)("%s", (part, good) => {
    const text = plus(`${part}\n`);
    expect(complaints(parse(text)).length === 0).toBe(good);
    const taken = (): unknown => problems(text, { env });
    if (good) expect(taken).toThrow("the plan was taken");
    else expect(taken()).not.toEqual([]);
  });

  test.each(["ftp://dev.example.com", "dev.example.com", "https://"])("%s is no address", (address) => {
    const text = least.replace("https://dev.example.com", address);
    expect(complaints(parse(text))).not.toEqual([]);
    expect(problems(text)).not.toEqual([]);
  });

  test("a variable may stand for every text of an environment", () => {
    const text = least.replaceAll(/(\w+): (?:dev|acme|https\S+)$/gm, "$1: ${DEV_ID}");
    expect(complaints(parse(text))).toEqual([]);
  });
});
