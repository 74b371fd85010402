import { beforeEach, describe, expect, test } from "vitest";
import { seedTerm } from "../../src/emulator/seed.ts";
import { useStage } from "./support/stage.ts";
import { visible } from "./support/visible.ts";
import { allOr } from "../support/whole.ts";

/** Names come from the service and are hostile: none of their marks may reach a terminal as it is. */
const stage = useStage();

const title = "\u001b]0;owned\u0007";
const names = [
  `a\u001b[2J\u001b[31mred`,
  `b${title}`,
  "c\u202edecasrever",
  "d\u009b31m",
  "e\rover\nnext\ttab",
  "f\u200b\ufeff\u2066",
  "g::error title=x::y%0A",
  "h</script><img src=x onerror=alert(1)>",
  "i| `code` [link](javascript:x)",
];
// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const marks = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
/** Colours of our own on a terminal, and the line that is drawn over. */
// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const ours = /\u001b\[\d{1,2}(;\d{1,2})?m|\r\u001b\[2K/g;

beforeEach(() => {
  for (const name of names) seedTerm(stage().dev, { name, description: `${name} described` });
  seedTerm(stage().prod, { name: names[0] ?? "", description: "other" });
  stage().plan();
});

const piped: readonly (readonly [words: string, ...flags: string[]])[] = [
  ["diff move", "", "-vv", "--json", "--format markdown", "--format html"],
  ["apply move --yes", "", "-vv", "--json", "-vv --log-format json", "--format html"],
  ["verify move", "", "--json"],
  ["mappings move list", "", "--json"],
  ["mappings move suggest", "", "--json"],
];

describe.each(piped)("ferry %s", (words, ...flags) => {
  test.each(allOr(flags, (flag) => !flag.startsWith("-vv") && flag !== "--format html"))(
    "piped %s",
    async (flag) => {
      const { stdout, stderr } = await stage().ferry(`${words} ${flag}`.trim(), {
        env: { GITHUB_ACTIONS: "true" },
      });
      // Line breaks of a document are its own.
      expect(stdout).not.toMatch(marks);
      expect(stderr).not.toMatch(marks);
    },
  );

  test("on a terminal only our own colours are there", async () => {
    const { stdout, stderr } = await stage().ferry(words, { terminal: true, answers: ["q"] });
    expect(stdout.replaceAll(ours, "")).not.toMatch(marks);
    expect(stderr.replaceAll(ours, "")).not.toMatch(marks);
  });
});

test("a name ends no line: nothing of it can pass for an annotation", async () => {
  const { stderr } = await stage().ferry("apply move --yes", { env: { GITHUB_ACTIONS: "true" } });
  for (const line of stderr.split("\n").filter((text) => text.startsWith("::"))) {
    expect(line).toMatch(/^::(error|warning|notice) title=[^:]*::/);
  }
  expect(stderr).not.toMatch(/^next/m);
});

test("nor can one that is shown by itself", async () => {
  await stage().ferry("apply move --yes");
  const named = [...stage().dev.terms.values()].find(({ published }) => published?.name === names[4]);
  const { stdout } = await stage().ferry(["mappings", "move", "show", named?.urn ?? ""]);
  expect(stdout).toContain("name: e\\u{d}over\\u{a}next");
  expect(stdout).not.toMatch(/^next/m);
});

test.each([
  ["an unknown command", []],
  ["a value that a flag does not take", ["diff", "move", "--fail-on"]],
  ["one argument too many", ["status", "move"]],
])("%s is quoted as it can be shown, on a line of its own", async (_, words) => {
  const { code, stderr } = await stage().ferry([
    ...words,
    `x${title}\u202e\n##vso[task.complete]\n(Did you mean this?)`,
  ]);
  expect(code).toBe(64);
  expect(stderr).not.toMatch(marks);
  expect(stderr).toMatch(/^error: .*x\\u\{1b\}.*##vso/);
  expect(stderr).not.toMatch(/^##/m);
});

test("the question, and the diff before it", async () => {
  const { stderr } = await stage().ferry("apply move --no-color", { terminal: true, answers: ["no"] });
  expect(stderr).toContain("owned");
  expect(visible(stderr)).not.toMatch(marks);
});

test("hostile keys of a plan", async () => {
  stage().write("plans/bad.yaml", `"a${JSON.stringify(title).slice(1, -1)}": 1\nversion: "\\e[31m"\n`);
  const { code, stdout, stderr } = await stage().ferry("diff bad");
  expect(code).toBe(64);
  expect(stdout).not.toMatch(marks);
  expect(stderr).not.toMatch(marks);
});

test("hostile text in an error of the service", async () => {
  stage().emulator.tenant("prod").clients.clear();
  const { code, stdout } = await stage().ferry("diff move", { env: { PROD_CLIENT_ID: `x${title}` } });
  expect(code).toBe(3);
  expect(stdout).not.toMatch(marks);
});

test("the names arrive at the target as they are", async () => {
  expect((await stage().ferry("apply move --yes")).code).toBe(4);
  const there = [...stage().prod.terms.values()].map(({ published }) => published?.name);
  expect(new Set(there)).toEqual(new Set(names));
  expect(there).toHaveLength(names.length);
});
