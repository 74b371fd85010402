import { readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import type { DiskFileSync } from "../../../src/store/files/disk.ts";
import { nodeDisk } from "../../../src/store/files/node-disk.ts";
import { openScratch } from "../../../src/store/files/scratch.ts";
import { makeTemporaryFolders, storeError } from "./support.ts";
import { inWhole } from "../../support/whole.ts";

const temporaryFolder = makeTemporaryFolders();

it("has no name from the beginning on, so that nothing is left of it", () => {
  const folder = temporaryFolder();
  const scratch = openScratch(nodeDisk, folder);
  expect(readdirSync(folder)).toEqual([]);
  scratch.append(Buffer.from("kept"));
  const into = Buffer.alloc(2);
  scratch.read(into, 1);
  expect(into.toString()).toBe("ep");
});

it("says what is wrong with the disk, and that what was read is not what was written", async () => {
  const folder = temporaryFolder();
  const full: Partial<DiskFileSync> = {
    append() {
      throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC", syscall: "write" });
    },
    read: () => 0,
  };
  const disk = { ...nodeDisk, openSync: () => ({ size: () => 0, close: () => {}, ...full }) as DiskFileSync };
  const scratch = openScratch(disk, folder);
  const found = await storeError("disk-full", () => {
    scratch.append(Buffer.from("x"));
  });
  expect(found.suggestion).toContain("Free some space");
  expect(() => {
    scratch.read(Buffer.alloc(1), 0);
  }).toThrow("became shorter");
});

inWhole(
  "is closed when nobody holds it any more, and goes then where a file in use cannot be removed",
  async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const closed: string[] = [];
    const removed: string[] = [];
    const disk = {
      ...nodeDisk,
      openSync: (path: string, flags: "r" | "a+") => ({
        ...nodeDisk.openSync(path, flags),
        close: () => void closed.push(path),
      }),
      rmSync(path: string) {
        if (closed.length === 0) throw Object.assign(new Error("EBUSY"), { code: "EBUSY", syscall: "rm" });
        removed.push(path);
      },
    };
    const folder = temporaryFolder();
    (() => {
      openScratch(disk, folder).append(Buffer.from("x"));
    })();
    for (let turn = 0; turn < 50 && closed.length === 0; turn += 1) {
      collect();
      await setImmediate();
    }
    expect(closed).toHaveLength(1);
    expect(removed).toEqual(closed);
  },
);
