import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openJournal } from "../../../src/store/files/index.ts";
import { makeTemporaryFolders, parties, tool } from "./support.ts";

const temporaryFolder = makeTemporaryFolders();
const program = fileURLToPath(new URL("journal-appender.ts", import.meta.url));

interface Appender {
  readonly child: ChildProcess;
  /** The numbers of the records that the process knows to be durable. */
  readonly acknowledged: () => readonly number[];
  readonly complaints: () => string;
}

function appender(command: string, ...args: readonly string[]): Appender {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [said, complaints] = ["", ""];
  child.stdout.on("data", (data: Buffer) => (said += data.toString()));
  child.stderr.on("data", (data: Buffer) => (complaints += data.toString()));
  return {
    child,
    acknowledged: () =>
      said
        .slice(0, said.lastIndexOf("\n") + 1)
        .split("\n")
        .slice(0, -1)
        .map(Number),
    complaints: () => complaints,
  };
}

/** The numbers of the records in the journal, which is open for the next run afterwards. */
async function numbersIn(path: string): Promise<ReadonlySet<number>> {
  const { records, journal } = await openJournal(path, { tool, parties });
  await journal.close();
  return new Set(records.map((record) => Number(record.type === "baseline" ? record.kind : Number.NaN)));
}

describe("a process that appends", () => {
  it("loses nothing that was acknowledged when it is killed, again and again", async () => {
    const path = join(temporaryFolder(), "journal.ndjson");
    const acknowledged = new Set<number>();
    let kills = 0;
    for (let round = 0; round < 6; round += 1) {
      const running = appender(process.execPath, program, path, "8");
      const before = acknowledged.size;
      while (running.acknowledged().length < 20) await delay(5);
      await delay(round * 7);
      running.child.kill("SIGKILL");
      const [, signal] = (await once(running.child, "close")) as [unknown, unknown];
      if (signal === "SIGKILL") kills += 1;
      for (const number of running.acknowledged()) acknowledged.add(number);
      expect(acknowledged.size).toBeGreaterThan(before);
      const found = await numbersIn(path);
      expect([...acknowledged].filter((number) => !found.has(number))).toEqual([]);
    }
    expect(kills).toBe(6);
  });

  it("stops for good when the disk takes no more, and loses nothing that was acknowledged", async (context) => {
    if (process.platform === "win32") context.skip("no limit of file sizes here");
    const path = join(temporaryFolder(), "journal.ndjson");
    const limited = appender(
      "/bin/sh",
      "-c",
      'ulimit -f 64; exec "$@"',
      "sh",
      process.execPath,
      program,
      path,
      "8",
    );
    const [exitCode] = (await once(limited.child, "close")) as [unknown];
    expect(exitCode).toBe(9);
    expect(limited.complaints().trim().split("\n")).toHaveLength(8);
    expect(limited.complaints()).toContain(`StoreError: cannot write ${path}: the system says EFBIG`);
    expect(statSync(path).size).toBeGreaterThan(10_000);
    const found = await numbersIn(path);
    expect(limited.acknowledged().length).toBeGreaterThan(10);
    expect(limited.acknowledged().filter((number) => !found.has(number))).toEqual([]);
  });
});
