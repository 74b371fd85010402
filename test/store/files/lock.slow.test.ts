import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import type { Holder } from "../../../src/store/index.ts";
import type { Disk, Lock } from "../../../src/store/files/index.ts";
import { acquireLock, nodeDisk, readLockNote } from "../../../src/store/files/index.ts";
import { takeLocks } from "../../../src/store/files/lease.ts";
import { makeTemporaryFolders, storeError } from "./support.ts";

const temporaryFolder = makeTemporaryFolders();
const note: Holder = { owner: "me", host: "here", pid: 1, run: "r1", since: "2026-11-21T08:00:00.000Z" };
const program = fileURLToPath(new URL("lock-holder.ts", import.meta.url));
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A process of its own that tried to take the lock, and what it said. */
async function another(
  path: string,
  as: { uid?: number; gid?: number } = {},
): Promise<{ child: ChildProcess; said: string; complaints: () => string }> {
  const child = spawn(process.execPath, [program, path], { stdio: ["ignore", "pipe", "pipe"], ...as });
  children.push(child);
  let complaints = "";
  child.stderr.on("data", (data: Buffer) => (complaints += data.toString()));
  const [said] = (await Promise.race([once(child.stdout, "data"), once(child, "close")])) as [unknown];
  return { child, said: String(said).trim(), complaints: () => complaints };
}

function taken(path: string): Lock {
  const result = acquireLock(path, note);
  if (!result.ok) throw new Error("the lock is busy");
  return result.lock;
}

describe("acquireLock within a process", () => {
  it("is held until it is released, and names its holder", () => {
    const path = join(temporaryFolder(), "folder", "lock");
    const lock = taken(path);
    expect(acquireLock(path, { ...note, run: "r2" })).toEqual({ ok: false, holder: note });
    expect(readLockNote(path)).toEqual(note);
    lock.release();
    lock.release();
    expect(readLockNote(path)).toBeUndefined();
    taken(path).release();
  });

  it("releases at the end of a block", () => {
    const path = join(temporaryFolder(), "lock");
    {
      using lock = taken(path);
      expect(lock).toBeDefined();
      expect(acquireLock(path, note).ok).toBe(false);
    }
    taken(path).release();
  });

  it("knows the lock by another path", () => {
    const folder = temporaryFolder();
    symlinkSync(folder, join(folder, "same"));
    const lock = taken(join(folder, "lock"));
    expect(acquireLock(join(folder, "same", "lock"), note).ok).toBe(false);
    lock.release();
  });

  it("frees every lock of a lease where a note cannot be taken away: what was done under it is not told as failed", async () => {
    const folder = temporaryFolder();
    const paths = [join(folder, "one", "lock"), join(folder, "other", "lock")];
    const refusing: Disk = {
      ...nodeDisk,
      rmSync: () => {
        throw Object.assign(new Error("EROFS"), { code: "EROFS", syscall: "unlink" });
      },
    };
    const result = takeLocks(refusing, paths, note);
    if (!result.ok) throw new Error("the locks are busy");
    await result.lease.release();
    expect(paths.map((path) => readLockNote(path))).toEqual([note, note]);
    for (const path of paths) taken(path).release();
    expect(paths.map((path) => readLockNote(path))).toEqual([undefined, undefined]);
  });

  it("leaves no other files than the lock and the note", () => {
    const folder = temporaryFolder();
    const lock = taken(join(folder, "lock"));
    expect(readdirSync(folder).sort()).toEqual(["lock", "lock.holder"]);
    lock.release();
    expect(readdirSync(folder)).toEqual(["lock"]);
  });

  it("is held although nobody refers to it any more", () => {
    const path = join(temporaryFolder(), "lock");
    expect(acquireLock(path, note).ok).toBe(true);
    globalThis.gc?.();
    expect(acquireLock(path, note).ok).toBe(false);
  });

  it("says busy without a name when the note is missing or unreadable", () => {
    const path = join(temporaryFolder(), "lock");
    const lock = taken(path);
    writeFileSync(`${path}.holder`, "{ half");
    expect(acquireLock(path, note)).toEqual({ ok: false });
    lock.release();
  });
});

describe("acquireLock where it cannot work", () => {
  it("refuses a folder and a file in the place of the folder", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "lock"));
    await storeError("lock-unusable", () => acquireLock(join(folder, "lock"), note));
    writeFileSync(join(folder, "file"), "");
    await storeError("lock-unusable", () => acquireLock(join(folder, "file", "lock"), note));
  });

  it("refuses a file that is no lock", async () => {
    const path = join(temporaryFolder(), "lock");
    writeFileSync(path, "somebody's notes ".repeat(100));
    const error = await storeError("lock-unusable", () => acquireLock(path, note));
    expect(error.message).toContain("not a database");
    expect(readFileSync(path, "utf8")).toContain("somebody's notes");
  });

  it("takes nothing when the note cannot be written", async () => {
    const path = join(temporaryFolder(), "lock");
    mkdirSync(`${path}.holder`);
    await storeError("io-failed", () => acquireLock(path, note));
    rmdirSync(`${path}.holder`);
    expect((await another(path)).said).toBe("held");
  });

  it("refuses a lock file that may only be read, where SQLite would share it", async (context) => {
    if (process.getuid?.() !== 0) context.skip("another user is needed, and only root can be one");
    const folder = temporaryFolder();
    const path = join(folder, "lock");
    taken(path).release();
    chmodSync(path, 0o444);
    chmodSync(folder, 0o777);
    const { child, said, complaints } = await another(path, { uid: 65_534, gid: 65_534 });
    if (child.exitCode === null) await once(child, "close");
    expect(said).not.toBe("held");
    expect(complaints()).toMatch(/lock-unusable|cannot lock/);
  });
});

describe("acquireLock between processes", () => {
  it("is free at once when the holder is killed, although its note is still there", async () => {
    const path = join(temporaryFolder(), "lock");
    const { child, said, complaints } = await another(path);
    expect(said).toBe("held");
    const refused = acquireLock(path, note);
    expect(refused).toMatchObject({ ok: false, holder: { run: "run-of-the-child", pid: child.pid } });
    child.kill("SIGKILL");
    await once(child, "close");
    expect(existsSync(`${path}.holder`)).toBe(true);
    const lock = taken(path);
    expect(readLockNote(path)).toEqual(note);
    lock.release();
    expect(complaints(), "no warnings on stderr").toBe("");
  });

  it("is not taken from a holder that is suspended", async () => {
    const path = join(temporaryFolder(), "lock");
    const { child, said } = await another(path);
    expect(said).toBe("held");
    child.kill("SIGSTOP");
    for (let turn = 0; turn < 10; turn += 1) {
      expect(acquireLock(path, note).ok).toBe(false);
      await delay(50);
    }
    child.kill("SIGCONT");
    expect(acquireLock(path, note).ok).toBe(false);
  });

  it("refuses another process while we hold it", async () => {
    const path = join(temporaryFolder(), "lock");
    const lock = taken(path);
    expect((await another(path)).said).toBe("busy");
    lock.release();
    expect((await another(path)).said).toBe("held");
  });

  it("lets one of many win", async () => {
    const path = join(temporaryFolder(), "lock");
    const said = await Promise.all(Array.from({ length: 6 }, async () => (await another(path)).said));
    expect(said.filter((word) => word === "held")).toHaveLength(1);
    expect(said.filter((word) => word === "busy")).toHaveLength(5);
  });
});
