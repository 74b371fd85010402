import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JournalRecord } from "../../src/model/journal.ts";
import type { Json } from "../../src/model/json.ts";
import type { MappingEntry } from "../../src/model/mapping.ts";
import { StoreError } from "../../src/store/index.ts";
import { openJournal } from "../../src/store/files/index.ts";
import { JournalScan } from "../../src/store/files/journal-scan.ts";
import { intentRecord, journalLine, parties, tool } from "../store/files/support.ts";
import { runs } from "./runs.ts";

/** What came out of the file is what `JSON.parse` makes of it: `-0` is no part of JSON. */
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("__proto__", "\0\0", "a\nb", "{"),
);
const word = fc.string({ maxLength: 12 });

const entry = fc.record<MappingEntry>(
  {
    name: text,
    target: word,
    origin: fc.constantFrom("created", "adopted", "explicit", "paired"),
    keys: fc.dictionary(word, word),
    unfinished: word,
  },
  { requiredKeys: ["name", "target", "origin"], noNullPrototype: true },
);

const record: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.record({ type: fc.constant("baseline" as const), run: word, kind: word, uuids: fc.array(word) }),
  fc.record({ type: fc.constant("end" as const), run: word, at: word, exitCode: fc.nat() }),
  fc.record({
    type: fc.constant("entry" as const),
    run: word,
    kind: word,
    source: word,
    entry: fc.option(entry),
  }),
  fc.record({
    type: fc.constant("intent" as const),
    run: word,
    op: word,
    at: word,
    kind: word,
    step: word,
    items: fc.array(fc.record({ source: word, name: text, body: json }), { maxLength: 4 }),
  }),
  fc.record({
    type: fc.constant("outcome" as const),
    op: word,
    at: word,
    items: fc.array(
      fc.oneof(
        fc.record({ source: word, result: fc.constant("done" as const), entry: fc.option(entry) }),
        fc.record({ source: word, result: fc.constant("doubt" as const), reason: text }),
      ),
      { maxLength: 4 },
    ),
  }),
);
/** Each inner list is appended at once. */
const groups = fc.array(fc.array(record, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });

let folder = "";
let path = "";
let header = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ferry-properties-"));
  path = join(folder, "journal.ndjson");
  await write([]);
  header = readFileSync(path).length;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function write(lists: readonly (readonly JournalRecord[])[]): Promise<Buffer> {
  rmSync(path, { force: true });
  const { journal } = await openJournal(path, { tool, parties });
  for (const list of lists) await journal.appendAll(list);
  await journal.close();
  return readFileSync(path);
}

async function replay(content: Buffer): Promise<readonly JournalRecord[]> {
  writeFileSync(path, content);
  const { records, journal } = await openJournal(path, { tool, parties });
  await journal.close();
  return records;
}

/** The same in memory, for trying every byte and every bit: what the file's lines say, without the file. */
function scan(content: Buffer): readonly JournalRecord[] {
  const scan = new JournalScan("journal.ndjson", parties);
  const records: JournalRecord[] = [];
  for (let number = 1, offset = 0; offset < content.length; number += 1) {
    const lineFeed = content.indexOf(0x0a, offset);
    const end = lineFeed < 0 ? content.length : lineFeed;
    const record = scan.feed({ bytes: content.subarray(offset, end), offset, number, ended: lineFeed >= 0 });
    if (record !== undefined) records.push(record);
    offset = end + 1;
  }
  scan.finish();
  return records;
}

function sameText(one: readonly JournalRecord[], other: readonly JournalRecord[]): void {
  expect(one.map((record) => JSON.stringify(record))).toEqual(other.map((record) => JSON.stringify(record)));
}

function lineCount(record: JournalRecord): number {
  return Buffer.byteLength(journalLine(JSON.stringify(record)));
}

describe("the generator", () => {
  it("makes records of every type that it names, and groups of more than one", () => {
    const sample = fc.sample(groups, { numRuns: 200, seed: 1 });
    const types = new Set(sample.flat(2).map(({ type }) => type));
    expect([...types].sort()).toEqual(["baseline", "end", "entry", "intent", "outcome"]);
    expect(sample.some((lists) => lists.some((list) => list.length > 1))).toBe(true);
  });
});

describe("any sequence of records", () => {
  it("comes back as it was appended", async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (lists) => {
        sameText(await replay(await write(lists)), lists.flat());
      }),
      runs(150),
    );
  });

  it("needs fewer syncs than appends when they come together", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 2, maxLength: 40 }), async (records) => {
        rmSync(path, { force: true });
        const { journal } = await openJournal(path, { tool, parties });
        await Promise.all(records.map((record) => journal.append(record)));
        expect(journal.syncs).toBeLessThan(records.length);
        await journal.close();
        sameText(await replay(readFileSync(path)), records);
      }),
      runs(50),
    );
  });
});

describe("a file that ends early", () => {
  it("recovers to the records before, at every byte of the last one", async () => {
    await fc.assert(
      fc.asyncProperty(groups, record, async (lists, last) => {
        const content = await write([...lists, [last]]);
        const begin = content.length - lineCount(last);
        for (let end = begin; end < content.length; end += 1) {
          sameText(scan(content.subarray(0, end)), lists.flat());
        }
        sameText(await replay(content.subarray(0, content.length - 1)), lists.flat());
      }),
      runs(30),
    );
  });

  it("recovers to a prefix wherever it ends after the header", async () => {
    await fc.assert(
      fc.asyncProperty(groups, fc.nat(), async (lists, cut) => {
        const content = await write(lists);
        const end = header + (cut % (content.length - header));
        const found = await replay(content.subarray(0, end));
        sameText(found, lists.flat().slice(0, found.length));
        let length = header;
        for (const kept of found) length += lineCount(kept);
        expect(length).toBeLessThanOrEqual(end);
        const next = lists.flat()[found.length];
        expect(next === undefined ? Infinity : length + lineCount(next)).toBeGreaterThan(end);
      }),
      runs(150),
    );
  });

  it("recovers when blocks of the last group were never written", async () => {
    await fc.assert(
      fc.asyncProperty(
        groups,
        fc.array(record, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        fc.nat(),
        async (lists, last, from, size) => {
          const content = Buffer.from(await write([...lists, last]));
          const begin = (await write(lists)).length;
          const at = begin + (from % (content.length - begin));
          const end = Math.min(content.length, at + 2 + (size % 600));
          if (end - at < 2) return;
          content.fill(0, at, end);
          const found = await replay(content);
          sameText(found, [...lists.flat(), ...last].slice(0, found.length));
          expect(found.length).toBeGreaterThanOrEqual(lists.flat().length);
        },
      ),
      runs(150),
    );
  });
});

describe("a single flipped bit", () => {
  /** The begin of the last line: what is before it, line feeds included, is not the tail. */
  function tail(content: Buffer): number {
    return content.lastIndexOf(0x0a, content.length - 2) + 1;
  }

  function flip(content: Buffer, at: number, bit: number): Buffer {
    const flipped = Buffer.from(content);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
    return flipped;
  }

  function outcome(action: () => unknown): unknown {
    try {
      return action();
    } catch (error) {
      return error instanceof StoreError ? error.code : error;
    }
  }

  const end: JournalRecord = { type: "end", run: "r", at: "t", exitCode: 0 };

  it("is noticed anywhere before the last line, also in a line feed and within a group", async () => {
    await fc.assert(
      fc.asyncProperty(
        groups,
        record,
        fc.nat(),
        fc.nat(7),
        fc.boolean(),
        async (lists, last, byte, bit, together) => {
          const content = await write(together ? [[...lists.flat(), last]] : [...lists, [last]]);
          const damaged = flip(content, byte % tail(content), bit);
          const found = await replay(damaged).catch((error: unknown) => error);
          expect(found).toMatchObject({ code: "journal-damaged" });
          expect(readFileSync(path).equals(damaged), "nothing is cut").toBe(true);
        },
      ),
      runs(200),
    );
  });

  it("is noticed at every bit of a small journal before its last line", async () => {
    const content = await write([
      [end, intentRecord(1)],
      [end, end],
    ]);
    const unnoticed: string[] = [];
    for (let at = 0; at < tail(content); at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const found = outcome(() => scan(flip(content, at, bit)));
        if (found !== "journal-damaged") unnoticed.push(`byte ${at} bit ${bit}: ${JSON.stringify(found)}`);
      }
    }
    expect(unnoticed).toEqual([]);
  });

  it("in the last line loses that line at most", async () => {
    const content = await write([[end], [end]]);
    for (let at = tail(content); at < content.length; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        // A flip that makes a line feed leaves two bad lines, which no torn write does.
        const found = outcome(() => scan(flip(content, at, bit)));
        if (found !== "journal-damaged") expect(found).toEqual([end]);
      }
    }
  });
});
