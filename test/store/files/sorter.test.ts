import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SortedPrints } from "../../../src/store/rows.ts";
import { readKnownRows } from "../../../src/store/files/rows/known-rows.ts";
import { FileSorter } from "../../../src/store/files/rows/sorter.ts";
import { type Disk, nodeDisk, StoreError } from "../../../src/store/index.ts";
import { makeTemporaryFolders, parties } from "./support.ts";
import { inWhole } from "../../support/whole.ts";

const temporaryFolder = makeTemporaryFolders();
const keyOf = (number: number): string =>
  createHash("sha256").update(String(number)).digest("hex").slice(0, 32);

inWhole(
  "more than fits into memory is sorted through files, found by key, and leaves nothing behind",
  async () => {
    const folder = temporaryFolder();
    const sorter = new FileSorter(nodeDisk, join(folder, "sort"));
    const count = 120_000;
    for (let number = 0; number < count; number += 1)
      await sorter.add({ key: keyOf(number), source: "1".repeat(16), target: "2".repeat(16) });
    const sorted = await sorter.finish();
    expect(sorted.size).toBe(count);
    let last = "";
    let isInOrder = true;
    for (const { key } of sorted) {
      isInOrder &&= last < key;
      last = key;
    }
    expect(isInOrder).toBe(true);
    const found = Array.from(
      { length: 1_000 },
      (_, index) => sorted.get(keyOf(index * 120))?.key === keyOf(index * 120),
    );
    expect(found.every(Boolean)).toBe(true);
    expect(sorted.get(keyOf(count + 1))).toBeUndefined();
    sorted.close();
    expect(readdirSync(folder)).toEqual([]);
  },
);

inWhole(
  "what is said several times of one key stays in the order in which it was said, also through files",
  async () => {
    const sorter = new FileSorter(nodeDisk, join(temporaryFolder(), "sort"));
    const said: string[] = [];
    for (let number = 0; number < 120_000; number += 1) {
      const isAgain = number % 20_000 === 7;
      const source = (isAgain ? String([5, 1, 9, 3, 7, 0][Math.floor(number / 20_000)]) : "1").repeat(16);
      if (isAgain) said.push(source);
      await sorter.add({ key: isAgain ? keyOf(-1) : keyOf(number), source, target: "2".repeat(16) });
    }
    const sorted = await sorter.finish();
    const found = Array.from(sorted).flatMap(({ key, source }) => (key === keyOf(-1) ? [source] : []));
    expect(found).toEqual(said);
    sorted.close();
  },
);

test("a file whose beginning is damaged, or that belongs to others, is refused in words", () => {
  const folder = temporaryFolder();
  const path = join(folder, "countries.prints");
  writeFileSync(path, "no header\n");
  expect(() => readKnownRows(nodeDisk, path, parties)).toThrow(/its first line is not what ferry writes/);
  const other = { ...parties, target: { ...parties.target, tenant: "another" } };
  writeFileSync(path, `${JSON.stringify({ format: 1, tool: "t", parties: other, sense: "" })}\n`);
  expect(() => readKnownRows(nodeDisk, path, parties)).toThrow(/belongs to other environments/);
  writeFileSync(path, `${JSON.stringify({ format: 2, tool: "t", parties, sense: "" })}\n`);
  expect(() => readKnownRows(nodeDisk, path, parties)).toThrow(/newer version of ferry/);
  expect(readFileSync(path, "utf8")).toContain("format");
});

test("a file whose lines are not of their width, or no prints, or that was cut, is refused; one without lines is not", () => {
  const path = join(temporaryFolder(), "countries.prints");
  const header = JSON.stringify({ format: 1, tool: "t", parties, sense: "" });
  const lines = [1, 2, 3].map((key) => `${keyOf(key)}${"1".repeat(32)}`).sort();
  const write = (all: readonly string[], end = "\n"): void => {
    writeFileSync(path, all.map((line) => `${line}${end}`).join(""));
  };
  const refused = /its lines are not as ferry wrote them/;
  write([header, ...lines], "\r\n");
  expect(() => readKnownRows(nodeDisk, path, parties)).toThrow(refused);
  write([header, ...lines.slice(0, 2), "=======", ...lines.slice(2)]);
  expect(() => readKnownRows(nodeDisk, path, parties)).toThrow(refused);
  write([header, ...lines.map((line) => line.replaceAll("1", "x"))]);
  expect(() => readKnownRows(nodeDisk, path, parties)).toThrow(refused);
  for (const text of [`${header}\n${lines[0] ?? ""}`, `${header}\n${lines.join("\n")}`]) {
    writeFileSync(path, text);
    expect(() => readKnownRows(nodeDisk, path, parties)).toThrow(refused);
  }
  writeFileSync(path, `${header}\n`);
  const known = readKnownRows(nodeDisk, path, parties);
  expect(known?.size).toBe(0);
  known?.close();
});

test("a disk that refuses to open, to read or to remove what is sorted is told with the file and what to do", async () => {
  const refuse = (): never => {
    throw Object.assign(new Error("EACCES"), { code: "EACCES", syscall: "open" });
  };
  const print = { key: keyOf(1), source: "1".repeat(16), target: "2".repeat(16) };
  const sorted = async (disk: Disk): Promise<SortedPrints> => {
    const sorter = new FileSorter(disk, join(temporaryFolder(), "sort"));
    await sorter.add(print);
    return sorter.finish();
  };
  const told = async (work: () => Promise<unknown>): Promise<void> => {
    const error = await work().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StoreError);
    expect((error as StoreError).message).toMatch(/^cannot (?:read|write) .*sort.*: permission denied$/);
  };
  await told(async () => sorted({ ...nodeDisk, openSync: refuse }));
  const unread = {
    ...nodeDisk,
    openSync: (path: string) => ({ ...nodeDisk.openSync(path, "r"), read: refuse }),
  };
  await told(async () => (await sorted(unread)).get(print.key));
  await told(async () => [...(await sorted(unread))]);
  await told(async () => (await sorted({ ...nodeDisk, rmSync: refuse })).close());
});

/** A disk that counts what is read, and that answers in part where it is told to. */
function counting(most = Infinity): { readonly disk: Disk; readonly reads: () => number } {
  let reads = 0;
  const openSync: Disk["openSync"] = (path, flags) => {
    const file = nodeDisk.openSync(path, flags);
    return {
      size: () => file.size(),
      append: (bytes) => file.append(bytes),
      close: () => file.close(),
      read(buffer, offset, length, position) {
        reads += 1;
        return file.read(buffer, offset, Math.min(length, most), position);
      },
    };
  };
  return { disk: { ...nodeDisk, openSync }, reads: () => reads };
}

async function sortedOf(disk: Disk, numbers: readonly number[]): Promise<SortedPrints> {
  const sorter = new FileSorter(disk, join(temporaryFolder(), "sort"));
  for (const [index, number] of numbers.entries())
    await sorter.add({ key: keyOf(number), source: String(index).padStart(16, "0"), target: "2".repeat(16) });
  return sorter.finish();
}

inWhole.each([1, 2, 63, 64, 65, 129, 1_000, 260_000])(
  "each of %i is found by its key, also where the disk answers in part, and what is not there is not",
  async (count) => {
    const numbers = Array.from({ length: count }, (_, index) => index);
    for (const most of count > 100_000 ? [Infinity] : [Infinity, 1_000]) {
      const sorted = await sortedOf(counting(most).disk, numbers);
      const step = Math.ceil(count / 300);
      const asked = numbers.filter((number) => number % step === 0);
      expect(asked.map((number) => Number(sorted.get(keyOf(number))?.source))).toEqual(asked);
      for (const absent of [keyOf(-1), keyOf(count), "0".repeat(32), "f".repeat(32), "", "0"])
        expect(sorted.get(absent)).toBeUndefined();
      sorted.close();
    }
  },
);

test("of what is said several times of one key the first is found", async () => {
  const sorted = await sortedOf(nodeDisk, [4, 7, 7, 2, 7]);
  expect(Number(sorted.get(keyOf(7))?.source)).toBe(1);
  sorted.close();
});

test("a file that is not long is read once, however many are looked for", async () => {
  const { disk, reads } = counting();
  const numbers = Array.from({ length: 5_000 }, (_, index) => index);
  const sorted = await sortedOf(disk, numbers);
  const before = reads();
  for (const number of numbers) sorted.get(keyOf(number));
  expect(reads() - before).toBe(1);
  sorted.close();
});
