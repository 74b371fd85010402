import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import type { MappingStore } from "../../../src/store/files/index.ts";
import { openMappingStore } from "../../../src/store/files/index.ts";
import {
  Crash,
  crashAt,
  leftovers,
  makeTemporaryFolders,
  mappingEntry,
  parties,
  storeError,
  tool,
  urn,
} from "./support.ts";
import { runs } from "../../properties/runs.ts";

const temporaryFolder = makeTemporaryFolders();

function open(folder: string): Promise<MappingStore> {
  return openMappingStore(folder, { tool, parties });
}

function entriesOf(...numbers: readonly number[]): Map<string, MappingEntry> {
  return new Map(numbers.map((number) => [urn(number), mappingEntry(number)]));
}

async function saved(
  entries: ReadonlyMap<string, MappingEntry>,
  kind = "terms",
): Promise<{ folder: string; path: string }> {
  const folder = join(temporaryFolder(), "dev--prod");
  const store = await open(folder);
  await store.save(kind, entries);
  return { folder, path: join(folder, `${kind}.json`) };
}

function edit(path: string, from: string | RegExp, to: string): void {
  const before = readFileSync(path, "utf8");
  const after = before.replace(from, to);
  expect(after, "the edit changes something").not.toBe(before);
  writeFileSync(path, after);
}

describe("a mapping store", () => {
  it("is empty where there is nothing, and creates nothing until something is saved", async () => {
    const folder = join(temporaryFolder(), "dev--prod");
    const store = await open(folder);
    expect(store.kinds()).toEqual([]);
    expect((await store.entries("terms")).size).toBe(0);
    expect(store.serial("terms")).toBe(0);
    expect(await store.save("terms", new Map())).toBe(false);
    expect(existsSync(folder)).toBe(false);
    expect(store.kinds()).toEqual([]);
  });

  it("gives back what was saved, sorted, also to the next run", async () => {
    const { folder } = await saved(entriesOf(3, 1, 2));
    for (const store of [
      await open(folder),
      await openMappingStore(folder, { tool, parties, readOnly: true }),
    ]) {
      expect(store.kinds()).toEqual(["terms"]);
      expect([...(await store.entries("terms"))]).toEqual([...entriesOf(1, 2, 3)]);
      expect(store.serial("terms")).toBe(1);
    }
  });

  it("writes nothing when nothing changed: neither order nor the tool's version is content", async () => {
    const { folder, path } = await saved(entriesOf(1, 2));
    utimesSync(path, 1, 1);
    const store = await openMappingStore(folder, { tool: "urn-ferry 2.0.0", parties });
    expect(await store.save("terms", entriesOf(2, 1))).toBe(false);
    expect(await store.save("terms", await store.entries("terms"))).toBe(false);
    expect(statSync(path).mtimeMs).toBe(1000);
    expect(store.serial("terms")).toBe(1);
  });

  it("moves the serial with the content, and keeps a file that became empty", async () => {
    const { folder, path } = await saved(entriesOf(1));
    const store = await open(folder);
    expect(await store.save("terms", entriesOf(1, 2))).toBe(true);
    expect(await store.save("terms", entriesOf(1, 2))).toBe(false);
    expect(await store.save("terms", new Map())).toBe(true);
    expect(store.serial("terms")).toBe(3);
    expect(readFileSync(path, "utf8")).toContain('"entries": {}\n}\n');
    expect((await (await open(folder)).entries("terms")).size).toBe(0);
  });

  it("does not mistake a map that the caller went on changing for unchanged", async () => {
    const folder = temporaryFolder();
    const store = await open(folder);
    const entries = entriesOf(1);
    await store.save("terms", entries);
    entries.set(urn(2), mappingEntry(2));
    expect((await store.entries("terms")).size).toBe(1);
    expect(await store.save("terms", entries)).toBe(true);
    expect((await (await open(folder)).entries("terms")).size).toBe(2);
  });

  it("changes one line for one entry", async () => {
    const { folder, path } = await saved(entriesOf(1, 2, 3));
    const before = readFileSync(path, "utf8").split("\n");
    const renamed = entriesOf(1, 3).set(urn(2), mappingEntry(2, { name: "Another name" }));
    await (await open(folder)).save("terms", renamed);
    const after = readFileSync(path, "utf8").split("\n");
    const changed = after.filter((line, index) => line !== before[index]);
    expect(changed.map((line) => line.trim().slice(0, 9))).toEqual(['"serial":', '"urn:ata:']);
  });

  it("keeps the file's mode and follows a symbolic link", async () => {
    const { folder, path } = await saved(entriesOf(1));
    chmodSync(path, 0o600);
    const linked = temporaryFolder();
    symlinkSync(path, join(linked, "terms.json"));
    await (await open(linked)).save("terms", entriesOf(1, 2));
    expect(lstatSync(join(linked, "terms.json")).isSymbolicLink()).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await (await open(folder)).entries("terms")).size).toBe(2);
  });

  it("saves in the order of the calls, whatever is awaited", async () => {
    const folder = temporaryFolder();
    const store = await open(folder);
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    const kinds = ["terms", "rules", "dq-monitors"];
    await Promise.all(numbers.flatMap((number) => kinds.map((kind) => store.save(kind, entriesOf(number)))));
    const reopened = await open(folder);
    expect(reopened.kinds()).toEqual([...kinds].sort());
    for (const kind of kinds) {
      expect([...(await reopened.entries(kind))]).toEqual([...entriesOf(20)]);
      expect(reopened.serial(kind)).toBe(20);
    }
    expect(leftovers(folder)).toEqual([]);
  });

  it("keeps any names, keys and fields", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("__proto__", "constructor", "10", "9", "\u2028"),
    );
    const entry = fc
      .record({ name: text, keys: fc.array(fc.tuple(text, text)), future: fc.array(fc.tuple(text, text)) })
      .map(({ name, keys, future }) => ({
        name,
        keys: Object.fromEntries(keys),
        future: Object.fromEntries(future),
      }));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(text, entry), { selector: ([source]) => source }),
        async (rows) => {
          const entries = new Map(rows.map(([source, more], index) => [source, mappingEntry(index, more)]));
          const folder = temporaryFolder();
          await (await open(folder)).save("terms", entries);
          const found = await (await open(folder)).entries("terms");
          expect(new Map(found)).toEqual(entries);
          expect([...found.keys()]).toEqual([...entries.keys()].sort());
          expect(await (await open(folder)).save("terms", found)).toBe(false);
        },
      ),
      runs(60),
    );
  });

  it("ignores files that are no mapping", async () => {
    const { folder } = await saved(entriesOf(1));
    for (const name of ["lock", "lock.holder", "journal.ndjson", "Terms (copy).json", ".hidden.json"]) {
      writeFileSync(join(folder, name), "?");
    }
    expect((await open(folder)).kinds()).toEqual(["terms"]);
  });

  it("removes what a killed run left, and nothing else", async () => {
    const { folder } = await saved(entriesOf(1));
    const dead = ".terms.json.999999999-0123456789ab.tmp";
    const alive = `.terms.json.${process.ppid}-0123456789ab.tmp`;
    const reused = `.terms.json.${process.pid}-0123456789ab.tmp`;
    for (const name of [dead, alive, reused, ".mine.tmp"]) writeFileSync(join(folder, name), "");
    await openMappingStore(folder, { tool, parties, readOnly: true });
    expect(leftovers(folder)).toHaveLength(4);
    await open(folder);
    expect(leftovers(folder)).toEqual([alive, ".mine.tmp"].sort());
  });
});

describe("the digest of a mapping", () => {
  it("tells content from content, and nothing else", async () => {
    const one = await open((await saved(entriesOf(1, 2))).folder);
    const same = await open((await saved(entriesOf(2, 1))).folder);
    expect(same.digest()).toBe(one.digest());
    await same.save("terms", entriesOf(1));
    expect(same.digest()).not.toBe(one.digest());
    await same.save("terms", entriesOf(1, 2)); // the serial is another now
    expect(same.digest()).toBe(one.digest());
    await same.save("rules", entriesOf(3));
    expect(same.digest()).not.toBe(one.digest());
    await same.save("rules", new Map()); // a file without entries says nothing
    expect(same.digest()).toBe(one.digest());
    const elsewhere = await open((await saved(entriesOf(1, 2), "rules")).folder);
    expect(elsewhere.digest()).not.toBe(one.digest());
  });
});

describe("a crash while saving", () => {
  it.each([
    ["mapping:before-rename", 1],
    ["mapping:after-rename", 2],
  ])("at %s leaves the old mapping or the new one, and can be done again", async (point, expected) => {
    const { folder } = await saved(entriesOf(1));
    const hooks = crashAt(point);
    const store = await openMappingStore(folder, { tool, parties, hooks });
    const before = store.digest();
    await expect(store.save("terms", entriesOf(1, 2))).rejects.toThrow(Crash);
    expect(hooks.count()).toBe(1);
    expect((await (await open(folder)).entries("terms")).size).toBe(expected);
    expect(leftovers(folder)).toEqual([]);
    expect(store.digest(), "memory does not claim what failed").toBe(before);
    expect(await (await open(folder)).save("terms", entriesOf(1, 2))).toBe(expected === 1);
  });

  it("does not list a kind that could not be saved", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "rules.json"));
    const store = await open(temporaryFolder());
    await storeError("io-failed", () => open(folder));
    const blocked = await openMappingStore(join(folder, "rules.json"), { tool, parties });
    writeFileSync(join(folder, "file"), "");
    expect(blocked.kinds()).toEqual([]);
    expect(store.kinds()).toEqual([]);
    const below = await openMappingStore(join(folder, "later"), { tool, parties });
    writeFileSync(join(folder, "later"), "");
    await storeError("io-failed", () => below.save("terms", entriesOf(1)));
    expect(below.kinds()).toEqual([]);
  });
});

describe("what a mapping store refuses", () => {
  it("saving when it was opened for reading", async () => {
    const store = await openMappingStore(temporaryFolder(), { tool, parties, readOnly: true });
    await storeError("read-only", () => store.save("terms", entriesOf(1)));
  });

  it.each(["../terms", "Terms", "", "a.b", "-a", "a--b", "terms/x"])("a kind named %j", async (kind) => {
    const store = await open(temporaryFolder());
    await storeError("bad-name", () => store.save(kind, entriesOf(1)));
  });

  it("a file of other environments", async () => {
    const { folder, path } = await saved(entriesOf(1));
    const other = { ...parties, source: { ...parties.source, baseUrl: "https://other.example.com" } };
    const error = await storeError("foreign-state", () => openMappingStore(folder, { tool, parties: other }));
    expect(error.path).toBe(path);
    expect(error.message).toContain("https://dev.example.com");
    expect(error.message).toContain("https://other.example.com");
  });

  it("a newer format, whatever is in it", async () => {
    const { folder, path } = await saved(entriesOf(1));
    edit(path, /"format": 1[^]*/, '"format": 2 }');
    expect((await storeError("newer-format", () => open(folder))).message).toContain("its format is 2");
  });

  it("two sources with one target, in a file and in a save, naming both", async () => {
    const { folder, path } = await saved(entriesOf(1, 2));
    const twice = entriesOf(1).set(urn(2), mappingEntry(1, { name: "Twin" }));
    const store = await open(folder);
    const refused = await storeError("mapping-not-bijective", () => store.save("terms", twice));
    expect(refused.message).toContain(`"Term 1" (${urn(1)}) and "Twin" (${urn(2)})`);
    expect(await store.save("terms", entriesOf(1, 2)), "the store is as it was").toBe(false);
    edit(path, urn(2, "term", "acme-prod"), urn(1, "term", "acme-prod"));
    const unread = await storeError("mapping-not-bijective", () => open(folder));
    // No command could follow: each of them reads the file first.
    expect(unread.suggestion).toContain("by hand");
    expect(unread.suggestion).not.toContain("ferry mappings");
  });

  it("git's conflict markers, with a message of their own", async () => {
    const { folder, path } = await saved(entriesOf(1));
    edit(path, '  "serial": 1,\n', '<<<<<<< HEAD\n  "serial": 1,\n=======\n  "serial": 2,\n>>>>>>> branch\n');
    const error = await storeError("merge-conflict", () => open(folder));
    expect(error.message).toContain("line 5, column 1");
    expect(error.suggestion).toContain("keep both lines");
  });

  it("an entry that a merge kept twice", async () => {
    const { folder, path } = await saved(entriesOf(1, 2));
    edit(path, urn(2), urn(1));
    const error = await storeError("bad-json", () => open(folder));
    expect(error.message).toContain(`"${urn(1)}" twice, the second time at line 10, column 5`);
  });

  it.each([
    ["", "line 1, column 1: it ends too early"],
    ["{\n", "line 2, column 1: it ends too early"],
    ['{\n  "a": x\n}', "line 2, column 8: it is not JSON there"],
  ])("a file that is no JSON: %j", async (content, where) => {
    const { folder, path } = await saved(entriesOf(1));
    writeFileSync(path, content);
    const error = await storeError("bad-json", () => open(folder));
    expect(error.path).toBe(path);
    expect(error.message).toContain(where);
  });

  it.each([
    ['"origin":"created"', '"origin":"found"', 9],
    ['"name":"Term 1"', '"name":1', 9],
    ['"serial": 1', '"serial": -1', 5],
    ['"kind": "terms"', '"kind": "rules"', 4],
    ['"tenant":"acme"', '"tenant":null', 6],
    ['"format": 1', '"format": "1"', 2],
  ])("a file of another shape: %s as %s", async (from, to, line) => {
    const { folder, path } = await saved(entriesOf(1));
    edit(path, from, to);
    const text = readFileSync(path, "utf8").split("\n")[line - 1] ?? "";
    const column = text.indexOf(to) + to.search(/(?<=:) ?/) + (to.includes(": ") ? 1 : 0) + 1;
    const error = await storeError("mapping-damaged", () => open(folder));
    expect(error.message).toContain(`at line ${line}, column ${column} (`);
  });

  it.each(["the file of a kind", "its folder", "the folder above that"])(
    "%s that is a link to what is not there",
    async (what) => {
      const { folder, path } = await saved(entriesOf(1));
      const linked = { "the file of a kind": path, "its folder": folder }[what] ?? dirname(folder);
      const gone = join(temporaryFolder(), "gone");
      renameSync(linked, gone);
      symlinkSync(join(gone, "..", "not-mounted"), linked);
      expect(await storeError("unreadable", async () => open(folder))).toMatchObject({
        path: linked,
        message: expect.stringContaining("not-mounted, which is not there"),
        suggestion: expect.stringContaining("Do not take the link away"),
      });
    },
  );

  it("a folder that is a file", async () => {
    const path = join(temporaryFolder(), "file");
    writeFileSync(path, "");
    await storeError("io-failed", () => open(path));
  });

  it("nothing that is left behind by a refusal", async () => {
    const { folder } = await saved(entriesOf(1));
    expect(readdirSync(folder)).toEqual(["terms.json"]);
  });
});
