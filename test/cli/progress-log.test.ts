import { describe, expect, test } from "vitest";
import { ProgressLog } from "../../src/cli/progress-log.ts";

describe("a log, where no line can be drawn", () => {
  test("is told every stage at once", () => {
    const log = new ProgressLog(() => 0);
    expect(log.line({ type: "stage", stage: "export", detail: "dev" })).toBe("export dev");
    expect(log.line({ type: "stage", stage: "diff" })).toBe("diff");
  });

  test("is told how far it has come every ten seconds, and not more often", () => {
    let now = 0;
    const log = new ProgressLog(() => now);
    log.line({ type: "stage", stage: "apply", detail: "prod" });
    const told: string[] = [];
    for (let done = 0; done <= 5_200; done += 100) {
      now += 1_000;
      const line = log.line({ type: "work", done, total: 5_200, inFlight: 8 });
      if (line !== undefined) told.push(`${now / 1_000} s ${line}`);
    }
    expect(told).toEqual([
      "10 s apply: 900 of 5,200 done, 8 in flight",
      "20 s apply: 1,900 of 5,200 done, 8 in flight",
      "30 s apply: 2,900 of 5,200 done, 8 in flight",
      "40 s apply: 3,900 of 5,200 done, 8 in flight",
      "50 s apply: 4,900 of 5,200 done, 8 in flight",
    ]);
  });

  test("is told what is read, with how much there is where that is known", () => {
    let now = 0;
    const log = new ProgressLog(() => now);
    log.line({ type: "stage", stage: "export", detail: "dev" });
    const read = { type: "read", side: "source", kind: "rules", count: 1_200 } as const;
    expect(log.line(read)).toBeUndefined();
    now = 10_000;
    expect(log.line(read)).toBe("source: 1,200 rules read");
    now = 20_000;
    expect(log.line({ ...read, total: 5_000 })).toBe("source: 1,200 of 5,000 rules read");
  });

  test("is not told what is told otherwise", () => {
    const log = new ProgressLog(() => 0);
    expect(log.line({ type: "waiting", ms: 1_000, reason: "quiet" })).toBeUndefined();
  });
});
