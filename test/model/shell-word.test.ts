import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { quotedWord, shellWord } from "../../src/model/shell-word.ts";

const words = [
  "rules:Email*",
  "terms:Täglich & more",
  'a "quoted" one',
  "it's",
  "$(touch here) `touch there` $HOME",
  "a\\nb",
  "50 % off!",
  "",
];

test.each(words)("%s is one word of a shell, and nothing of it is run", (word) => {
  // A backslash alone is left to Windows.
  const all = word.includes("\\") ? [quotedWord(word)] : [shellWord(word), quotedWord(word)];
  for (const written of all)
    expect(execFileSync("sh", ["-c", `printf '<%s>' ${written}`], { encoding: "utf8" })).toBe(`<${word}>`);
});

test("what is harmless is advised in the quotation marks that every shell takes", () => {
  expect(quotedWord("rules:Email*")).toBe('"rules:Email*"');
  expect(quotedWord("rules:$(x)")).toBe("'rules:$(x)'");
});
