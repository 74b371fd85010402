import { constants } from "node:os";
import { createInterface } from "node:readline/promises";
import { openChannel } from "./cli/channel.ts";
import type { Io } from "./cli/io.ts";
import { lostResult } from "./cli/lost-result.ts";
import { runProgram } from "./cli/program.ts";
import { spareMemory } from "./cli/spare-memory.ts";
import { stoppingText } from "./cli/stopping-text.ts";
import { toolVersion } from "./cli/version.ts";

/** argv in, exit code out: the only file that touches the process. */
const stop = new AbortController();
let stopping = (): string => stoppingText({ awaited: 0, notStarted: 0 });
const stdout = openChannel(process.stdout);
const stderr = openChannel(process.stderr);

function interrupt(signal: NodeJS.Signals): void {
  if (stop.signal.aborted) {
    // The second one leaves at once; that is safe, since intents are on disk before their requests. What was drawn last ends its line.
    stderr.write("\nLeft at once. Run the same command again to continue.\n");
    process.exit(128 + constants.signals[signal]);
  }
  stderr.write(`\n${stopping()}\n`);
  stop.abort();
}
process.on("SIGINT", interrupt);
process.on("SIGTERM", interrupt);
// The terminal was closed: what is in flight is brought to its end all the same.
process.on("SIGHUP", interrupt);

const io: Io = {
  stdout,
  stderr,
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
  open: async (path) => stdout.isTerminal && showFile(path),
  stop: stop.signal,
  onInterrupt(text) {
    stopping = text;
  },
  // Until then the heap doubles before it is tidied (ferry.js).
  saveMemory: () => spareMemory(process.memoryUsage),
};

/** The one program that the tool ever starts: what this machine shows a page with, when a person asks for it. */
async function showFile(path: string): Promise<boolean> {
  const { spawn } = await import("node:child_process");
  const [command, ...words] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", ""]
        : ["xdg-open"];
  return new Promise((resolve) => {
    const shown = spawn(command, [...words, path], { detached: true, stdio: "ignore" });
    shown.once("error", () => resolve(false));
    shown.once("spawn", () => {
      shown.unref();
      resolve(true);
    });
  });
}

const code = await runProgram(process.argv.slice(2), { io, version: toolVersion });
const lost = await stdout.flushed();
process.exitCode = lost === undefined ? code : lostResult(stderr, code, lost);
