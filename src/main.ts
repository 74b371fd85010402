import { createInterface } from "node:readline/promises";
import type { Io, Output } from "./cli/io.ts";
import { runProgram } from "./cli/program.ts";
import { toolVersion } from "./cli/version.ts";

/** argv in, exit code out: the only file that touches the process. */
const stop = new AbortController();

function interrupt(signal: NodeJS.Signals): void {
  if (stop.signal.aborted) {
    // The second one leaves at once; that is safe, since intents are on disk before their requests.
    process.exit(signal === "SIGINT" ? 130 : 143);
  }
  process.stderr.write(
    "\nStopping: what is in flight may finish. Interrupt again to leave at once (that is safe).\n",
  );
  stop.abort();
}
process.on("SIGINT", interrupt);
process.on("SIGTERM", interrupt);

function output(stream: NodeJS.WriteStream): Output {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // A reader such as `head` that has seen enough is no trouble.
    if (error.code !== "EPIPE") throw error;
  });
  return {
    write: (text) => void stream.write(text),
    get isTerminal() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns ?? 80;
    },
  };
}

const io: Io = {
  stdout: output(process.stdout),
  stderr: output(process.stderr),
  env: process.env,
  cwd: process.cwd(),
  interactive: process.stdin.isTTY && process.stderr.isTTY,
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(question, { signal: stop.signal });
    } finally {
      lines.close();
    }
  },
  stop: stop.signal,
};

process.exitCode = await runProgram(process.argv.slice(2), { io, version: toolVersion });
