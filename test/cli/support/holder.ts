import { runProgram } from "../../../src/cli/program.ts";
import type { Output } from "../../../src/cli/io.ts";

/**
 * The real command line in a process of its own that stops where it has taken its locks, says `held`, and stays there
 * until it is killed. One that is refused says what a person reads, and ends.
 */
const output: Output = { write: (text) => void process.stdout.write(text), isTerminal: false, columns: 100 };

process.exitCode = await runProgram(process.argv.slice(2), {
  io: {
    stdout: output,
    stderr: output,
    env: process.env,
    cwd: process.cwd(),
    interactive: false,
    ask: () => Promise.reject(new Error("nobody is there to be asked")),
    stop: new AbortController().signal,
  },
  version: () => "1.2.3-test",
  hooks: {
    reached: async (point) => {
      if (point !== "lock:after-acquire") return;
      process.stdout.write("held\n");
      await new Promise((resolve) => setInterval(resolve, 1_000_000));
    },
  },
});
