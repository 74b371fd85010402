import type { ChildProcessByStdio } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { documentOf } from "./support/document.ts";
import { furnish } from "./support/little.ts";
import { launcher } from "../support/launcher.ts";
import { useStage } from "./support/stage.ts";

/** The command as a process of its own: what only the real outputs and signals show. */
const stage = useStage();

function start(...argv: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
  const { PATH = "" } = process.env;
  return spawn(process.execPath, [launcher, ...argv], {
    cwd: stage().folder,
    env: { PATH, ...stage().env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function end(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Ended> {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

test("--version is the one of the package", async () => {
  expect(await end(start("--version"))).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test("a Node that is too old is told so, in plain words, before anything else is loaded", async () => {
  const older = `Object.defineProperty(process.versions, "node", { value: "20.20.2" })`;
  const { PATH = "" } = process.env;
  const child = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(older)}`, launcher, "diff", "move"],
    { cwd: stage().folder, env: { PATH }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const { code, stdout, stderr } = await end(child);
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toMatch(
    /^ferry needs Node 24 or newer; this is Node 20\.20\.2\.\nInstall Node 24; or, .*npm ci/,
  );
  expect(manifest.engines.node).toBe(">=24");
});

test.skipIf(process.platform !== "linux")(
  "a plan of which only a part finds room is not there, and the same command writes it later",
  async () => {
    // Its schema is large: it goes to where there is room for anything.
    mkdirSync(stage().path("plans/.schema"), { recursive: true });
    symlinkSync("/dev/null", stage().path("plans/.schema/plan.json"));
    const small = 'trap "" XFSZ; ulimit -f 4; exec "$0" "$@"';
    const words = ["-c", small, process.execPath, launcher, "init"];
    const { PATH = "" } = process.env;
    const child = spawn("sh", words, {
      cwd: stage().folder,
      env: { PATH },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { code, stdout } = await end(child);
    expect({ code, stdout }).toMatchObject({ code: 64, stdout: expect.stringContaining("EFBIG") });
    expect(existsSync(stage().path("plans/plan.yaml"))).toBe(false);
    expect((await end(start("init"))).code).toBe(0);
  },
);

test("the exit code is the process's, and a pipe gets no colours", async () => {
  furnish(stage().dev);
  stage().plan();
  const diff = await end(start("diff", "move", "--detailed-exitcode", "--json"));
  expect(documentOf(diff.stdout).exitCode).toBe(2);
  expect(diff.code).toBe(2);
  expect(diff.stdout + diff.stderr).not.toContain("\u001b");
  const wrong = await end(start("diff", "move", "--knids", "rules"));
  expect(wrong).toMatchObject({ code: 64, stdout: "" });
  expect(wrong.stderr).not.toContain("\u001b");
});

test("without a terminal nobody is asked", async () => {
  furnish(stage().dev);
  stage().plan();
  expect(await end(start("apply", "move"))).toMatchObject({ code: 64 });
  expect(stage().emulator.log.entries).toEqual([]);
});

test("a reader that has seen enough, such as head, is no trouble", async () => {
  const child = start("demo", "--dir", "here");
  const stderr = text(child.stderr);
  await once(child.stdout, "data");
  child.stdout.destroy();
  const [code] = (await once(child, "exit")) as [number | null];
  expect({ code, stderr: await stderr }).toEqual({ code: 0, stderr: "" });
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s: what is in flight finishes, exit code 5, and it can go on",
  async (signal) => {
    furnish(stage().dev);
    stage().plan();
    const route = "POST /api/catalog/v1/terms/bulk";
    stage().emulator.faults.add({ match: { route }, effect: { type: "delay", ms: 300, at: "after-commit" } });
    const child = start("apply", "move", "--yes", "--json");
    stage().emulator.on(({ phase, entry }) => {
      if (phase === "after-commit" && entry.route === route) child.kill(signal);
    });
    const { code, stdout, stderr } = await end(child);
    expect(code).toBe(5);
    const { exitCode, changes } = documentOf(stdout);
    expect(exitCode).toBe(5);
    expect(changes.filter(({ kind }) => kind === "terms").map(({ outcome }) => outcome)).toEqual([
      "done",
      "done",
    ]);
    expect(stderr).toMatch(/Stopping: what is in flight may finish \([1-9] requests?\)/);
    stage().emulator.faults.clear();
    expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0 });
    expect(stage().prod.counts()).toMatchObject({ terms: 2, rules: 1, monitors: 41, dashboards: 1 });
  },
);

test("the second interrupt leaves at once; what was sent is settled by the next run", async () => {
  furnish(stage().dev);
  stage().plan();
  const route = "POST /api/catalog/v1/terms/bulk";
  const off = stage().emulator.faults.add({
    match: { route },
    effect: { type: "delay", ms: 5_000, at: "after-commit" },
  });
  const child = start("apply", "move", "--yes");
  stage().emulator.on(({ phase, entry }) => {
    if (phase !== "after-commit" || entry.route !== route) return;
    child.kill("SIGINT");
    child.stderr.once("data", () => child.kill("SIGINT"));
  });
  const { code, stderr } = await end(child);
  expect(code).toBe(130);
  expect(stderr).toMatch(/\nLeft at once\. Run the same command again to continue\.\n$/);
  off();
  expect(await stage().json("status move")).toMatchObject({ exitCode: 5 });
  expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0 });
  expect(stage().prod.counts()).toMatchObject({ terms: 2, rules: 1, monitors: 41, dashboards: 1 });
});
