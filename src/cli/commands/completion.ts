import { didYouMean } from "../../plan/nearest.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { commandWords } from "../completion/words.ts";
import type { Commands, CommandWords } from "../completion/words.ts";
import { zshCompletion } from "../completion/zsh.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

const shells: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

const others: ReadonlySet<string> = new Set(["sh", "ash", "dash", "ksh", "csh", "tcsh", "nu", "pwsh"]);

/** Prints the script that makes a shell complete what the command line takes. */
export function runCompletion(io: Io, program: Commands, shell: string): number {
  const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (script === undefined) {
    const names = `Shells: ${Object.keys(shells).join(", ")}.`;
    // Another shell is spelled much like one of these, and is meant all the same.
    const suggestion = others.has(shell) ? names : (didYouMean(shell, Object.keys(shells)) ?? names);
    throw new UsageError(`there is no completion for "${shell}"`, suggestion);
  }
  io.stdout.write(script(commandWords(program)));
  return 0;
}
