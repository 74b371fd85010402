import { appendFileSync, writeFileSync } from "node:fs";
import { subscribe } from "node:diagnostics_channel";
import { setTimeout as delay } from "node:timers/promises";
import type { Output } from "../../src/cli/io.ts";
import { runProgram } from "../../src/cli/program.ts";
import { toolVersion } from "../../src/cli/version.ts";

/**
 * The real command line in a process that ends itself when it reaches a point. FERRY_CRASH_AT says which (`class
 * ordinal`); FERRY_CRASH_LOG is a file that gets every point that was reached, or the one at which it ended.
 */
const at = process.env["FERRY_CRASH_AT"];
const log = process.env["FERRY_CRASH_LOG"] ?? "";
const counts = new Map<string, number>();

/**
 * What is to be durable before something else happens is not yet: the process lives on for a while, so that what
 * does not wait for it goes ahead and is caught.
 */
const held = new Set(["journal:before-write", "journal:after-write"]);

async function reached(point: string): Promise<void> {
  const ordinal = (counts.get(point) ?? 0) + 1;
  counts.set(point, ordinal);
  const label = `${point} ${ordinal}`;
  if (at === undefined) {
    appendFileSync(log, `${label}\n`);
  } else if (label === at) {
    writeFileSync(log, `${label}\n`);
    if (held.has(point)) await delay(100);
    process.kill(process.pid, "SIGKILL");
  }
}

/** Where each look at rows takes more than a second by its clock, a comparison is kept at each page. */
if (process.env["FERRY_CRASH_LEAPS"] !== undefined) {
  const clock = Date.now;
  let ahead = 0;
  Date.now = () => clock() + ahead;
  subscribe("undici:request:create", (message) => {
    const { path } = (message as { readonly request: { readonly path: string } }).request;
    if (path.includes("/published/filter")) ahead += 1_100;
  });
}

const output = (stream: NodeJS.WriteStream): Output => ({
  write: (text) => void stream.write(text),
  isTerminal: false,
  columns: 100,
});

process.exitCode = await runProgram(process.argv.slice(2), {
  io: {
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    env: process.env,
    cwd: process.cwd(),
    interactive: false,
    ask: () => Promise.reject(new Error("nobody is there to be asked")),
    stop: new AbortController().signal,
  },
  version: toolVersion,
  hooks: { reached },
});
