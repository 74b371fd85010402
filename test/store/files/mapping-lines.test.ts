import { expect, it } from "vitest";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { printed } from "../../../src/store/files/mapping-digest.ts";
import { formatMapping } from "../../../src/store/files/mapping-format.ts";
import { mappingLines } from "../../../src/store/files/mapping-lines.ts";
import { mappingEntry, parties, tool, urn } from "./support.ts";
import { inWhole } from "../../support/whole.ts";

function written(entries: ReadonlyMap<string, MappingEntry>): string {
  return [...formatMapping({ format: 1, tool, kind: "terms", serial: 3, parties, entries })].join("");
}

const isEntry = (value: unknown): value is MappingEntry =>
  typeof value === "object" && value !== null && "target" in value;
const entries = new Map([1, 2, 3].map((number) => [urn(number), mappingEntry(number)] as const));
const text = written(entries);

it("takes apart what is just as it was written", () => {
  const lines = mappingLines(text, isEntry);
  expect([...(lines?.entries ?? [])]).toEqual([...entries]);
  expect(lines?.head).toBe(written(new Map()));
});

it("says of a long file what is said of its entries", () => {
  const many = new Map(Array.from({ length: 400 }, (_, at) => [urn(at + 1), mappingEntry(at + 1)] as const));
  const sorted = new Map([...many].sort(([one], [other]) => (one < other ? -1 : 1)));
  expect(written(sorted).length).toBeGreaterThan(65_536);
  expect(mappingLines(written(sorted), isEntry)?.digest).toBe(printed(sorted).digest);
  const last = [...sorted.keys()].at(-1) ?? "";
  sorted.set(last, { ...mappingEntry(400), name: "Another" });
  expect(mappingLines(written(sorted), isEntry)?.digest).not.toBe(printed(many).digest);
});

inWhole("keeps what it has printed, but for what is too long to be kept", () => {
  const { digest, lines } = printed(entries);
  const content = { format: 1, tool, kind: "terms", serial: 3, parties, entries: new Map(), digest, lines };
  expect([...formatMapping(content)].join("")).toBe(text);
  const long = new Map([
    [urn(1), { ...mappingEntry(1), name: "x".repeat(5_000_000) }],
    ...[...entries].slice(1),
  ]);
  expect(printed(long).lines).toBeUndefined();
  expect(printed(long).digest).toBe(mappingLines(written(long), isEntry)?.digest);
});

it("takes apart names that other tables trip over", () => {
  const odd = new Map([
    ["10", mappingEntry(1)],
    ["9", mappingEntry(2)],
    ["__proto__", mappingEntry(3)],
  ]);
  expect([...(mappingLines(written(odd), isEntry)?.entries ?? [])]).toEqual([...odd]);
});

const [first = "", second = "", third = ""] = text.split("\n").filter((line) => line.startsWith("    "));
it.each([
  ["without entries", written(new Map())],
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
  ["something behind it", `${text}\n`],
])("leaves it to whoever reads all of it: %s", (_what, otherwise) => {
  expect(otherwise).not.toBe(text);
  expect(mappingLines(otherwise, isEntry)).toBeUndefined();
});
