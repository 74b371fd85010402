import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rewritePlan } from "../../src/cli/rewrite-plan.ts";
import type { PlanEdit } from "../../src/cli/rewrite-plan.ts";
import type { LoadedPlan } from "../../src/plan/load.ts";
import { nodeDisk } from "../../src/store/index.ts";

/** Of two that change one plan, neither writes the other's change away. */

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ferry-plan-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});
const check = (() => ({ plan: {} })) as unknown as LoadedPlan["check"];

function plan(): { readonly path: string; readonly work: string; readonly text: () => string } {
  const work = join(folder, "work");
  mkdirSync(work, { recursive: true });
  const path = join(folder, "plan.yaml");
  writeFileSync(path, "first\n");
  return { path, work, text: () => readFileSync(path, "utf8") };
}

const adding =
  (line: string): PlanEdit =>
  (text) =>
    `${text}${line}\n`;

test("what an editor saves while the plan is written is there afterwards, and so is what was to be written", async () => {
  const { path, work, text } = plan();
  let times = 0;
  const edit: PlanEdit = (before, said) => {
    times += 1;
    // Saved behind the look at the text.
    if (times === 1) writeFileSync(path, `${before}saved\n`);
    return adding("ours")(before, said);
  };
  await rewritePlan({ path, check }, edit, { work });
  expect([times, text()]).toEqual([2, "first\nsaved\nours\n"]);
});

test("a plan that something else changes all the time is left as that wrote it", async () => {
  const { path, work, text } = plan();
  let times = 0;
  const edit: PlanEdit = (before, said) => {
    times += 1;
    writeFileSync(path, `${times}\n`);
    return adding("ours")(before, said);
  };
  await expect(rewritePlan({ path, check }, edit, { work })).rejects.toThrow("changed by something else");
  expect(text()).toBe(`${times}\n`);
});

test("whoever comes second waits for the first one, and adds to what that wrote", async () => {
  const { path, work, text } = plan();
  const lock = nodeDisk.lock(join(work, "plan.lock"));
  const waiting = rewritePlan({ path, check }, adding("second"), { work });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(text()).toBe("first\n");
  writeFileSync(path, "first\nof the first one\n");
  lock?.release();
  await waiting;
  expect(text()).toBe("first\nof the first one\nsecond\n");
});

test("how long the first one is waited for is counted by the clock: each try waits a little itself", async () => {
  const { path, work, text } = plan();
  let tries = 0;
  const lock = (): undefined => {
    tries += 1;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  };
  const waiting = rewritePlan({ path, check }, adding("ours"), { work, disk: { lock }, patienceMs: 300 });
  await expect(waiting).rejects.toThrow("another ferry is editing");
  expect(tries).toBeLessThan(5);
  expect(text()).toBe("first\n");
});
