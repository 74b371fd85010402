import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/model/json.ts";
import type { SnapshotFinish, SnapshotObject } from "../../../src/store/index.ts";
import type { Disk, DiskFileSync } from "../../../src/store/files/disk.ts";
import { nodeDisk } from "../../../src/store/files/node-disk.ts";
import type { Manifest } from "../../../src/store/files/index.ts";
import { createSnapshot, openSnapshot } from "../../../src/store/files/index.ts";
import {
  Crash,
  crashAt,
  leftovers,
  makeTemporaryFolders,
  parties,
  storeError,
  tool,
  urn,
} from "./support.ts";
import { runs } from "../../properties/runs.ts";

const temporaryFolder = makeTemporaryFolders();
const options = { tool, party: parties.source, at: "2026-11-21T08:00:00.000Z" };
const done: SnapshotFinish = { kinds: { terms: { complete: true } }, notes: [] };

function term(number: number, more: JsonObject = {}): SnapshotObject {
  return {
    urn: urn(number),
    name: `Term ${number}`,
    body: { urn: urn(number), name: `Term ${number}`, ...more },
  };
}

async function write(
  folder: string,
  objects: readonly SnapshotObject[],
  finish: SnapshotFinish = done,
  more: Partial<typeof options> = {},
): Promise<Manifest> {
  const writer = await createSnapshot(folder, { ...options, ...more });
  for (const object of objects) await writer.add("terms", object);
  return await writer.finish(finish);
}

async function snapshotOf(...objects: readonly SnapshotObject[]): Promise<string> {
  const folder = join(temporaryFolder(), "snapshot");
  await write(folder, objects);
  return folder;
}

describe("a snapshot", () => {
  it("gives back what was added: whole, by URN and in order", async () => {
    const folder = join(temporaryFolder(), "plans", "snapshot");
    const writer = await createSnapshot(folder, options);
    const withMeta = { ...term(2), meta: { pulledIn: true } };
    for (const object of [term(3), withMeta, term(1)]) await writer.add("terms", object);
    await writer.add("dq-rules", { urn: urn(9, "rule"), name: "", body: { deep: [{ x: null }] } });
    const manifest = await writer.finish({
      kinds: {
        terms: { complete: true },
        "dq-rules": { complete: false, reason: "HTTP 403" },
        folders: { complete: true },
      },
      notes: { drafts: 2 },
    });
    const reader = await openSnapshot(folder);
    expect(reader.manifest).toEqual(manifest);
    expect(reader.manifest.notes).toEqual({ drafts: 2 });
    expect(reader.manifest.kinds["dq-rules"]).toMatchObject({
      count: 1,
      complete: false,
      reason: "HTTP 403",
    });
    expect(reader.manifest.kinds["folders"]).toMatchObject({ count: 0, complete: true });
    expect(reader.kinds()).toEqual(["dq-rules", "folders", "terms"]);
    expect([...reader.urns("terms")]).toEqual([urn(3), urn(2), urn(1)]);
    expect([...reader.stream("terms")]).toEqual([term(3), withMeta, term(1)]);
    expect(reader.body("terms", urn(1))).toEqual(term(1).body);
    expect(reader.name("terms", urn(2))).toBe("Term 2");
    expect(reader.meta("terms", urn(2))).toEqual({ pulledIn: true });
    expect(reader.meta("terms", urn(1))).toBeUndefined();
    expect([reader.has("terms", urn(1)), reader.has("terms", urn(7)), reader.has("none", urn(1))]).toEqual([
      true,
      false,
      false,
    ]);
    expect([reader.urns("none"), [...reader.stream("none")], [...reader.stream("folders")]]).toEqual([
      [],
      [],
      [],
    ]);
    expect(() => reader.body("terms", urn(7))).toThrow(urn(7));
    expect(() => reader.name("none", urn(1))).toThrow(urn(1));
    reader.close();
    expect(readdirSync(folder).sort()).toEqual([
      "dq-rules.ndjson",
      "folders.ndjson",
      "manifest.json",
      "terms.ndjson",
    ]);
  });

  it("keeps any names and bodies", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("__proto__", "toJSON", "10", "\u2028\n"),
    );
    const body = fc
      .array(fc.tuple(text, fc.jsonValue({ maxDepth: 2 })))
      .map((fields) => JSON.parse(JSON.stringify(Object.fromEntries(fields))) as JsonObject);
    const objects = fc.uniqueArray(fc.record({ urn: text, name: text, body }), {
      selector: ({ urn }) => urn,
    });
    await fc.assert(
      fc.asyncProperty(objects, async (objects) => {
        const reader = await openSnapshot(await snapshotOf(...objects));
        expect(JSON.stringify([...reader.stream("terms")])).toBe(JSON.stringify(objects));
        for (const { urn, body } of objects)
          expect(JSON.stringify(reader.body("terms", urn))).toBe(JSON.stringify(body));
        reader.close();
      }),
      runs(60),
    );
  });

  it("is larger than the pieces in which it is written and read", async () => {
    const objects = Array.from({ length: 3000 }, (_, index) =>
      term(index, { text: `${index} ä `.repeat(100 + (index % 90)) }),
    );
    const folder = join(temporaryFolder(), "snapshot");
    const writer = await createSnapshot(folder, options);
    let waits = 0;
    for (const object of objects) {
      const wait = writer.add("terms", object);
      if (wait !== undefined) waits += 1;
      await wait;
    }
    await writer.finish(done);
    expect(waits, "back-pressure comes now and then").toBeGreaterThan(1);
    expect(waits).toBeLessThan(objects.length / 50);
    const reader = await openSnapshot(folder);
    let index = 0;
    for (const object of reader.stream("terms")) expect(object).toEqual(objects[index++]);
    expect(index).toBe(3000);
    for (const index of [2999, 0, 1500, 1500])
      expect(reader.body("terms", urn(index))).toEqual(objects[index]?.body);
    reader.close();
  });

  it("is read by blocks where it is asked for in its order, and alike in any other", async () => {
    const objects = Array.from({ length: 200 }, (_, at) => term(at, { text: "x".repeat(at * 20) }));
    const folder = await snapshotOf(...objects);
    const lengths: number[] = [];
    const disk: Disk = {
      ...nodeDisk,
      openSync(path, flags) {
        const file = nodeDisk.openSync(path, flags);
        const read: DiskFileSync["read"] = (buffer, offset, length, position) => {
          lengths.push(length);
          return file.read(buffer, offset, length, position);
        };
        return { ...file, read };
      },
    };
    const reader = await openSnapshot(folder, disk);
    const there = (at: number): unknown => reader.body("terms", urn(at))["text"];
    for (const at of objects.keys()) expect(there(at)).toBe("x".repeat(at * 20));
    const size = readFileSync(join(folder, "terms.ndjson")).length;
    expect(lengths.length).toBeLessThanOrEqual(Math.ceil(size / (1 << 16)) + 4);
    const order = [150, 3, 199, 0, 77, 78, 2, 198, 100, 1];
    for (const at of order) expect(there(at)).toBe("x".repeat(at * 20));
    reader.close();
  });

  it("takes objects that are added all at once", async () => {
    const folder = join(temporaryFolder(), "snapshot");
    const writer = await createSnapshot(folder, options);
    const kinds = ["terms", "rules"];
    await Promise.all(
      kinds.flatMap((kind) =>
        Array.from({ length: 200 }, async (_, index) => await writer.add(kind, term(index))),
      ),
    );
    await writer.finish({ kinds: { terms: { complete: true }, rules: { complete: true } }, notes: null });
    const reader = await openSnapshot(folder);
    for (const kind of kinds)
      expect([...reader.urns(kind)]).toEqual(Array.from({ length: 200 }, (_, index) => urn(index)));
    reader.close();
  });

  it("counts a kind as incomplete that nobody vouched for", async () => {
    const manifest = await write(join(temporaryFolder(), "snapshot"), [term(1)], { kinds: {}, notes: null });
    expect(manifest.kinds["terms"]).toMatchObject({ count: 1, complete: false });
    expect(manifest.kinds["terms"]?.reason).toBeDefined();
  });
});

describe("the digest of a snapshot", () => {
  it("is the same for the same state, whatever order, time, tool and order of fields", async () => {
    const folder = temporaryFolder();
    const one = await write(join(folder, "one"), [term(1, { a: 1, b: 2 }), term(2)]);
    const other = await write(join(folder, "other"), [term(2), term(1, { b: 2, a: 1 })], done, {
      at: "later",
      tool: "2",
    });
    expect(other.digest).toBe(one.digest);
    expect(other.kinds["terms"]?.content).toBe(one.kinds["terms"]?.content);
    expect(other.kinds["terms"]?.sha256).not.toBe(one.kinds["terms"]?.sha256);
  });

  it("is another for another state, completeness or party", async () => {
    const folder = temporaryFolder();
    const digests = [
      await write(join(folder, "1"), [term(1), term(2)]),
      await write(join(folder, "2"), [term(1)]),
      await write(join(folder, "3"), [term(1), { ...term(2), name: "x" }]),
      await write(join(folder, "4"), [term(1), { ...term(2), meta: {} }]),
      await write(join(folder, "5"), [term(1), term(2)], {
        kinds: { terms: { complete: false } },
        notes: [],
      }),
      await write(join(folder, "6"), [term(1), term(2)], { ...done, notes: ["one"] }),
      await write(join(folder, "7"), [term(1), term(2)], done, { party: parties.target }),
      await write(join(folder, "8"), [term(1), term(2)], {
        ...done,
        kinds: { ...done.kinds, rules: { complete: true } },
      }),
    ].map(({ digest }) => digest);
    expect(new Set(digests).size).toBe(digests.length);
  });
});

describe("replacing a snapshot", () => {
  it("leaves the one before until the new one is finished", async () => {
    const folder = await snapshotOf(term(1));
    const writer = await createSnapshot(folder, options);
    await writer.add("terms", term(2));
    const before = await openSnapshot(folder);
    await writer.finish(done);
    const after = await openSnapshot(folder);
    expect([...after.urns("terms")]).toEqual([urn(2)]);
    expect(before.body("terms", urn(1)), "an open reader is not disturbed").toEqual(term(1).body);
    for (const reader of [before, after]) reader.close();
    expect(readdirSync(dirname(folder))).toEqual(["snapshot"]);
  });

  it("drops the files of kinds that are no more", async () => {
    const folder = await snapshotOf(term(1));
    const writer = await createSnapshot(folder, options);
    await writer.finish({ kinds: { rules: { complete: true } }, notes: null });
    expect(readdirSync(folder).sort()).toEqual(["manifest.json", "rules.ndjson"]);
  });

  it("leaves nothing when it is abandoned", async () => {
    const folder = await snapshotOf(term(1));
    const writer = await createSnapshot(folder, options);
    await writer.add("terms", term(2));
    await writer.abandon();
    await writer.abandon();
    expect(readdirSync(dirname(folder))).toEqual(["snapshot"]);
    (await openSnapshot(folder)).close();
  });

  it("does nothing when it is abandoned after it was finished", async () => {
    const folder = join(temporaryFolder(), "snapshot");
    const writer = await createSnapshot(folder, options);
    await writer.finish(done);
    await writer.abandon();
    (await openSnapshot(folder)).close();
  });

  it("takes whichever comes last when several exports end at once, and leaves nothing of the others", async () => {
    const folder = await snapshotOf(term(1));
    for (let round = 0; round < 20; round += 1) {
      const writers = await Promise.all([1, 2, 3].map(async () => createSnapshot(folder, options)));
      const readers = await Promise.all(writers.map(async (writer) => writer.finishAndOpen(done)));
      for (const reader of readers) reader.close();
    }
    (await openSnapshot(folder)).close();
    expect(readdirSync(dirname(folder))).toEqual(["snapshot"]);
  });

  it("removes what a killed export left", async () => {
    const folder = await snapshotOf(term(1));
    mkdirSync(join(dirname(folder), ".snapshot.999999999-0123456789ab.tmp"));
    writeFileSync(join(dirname(folder), ".snapshot.999999999-0123456789ab.tmp", "terms.ndjson"), "half");
    await write(folder, [term(2)]);
    expect(readdirSync(dirname(folder))).toEqual(["snapshot"]);
  });

  it("follows a symbolic link", async () => {
    const folder = await snapshotOf(term(1));
    const link = join(temporaryFolder(), "link");
    symlinkSync(folder, link);
    await write(link, [term(2)]);
    const reader = await openSnapshot(folder);
    expect([...reader.urns("terms")]).toEqual([urn(2)]);
    reader.close();
  });

  it.each([
    ["snapshot:before-swap", [urn(1)]],
    ["snapshot:mid-swap", undefined],
    ["snapshot:after-swap", [urn(2)]],
  ])("crashing at %s never leaves half a snapshot", async (point, expected) => {
    const folder = await snapshotOf(term(1));
    const hooks = crashAt(point);
    const writer = await createSnapshot(folder, { ...options, hooks });
    await writer.add("terms", term(2));
    await expect(writer.finish(done)).rejects.toThrow(Crash);
    expect(hooks.count()).toBe(1);
    if (expected === undefined) await storeError("not-found", () => openSnapshot(folder));
    else {
      const reader = await openSnapshot(folder);
      expect([...reader.urns("terms")]).toEqual(expected);
      reader.close();
    }
    await write(folder, [term(3)]);
    (await openSnapshot(folder)).close();
  });

  it.each(["notes.txt", "TERMS.ndjson", ".git"])(
    "refuses a folder with somebody's %s in it",
    async (name) => {
      const folder = await snapshotOf(term(1));
      writeFileSync(join(folder, name), "mine");
      const error = await storeError("snapshot-in-the-way", () => createSnapshot(folder, options));
      expect(error.message).toContain(name);
      expect(readFileSync(join(folder, name), "utf8")).toBe("mine");
    },
  );

  it("refuses a folder that became somebody's while the export ran", async () => {
    const folder = join(temporaryFolder(), "snapshot");
    const writer = await createSnapshot(folder, options);
    mkdirSync(folder);
    writeFileSync(join(folder, "terms.ndjson"), "mine");
    await storeError("snapshot-in-the-way", () => writer.finish(done));
    await writer.abandon();
    expect(readFileSync(join(folder, "terms.ndjson"), "utf8")).toBe("mine");
    expect(leftovers(dirname(folder))).toEqual([]);
  });

  it("takes the place of an empty folder", async () => {
    const folder = temporaryFolder();
    await write(folder, [term(1)]);
    (await openSnapshot(folder)).close();
  });
});

describe("what a writer refuses", () => {
  it("an object that comes twice, naming it", async () => {
    const writer = await createSnapshot(join(temporaryFolder(), "snapshot"), options);
    await writer.add("terms", term(1));
    const error = await storeError("duplicate-object", () =>
      writer.add("terms", { ...term(1), name: "Other" }),
    );
    expect(error.message).toContain('"Term 1" and "Other"');
    await writer.abandon();
  });

  it.each(["../terms", "Terms", "", "a b"])("a kind named %j", async (kind) => {
    const folder = join(temporaryFolder(), "snapshot");
    const writer = await createSnapshot(folder, options);
    await storeError("bad-name", () => writer.add(kind, term(1)));
    await writer.abandon();
    expect(readdirSync(dirname(folder))).toEqual([]);
  });

  it("a file in the way", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    await storeError("io-failed", () => createSnapshot(join(folder, "file"), options));
    await storeError("io-failed", () => createSnapshot(join(folder, "file", "snapshot"), options));
  });

  it("to hide that its folder vanished", async () => {
    const folder = join(temporaryFolder(), "snapshot");
    const writer = await createSnapshot(folder, options);
    for (const name of leftovers(dirname(folder))) rmSync(join(dirname(folder), name), { recursive: true });
    expect((await storeError("not-found", () => writer.add("terms", term(1)))).path).toBe(folder);
    await storeError("not-found", () => writer.finish(done));
    await writer.abandon();
  });
});

describe("a damaged snapshot", () => {
  it.each<[string, string, (path: string) => void]>([
    ["a changed byte", "terms.ndjson", (path) => edit(path, "Term 2", "Term 9")],
    ["a line that is no JSON", "line 2", (path) => edit(path, /\n./, "\n}")],
    ["a line without a body", "line 2", (path) => edit(path, /(\n.*?)"body"/s, '$1"boby"')],
    [
      "a URN that comes twice",
      "line 2",
      (path) => edit(path, `\n{"urn":"${urn(2)}"`, `\n{"urn":"${urn(1)}"`),
    ],
    ["a missing end", "line 2", (path) => truncateSync(path, readFileSync(path).length - 3)],
    ["a missing line", "it holds 1 objects, and the manifest says 2", (path) => edit(path, /\n.*\n$/s, "\n")],
    ["a further line", "line 3", (path) => appendFileSync(path, "{}\n")],
    ["a missing file", "it is missing", (path) => rmSync(path)],
    ["an emptied file", "it holds 0 objects", (path) => truncateSync(path, 0)],
  ])("is refused for %s", async (_, why, damage) => {
    const folder = await snapshotOf(term(1), term(2));
    damage(join(folder, "terms.ndjson"));
    const error = await storeError("snapshot-damaged", () => openSnapshot(folder));
    expect(error.path).toBe(join(folder, "terms.ndjson"));
    expect(error.message).toContain(why);
  });

  it.each<[string, "snapshot-damaged" | "bad-json" | "newer-format", string | RegExp, string]>([
    ["a flag that somebody changed", "snapshot-damaged", '"complete": true', '"complete": false'],
    ["a field of another type", "snapshot-damaged", '"count": 2', '"count": "2"'],
    ["a kind that names a path", "snapshot-damaged", '"terms": {', '"../terms": {'],
    ["no notes", "snapshot-damaged", '"notes"', '"other"'],
    ["no format", "snapshot-damaged", '"format": 1', '"format": 0'],
    ["half a manifest", "bad-json", /"digest"[^]*/, ""],
    ["a newer format", "newer-format", /"format": 1[^]*/, '"format": 2 }'],
  ])("is refused for %s", async (_, code, from, to) => {
    const folder = await snapshotOf(term(1), term(2));
    edit(join(folder, "manifest.json"), from, to);
    expect((await storeError(code, () => openSnapshot(folder))).path).toBe(join(folder, "manifest.json"));
  });

  it("is told from none at all", async () => {
    const folder = temporaryFolder();
    expect((await storeError("not-found", () => openSnapshot(folder))).path).toBe(folder);
    await storeError("not-found", () => openSnapshot(join(folder, "none")));
    writeFileSync(join(folder, "file"), "");
    await storeError("io-failed", () => openSnapshot(join(folder, "file")));
  });

  it("is noticed when a file changes while it is in use", async () => {
    const folder = await snapshotOf(term(1), term(2));
    const reader = await openSnapshot(folder);
    const path = join(folder, "terms.ndjson");
    writeFileSync(path, "x".repeat(readFileSync(path).length));
    await storeError("snapshot-damaged", () => reader.body("terms", urn(2)));
    const [one, two] = [term(1), term(2)].map((object) => `${JSON.stringify(object)}\n`);
    writeFileSync(path, `${two}${one}`); // the same lengths, other objects
    await storeError("snapshot-damaged", () => reader.body("terms", urn(2)));
    truncateSync(path, 10);
    await storeError("snapshot-damaged", () => [...reader.stream("terms")]);
    reader.close();
  });

  it("is still read after it was moved", async () => {
    const folder = await snapshotOf(term(1));
    const reader = await openSnapshot(folder);
    renameSync(folder, `${folder}-moved`);
    expect(reader.body("terms", urn(1))).toEqual(term(1).body);
    reader.close();
  });
});

function edit(path: string, from: string | RegExp, to: string): void {
  const before = readFileSync(path, "utf8");
  const after = before.replace(from, to);
  expect(after, "the edit changes something").not.toBe(before);
  writeFileSync(path, after);
}
