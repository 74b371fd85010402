import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Abandoned } from "../../../src/store/index.ts";
import { openMappingStore, readAbandoned, writeAbandoned } from "../../../src/store/index.ts";
import { makeTemporaryFolders, parties, tool } from "./support.ts";

const newFolder = makeTemporaryFolders();
const owner = { tool, parties };
let folder: string;
const one: Abandoned = { kind: "terms", name: "One", step: "create", at: "2026-01-02T03:04:05.000Z" };

beforeEach(async () => {
  folder = newFolder();
  await writeAbandoned(
    folder,
    owner,
    new Map([
      ["urn:b", { ...one, name: "B" }],
      ["urn:a", one],
    ]),
  );
});

function path(): string {
  const [name = ""] = readdirSync(folder);
  return join(folder, name);
}

test("comes back as it was written, sorted for a review", async () => {
  expect([...(await readAbandoned(folder, parties)).keys()]).toEqual(["urn:a", "urn:b"]);
  expect((await readAbandoned(folder, parties)).get("urn:a")).toEqual(one);
});

test("is none of the mapping's files", async () => {
  expect((await openMappingStore(folder, { ...owner, readOnly: true })).kinds()).toEqual([]);
});

test("without an entry there is no file, and without a file nothing is abandoned", async () => {
  await writeAbandoned(folder, owner, new Map());
  expect(readdirSync(folder)).toEqual([]);
  expect((await readAbandoned(folder, parties)).size).toBe(0);
});

test("a newer format, other environments and damage are refused", async () => {
  const text = readFileSync(path(), "utf8");
  const other = { ...parties, target: { ...parties.target, tenant: "other" } };
  await expect(readAbandoned(folder, other)).rejects.toThrow("belongs to other environments");
  writeFileSync(path(), text.replace('"format": 1', '"format": 2'));
  await expect(readAbandoned(folder, parties)).rejects.toThrow("newer version of ferry");
  writeFileSync(path(), text.slice(0, 40));
  await expect(readAbandoned(folder, parties)).rejects.toThrow();
});
