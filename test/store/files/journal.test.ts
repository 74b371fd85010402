import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JournalRecord } from "../../../src/model/journal.ts";
import type { StoreHooks } from "../../../src/store/index.ts";
import { openJournal, readJournal } from "../../../src/store/files/index.ts";
import {
  collect,
  Crash,
  crashAt,
  entryRecord,
  intentRecord,
  journalLine,
  journalOfVersion1,
  leftovers,
  makeTemporaryFolders,
  parties,
  storeError,
  tool,
} from "./support.ts";

const temporaryFolder = makeTemporaryFolders();

function newPath(): string {
  return join(temporaryFolder(), "journal.ndjson");
}

/** A journal of records that were appended one by one: every line opens a group. */
async function journalOf(records: readonly JournalRecord[], path = newPath()): Promise<string> {
  const { journal } = await openJournal(path, { tool, parties });
  for (const record of records) await journal.append(record);
  await journal.close();
  return path;
}

/** Of a journal that holds nothing else. */
function headerOf(path: string): Record<string, unknown> {
  const [line = "", ...others] = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(others).toEqual([]);
  return JSON.parse(line.slice(9)) as Record<string, unknown>;
}

async function replayed(path: string): Promise<readonly JournalRecord[]> {
  const { records, journal } = await openJournal(path, { tool, parties });
  await journal.close();
  return records;
}

describe("a journal", () => {
  it("gives back what was appended, in order", async () => {
    const records = [intentRecord(1), entryRecord(1), intentRecord(2)];
    const path = await journalOf(records);
    const opened = await openJournal(path, { tool, parties });
    expect(opened.records).toEqual(records);
    expect(opened.cut).toBeUndefined();
    await opened.journal.append(entryRecord(2));
    await opened.journal.close();
    expect(await replayed(path)).toEqual([...records, entryRecord(2)]);
    expect(await collect(readJournal(path))).toEqual([...records, entryRecord(2)]);
  });

  it("is readable for its owner only, and keeps the mode that a person gave it", async () => {
    const path = await journalOf([entryRecord(1)]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o640);
    const { journal } = await openJournal(path, { tool, parties });
    await journal.restart();
    await journal.close();
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it("keeps fields nobody has named, and names that objects would lose", async () => {
    const strange = JSON.parse(
      '{"type":"entry","run":"r","kind":"terms","source":"s","future":{"__proto__":1},"entry":' +
        '{"name":"n","target":"t","origin":"created","keys":{"__proto__":"x","2":"b","1":"a"}}}',
    ) as JournalRecord;
    const path = await journalOf([strange]);
    const [record] = await replayed(path);
    expect(JSON.stringify(record)).toBe(JSON.stringify(strange));
  });

  it("hands records over one by one when asked, and keeps none", async () => {
    const path = await journalOf([entryRecord(1), entryRecord(2)]);
    const seen: JournalRecord[] = [];
    const { records, journal } = await openJournal(path, {
      tool,
      parties,
      replay: (record) => seen.push(record),
    });
    await journal.close();
    expect(records).toEqual([]);
    expect(seen).toEqual([entryRecord(1), entryRecord(2)]);
  });

  it("records what an object was when it was appended, not what it became", async () => {
    const path = newPath();
    const { journal } = await openJournal(path, { tool, parties });
    const uuids = ["a"];
    const appended = journal.append({ type: "baseline", run: "r", kind: "terms", uuids });
    uuids.push("b");
    await appended;
    await journal.close();
    expect(await replayed(path)).toEqual([{ type: "baseline", run: "r", kind: "terms", uuids: ["a"] }]);
  });

  it("counts its bytes and syncs", async () => {
    const path = newPath();
    const { journal } = await openJournal(path, { tool, parties });
    expect(journal.bytes).toBe(statSync(path).size);
    await journal.append(entryRecord(1));
    await journal.appendAll([entryRecord(2), entryRecord(3)]);
    await journal.appendAll([]);
    expect(journal.syncs).toBe(2);
    expect(journal.bytes).toBe(statSync(path).size);
    await journal.close();
  });

  it("holds a record that is larger than the pieces in which it is read", async () => {
    const body = { text: "ä".repeat(1_500_000) };
    const record: JournalRecord = { ...intentRecord(1), items: [{ source: "s", name: "n", body }] };
    const path = await journalOf([entryRecord(1), record, entryRecord(2)]);
    expect(await replayed(path)).toEqual([entryRecord(1), record, entryRecord(2)]);
  });

  it("takes nothing after it was closed, and closes twice", async () => {
    const { journal } = await openJournal(newPath(), { tool, parties });
    const last = journal.append(entryRecord(1));
    const closing = journal.close();
    await storeError("journal-closed", () => journal.append(entryRecord(2)));
    await storeError("journal-closed", () => journal.restart());
    await Promise.all([last, closing, journal.close()]);
  });
});

describe("group commit", () => {
  it("shares syncs between appends that come together", async () => {
    const path = newPath();
    const { journal } = await openJournal(path, { tool, parties });
    const count = 500;
    const numbers = Array.from({ length: count }, (_, index) => index);
    await Promise.all(numbers.map((number) => journal.append(entryRecord(number))));
    expect(journal.syncs).toBeLessThan(count / 10);
    await journal.close();
    expect(await replayed(path)).toEqual(numbers.map((number) => entryRecord(number)));
  });

  it("shares syncs between workers that wait for their own appends", async () => {
    const { journal } = await openJournal(newPath(), { tool, parties });
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let turn = 0; turn < 20; turn += 1) await journal.append(entryRecord(turn));
      }),
    );
    expect(journal.syncs).toBeLessThan(160 / 2);
    await journal.close();
  });

  it("resolves only after the sync", async () => {
    const order: string[] = [];
    const hooks: StoreHooks = { reached: (point) => void order.push(point) };
    const { journal } = await openJournal(newPath(), { tool, parties, hooks });
    await journal.append(entryRecord(1)).then(() => order.push("resolved"));
    expect(order).toEqual(["journal:before-write", "journal:after-write", "journal:after-sync", "resolved"]);
    await journal.close();
  });
});

describe("a crash while appending", () => {
  it.each([
    ["journal:before-write", 1],
    ["journal:after-write", 2],
    ["journal:after-sync", 2],
  ])("at %s rejects everyone who waits and is final", async (point, survivors) => {
    const path = await journalOf([entryRecord(1)]);
    const hooks = crashAt(point);
    const { journal } = await openJournal(path, { tool, parties, hooks });
    const first = journal.append(entryRecord(2));
    const outcomes = await Promise.allSettled([first, journal.append(entryRecord(3))]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(journal.append(entryRecord(4))).rejects.toThrow(Crash);
    await expect(journal.restart()).rejects.toThrow(Crash);
    await journal.close();
    expect(hooks.count()).toBe(1);
    const records = await replayed(path);
    expect(records).toHaveLength(survivors === 1 ? 1 : 3);
  });

  it("makes a failed write final", async () => {
    const path = newPath();
    const { journal } = await openJournal(path, { tool, parties, hooks: { reached: breakDescriptor } });
    async function breakDescriptor(point: string): Promise<void> {
      if (point === "journal:before-write")
        throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC", syscall: "write" });
    }
    const error = await storeError("disk-full", () => journal.append(entryRecord(1)));
    expect(error.path).toBe(path);
    await storeError("disk-full", () => journal.append(entryRecord(2)));
    await journal.close();
  });
});

describe("restart", () => {
  it("leaves an empty journal that goes on", async () => {
    const path = newPath();
    const { journal } = await openJournal(path, { tool, parties });
    const empty = headerOf(path);
    await journal.appendAll([entryRecord(1), entryRecord(2)]);
    await journal.restart();
    const restarted = headerOf(path);
    expect(restarted).toEqual({ ...empty, lineage: restarted["lineage"] });
    expect(restarted["lineage"], "it is another file").not.toBe(empty["lineage"]);
    expect(journal.bytes).toBe(statSync(path).size);
    await journal.append(entryRecord(3));
    await journal.close();
    expect(await replayed(path)).toEqual([entryRecord(3)]);
  });

  it("begins with what is to stand in it", async () => {
    const path = newPath();
    const { journal } = await openJournal(path, { tool, parties });
    await journal.append(entryRecord(1));
    await journal.restart([entryRecord(2), entryRecord(3)]);
    expect(journal.bytes).toBe(statSync(path).size);
    await journal.append(entryRecord(4));
    await journal.close();
    expect(await replayed(path)).toEqual([entryRecord(2), entryRecord(3), entryRecord(4)]);
  });

  it("drops what was appended before it and keeps what was appended after it, awaited or not", async () => {
    const path = newPath();
    const { journal } = await openJournal(path, { tool, parties });
    await Promise.all([
      journal.append(entryRecord(1)),
      journal.restart(),
      journal.append(entryRecord(2)),
      journal.append(entryRecord(3)),
    ]);
    await journal.close();
    expect(await replayed(path)).toEqual([entryRecord(2), entryRecord(3)]);
  });

  it.each([
    ["compact:before-rename", [entryRecord(1)]],
    ["compact:after-rename", []],
  ])("crashing at %s leaves the old journal or the new one", async (point, expected) => {
    const path = newPath();
    const hooks = crashAt(point);
    const { journal } = await openJournal(path, { tool, parties, hooks });
    await journal.append(entryRecord(1));
    await expect(journal.restart()).rejects.toThrow(Crash);
    await expect(journal.append(entryRecord(2))).rejects.toThrow(Crash);
    await journal.close();
    expect(hooks.count()).toBe(1);
    expect(await replayed(path)).toEqual(expected);
    expect(leftovers(join(path, ".."))).toEqual([]);
  });
});

describe("a torn tail", () => {
  it("is cut, told, and gone for good", async () => {
    const path = await journalOf([entryRecord(1), entryRecord(2)]);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, -5));
    const opened = await openJournal(path, { tool, parties });
    const torn = journalLine(JSON.stringify(entryRecord(2))).length - 5;
    expect(opened.cut).toEqual({ bytes: torn });
    expect(opened.records).toEqual([entryRecord(1)]);
    expect(opened.journal.bytes).toBe(whole.length - 5 - torn);
    await opened.journal.append(entryRecord(3));
    await opened.journal.close();
    expect(await replayed(path)).toEqual([entryRecord(1), entryRecord(3)]);
  });

  it("is cut when only the line feed is missing", async () => {
    const path = await journalOf([entryRecord(1), entryRecord(2)]);
    writeFileSync(path, readFileSync(path).subarray(0, -1));
    expect(await replayed(path)).toEqual([entryRecord(1)]);
  });

  it("is ignored, not cut, by a reader", async () => {
    const path = await journalOf([entryRecord(1), entryRecord(2)]);
    writeFileSync(path, readFileSync(path).subarray(0, -5));
    const before = readFileSync(path);
    expect(await collect(readJournal(path, { parties }))).toEqual([entryRecord(1)]);
    expect(readFileSync(path)).toEqual(before);
  });

  it("may be blocks that were never written, in the middle of what was written together", async () => {
    const path = await journalOf([entryRecord(1)]);
    const durable = readFileSync(path).length;
    const { journal } = await openJournal(path, { tool, parties });
    await journal.appendAll([entryRecord(2), entryRecord(3), entryRecord(4)]);
    await journal.close();
    const bytes = readFileSync(path);
    bytes.fill(0, durable + 40, durable + 80); // inside the first line of the group
    writeFileSync(path, bytes);
    const opened = await openJournal(path, { tool, parties });
    await opened.journal.close();
    expect(opened.records).toEqual([entryRecord(1)]);
    expect(opened.cut).toEqual({ bytes: bytes.length - durable });
  });

  it("may be the rest of a block, however little of it was left", async () => {
    const name = entryRecord(1);
    const path = await journalOf([name, entryRecord(2)]);
    const written = readFileSync(path);
    const line = written.subarray(written.lastIndexOf("\n", -2) + 1);
    const before = written.length - line.length;
    for (let rest = 1; rest < 512; rest += rest < 12 ? 1 : 100) {
      // Durable up to `rest` bytes before the end of a block, by a header that is as long as that takes.
      const bytes = await withLength(path, before + ((1_024 - rest - (before % 512)) % 512));
      bytes.fill(0, bytes.length - line.length, bytes.length - line.length + Math.min(rest, line.length));
      writeFileSync(path, bytes);
      expect(await collect(readJournal(path, { parties })), `${rest} bytes`).toEqual([name]);
    }
  });

  it("is no single byte that is zero in the middle of a block", async () => {
    const path = await journalOf([entryRecord(1), entryRecord(2)]);
    const bytes = readFileSync(path);
    const at = bytes.lastIndexOf("\n", -2) + 1;
    for (const place of [at, at + 20]) {
      if ((place + 1) % 512 === 0) continue;
      const damaged = Buffer.from(bytes);
      damaged[place] = 0;
      writeFileSync(path, damaged);
      await storeError("journal-damaged", () => collect(readJournal(path, { parties })));
    }
  });

  it("may be zeros up to the end", async () => {
    const path = await journalOf([entryRecord(1)]);
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(4096)]));
    const opened = await openJournal(path, { tool, parties });
    await opened.journal.close();
    expect(opened.cut).toEqual({ bytes: 4096 });
    expect(opened.records).toEqual([entryRecord(1)]);
  });
});

describe("damage", () => {
  it("before the tail stops the run and names the line", async () => {
    const path = await journalOf([entryRecord(1), entryRecord(2), entryRecord(3)]);
    writeFileSync(path, readFileSync(path, "utf8").replace("Term 2", "Term 9"));
    const before = readFileSync(path);
    const error = await storeError("journal-damaged", () => openJournal(path, { tool, parties }));
    expect(error.message).toContain("at line 3:");
    expect(error.path).toBe(path);
    expect(readFileSync(path)).toEqual(before);
    await storeError("journal-damaged", () => collect(readJournal(path)));
  });

  it("is not taken for a torn write because it left zeros: a later group was durable", async () => {
    const path = await journalOf([entryRecord(1), entryRecord(2), entryRecord(3)]);
    const bytes = readFileSync(path);
    const at = bytes.indexOf("Term 2");
    bytes.fill(0, at, at + 6);
    writeFileSync(path, bytes);
    expect((await storeError("journal-damaged", () => replayed(path))).message).toContain("at line 3:");
  });

  it("inside a group stops the run when nothing says that the write was torn", async () => {
    const path = newPath();
    const { journal } = await openJournal(path, { tool, parties });
    await journal.appendAll([entryRecord(1), entryRecord(2)]);
    await journal.close();
    writeFileSync(path, readFileSync(path, "utf8").replace("Term 1", "Term 9"));
    expect((await storeError("journal-damaged", () => replayed(path))).message).toContain("at line 2:");
  });

  it("of a line feed before the tail is not a torn tail", async () => {
    const path = await journalOf([entryRecord(1), entryRecord(2)]);
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, `${lines[0]}\n${lines[1]}\v${lines[2]}\n`);
    expect((await storeError("journal-damaged", () => replayed(path))).message).toContain("line feed");
  });

  it("of a last line that is there to its end is no torn tail: its record may have been acted on", async () => {
    const path = await journalOf([entryRecord(1), entryRecord(2)]);
    const content = readFileSync(path, "utf8").replace("Term 2", "Term 9");
    writeFileSync(path, content);
    expect((await storeError("journal-damaged", () => replayed(path))).message).toContain("at line 3:");
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  it.each([
    ["an empty file", ""],
    ["a file without a header", journalLine(JSON.stringify(entryRecord(1)))],
    ["a header that was cut", '0b5c1a3e {"type":"hea'],
    ["something else", "hello\n"],
    ["a header without parties", journalLine('{"type":"header","format":1,"tool":"t"}')],
    ["a header of format 0", journalLine('{"type":"header","format":0,"tool":"t"}')],
  ])("is %s: never mistaken for a new journal", async (_, content) => {
    const path = newPath();
    writeFileSync(path, content);
    expect((await storeError("journal-damaged", () => replayed(path))).message).toMatch(/line 1/);
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  it.each([
    ['{"type":"intent","run":"r"}', "op"],
    [
      '{"type":"outcome","op":"o","items":[{"source":"s","result":"done","entry":{"name":1}}]}',
      "items.0.entry.name",
    ],
    ["[]", "no record"],
    ["{", "no record"],
    ['{"type":"header"}', "no record"],
  ])("is a record that replay could not use: %s", async (json, why) => {
    const path = await journalOf([entryRecord(1)]);
    const before = readFileSync(path, "utf8");
    writeFileSync(path, before + journalLine(json, before));
    const error = await storeError("journal-damaged", () => replayed(path));
    expect(error.message).toContain("at line 3");
    expect(error.message).toContain(why);
  });
});

describe("version 1", () => {
  it("is cut where it is torn, written anew, and goes on", async () => {
    const path = newPath();
    writeFileSync(path, `${journalOfVersion1([entryRecord(1)])}0123`, { mode: 0o640 });
    expect(await collect(readJournal(path, { parties }))).toEqual([entryRecord(1)]);
    const opened = await openJournal(path, { tool, parties });
    expect(opened.cut).toEqual({ bytes: 4 });
    expect(opened.records).toEqual([entryRecord(1)]);
    expect(opened.journal.bytes).toBe(statSync(path).size);
    await opened.journal.append(entryRecord(2));
    await opened.journal.close();
    expect(await replayed(path)).toEqual([entryRecord(1), entryRecord(2)]);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, [lines[0], ...lines.slice(2)].join("\n"));
    expect((await storeError("journal-damaged", () => replayed(path))).message).toContain("at line 2:");
  });

  it("is refused where it is damaged, and left as it is", async () => {
    const path = newPath();
    const content = journalOfVersion1([entryRecord(1), entryRecord(2)]).replace("Term 1", "Term 9");
    writeFileSync(path, content);
    expect((await storeError("journal-damaged", () => replayed(path))).message).toContain("at line 2:");
    expect(readFileSync(path, "utf8")).toBe(content);
  });
});

describe("a reader", () => {
  it("that looks while another appends finds records from the first one on, and no damage", async () => {
    const path = newPath();
    const { journal } = await openJournal(path, { tool, parties });
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    const writing = (async () => {
      for (const number of numbers) await journal.appendAll([entryRecord(number), intentRecord(number)]);
    })();
    const all = numbers.flatMap((number) => [entryRecord(number), intentRecord(number)]);
    for (let looks = 0; looks < 40; looks += 1) {
      const found = await collect(readJournal(path, { parties }));
      expect(found).toEqual(all.slice(0, found.length));
    }
    await writing;
    await journal.close();
    expect(await collect(readJournal(path, { parties }))).toEqual(all);
  });
});

describe("other versions and environments", () => {
  it("passes over types of record that it does not know", async () => {
    const path = await journalOf([entryRecord(1)]);
    let content = readFileSync(path, "utf8");
    content += journalLine('{"type":"constructor","x":1}', content);
    content += journalLine(JSON.stringify(entryRecord(2)), content);
    writeFileSync(path, content);
    expect(await replayed(path)).toEqual([entryRecord(1), entryRecord(2)]);
  });

  it("refuses a newer format, whatever its header looks like", async () => {
    const path = newPath();
    writeFileSync(path, journalLine('{"type":"header","format":3,"sides":[]}'));
    const error = await storeError("newer-format", () => replayed(path));
    expect(error.message).toContain("its format is 3");
    await storeError("newer-format", () => collect(readJournal(path)));
  });

  it("refuses a journal of other environments, naming both", async () => {
    const path = await journalOf([]);
    const other = { ...parties, target: { ...parties.target, tenant: "another" } };
    const error = await storeError("foreign-state", () => openJournal(path, { tool, parties: other }));
    expect(error.message).toContain("tenant acme-prod");
    expect(error.message).toContain("tenant another");
    await storeError("foreign-state", () => collect(readJournal(path, { parties: other })));
    expect(await collect(readJournal(path))).toEqual([]);
  });

  it("knows the same environments under another name and spelling", async () => {
    const path = await journalOf([entryRecord(1)]);
    const source = { ...parties.source, name: "development", baseUrl: "https://DEV.example.com:443/" };
    const { records, journal } = await openJournal(path, {
      tool: "urn-ferry 9",
      parties: { ...parties, source },
    });
    await journal.close();
    expect(records).toHaveLength(1);
  });
});

describe("trouble with the file", () => {
  it("reads a journal that is not there as empty, and does not create it", async () => {
    const path = newPath();
    expect(await collect(readJournal(path))).toEqual([]);
    expect(() => statSync(path)).toThrow("ENOENT");
  });

  it("names what is in the way", async () => {
    const path = newPath();
    await mkdir(path);
    await storeError("io-failed", () => replayed(path));
    await storeError("io-failed", () => collect(readJournal(path)));
  });
});

/** The journal of two entries, whose second line begins there. */
async function withLength(path: string, length: number): Promise<Buffer> {
  rmSync(path);
  const write = async (pad: number): Promise<Buffer> => {
    rmSync(path, { force: true });
    const { journal } = await openJournal(path, { tool: `${tool}${"x".repeat(pad)}`, parties });
    await journal.appendAll([entryRecord(1)]);
    await journal.close();
    return readFileSync(path);
  };
  await write(length - (await write(0)).length);
  const { journal } = await openJournal(path, { tool, parties });
  await journal.append(entryRecord(2));
  await journal.close();
  return readFileSync(path);
}
