import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { writeAtomic } from "../../../src/store/index.ts";
import { Folders, nodeDisk } from "../../../src/store/files/index.ts";
import { removeSynced } from "../../../src/store/files/remove.ts";
import type { Content, DiskFile } from "../../../src/store/files/disk.ts";
import { Crash, leftovers, makeTemporaryFolders, storeError } from "./support.ts";

const temporaryFolder = makeTemporaryFolders();

describe("writeAtomic", () => {
  it("writes a new file, with its folders", async () => {
    const path = join(temporaryFolder(), "a", "b", "file.txt");
    await writeAtomic(path, "content");
    expect(readFileSync(path, "utf8")).toBe("content");
    expect(readdirSync(join(path, ".."))).toEqual(["file.txt"]);
  });

  it("takes content in pieces, also many and large ones", async () => {
    const path = join(temporaryFolder(), "file.txt");
    const pieces = Array.from({ length: 5000 }, (_, index) => `${index} ${"ä".repeat(40)}\n`);
    await writeAtomic(path, pieces);
    expect(readFileSync(path, "utf8")).toBe(pieces.join(""));
    await writeAtomic(path, []);
    expect(readFileSync(path, "utf8")).toBe("");
    await writeAtomic(path, Readable.from([Buffer.from("one "), Buffer.from("two")]));
    expect(readFileSync(path, "utf8")).toBe("one two");
  });

  it("gives a new file the mode asked for and keeps the mode of an existing one", async () => {
    const path = join(temporaryFolder(), "file.txt");
    await writeAtomic(path, "1", { mode: 0o600 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o640);
    await writeAtomic(path, "2", { mode: 0o600 });
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readFileSync(path, "utf8")).toBe("2");
  });

  it("follows a symbolic link to its target and leaves the link", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "elsewhere"));
    writeFileSync(join(folder, "elsewhere", "real.txt"), "old");
    symlinkSync(join("elsewhere", "real.txt"), join(folder, "link.txt"));
    await writeAtomic(join(folder, "link.txt"), "new");
    expect(readlinkSync(join(folder, "link.txt"))).toBe(join("elsewhere", "real.txt"));
    expect(readFileSync(join(folder, "elsewhere", "real.txt"), "utf8")).toBe("new");
    expect(lstatSync(join(folder, "elsewhere", "real.txt")).isSymbolicLink()).toBe(false);
  });

  it("creates what a dangling link points at", async () => {
    const folder = temporaryFolder();
    symlinkSync("second", join(folder, "first"));
    symlinkSync("real.txt", join(folder, "second"));
    await writeAtomic(join(folder, "first"), "new");
    expect(readFileSync(join(folder, "real.txt"), "utf8")).toBe("new");
    expect(lstatSync(join(folder, "first")).isSymbolicLink()).toBe(true);
  });

  it("writes to a device instead of replacing it", async () => {
    await writeAtomic("/dev/null", "content");
    await writeAtomic("/dev/null", ["content"]);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  it("keeps the old content and leaves no temporary file when it is interrupted before the rename", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "file.txt");
    writeFileSync(path, "old");
    const crash = (point: string): void => {
      if (point === "before-rename") throw new Crash(point);
    };
    await expect(writeAtomic(path, "new", { reached: crash })).rejects.toThrow(Crash);
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(leftovers(folder)).toEqual([]);
  });

  it("passes a defect of the content on and keeps the old file", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "file.txt");
    writeFileSync(path, "old");
    const pieces = function* (): Generator<string> {
      yield "half";
      throw new RangeError("defect");
    };
    await expect(writeAtomic(path, pieces())).rejects.toThrow(RangeError);
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(leftovers(folder)).toEqual([]);
  });

  it("survives many writers of one file: one of them wins, whole", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "file.txt");
    const contents = Array.from({ length: 30 }, (_, index) => String(index).repeat(20_000));
    await Promise.all(contents.map((content) => writeAtomic(path, content)));
    expect(contents).toContain(readFileSync(path, "utf8"));
    expect(leftovers(folder)).toEqual([]);
  });

  it("says what is in the way", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    mkdirSync(join(folder, "taken"));
    const inside = await storeError("io-failed", () => writeAtomic(join(folder, "file", "x"), ""));
    expect(inside.message).toContain("is a file, not a folder");
    const taken = await storeError("io-failed", () => writeAtomic(join(folder, "taken"), ""));
    expect(taken.message).toContain("it is a folder");
    expect(existsSync(join(folder, "taken"))).toBe(true);
    expect(leftovers(folder)).toEqual([]);
  });

  it("says that links lead in a circle", async () => {
    const folder = temporaryFolder();
    symlinkSync("two", join(folder, "one"));
    symlinkSync("one", join(folder, "two"));
    expect((await storeError("io-failed", () => writeAtomic(join(folder, "one"), ""))).message).toContain(
      "circle",
    );
  });

  it("gives the permissions that were asked for to one that was there already, also where its folder cannot be synced", async () => {
    const path = join(temporaryFolder(), "file.txt");
    writeFileSync(path, "old", { mode: 0o644 });
    const refused = Object.assign(new Error("EACCES: open"), { code: "EACCES", syscall: "open" });
    const disk = { ...nodeDisk, syncFolder: async () => Promise.reject(refused) };
    await storeError("not-synced", () => writeAtomic(path, "new", { disk, permissions: 0o600 }));
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["new", 0o600]);
  });

  it("says that the file is in its place where only its folder cannot be synced", async () => {
    const path = join(temporaryFolder(), "file.txt");
    const refused = Object.assign(new Error("EACCES: open"), { code: "EACCES", syscall: "open" });
    const disk = { ...nodeDisk, syncFolder: async () => Promise.reject(refused) };
    const written = await storeError("not-synced", () => writeAtomic(path, "new", { disk }));
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(written.message).toBe(
      `${path} is written, but its folder cannot be synced, so that a loss of power may undo it: permission denied`,
    );
    const removed = await storeError("not-synced", () => removeSynced(disk, path));
    expect(existsSync(path)).toBe(false);
    expect(removed.message).toContain(`${path} is removed, but its folder`);
    expect(`${written.message} ${removed.message}`).not.toContain("cannot write");
  });

  it("says that the disk is full", async (context) => {
    if (!existsSync("/dev/full")) context.skip("no /dev/full here");
    expect((await storeError("disk-full", () => writeAtomic("/dev/full", "content"))).suggestion).toContain(
      "space",
    );
  });
});

describe("a folder to write in", () => {
  it("creates the folder with its parents and leaves nothing in it", async () => {
    const folder = join(temporaryFolder(), "a", "b");
    await new Folders(nodeDisk).ensureWritable(folder);
    await new Folders(nodeDisk).ensureWritable(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("asks every disk for room, and each of them once", async () => {
    const folder = temporaryFolder();
    const devices = new Map([
      ["a", 1],
      ["b", 1],
      ["c", 2],
    ]);
    const asked: string[] = [];
    const made: string[] = [];
    const folders = new Folders({
      ...nodeDisk,
      async stat(path) {
        return Object.assign(await nodeDisk.stat(path), { dev: devices.get(basename(path)) ?? 0 });
      },
      async open(path, flags) {
        const file = await nodeDisk.open(path, flags);
        const name = basename(dirname(path));
        made.push(name);
        const writeFile = async (content: Content): Promise<void> => {
          asked.push(name);
          await file.writeFile(content);
        };
        return { writeFile, sync: () => file.sync(), close: () => file.close() } as DiskFile;
      },
    });
    for (const name of ["a", "b", "a", "c"]) await folders.ensureWritable(join(folder, name));
    expect(made).toEqual(["a", "b", "a", "c"]);
    expect(asked).toEqual(["a", "c"]);
  });

  it("refuses a file, and what is below a file", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    await storeError("io-failed", () => new Folders(nodeDisk).ensureWritable(join(folder, "file")));
    await storeError("io-failed", () => new Folders(nodeDisk).ensureWritable(join(folder, "file", "below")));
  });

  it("refuses a folder that cannot be written, whoever asks", async (context) => {
    if (!existsSync("/proc/self")) context.skip("no /proc here");
    const error = await storeError("not-found", () => new Folders(nodeDisk).ensureWritable("/proc/ferry"));
    expect(error.path).toBe("/proc/ferry");
  });
});
