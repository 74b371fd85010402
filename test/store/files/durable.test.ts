import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writeAtomic } from "../../../src/store/index.ts";
import {
  archiveJournal,
  createSnapshot,
  Folders,
  nodeDisk,
  openJournal,
  openMappingStore,
} from "../../../src/store/files/index.ts";
import {
  entryRecord,
  makeTemporaryFolders,
  mappingEntry,
  parties,
  storeError,
  tool,
  urn,
} from "./support.ts";

/** No test can cut the power; these see that the system was asked to make things durable, and when. */
const temporaryFolder = makeTemporaryFolders();
const events: string[] = [];

beforeEach(async () => {
  events.length = 0;
  const handle = await open(import.meta.filename, "r");
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  record(prototype, "datasync", () => "datasync");
  record(prototype, "sync", async (handle) =>
    (await handle.stat()).isDirectory() ? "sync folder" : "sync file",
  );
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Calls through, and notes the call when it is done. */
function record(
  prototype: FileHandle,
  name: "sync" | "datasync",
  event: (handle: FileHandle) => string | Promise<string>,
): void {
  const original: (this: FileHandle) => Promise<void> = Reflect.get(prototype, name);
  vi.spyOn(prototype, name).mockImplementation(async function (this: FileHandle) {
    await original.call(this);
    events.push(await event(this));
  });
}

function failNextSync(name: "sync" | "datasync", handle: FileHandle): void {
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  const error = Object.assign(new Error("EIO: i/o error, fsync"), { code: "EIO", syscall: "fsync" });
  vi.spyOn(prototype, name).mockRejectedValueOnce(error);
}

describe("what is durable when a promise resolves", () => {
  it("an atomic write: the content before the rename, the name after it", async () => {
    const path = join(temporaryFolder(), "file");
    await writeAtomic(path, "x", { reached: (point) => void events.push(point) });
    expect(events).toEqual(["sync file", "before-rename", "after-rename", "sync folder"]);
  });

  it("new folders, from the top down", async () => {
    const path = join(temporaryFolder(), "a", "b", "file");
    await writeAtomic(path, "x");
    expect(events).toEqual(["sync folder", "sync folder", "sync file", "sync folder"]);
  });

  it("a folder that is there already, in those above it: whoever made it may have died before that", async () => {
    const path = join(temporaryFolder(), "a", "b");
    mkdirSync(path, { recursive: true });
    const synced: string[] = [];
    const syncFolder = async (folder: string): Promise<void> => void synced.push(folder);
    const folders = new Folders({ ...nodeDisk, syncFolder });
    await folders.ensureWritable(path);
    expect(synced).toEqual(expect.arrayContaining([path, dirname(path), dirname(dirname(path))]));
    // What is durable once is not asked for again, by the same run: but for the folder itself, in which it writes.
    synced.length = 0;
    await folders.ensureWritable(path);
    expect(synced).toEqual([path]);
    mkdirSync(join(dirname(path), "c"));
    await folders.ensureWritable(join(dirname(path), "c"));
    expect(synced.slice(1)).toEqual([join(dirname(path), "c"), dirname(path)]);
  });

  it("an append, before it resolves; and what was found in a journal, before it is handed over", async () => {
    const path = join(temporaryFolder(), "journal.ndjson");
    const first = await openJournal(path, { tool, parties });
    await first.journal.close();
    events.length = 0;
    const { journal } = await openJournal(path, { tool, parties });
    expect(events).toEqual(["sync file"]);
    await journal.append(entryRecord(1));
    expect(events).toEqual(["sync file", "datasync"]);
    await journal.restart();
    expect(events.slice(2)).toEqual(["sync file", "sync folder"]);
    await journal.close();
  });

  it("the name of what is kept of a journal, before that begins anew: a rollback finds it there alone", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "journal.ndjson");
    const runs = join(folder, "runs");
    mkdirSync(runs);
    const { journal } = await openJournal(path, { tool, parties });
    await journal.append(entryRecord(1));
    events.length = 0;
    await archiveJournal(path, runs, "r1");
    expect(events).toEqual(["sync folder"]);
    await journal.close();
  });

  it("a saved mapping and a finished snapshot", async () => {
    const folder = temporaryFolder();
    const store = await openMappingStore(folder, { tool, parties });
    await store.save("terms", new Map([[urn(1), mappingEntry(1)]]));
    expect(events).toEqual(["sync file", "sync folder"]);
    events.length = 0;
    const writer = await createSnapshot(join(folder, "snapshot"), { tool, party: parties.source, at: "" });
    await writer.add("terms", { urn: urn(1), name: "Email", body: {} });
    await writer.finish({ kinds: { terms: { complete: true } }, notes: null });
    expect(events).toEqual(["sync file", "sync file", "sync folder", "sync folder"]);
  });

  it("a snapshot of a kind without objects: its file is empty, and only its name has to last", async () => {
    const writer = await createSnapshot(join(temporaryFolder(), "snapshot"), {
      tool,
      party: parties.source,
      at: "",
    });
    await writer.finish({ kinds: { terms: { complete: true } }, notes: null });
    expect(events).toEqual(["sync file", "sync folder", "sync folder"]);
  });
});

describe("a sync that fails", () => {
  it("fails the append and all later ones, for good", async () => {
    const path = join(temporaryFolder(), "journal.ndjson");
    const { journal } = await openJournal(path, { tool, parties });
    const handle = await open(path, "r");
    failNextSync("datasync", handle);
    await handle.close();
    const error = await storeError("io-failed", () => journal.append(entryRecord(1)));
    expect(error.message).toContain("EIO");
    for (const again of [() => journal.append(entryRecord(2)), () => journal.restart()]) {
      expect(await storeError("io-failed", again)).toBe(error);
    }
    const size = statSync(path).size;
    await journal.close();
    expect(statSync(path).size).toBe(size);
  });

  it("keeps the old file of an atomic write", async () => {
    const path = join(temporaryFolder(), "file");
    writeFileSync(path, "old");
    const handle = await open(path, "r");
    failNextSync("sync", handle);
    await storeError("io-failed", () => writeAtomic(path, "new"));
    expect(await handle.readFile("utf8")).toBe("old");
    await handle.close();
  });
});
