import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readText } from "../../src/plan/read-text.ts";

test("a named pipe is not waited for", ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), "ferry-pipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "plan.yaml");
  try {
    execFileSync("mkfifo", [path]);
  } catch {
    skip("this machine makes no named pipes");
  }
  expect(readText(path)).toEqual({ why: "is a named pipe" });
  writeFileSync(join(folder, "file.yaml"), "version: 1\n");
  expect(readText(join(folder, "file.yaml"))).toEqual({ text: "version: 1\n" });
});
