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

/** Prints the script that makes a shell complete what the command line takes. */
export function runCompletion(io: Io, program: Commands, shell: string): number {
  const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (script === undefined) {
    const names = Object.keys(shells);
    throw new UsageError(
      `there is no completion for "${shell}"`,
      didYouMean(shell, names) ?? `Shells: ${names.join(", ")}.`,
    );
  }
  io.stdout.write(script(commandWords(program)));
  return 0;
}
