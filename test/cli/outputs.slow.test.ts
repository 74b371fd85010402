import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { documentOf } from "./support/document.ts";
import { furnish } from "./support/little.ts";
import { Screen } from "./support/screen.ts";
import { launcher } from "../support/launcher.ts";
import { useStage } from "./support/stage.ts";

/** Outputs that take nothing, disks that are full and folders that vanish: said, with the right code, and not lost. */
const stage = useStage();
const bulk = "POST /api/catalog/v1/terms/bulk";
const whole = { terms: 2, rules: 1, monitors: 41, dashboards: 1 };
const trace = /\n\s+at .+:\d+:\d+|file:\/\//;

beforeEach(() => {
  furnish(stage().dev);
  stage().plan();
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** With files of the test in place of its outputs, where there are any. */
async function ferry(
  words: string,
  files: { readonly stdout?: string; readonly stderr?: string; readonly env?: Record<string, string> } = {},
): Promise<Ended> {
  const opened = (path: string | undefined): number | "pipe" =>
    path === undefined ? "pipe" : openSync(path, "w");
  const outputs = [opened(files.stdout), opened(files.stderr)] as const;
  const child = spawn(process.execPath, [launcher, ...words.split(" ")], {
    cwd: stage().folder,
    env: { PATH: process.env["PATH"] ?? "", ...stage().env, ...files.env },
    stdio: ["ignore", ...outputs],
  });
  for (const output of outputs) if (output !== "pipe") closeSync(output);
  const said = async (stream: Readable | null): Promise<string> => (stream === null ? "" : text(stream));
  const [stdout, stderr, [code]] = await Promise.all([
    said(child.stdout),
    said(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

describe.skipIf(process.platform !== "linux")("an output that takes nothing (/dev/full is Linux's)", () => {
  const stdout = "/dev/full";

  test.each([
    "diff move --json",
    "diff move",
    "diff move --format html",
    "diff move --detailed-exitcode",
    "--help",
  ])("stdout, %s: nobody takes silence for success", async (words) => {
    const { code, stderr } = await ferry(words, { stdout });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: stdout did not take the whole result: the disk is full \(ENOSPC\)\. /m);
    expect(stderr).not.toMatch(trace);
  });

  test("stdout of a run that writes: it is done, and status knows", async () => {
    const { code, stderr } = await ferry("sync move --yes --json", { stdout });
    expect(code).toBe(1);
    expect(stderr).toContain("The run itself ended with 0");
    expect(stage().prod.counts()).toMatchObject(whole);
    expect(await stage().json("status move")).toMatchObject({ exitCode: 0 });
  });

  test("a code that is about something else stays", async () => {
    const env = { DEV_CLIENT_SECRET: "wrong" };
    expect((await ferry("diff move --json", { stdout, env })).code).toBe(3);
    expect((await ferry("diff nothing --json", { stdout })).code).toBe(64);
  });

  test("stderr: the run goes on, and its result comes", async () => {
    const ended = await ferry("sync move --yes --json -vv", { stderr: "/dev/full" });
    expect(ended.code).toBe(0);
    expect(documentOf(ended.stdout)).toMatchObject({ exitCode: 0, summary: { create: 5 } });
    expect(stage().prod.counts()).toMatchObject(whole);
  });
});

test("a reader that has seen enough takes nothing from the code of the run", async () => {
  const child = spawn(process.execPath, [launcher, "diff", "move", "--detailed-exitcode", "--json"], {
    cwd: stage().folder,
    env: { PATH: process.env["PATH"] ?? "", ...stage().env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "export dev\nread target prod\ndiff\n" });
});

/** Once, when the first terms have arrived at the target. */
function atFirstWrite(deed: () => void): void {
  let done = false;
  stage().emulator.on(({ phase, entry }) => {
    if (done || phase !== "after-commit" || entry.route !== bulk) return;
    done = true;
    deed();
  });
}

describe("a folder that is taken away in the middle of a run", () => {
  test("the mappings: the run ends in good order, and goes on when they are back", async () => {
    atFirstWrite(() => renameSync(stage().path("mappings"), stage().path("elsewhere")));
    const { code, stdout, stderr } = await stage().ferry("apply move --yes");
    expect(code).toBe(1);
    expect(stdout).toMatch(/taken\s+away\s+in\s+the\s+middle\s+of\s+the\s+run/);
    expect(stdout + stderr).not.toMatch(trace);
    // What nobody would find again is not relied on: only what was in flight had been sent.
    expect(stage().prod.counts()).toMatchObject({ terms: 2, dashboards: 0 });
    renameSync(stage().path("elsewhere"), stage().path("mappings"));
    expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0 });
    expect(stage().prod.counts()).toMatchObject(whole);
  });

  test("the mappings, for good: what is there is recognised", async () => {
    atFirstWrite(() => rmSync(stage().path("mappings"), { recursive: true }));
    expect(await stage().json("apply move --yes")).toMatchObject({
      exitCode: 1,
      diagnostics: [{ code: "vanished" }],
    });
    expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0 });
    expect(stage().prod.counts()).toMatchObject(whole);
  });

  test.each([
    ["at the first write", bulk],
    ["while the target is read", "GET /api/data-quality/v1/rules"],
  ])("the working folder, %s: never a usage error", async (_when, route) => {
    let done = false;
    stage().emulator.on(({ entry }) => {
      if (done || entry.tenant !== "prod" || entry.route !== route) return;
      done = true;
      rmSync(stage().path("plans", "move"), { recursive: true, force: true });
    });
    const { exitCode, diagnostics } = await stage().json("apply move --yes");
    expect([0, 1]).toContain(exitCode);
    expect(diagnostics.map(({ code }) => code)).not.toContain("defect");
    expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0 });
    expect(stage().prod.counts()).toMatchObject(whole);
  });
});

describe("a disk that fills in the middle of a run", () => {
  /** Every record of the journal from this one on finds no room. */
  test.each([1, 2, 3, 4, 5, 6, 8])("at record %d of the journal", async (first) => {
    let count = 0;
    const reached = (point: string): void => {
      if (point === "journal:before-write") count += 1;
      if (count < first || point !== "journal:before-write") return;
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
        code: "ENOSPC",
        syscall: "write",
      });
    };
    const screen = new Screen({ cwd: stage().folder, env: stage().env });
    const code = await runProgram(["apply", "move", "--yes", "--json"], {
      io: screen.io,
      version: () => "1.2.3-test",
      hooks: { reached },
    });
    expect(code).toBe(1);
    const [diagnostic] = documentOf(screen.stdout).diagnostics;
    expect(diagnostic?.code).toBe("disk-full");
    expect(diagnostic?.suggestion).toMatch(/Free some space.*nothing is lost/);
    expect(screen.stdout + screen.stderr).not.toMatch(trace);
    expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0 });
    expect(stage().prod.counts()).toMatchObject(whole);
  });

  // A disk of its own needs the right to mount one; the records above need nothing.
  const small = spawnSync("sh", [
    "-c",
    'd=$(mktemp -d) && mount -t tmpfs -o size=64k tmpfs "$d" && umount "$d" && rmdir "$d"',
  ]);

  describe.skipIf(small.status !== 0)("for real (needs root, to mount a small disk)", () => {
    const mounted: string[] = [];
    afterEach(() => {
      for (const folder of mounted.splice(0)) spawnSync("sh", ["-c", `umount "${folder}"`]);
    });
    const mount = (folder: string, size: string): void => {
      mkdirSync(stage().path(folder), { recursive: true });
      expect(
        spawnSync("sh", ["-c", `mount -t tmpfs -o size=${size} tmpfs "${stage().path(folder)}"`]).status,
      ).toBe(0);
      mounted.push(stage().path(folder));
    };
    const fill = (folder: string): void => {
      try {
        writeFileSync(stage().path(folder, "filler"), Buffer.alloc(4 * 1024 * 1024));
      } catch {
        // It is full: that was the purpose.
      }
    };

    test.each(["mappings", "plans/move"])("the one of %s", async (folder) => {
      mount(folder, "400k");
      atFirstWrite(() => fill(folder));
      const { code, stdout, stderr } = await ferry("apply move --yes");
      expect(code).toBe(1);
      expect(stdout).toContain("disk is full");
      expect(stdout + stderr).not.toMatch(trace);
      rmSync(stage().path(folder, "filler"));
      const again = await stage().json("apply move --yes");
      expect(again).toMatchObject({ exitCode: 0 });
      expect(stage().prod.counts()).toMatchObject(whole);
    });

    test("the one that takes the result: part of it is not all of it", async () => {
      mount("out", "4k");
      const { code, stderr } = await ferry("diff move --json", {
        stdout: stage().path("out", "result.json"),
      });
      expect(code).toBe(1);
      expect(stderr).toContain("did not take the whole result");
    });
  });
});
