import { format, createLogger } from "winston";
import type { Logger } from "winston";
import Transport from "winston-transport";
import { display, displayJson } from "../model/display.ts";
import { redact, redactJson } from "../service/index.ts";
import type { Output } from "./io.ts";

/** Writes each line at once: a log that is still in memory when the process ends is no log. */
class LineTransport extends Transport {
  readonly #output: Output;
  readonly #safe: (line: string) => string;

  constructor(output: Output, safe: (line: string) => string) {
    super();
    this.#output = output;
    this.#safe = safe;
  }

  override log(info: Record<symbol, unknown>, done: () => void): void {
    const line = info[Symbol.for("message")];
    this.#output.write(`${displayJson(this.#safe(String(line)))}\n`);
    done();
  }
}

export type Level = "error" | "warn" | "info" | "verbose" | "debug";

/** Log lines go to stderr, as text for people or JSON for machines; secrets are masked in whatever they hold. */
export function openLogger(options: {
  readonly output: Output;
  readonly level: Level;
  readonly json: boolean;
  readonly secrets: readonly string[];
}): Logger {
  const hide = options.json ? redactJson : redact;
  const lines = options.json
    ? format.combine(format.timestamp(), format.json())
    : format.printf(({ level, message, ...fields }) => {
        const rest = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
        return display(
          [level === "info" ? "" : `${level}: `, String(message), ...rest.map((field) => ` ${field}`)].join(
            "",
          ),
        );
      });
  return createLogger({
    level: options.level,
    format: lines,
    transports: [new LineTransport(options.output, (line) => hide(line, options.secrets))],
  });
}
