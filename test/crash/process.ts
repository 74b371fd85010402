import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundleFolder, launcher } from "../support/launcher.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that is running in a process of its own. */
export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves when it has said that on stderr. */
  says(text: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Ends it, and returns when it is gone for certain. */
  kill(): Promise<Ended>;
}

const file = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
/** Compiled code is kept from one run of the tests to the next: most of the time of a child would go into its start. */
const compileCache = file("../../node_modules/.cache/ferry-crash");
const entries = {
  main: launcher,
  child: bundleFolder === undefined ? file("child.ts") : `${bundleFolder}/child.js`,
};

/** `main` is what people start; `child` is the same command line that ends itself at a point. */
export function start(
  entry: keyof typeof entries,
  argv: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Running {
  const child = spawn(process.execPath, [entries[entry], ...argv], {
    cwd: options.cwd,
    env: { PATH: process.env["PATH"] ?? "", NO_COLOR: "1", NODE_COMPILE_CACHE: compileCache, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...texts }));
  });
  const says = async (text: string): Promise<void> => {
    while (!texts.stderr.includes(text)) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`it ended without saying ${text}`);
      await delay(5);
    }
  };
  const { pid } = child;
  if (pid === undefined) throw new Error("the command cannot be started");
  return {
    pid,
    ended,
    says,
    signal: (name) => void child.kill(name),
    kill() {
      child.kill("SIGKILL");
      return ended;
    },
  };
}
