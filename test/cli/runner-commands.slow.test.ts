import { describe, expect, test } from "vitest";
import type { Output } from "../../src/cli/io.ts";
import { spoken } from "../../src/cli/spoken.ts";
import { seedTerm } from "../../src/emulator/seed.ts";
import { Screen } from "./support/screen.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();
const env = { GITHUB_ACTIONS: "true" };
const names = [
  "::stop-commands::tok",
  "::error::owned",
  "a ##[set-output name=exit]0",
  "b ##[stop-commands]tok",
  "c ###[set-env name=A]b",
];

/** As the runner of GitHub reads a line (actions/runner, ActionCommand.cs), but that any word is taken for one it knows. */
function isCommand(line: string): boolean {
  const trimmed = line.trimStart();
  const isNew = trimmed.startsWith("::") && trimmed.includes("::", 2);
  return isNew || /##\[[^\]]*\]/u.test(line);
}

/** What ferry itself tells the runner. */
const own = /^::(?:error|warning|notice) title=[^:]*::/u;

test("no name runs a command of GitHub's runner, whatever prints it", async () => {
  for (const name of names) seedTerm(stage().dev, { name, description: "d" });
  seedTerm(stage().prod, { name: "b ##[stop-commands]tok", description: "other" });
  seedTerm(stage().prod, { name: "::error::owned", description: "other" });
  stage().plan();
  const commands = [
    "diff move",
    "diff move -vv",
    "diff move --json",
    "diff move --format markdown",
    "diff move --format html",
    "apply move --yes",
    "verify move",
    "mappings move list",
    "mappings move suggest",
    "status move",
    "runs move show",
    "rollback move --dry-run",
    "ack move",
    "decide move",
    "sync move --yes",
  ];
  for (const words of commands) {
    const { stdout, stderr } = await stage().ferry(words, { env });
    const lines = [...stdout.split(/[\n\r]/u), ...stderr.split(/[\n\r]/u).filter((line) => !own.test(line))];
    expect(lines.filter(isCommand), words).toEqual([]);
  }
  const { stdout, stderr } = await stage().ferry("diff move --json", { env });
  expect(stdout).toContain("b \\u0023#[stop-commands]tok");
  expect(JSON.stringify(JSON.parse(stdout))).toContain("b ##[stop-commands]tok");
  // The runner is still told what ferry has to tell it.
  expect(stderr).toMatch(/^::error title=/mu);
});

describe("what is written in pieces", () => {
  function written(pieces: readonly string[], where: Record<string, string> = env): string {
    const screen = new Screen({ cwd: "/", env: where });
    const { stdout }: { readonly stdout: Output } = spoken(screen.io);
    for (const piece of pieces) stdout.write(piece);
    return screen.stdout;
  }

  test.each([
    [["a ##[b]"], "a ## [b]"],
    [["a #", "#", "[b]"], "a ## [b]"],
    [["a ##", "[b]"], "a ## [b]"],
    [["::a::"], ": :a::"],
    [["x\n \t:", ":a::"], "x\n \t: :a::"],
    [["x\r\u0085\u00a0::a::\n::b::"], "x\r\u0085\u00a0: :a::\n: :b::"],
    [["  ", "::a::"], "  : :a::"],
    [["a ::b::", "::c"], "a ::b::::c"],
    [["a ::\n", ":", ":", "c"], "a ::\n: :c"],
    [["key: value\n", "# [x] #[y]"], "key: value\n# [x] #[y]"],
  ])("%j is %j", (pieces, shown) => {
    expect(written(pieces)).toBe(shown);
    expect(written(pieces, {})).toBe(pieces.join(""));
  });
});

test("a question that nobody answers ends its line, before it is said that it was interrupted", async () => {
  const screen = new Screen({ cwd: stage().folder, terminal: true, leave: true });
  await expect(spoken(screen.io).ask("Type yes: ")).rejects.toThrow();
  expect(screen.stderr).toBe("\n");
  const answered = new Screen({ cwd: stage().folder, terminal: true, answers: ["yes"] });
  expect(await spoken(answered.io).ask("Type yes: ")).toBe("yes");
  expect(answered.stderr).toBe("");
});
