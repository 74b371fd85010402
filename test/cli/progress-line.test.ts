import { beforeEach, describe, expect, test } from "vitest";
import { ProgressLine } from "../../src/cli/progress-line.ts";
import { retryText } from "../../src/cli/retry-text.ts";
import { tmpdir } from "node:os";
import { runProgram } from "../../src/cli/program.ts";
import { Screen } from "./support/screen.ts";
import { stoppingText } from "../../src/cli/stopping-text.ts";
import type { ClientEvent } from "../../src/service/index.ts";

const request = { environment: "dev", method: "GET", path: "/api/data-quality/v1/rules", write: false };
const sent: ClientEvent = { type: "sent", environment: "dev" };
const ended: ClientEvent = { type: "ended", environment: "dev" };

function listed(environment: string, path: string, received: number, total?: number): ClientEvent {
  return { type: "listed", environment, path, received, ...(total === undefined ? {} : { total }) };
}

describe("a terminal's line", () => {
  let now: number;
  let drawn: string[];
  let line: ProgressLine;
  const shown = (): string => drawn.at(-1) ?? "";

  beforeEach(() => {
    now = 0;
    drawn = [];
    const write = (text: string): void => {
      drawn.push(text.replaceAll("\r", "").replaceAll("\u001b[2K", ""));
    };
    line = new ProgressLine({ isTerminal: true, columns: 120, write }, () => now);
  });

  test("says from the first request on that an answer is awaited", () => {
    line.show({ type: "stage", stage: "export", detail: "dev" });
    now = 100;
    line.hear(sent);
    expect(shown()).toBe("export dev  waiting for 1 answer");
  });

  test("says how much of how much is read at each side, how quickly, and how long that takes", () => {
    line.show({ type: "stage", stage: "export", detail: "dev" });
    for (let number = 0; number < 3; number += 1) line.hear(sent);
    line.hear(listed("prod", "/api/catalog/v1/catalog-items/filter", 100));
    now = 2_000;
    line.hear(listed("dev", "/api/data-quality/v1/rules", 1_500, 4_500));
    expect(shown()).toBe(
      "reading  prod: catalog-items 100  dev: rules 1,500 of 4,500  800/s  waiting for 3 answers",
    );
    line.show({ type: "stage", stage: "read target", detail: "prod" });
    now = 4_000;
    line.hear(ended);
    line.hear(listed("dev", "/api/data-quality/v1/rules", 3_000, 4_500));
    now = 4_100;
    line.hear(ended);
    expect(shown()).toBe("reading  dev: rules 3,000 of 4,500  1,429/s  2 s left  waiting for 1 answer");
  });

  test("counts what is done as the summary does, with the rate of this stage and the time left", () => {
    line.show({ type: "stage", stage: "apply", detail: "prod" });
    // Nothing is done while a person reads the diff.
    now = 60_000;
    line.show({ type: "work", done: 0, total: 2_400, inFlight: 0 });
    now = 70_000;
    line.show({ type: "work", done: 1_200, total: 2_400, inFlight: 300 });
    expect(shown()).toBe("apply prod  [############............] 1,200 of 2,400  120/s  10 s left");
    expect(line.state()).toEqual({ awaited: 0, notStarted: 900 });
  });

  test("is drawn nowhere else", () => {
    const nowhere = new ProgressLine(
      { isTerminal: false, columns: 80, write: (text) => void drawn.push(text) },
      () => now,
    );
    nowhere.show({ type: "stage", stage: "diff" });
    nowhere.hear(sent);
    expect(drawn).toEqual([]);
    expect(nowhere.state().awaited).toBe(1);
  });
});

describe("a request that is tried again", () => {
  const retry = { type: "retry", ...request, attempt: 2, waitMs: 1_400, budgetMs: 120_000 } as const;

  test.each([
    [{ kind: "server", status: 500 }, "answered 500"],
    [{ kind: "throttled", status: 429 }, "answered 429"],
    [{ kind: "unreachable" }, "is not reachable"],
    [{ kind: "timeout" }, "had no answer in time"],
    [{ kind: "unreadable", status: 200 }, "had an answer that could not be read"],
  ] as const)("says what, why and how long: %j", (failure, how) => {
    expect(retryText({ ...retry, ...failure })).toBe(
      `dev: GET /rules ${how}; trying again in 2 s (attempt 3, for at most 2 minutes)`,
    );
  });
});

test.each([
  [0, 0, "Stopping: what is in flight may finish."],
  [1, 0, "Stopping: what is in flight may finish (1 request)."],
  [8, 1_200, "Stopping: what is in flight may finish (8 requests); 1,200 objects are not started."],
])("an interrupt with %i requests and %i objects", (awaited, notStarted, text) => {
  expect(stoppingText({ awaited, notStarted })).toBe(
    `${text} Interrupt again to leave at once (that is safe).`,
  );
});

test("is told in whole words where a terminal is narrow", async () => {
  const screen = new Screen({ cwd: tmpdir(), terminal: true });
  let told: (() => string) | undefined;
  const stderr = { ...screen.io.stderr, columns: 50 };
  const io = { ...screen.io, stderr, onInterrupt: (text: () => string) => (told = text) };
  await runProgram(["status", "none"], { io, version: () => "1.2.3-test" });
  expect(told?.()).toBe(
    "Stopping: what is in flight may finish. Interrupt\nagain to leave at once (that is safe).",
  );
});
