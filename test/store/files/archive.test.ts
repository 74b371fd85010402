import {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { archiveJournal, openJournal, readJournal } from "../../../src/store/files/index.ts";
import {
  collect,
  entryRecord,
  journalOfVersion1,
  makeTemporaryFolders,
  parties,
  storeError,
  tool,
} from "./support.ts";

const temporaryFolder = makeTemporaryFolders();

/** A folder on another file system than the temporary ones, where there is one. */
const otherDisk = ["/dev/shm", "/run", "/var/tmp"].find((folder) => {
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).dev !== statSync(tmpdir()).dev;
  } catch {
    return false;
  }
});

async function setUp() {
  const folder = temporaryFolder();
  const path = join(folder, "journal.ndjson");
  const runs = join(folder, "runs");
  const { journal } = await openJournal(path, { tool, parties });
  return { path, runs, journal, archived: () => collect(readJournal(join(runs, "r1.ndjson"), { parties })) };
}

describe("archiveJournal", () => {
  it("keeps the records, readable as a journal, before the restart", async () => {
    const { path, runs, journal, archived } = await setUp();
    await journal.appendAll([entryRecord(1), entryRecord(2)]);
    expect(await archiveJournal(path, runs, "r1")).toBe(true);
    await journal.restart();
    await journal.close();
    expect(await archived()).toEqual([entryRecord(1), entryRecord(2)]);
    expect(statSync(join(runs, "r1.ndjson")).mode & 0o777).toBe(0o600);
  });

  it("keeps nothing of an empty journal, and does not replace an archive by it", async () => {
    const { path, runs, journal, archived } = await setUp();
    expect(await archiveJournal(path, runs, "r1")).toBe(false);
    expect(existsSync(runs)).toBe(false);
    await journal.append(entryRecord(1));
    await archiveJournal(path, runs, "r1");
    await journal.restart();
    expect(await archiveJournal(path, runs, "r1")).toBe(false);
    await journal.close();
    expect(await archived()).toEqual([entryRecord(1)]);
  });

  it("changes nothing when it is done again after a crash, and adds what a run did later", async () => {
    const { path, runs, journal, archived } = await setUp();
    await journal.append(entryRecord(1));
    await archiveJournal(path, runs, "r1");
    await archiveJournal(path, runs, "r1");
    expect(await archived()).toEqual([entryRecord(1)]);
    await journal.append(entryRecord(2)); // killed before the restart, and gone on
    await archiveJournal(path, runs, "r1");
    expect(await archived()).toEqual([entryRecord(1), entryRecord(2)]);
    await journal.restart();
    await journal.append(entryRecord(3));
    await archiveJournal(path, runs, "r1");
    await archiveJournal(path, runs, "r1");
    await journal.close();
    expect(await archived()).toEqual([entryRecord(1), entryRecord(2), entryRecord(3)]);
  });

  it("copies a journal that is larger than a piece", async () => {
    const { path, runs, journal, archived } = await setUp();
    const records = Array.from({ length: 6000 }, (_, index) => entryRecord(index));
    await journal.appendAll(records);
    await archiveJournal(path, runs, "r1");
    await archiveJournal(path, runs, "r1");
    await journal.close();
    expect(readFileSync(join(runs, "r1.ndjson")).equals(readFileSync(path))).toBe(true);
    expect(statSync(path).size).toBeGreaterThan(1 << 20);
    expect(await archived()).toEqual(records);
  });

  it("is another name of the journal, not a second copy", async () => {
    const { path, runs, journal, archived } = await setUp();
    await journal.append(entryRecord(1));
    await archiveJournal(path, runs, "r1");
    expect(statSync(join(runs, "r1.ndjson")).ino).toBe(statSync(path).ino);
    await journal.restart();
    await journal.append(entryRecord(2));
    await journal.close();
    expect(await archived()).toEqual([entryRecord(1)]);
  });

  it("takes nothing of the next run when the restart was missed", async () => {
    const { path, runs, journal, archived } = await setUp();
    await journal.append(entryRecord(1));
    await archiveJournal(path, runs, "r1");
    await journal.close(); // killed before the restart
    const next = await openJournal(path, { tool, parties });
    expect(next.records).toEqual([entryRecord(1)]);
    await next.journal.append(entryRecord(2));
    await archiveJournal(path, runs, "r2");
    await next.journal.close();
    expect(await archived()).toEqual([entryRecord(1)]);
    expect(await collect(readJournal(join(runs, "r2.ndjson"), { parties }))).toEqual([
      entryRecord(1),
      entryRecord(2),
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.skipIf(!otherDisk)("copies to another file system", async () => {
    const { path, journal } = await setUp();
    await journal.append(entryRecord(1));
    const runs = mkdtempSync(join(otherDisk ?? "", "runs-"));
    try {
      await archiveJournal(path, runs, "r1");
      await journal.append(entryRecord(2));
      await journal.close();
      expect(await collect(readJournal(join(runs, "r1.ndjson"), { parties }))).toEqual([entryRecord(1)]);
    } finally {
      rmSync(runs, { recursive: true });
    }
  });

  it("keeps the file itself when the journal is a symbolic link", async () => {
    const folder = temporaryFolder();
    const [path, real, runs] = ["journal.ndjson", "elsewhere.ndjson", "runs"].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    symlinkSync(real, path);
    const { journal } = await openJournal(path, { tool, parties });
    await journal.append(entryRecord(1));
    await archiveJournal(path, runs, "r1");
    await journal.restart();
    await journal.close();
    expect(lstatSync(join(runs, "r1.ndjson")).isSymbolicLink()).toBe(false);
    expect(await collect(readJournal(join(runs, "r1.ndjson"), { parties }))).toEqual([entryRecord(1)]);
  });

  it("leaves a torn tail out", async () => {
    const { path, runs, journal, archived } = await setUp();
    await journal.append(entryRecord(1));
    await journal.close();
    appendFileSync(path, "0123");
    await archiveJournal(path, runs, "r1");
    expect(await archived()).toEqual([entryRecord(1)]);
    const again = await openJournal(path, { tool, parties });
    await again.journal.append(entryRecord(2));
    await again.journal.close();
    await archiveJournal(path, runs, "r1");
    expect(await archived()).toEqual([entryRecord(1), entryRecord(2)]);
  });

  it("adds nothing twice to an archive of version 1 whose journal was written anew since", async () => {
    const folder = temporaryFolder();
    const [path, runs] = [join(folder, "journal.ndjson"), join(folder, "runs")];
    writeFileSync(path, journalOfVersion1([entryRecord(1), entryRecord(2)]));
    await archiveJournal(path, runs, "r1"); // killed before the restart
    const { journal, records } = await openJournal(path, { tool, parties });
    expect(records).toEqual([entryRecord(1), entryRecord(2)]);
    const archived = () => collect(readJournal(join(runs, "r1.ndjson"), { parties }));
    await archiveJournal(path, runs, "r1");
    expect(await archived()).toEqual([entryRecord(1), entryRecord(2)]);
    await journal.append(entryRecord(3));
    await archiveJournal(path, runs, "r1");
    expect(await archived()).toEqual([entryRecord(1), entryRecord(2), entryRecord(3)]);
    await journal.restart();
    await journal.append(entryRecord(4));
    await archiveJournal(path, runs, "r1");
    await archiveJournal(path, runs, "r1");
    await journal.close();
    expect(await archived()).toEqual([1, 2, 3, 4].map((number) => entryRecord(number)));
  });

  it("is no place from which lines can be taken out, nor one to which a damaged one is added", async () => {
    const { path, runs, journal } = await setUp();
    await journal.append(entryRecord(1));
    await archiveJournal(path, runs, "r1");
    await journal.restart();
    await journal.append(entryRecord(2));
    await archiveJournal(path, runs, "r1");
    const archive = join(runs, "r1.ndjson");
    const [header = "", , ...rest] = readFileSync(archive, "utf8").split("\n");
    writeFileSync(archive, [header, ...rest].join("\n"));
    await storeError("journal-damaged", () => collect(readJournal(archive)));
    await journal.append(entryRecord(3));
    await storeError("journal-damaged", () => archiveJournal(path, runs, "r1"));
    await journal.close();
  });

  it("refuses what it cannot do", async () => {
    const { path, runs, journal } = await setUp();
    await journal.append(entryRecord(1));
    await journal.close();
    for (const run of ["", "../x", ".x", "a/b"])
      await storeError("bad-name", () => archiveJournal(path, runs, run));
    await storeError("not-found", () => archiveJournal(`${path}.none`, runs, "r1"));
    writeFileSync(runs, "");
    await storeError("io-failed", () => archiveJournal(path, runs, "r1"));
  });
});
