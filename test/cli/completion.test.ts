import { spawnSync } from "node:child_process";
import { expect, describe, test } from "vitest";
import { registry } from "../../src/kinds/index.ts";
import { allOr, isWhole } from "../support/whole.ts";
import { useStage } from "./support/stage.ts";

/** The scripts in the shells themselves; where one is missing its tests say so by being skipped. */
const stage = useStage();

type Shell = "bash" | "zsh" | "fish";
const isThere = (shell: Shell): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

async function script(shell: Shell): Promise<string> {
  const { code, stdout, stderr } = await stage().ferry(["completion", shell]);
  expect([code, stderr]).toEqual([0, ""]);
  return stage().write(`completion.${shell}`, stdout);
}

/** What the shell offers behind these words; the last one is being typed. */
async function offered(shell: Shell, words: readonly string[]): Promise<readonly string[]> {
  const path = await script(shell);
  const line = words.join(" ");
  const programs: Readonly<Record<Shell, string>> = {
    // As readline does: what is joined by = comes apart.
    bash: `source '${path}'
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _ferry; printf '%s\\n' "\${COMPREPLY[@]}"`,
    fish: `source '${path}'; complete -C '${line}' | string replace -r '\\t.*' ''; true`,
    // A terminal of its own, since completion lives in the line editor.
    zsh: `zmodload zsh/zpty; zpty ferry zsh -f -i
      zpty -w ferry "PS1=; autoload -U compinit; compinit -u -D; source '${path}'"
      zpty -w ferry "zstyle ':completion:*' list-prompt ''; zstyle ':completion:*' menu no; LISTMAX=10000; setopt nobeep"
      zpty -w ferry "dump() { local -a found; compadd() { builtin compadd -O found \\"\\$@\\"; print -rl -- BEGIN \\$found END; builtin compadd \\"\\$@\\"; }; _main_complete; print FINISHED; }; zle -C dump list-choices dump; bindkey '^X' dump"
      zpty -w ferry "print READY"
      zpty -r -m ferry out '*READY*READY*'
      zpty -w -n ferry $'${line}\\x18'
      zpty -r -m ferry out '*FINISHED*'; print -r -- $out; zpty -d ferry`,
  };
  const { stdout, stderr, status } = spawnSync(shell, ["-c", programs[shell]], {
    cwd: stage().folder,
    encoding: "utf8",
    timeout: 20_000,
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split(/\r?\n/).map((word) => word.trim());
}

const cases: readonly (readonly [words: string, some: string[], none: string[]])[] = [
  ["ferry ", ["diff", "apply", "completion", "explain"], ["--json"]],
  ["ferry di", ["diff"], ["doctor"]],
  ["ferry diff ", ["move", "other"], ["readme"]],
  ["ferry diff mo", ["move"], ["other"]],
  ["ferry diff two", [], ["two", "words"]],
  ["ferry diff ", ["move"], ["words", "two"]],
  ["ferry diff move --de", ["--detailed-exitcode"], ["--yes"]],
  ["ferry apply move --y", ["--yes"], []],
  ["ferry diff --format ", ["markdown", "html"], ["move"]],
  ["ferry diff --format html ", ["move"], ["markdown"]],
  ["ferry diff move --kinds ter", ["terms", "term-assignments"], ["rules"]],
  ["ferry diff move --kinds terms,ru", ["terms,rules"], ["rules", "terms"]],
  ["ferry diff move --kinds terms,rules,", ["terms,rules,monitors"], ["terms,rules,terms"]],
  ["ferry diff move --fail-on dr", ["drift"], ["conflict"]],
  ["ferry diff move --fail-on drift,con", ["drift,conflict"], ["conflict"]],
  ["ferry emulate --scenario ", ["demo", "empty", "large:1000", "records:1000"], []],
  ["ferry emulate --scenario la", ["large:1000"], ["demo"]],
  ["ferry mappings move ", ["suggest", "export"], ["move"]],
  ["ferry explain dri", ["drift"], []],
  ["ferry completion ", ["fish"], []],
  ["ferry he", ["help"], ["doctor"]],
  ["ferry help ro", ["rollback"], ["runs"]],
];

/** Of several words with commas between zsh offers what comes behind the last one. */
function part(shell: Shell, word: string): string {
  return shell === "zsh" ? word.replace(/.*,/, "") : word;
}

describe.each(["bash", "fish", "zsh"] as const)("%s", (shell) => {
  // The others take most of a second each, in which they wait for their terminal.
  const tried = allOr(cases, (_row, index) =>
    shell === "zsh" ? index === 2 : index % (shell === "bash" ? 3 : 10) === 2,
  );
  test.skipIf(!isThere(shell)).each(tried)("%s", async (line, some, none) => {
    stage().plan();
    stage().plan({}, "other");
    stage().plan({}, "two words");
    stage().write("plans/readme.md", "");
    const words = await offered(shell, line.split(" "));
    const expected = new Set(some.map((word) => part(shell, word)));
    expect(words).toEqual(expect.arrayContaining([...expected]));
    const refused = new Set(none.map((word) => part(shell, word)).filter((word) => !expected.has(word)));
    expect(words.filter((word) => refused.has(word))).toEqual([]);
  });

  test.skipIf(!isThere(shell) || (shell === "zsh" && !isWhole))("every kind", async () => {
    const words = await offered(shell, ["ferry", "diff", "move", "--kinds", ""]);
    expect(words).toEqual(expect.arrayContaining([...registry.selectable()]));
  });
});

test.skipIf(!isThere("bash"))("a value that is joined to its flag, in bash", async () => {
  expect(await offered("bash", ["ferry", "diff", "--format", "=", "mark"])).toContain("markdown");
  expect(await offered("bash", ["ferry", "diff", "--format", "="])).toContain("markdown");
  stage().plan();
  expect(await offered("bash", ["ferry", "diff", "--format", "=", "html", ""])).toContain("move");
});

test.skipIf(!isThere("zsh") || !isWhole)("zsh takes the script, and completes with it", async () => {
  stage().plan();
  const path = await script("zsh");
  const { status, stderr } = spawnSync("zsh", ["-n", path], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  for (const [line, word] of [
    ["ferry diff mo", "move"],
    ["ferry diff --format ma", "markdown"],
  ] as const)
    expect(await offered("zsh", line.split(" "))).toContain(word);
});

test("another shell is told what there is", async () => {
  const { code, stdout } = await stage().ferry("completion fisch");
  expect(code).toBe(64);
  expect(stdout).toContain("Did you mean fish?");
  // Spelled much like bash, and another one.
  expect((await stage().ferry("completion tcsh")).stdout).toContain("Shells: bash, zsh, fish.");
});
