import type { Io } from "../../../src/cli/io.ts";

export interface ScreenOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A person sits there: both outputs are a terminal, and questions can be asked. */
  readonly terminal?: boolean;
  /** ... and stdout goes to a file. */
  readonly redirected?: boolean;
  /** What the person types, one line a question; a question too many is an error. */
  readonly answers?: readonly string[];
  readonly stop?: AbortController;
  /** Interrupts at the first question that none of the answers is for, as a person does with Ctrl-C. */
  readonly leave?: boolean;
}

/** The world around the command, caught. */
export class Screen {
  readonly io: Io;
  readonly asked: string[] = [];
  readonly #texts = { stdout: "", stderr: "" };

  constructor(options: ScreenOptions) {
    const terminal = options.terminal ?? false;
    const answers = [...(options.answers ?? [])];
    const output = (name: "stdout" | "stderr"): Io["stdout"] => ({
      isTerminal: terminal && !(name === "stdout" && options.redirected === true),
      columns: 100,
      write: (text) => {
        this.#texts[name] += text;
      },
    });
    const stop = options.stop ?? new AbortController();
    this.io = {
      stdout: output("stdout"),
      stderr: output("stderr"),
      env: options.env ?? {},
      cwd: options.cwd,
      interactive: terminal,
      ask: async (question) => {
        this.asked.push(question);
        if (options.leave === true && answers.length === 0) {
          stop.abort();
          stop.signal.throwIfAborted();
        }
        const answer = answers.shift();
        if (answer === undefined) throw new Error(`nobody answers "${question}"`);
        return answer;
      },
      stop: stop.signal,
    };
  }

  get stdout(): string {
    return this.#texts.stdout;
  }

  get stderr(): string {
    return this.#texts.stderr;
  }
}
