import { display } from "../model/display.ts";
import type { Io, Output } from "./io.ts";

/**
 * The world around a command, through which all goes that it says. Names come from the service: a question shows them as anything
 * else does, and what the runner of GitHub would take for a command is broken before it is written.
 */
export function spoken(io: Io): Io {
  const isRunner = io.env["GITHUB_ACTIONS"] === "true";
  return {
    ...io,
    ...(isRunner ? { stdout: forRunner(io.stdout), stderr: forRunner(io.stderr) } : {}),
    async ask(question) {
      try {
        // Its own line breaks are kept: those of names are none of it.
        return await io.ask(question.split("\n").map(display).join("\n"));
      } catch (error) {
        // Nobody has ended the line: what is said next would stand behind the question.
        io.stderr.write("\n");
        throw error;
      }
    },
  };
}

/** A line that begins with `::`, blanks before it or not, is a command to the runner; so is `##[...]` anywhere in one. */
const older = /##\[/gu;
const newer = /(^|[\n\r])((?:[^\S\n\r]|\u0085)*)::/gu;
const maybeBegun = /^(?:[^\S\n\r]|\u0085)*:?$/u;

function forRunner(output: Output): Output {
  // What of the last line may still become a command with what is written next.
  let open = "";
  return {
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
    write(text) {
      // Each blank comes in front of the character that would make it a command, which is never one that was written before.
      const whole = `${open}${text}`.replace(older, "## [").replace(newer, "$1$2: :");
      output.write(whole.slice(open.length));
      const line = whole.slice(Math.max(whole.lastIndexOf("\n"), whole.lastIndexOf("\r")) + 1);
      open = maybeBegun.test(line) ? line : `x${line.slice(-2)}`;
    },
    command(text) {
      output.write(text);
      open = "";
    },
  };
}
