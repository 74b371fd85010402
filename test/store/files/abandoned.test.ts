import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Abandoned } from "../../../src/store/index.ts";
import { AbandonedList } from "../../../src/store/index.ts";
import { openMappingStore, readAbandoned, writeAbandoned } from "../../../src/store/files/index.ts";
import { makeTemporaryFolders, parties, storeError, tool } from "./support.ts";

const newFolder = makeTemporaryFolders();
const owner = { tool, parties };
let folder: string;
const one: Abandoned = {
  kind: "terms",
  source: "urn:a",
  name: "One",
  step: "create",
  at: "2026-01-02T03:04:05.000Z",
};

beforeEach(async () => {
  folder = newFolder();
  await writeAbandoned(
    folder,
    owner,
    new AbandonedList([{ ...one, source: "urn:b", name: "B" }, one, { ...one, kind: "rules" }]),
  );
});

function path(): string {
  const [name = ""] = readdirSync(folder);
  return join(folder, name);
}

test("comes back as it was written, sorted for a review", async () => {
  const list = await readAbandoned(folder, parties);
  expect([...list].map(({ kind, source }) => `${kind} ${source}`)).toEqual([
    "rules urn:a",
    "terms urn:a",
    "terms urn:b",
  ]);
  expect(list.get("terms", "urn:a")).toEqual(one);
});

test("of two kinds over one object each has its own word", async () => {
  const list = await readAbandoned(folder, parties);
  expect(list.of("urn:a")).toHaveLength(2);
  list.delete("rules", "urn:a");
  await writeAbandoned(folder, owner, list);
  const left = await readAbandoned(folder, parties);
  expect(left.has("rules", "urn:a")).toBe(false);
  expect(left.get("terms", "urn:a")).toEqual(one);
  expect(left.size).toBe(2);
});

test("an entry of version 1 that does not say its kind is refused, not forgotten", async () => {
  const entry = { name: one.name, step: one.step, at: one.at };
  writeFileSync(path(), JSON.stringify({ format: 1, tool, ...parties, objects: { "urn:a": entry } }));
  await storeError("bad-shape", () => readAbandoned(folder, parties));
});

test("is none of the mapping's files", async () => {
  expect((await openMappingStore(folder, { ...owner, readOnly: true })).kinds()).toEqual([]);
});

test("without an entry there is no file, and without a file nothing is abandoned", async () => {
  await writeAbandoned(folder, owner, new AbandonedList());
  expect(readdirSync(folder)).toEqual([]);
  expect((await readAbandoned(folder, parties)).size).toBe(0);
});

test("what a merge has kept of both sides is refused: of one of them nothing would be known, and it would be sent again", async () => {
  const text = readFileSync(path(), "utf8");
  const two = text.replace('"terms": {', '"terms": {},\n    "terms": {');
  expect(two).not.toBe(text);
  writeFileSync(path(), two);
  expect(await storeError("bad-json", () => readAbandoned(folder, parties))).toMatchObject({
    message: expect.stringContaining('says "terms" twice') as string,
  });
});

test("a newer format, other environments and damage are refused", async () => {
  const text = readFileSync(path(), "utf8");
  const other = { ...parties, target: { ...parties.target, tenant: "other" } };
  await expect(readAbandoned(folder, other)).rejects.toThrow("belongs to other environments");
  writeFileSync(path(), text.replace('"format": 2', '"format": 3'));
  await expect(readAbandoned(folder, parties)).rejects.toThrow("newer version of ferry");
  writeFileSync(path(), text.slice(0, 40));
  await expect(readAbandoned(folder, parties)).rejects.toThrow();
});
