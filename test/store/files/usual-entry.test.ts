import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { formatEntryLine } from "../../../src/store/files/mapping-format.ts";
import { usualEntry } from "../../../src/store/files/usual-entry.ts";
import { urn } from "./support.ts";

const print = fc.stringMatching(/^[0-9a-f]{32}$/);
const uuid = fc.uuid();
const odd = fc.constantFrom("##[", "\u200b", "\\", '"', "\u007f", "ä", "x\ud800", "__proto__", "", "{", "  ");
const text = fc.oneof(fc.string(), odd, fc.string({ unit: "binary" }));
/** Mostly what nearly all entries hold. */
const entry: fc.Arbitrary<MappingEntry> = fc
  .tuple(
    fc.record(
      {
        name: fc.oneof({ weight: 4, arbitrary: fc.string() }, text),
        target: fc.oneof({ weight: 4, arbitrary: uuid.map((id) => `urn:ata:acme:catalog:term:${id}`) }, text),
        origin: fc.constantFrom(
          "created" as const,
          "adopted" as const,
          "explicit" as const,
          "paired" as const,
        ),
        sourceFingerprint: fc.oneof({ weight: 4, arbitrary: print }, fc.constant("v1")),
        ownFingerprint: print,
        targetFingerprint: print,
        keys: fc.oneof({ weight: 4, arbitrary: fc.dictionary(uuid, uuid) }, fc.dictionary(text, text)),
        run: fc.string(),
      },
      { requiredKeys: ["name", "target", "origin"] },
    ),
    fc.option(
      fc.record({ left: fc.array(text), unfinished: text, over: text, nick: text }, { requiredKeys: [] }),
      { freq: 4 },
    ),
  )
  .map(([usual, more]) => ({ ...usual, ...more }));
const source = fc.oneof(
  fc.integer({ min: 1, max: 99 }).map((number) => urn(number)),
  text,
);

/** What anybody would make of the line who parses it, and writes it once more to see that it was written so. */
function parsed(line: string): readonly [string, MappingEntry] | undefined {
  try {
    const members = Object.entries(JSON.parse(`{${line}}`) as Record<string, MappingEntry>);
    const [member] = members;
    const isWritten = member !== undefined && `    ${formatEntryLine(...member)}` === line;
    return isWritten && members.length === 1 ? member : undefined;
  } catch {
    return undefined;
  }
}

it("says of a line what parsing says of it, or nothing", () => {
  let count = 0;
  fc.assert(
    fc.property(source, entry, (id, row) => {
      const line = `    ${formatEntryLine(id, row)}`;
      const found = usualEntry(line);
      if (found === undefined) return;
      count += 1;
      expect(found).toEqual(parsed(line));
      expect(Object.keys(found[1])).toEqual(Object.keys(parsed(line)?.[1] ?? {}));
    }),
    { numRuns: 500 },
  );
  expect(count).toBeGreaterThan(10);
});

it("takes nothing for an entry that is not written so, whatever was done to its line", () => {
  const piece = fc.constantFrom(
    '"',
    ",",
    ":",
    "{",
    "}",
    "\\",
    " ",
    "a",
    "0",
    '"name":"x",',
    '"run":"r"',
    "##[",
    "\n",
    "\u0000",
    "\u200b",
  );
  fc.assert(
    fc.property(
      source,
      entry,
      fc.nat(),
      fc.nat({ max: 60 }),
      fc.array(piece, { maxLength: 3 }),
      (id, row, at, cut, pieces) => {
        const line = `    ${formatEntryLine(id, row)}`;
        const from = at % line.length;
        const other = line.slice(0, from) + pieces.join("") + line.slice(from + cut);
        const found = usualEntry(other);
        if (found !== undefined) expect(found).toEqual(parsed(other));
      },
    ),
    { numRuns: 2_000 },
  );
});

const [one, two, three] = [1, 2, 3].map((number) => urn(number).slice(-36));
const row = {
  name: "Email is set",
  target: urn(7),
  origin: "created",
  sourceFingerprint: "0123456789abcdef0123456789abcdef",
  ownFingerprint: "00000000000000000000000000000000",
  targetFingerprint: "ffffffffffffffffffffffffffffffff",
  keys: { [`${one}`]: `${three}`, [`${two}`]: `${one}` },
  run: "2026-11-21T08-00-00Z",
} as const;
const line = `    ${formatEntryLine(urn(1), row)}`;

it("knows what nearly all entries are", () => {
  expect(usualEntry(line)).toEqual([urn(1), row]);
  const { keys: _, ...without } = row;
  expect(usualEntry(`    ${formatEntryLine(urn(1), without)}`)).toEqual([urn(1), without]);
});

it.each([
  [
    "keys in another order",
    line.replace(`"${one}":"${three}","${two}":"${one}"`, `"${two}":"${one}","${one}":"${three}"`),
  ],
  ["one of its keys twice", line.replace(`"${one}":"${three}"`, `"${one}":"${three}","${one}":"${three}"`)],
  ["a name that a log takes for a command", line.replace("Email", "##[error]")],
  ["an escape", line.replace("Email", String.raw`\u0045mail`)],
  ["a character that nobody sees", line.replace("Email", "E\u200bmail")],
  ["a field that this version does not know", line.replace('"name"', '"nick":"E","name"')],
  ["an origin that there is not", line.replace("created", "guessed")],
  ["a comma behind it", `${line},`],
  ["another indentation", ` ${line}`],
])("leaves it to whoever parses it: %s", (_what, other) => {
  expect(other).not.toBe(line);
  expect(usualEntry(other)).toBeUndefined();
});
