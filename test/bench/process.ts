import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const child = fileURLToPath(new URL("child.ts", import.meta.url));

/** Runs this very Node and waits for its end; what it printed. */
export async function node(argv: readonly string[], input = ""): Promise<string> {
  const running = spawn(process.execPath, argv, { stdio: ["pipe", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  running.stdout.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
  running.stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
  running.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    running.once("error", reject);
    running.once("close", resolve);
  });
  if (code !== 0)
    throw new Error(`a process ended with ${code}: ${texts.stderr.trim() || texts.stdout.trim()}`);
  return texts.stdout;
}

/** The flags that the command gives itself, in its first line. */
const [, ...words] = readFileSync(new URL("../../src/ferry.js", import.meta.url), "utf8")
  .split("\n", 1)
  .join("")
  .split(" ");
const flags = words.filter((word) => /^--./.test(word));

/** What is measured runs in a process of its own, so that the emulator's time and memory are not in it. */
export async function measured<T>(task: object): Promise<T> {
  return JSON.parse(await node([...flags, child], JSON.stringify(task))) as T;
}
