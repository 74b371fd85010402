import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { mergeEntries } from "../../../src/model/mapping-merge.ts";
import { mergeMappingFiles, openMappingStore } from "../../../src/store/files/index.ts";
import { makeTemporaryFolders, mappingEntry, parties, storeError, tool, urn } from "./support.ts";

const temporaryFolder = makeTemporaryFolders();
const block = /<{7} ours\n([\s\S]*?)={7}\n([\s\S]*?)>{7} theirs\n/g;

/** Versions of rows 1 to 4, of which 4 is never touched. */
const rows = fc
  .array(fc.option(fc.constantFrom("a", "b")), { minLength: 3, maxLength: 3 })
  .map(
    (names) =>
      new Map<string, MappingEntry>([
        ...names.flatMap((name, at): [string, MappingEntry][] =>
          name === null ? [] : [[urn(at + 1), mappingEntry(at + 1, { name })]],
        ),
        [urn(4), mappingEntry(4)],
      ]),
  );

async function write(folder: string, entries: ReadonlyMap<string, MappingEntry>): Promise<string> {
  const store = await openMappingStore(folder, { tool, parties });
  await store.save("terms", entries);
  return join(folder, "terms.json");
}

async function read(folder: string, text: string): Promise<ReadonlyMap<string, MappingEntry>> {
  writeFileSync(join(folder, "terms.json"), text);
  return await (await openMappingStore(folder, { tool, parties, readOnly: true })).entries("terms");
}

it("however a person decides, the file is a mapping without a comma too many, and says what was taken", async () => {
  await fc.assert(
    fc.asyncProperty(
      rows,
      rows,
      rows,
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      async (base, ours, theirs, takes) => {
        const folder = temporaryFolder();
        const at = (name: string): string => join(folder, name);
        const out = at("out.json");
        const files = {
          base: await write(at("base"), base),
          ours: await write(at("ours"), ours),
          theirs: await write(at("theirs"), theirs),
        };
        const { conflicts, kind } = await mergeMappingFiles({ ...files, out }, { tool, parties });
        expect(kind).toBe("terms");
        const written = readFileSync(out, "utf8");
        expect(written.match(block)?.length ?? 0).toBe(conflicts.length);
        const expected = mergeEntries(base, ours, theirs).entries as Map<string, MappingEntry>;
        let number = 0;
        const settled = written.replaceAll(block, (_whole, mine: string, other: string) => {
          const text = takes[number] === true ? mine : other;
          number += 1;
          const source = /"([^"]+)"/.exec(text)?.[1];
          const entry = (takes[number - 1] === true ? ours : theirs).get(source ?? "");
          if (source !== undefined && entry !== undefined) expected.set(source, entry);
          return text;
        });
        await write(at("settled"), new Map([[urn(9), mappingEntry(9)]]));
        expect(new Map(await read(at("settled"), settled))).toEqual(expected);
        if (conflicts.length > 0) await storeError("merge-conflict", () => read(at("settled"), written));
      },
    ),
    { numRuns: 100 },
  );
}, 60_000);

it("the serial rises when the rows are others than those of the newer file, and not otherwise", async () => {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  const [one, two] = [new Map([[urn(1), mappingEntry(1)]]), new Map([[urn(2), mappingEntry(2)]])];
  const ours = await write(at("ours"), one);
  const theirs = await write(at("theirs"), two);
  const serial = async (files: { readonly ours: string; readonly theirs: string }): Promise<unknown> => {
    await mergeMappingFiles({ ...files, out: at("out.json") }, { tool, parties });
    return (JSON.parse(readFileSync(at("out.json"), "utf8")) as { serial: unknown }).serial;
  };
  expect(await serial({ ours, theirs })).toBe(2);
  expect(await serial({ ours, theirs: ours })).toBe(1);
});
