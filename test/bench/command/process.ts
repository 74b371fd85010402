import { spawn } from "node:child_process";

export interface Spawned {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Exit codes that are none of a failure. */
  readonly fine?: readonly number[];
}

/** Runs a program to its end; what it printed. */
export async function spawned(
  program: string,
  argv: readonly string[],
  { cwd, env = {}, input = "", fine = [0] }: Spawned = {},
): Promise<string> {
  const running = spawn(program, argv, { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
  const texts = { stdout: "", stderr: "" };
  running.stdout.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
  running.stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
  running.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    running.once("error", reject);
    running.once("close", resolve);
  });
  if (code === null || !fine.includes(code)) {
    const said = `${texts.stderr.trim()}\n${texts.stdout.trim()}`.trim();
    throw new Error(`${[program, ...argv].join(" ")} ended with ${code}: ${said.slice(-2_000)}`);
  }
  return texts.stdout;
}
