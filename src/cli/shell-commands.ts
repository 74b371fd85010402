import type { Command } from "@commander-js/extra-typings";
import type { Io } from "./io.ts";

/** Commands that touch neither a plan nor a service: for the shell, and for whoever met a code. */
export function addShellCommands(
  program: Command,
  io: Io,
  run: (work: Promise<number>) => Promise<void>,
): void {
  program
    .command("completion")
    .summary("print what makes a shell complete commands, flags, plans and kinds")
    .description("Prints a script for the shell; the examples show where it goes.")
    .argument("<shell>", "bash | zsh | fish")
    .addHelpText("after", completionExamples)
    .action(async (shell) =>
      run(Promise.resolve((await import("./commands/completion.ts")).runCompletion(io, program, shell))),
    );
  program
    .command("explain")
    .summary("what a diagnostic's code or an exit code means, why, and what to do")
    .description("Explains a code of a diagnostic, or an exit code; without one it lists all of them.")
    .argument("[code]", "such as drift, or 4")
    .action(async (code) =>
      run(Promise.resolve((await import("./commands/explain.ts")).runExplain(io, code))),
    );
}

const completionExamples = `
Examples:
  bash  ferry completion bash > ~/.local/share/bash-completion/completions/ferry
  zsh   ferry completion zsh > "\${fpath[1]}/_ferry"
  fish  ferry completion fish > ~/.config/fish/completions/ferry.fish
  Or for this session: source <(ferry completion bash)`;
