import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JournalRecord } from "../../src/model/journal.ts";
import type { SnapshotObject } from "../../src/store/index.ts";
import { createSnapshot, nodeDisk, openJournal, openMappingStore, openSnapshot, readAbandoned, readJournal, writeAbandoned } from "../../src/store/files/index.ts";
import { formatMapping } from "../../src/store/files/mapping-format.ts";
import { readMapping } from "../../src/store/files/mapping-read.ts";
import { collect, parties, tool } from "../store/files/support.ts";

/**
 * What is on disk, byte by byte, for every file and version: `<file>-<version>.in.*` is what goes in,
 * `.out.*` what must come out. A change here is a change of a format that people and repositories depend on:
 * it needs a new version and an upgrade.
 */
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ferry-formats-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function sample(name: string): string {
  return readFileSync(fileURLToPath(new URL(name, import.meta.url)), "utf8");
}

function written(...names: readonly string[]): string {
  return readFileSync(join(folder, ...names), "utf8");
}

describe("the mapping file, version 1", () => {
  it("becomes lines in order, whatever an editor made of it", async () => {
    const path = join(folder, "rules.json");
    writeFileSync(path, sample("mapping-1.in.json"));
    const content = await readMapping(nodeDisk, path, "rules", parties);
    expect([...formatMapping(content)].join("")).toBe(sample("mapping-1.out.json"));
  });

  it("stays byte by byte what it is when it is read and an entry goes and comes back", async () => {
    const path = join(folder, "rules.json");
    writeFileSync(path, sample("mapping-1.out.json"));
    const store = await openMappingStore(folder, { tool: "urn-ferry 0.0.9", parties });
    const entries = await store.entries("rules");
    const [first] = entries.keys();
    await store.save("rules", new Map([...entries].filter(([source]) => source !== first)));
    await store.save("rules", new Map([...entries].reverse()));
    expect(written("rules.json")).toBe(sample("mapping-1.out.json").replace('"serial": 41', '"serial": 43'));
  });
});

describe("the journal, version 2", () => {
  const groups = JSON.parse(sample("journal-2.in.json")) as JournalRecord[][];
  const expected = sample("journal-2.out.ndjson");

  it("is lines with a checksum that begins with the one before it, groups marked", async () => {
    const path = join(folder, "journal.ndjson");
    writeFileSync(path, expected.slice(0, expected.indexOf("\n") + 1)); // every new file draws a lineage of its own
    const { journal } = await openJournal(path, { tool, parties });
    for (const group of groups) await journal.appendAll(group);
    await journal.close();
    expect(written("journal.ndjson")).toBe(expected);
  });

  it("begins with a header that names the file", async () => {
    const path = join(folder, "new.ndjson");
    await (await openJournal(path, { tool, parties })).journal.close();
    const header = written("new.ndjson").slice(9);
    expect(header).toMatch(/"lineage":"[0-9a-f]{16}"/);
    const of = (text: string): string => text.slice(0, text.indexOf('"lineage"'));
    expect(of(header)).toBe(of(expected.slice(9)));
  });

  it("is read back", async () => {
    const path = fileURLToPath(new URL("journal-2.out.ndjson", import.meta.url));
    const records = await collect(readJournal(path, { parties }));
    expect(JSON.stringify(records)).toBe(JSON.stringify(groups.flat()));
  });
});

describe("the journal, version 1", () => {
  const groups = JSON.parse(sample("journal-1.in.json")) as JournalRecord[][];

  it("is read as it is", async () => {
    const path = fileURLToPath(new URL("journal-1.out.ndjson", import.meta.url));
    const records = await collect(readJournal(path, { parties }));
    expect(JSON.stringify(records)).toBe(JSON.stringify(groups.flat()));
  });

  it("is written anew as version 2, group by group, before anything is added", async () => {
    const path = join(folder, "upgraded.ndjson");
    writeFileSync(path, sample("journal-1.out.ndjson"));
    const { journal, records } = await openJournal(path, { tool, parties });
    expect(JSON.stringify(records)).toBe(JSON.stringify(groups.flat()));
    const text = written("upgraded.ndjson");
    const separators = (content: string): readonly string[] => content.split("\n").map((line) => line.charAt(8));
    expect(separators(text)).toEqual(separators(sample("journal-1.out.ndjson")));
    expect(JSON.parse(text.slice(9, text.indexOf("\n")))).toMatchObject({ format: 2, tool, parties });
    expect(text).toMatch(/"lineage":"[0-9a-f]{16}"/);
    for (const record of groups.flat()) await journal.append(record);
    await journal.close();
    const all = await collect(readJournal(path, { parties }));
    expect(JSON.stringify(all)).toBe(JSON.stringify([...groups.flat(), ...groups.flat()]));
  });
});

describe("the list of what is abandoned, version 2", () => {
  it("is what version 1 becomes, by kind", async () => {
    writeFileSync(join(folder, "_abandoned.json"), sample("abandoned-1.in.json"));
    await writeAbandoned(folder, { tool, parties }, await readAbandoned(folder, parties));
    expect(written("_abandoned.json")).toBe(sample("abandoned-2.out.json"));
  });

  it("stays byte by byte what it is", async () => {
    writeFileSync(join(folder, "_abandoned.json"), sample("abandoned-2.out.json"));
    await writeAbandoned(folder, { tool, parties }, await readAbandoned(folder, parties));
    expect(written("_abandoned.json")).toBe(sample("abandoned-2.out.json"));
    rmSync(join(folder, "_abandoned.json"));
  });
});

describe("the snapshot, version 1", () => {
  const kinds = JSON.parse(sample("snapshot-1.in.json")) as Record<string, SnapshotObject[]>;

  it("is lines and a manifest", async () => {
    const party = parties.source;
    const writer = await createSnapshot(join(folder, "snapshot"), { tool, party, at: "2026-11-21T08:00:00.000Z" });
    for (const [kind, objects] of Object.entries(kinds)) {
      for (const object of objects) await writer.add(kind, object);
    }
    const rules = { complete: false, reason: "the listing was cut after 100 pages" };
    await writer.finish({ kinds: { terms: { complete: true }, rules }, notes: { drafts: ["Löschfrist"] } });
    expect(written("snapshot", "terms.ndjson")).toBe(sample("snapshot-1.terms.out.ndjson"));
    expect(written("snapshot", "rules.ndjson")).toBe("");
    expect(written("snapshot", "manifest.json")).toBe(sample("snapshot-1.manifest.out.json"));
  });

  it("is read back", async () => {
    const reader = await openSnapshot(join(folder, "snapshot"));
    for (const [kind, objects] of Object.entries(kinds)) {
      expect(JSON.stringify([...reader.stream(kind)])).toBe(JSON.stringify(objects));
    }
    reader.close();
  });
});
