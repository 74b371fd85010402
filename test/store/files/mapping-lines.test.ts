import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { printed } from "../../../src/store/files/mapping-digest.ts";
import { formatMapping } from "../../../src/store/files/mapping-format.ts";
import { linesOf } from "../../../src/store/files/lines.ts";
import { mappingLines } from "../../../src/store/files/mapping-lines.ts";
import { makeTemporaryFolders, mappingEntry, parties, tool, urn } from "./support.ts";
import { readMapping } from "../../../src/store/files/mapping-read.ts";
import { nodeDisk } from "../../../src/store/files/node-disk.ts";
import { inWhole } from "../../support/whole.ts";

/** As it comes from the disk. */
function taken(file: string | Buffer): ReturnType<typeof mappingLines> {
  const bytes = Buffer.from(file);
  let at = 0;
  const read = async (into: Buffer, offset: number, length: number): Promise<{ bytesRead: number }> => {
    const bytesRead = bytes.copy(into, offset, at, at + length);
    at += bytesRead;
    return { bytesRead };
  };
  return mappingLines(linesOf({ read }), isEntry);
}

function written(entries: ReadonlyMap<string, MappingEntry>): string {
  return [...formatMapping({ format: 1, tool, kind: "terms", serial: 3, parties, entries })].join("");
}

const temporaryFolder = makeTemporaryFolders();
const isEntry = (value: unknown): value is MappingEntry =>
  typeof value === "object" && value !== null && "target" in value;
const entries = new Map([1, 2, 3].map((number) => [urn(number), mappingEntry(number)] as const));
const text = written(entries);

it("takes apart what is just as it was written", async () => {
  const lines = await taken(text);
  expect([...(lines?.entries ?? [])]).toEqual([...entries]);
  expect(lines?.head).toBe(written(new Map()));
});

it("says of a long file what is said of its entries", async () => {
  const many = new Map(Array.from({ length: 400 }, (_, at) => [urn(at + 1), mappingEntry(at + 1)] as const));
  const sorted = new Map([...many].sort(([one], [other]) => (one < other ? -1 : 1)));
  expect(written(sorted).length).toBeGreaterThan(65_536);
  expect((await taken(written(sorted)))?.digest).toBe(printed(sorted).digest);
  const last = [...sorted.keys()].at(-1) ?? "";
  sorted.set(last, { ...mappingEntry(400), name: "Another" });
  expect((await taken(written(sorted)))?.digest).not.toBe(printed(many).digest);
});

it("takes apart a file of no entry", async () => {
  const lines = await taken(written(new Map()));
  expect(lines?.entries.size).toBe(0);
  expect(lines?.head).toBe(written(new Map()));
});

it("keeps names of other letters, wherever a piece of the file ends", async () => {
  const many = Array.from({ length: 1200 }, (_, at) => {
    const name = `${"\u{1F69A}\u00E9\uFFFD".repeat(40)} ${at}`;
    return [urn(at + 1), { ...mappingEntry(at + 1), name }] as const;
  });
  const sorted = new Map(many.sort(([one], [other]) => (one < other ? -1 : 1)));
  expect(Buffer.byteLength(written(sorted))).toBeGreaterThan(2 * 262_144);
  expect([...((await taken(written(sorted)))?.entries ?? [])]).toEqual([...sorted]);
});

it("reads it a line at a time: as one text it could not be longer than half a gigabyte", async () => {
  const path = join(temporaryFolder(), "terms.json");
  await writeFile(path, text);
  const disk = { ...nodeDisk, readFile: () => Promise.reject(new Error("the whole of it")) };
  const content = await readMapping(disk, path, "terms", parties);
  expect([...content.entries]).toEqual([...entries]);
  await writeFile(path, text.replace(first, `${first}\n${first}`));
  await expect(readMapping(disk, path, "terms", parties)).rejects.toThrow("the whole of it");
});

inWhole("keeps what it has printed, but for what is too long to be kept", async () => {
  const { digest, lines } = printed(entries);
  const content = { format: 1, tool, kind: "terms", serial: 3, parties, entries: new Map(), digest, lines };
  expect([...formatMapping(content)].join("")).toBe(text);
  const long = new Map([
    [urn(1), { ...mappingEntry(1), name: "x".repeat(5_000_000) }],
    ...[...entries].slice(1),
  ]);
  expect(printed(long).lines).toBeUndefined();
  expect(printed(long).digest).toBe((await taken(written(long)))?.digest);
});

it("takes apart names that other tables trip over", async () => {
  const odd = new Map([
    ["10", mappingEntry(1)],
    ["9", mappingEntry(2)],
    ["__proto__", mappingEntry(3)],
  ]);
  expect([...((await taken(written(odd)))?.entries ?? [])]).toEqual([...odd]);
});

const [first = "", second = "", third = ""] = text.split("\n").filter((line) => line.startsWith("    "));
it.each([
  ["in another order", text.replace(`${first}\n${second}`, `${second}\n${first}`)],
  ["one of them twice", text.replace(first, `${first}\n${first}`)],
  ["one with a space", text.replace(first, first.replace('"name":', '"name": '))],
  ["two on a line", text.replace(`${first}\n`, `${first} `)],
  ["a comma too few", text.replace(first, first.slice(0, -1))],
  ["another character for the comma", text.replace(first, `${first.slice(0, -1)};`)],
  ["a comma too many", text.replace(third, `${third},`)],
  ["an empty line", text.replace(`${first}\n`, `${first}\n\n`)],
  ["a name twice in one entry", text.replace(first, first.replace('"name":', '"name":"Other","name":'))],
  ["an entry that is none", text.replace(first, `    ${JSON.stringify(urn(1))}: 7,`)],
  ["a head that is not closed", text.replace('"serial": ', '"serial": [')],
  ["cut off", text.slice(0, -10)],
  ["cut off in the last line", text.slice(0, -1)],
  ["without its end", text.slice(0, -2)],
  ["something behind it", `${text}\n`],
  ["a mark before it", `\uFEFF${text}`],
  ["the mark of an editor on another system", text.replaceAll("\n", "\r\n")],
  ["a head without an end", `${" ".repeat(70_000)}${text}`],
  ["another encoding", Buffer.from(text.replace("Term", "T\u00E9rm"), "latin1")],
])("leaves it to whoever reads all of it: %s", async (_what, otherwise) => {
  expect(otherwise).not.toBe(text);
  expect(await taken(otherwise)).toBeUndefined();
});
