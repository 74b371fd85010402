import { expect, test } from "vitest";
import { survivors, survivorsIn } from "../../../src/engine/prove/survivors.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";

const [a, b, c] = ["a", "b", "c"].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`) as [
  string,
  string,
  string,
];
const atSource = `urn:data:dev:catalog:term:${a}`;
const atTarget = `urn:data:prod:catalog:term:${b}`;

/** What is the source's. */
const ids = new Set([a, atSource]);

function found(body: JsonObject): readonly string[] {
  const here = { urn: "urn", name: "One", body };
  return survivorsIn("things", here, ids).map(({ severity, pointer }) => `${severity} ${pointer ?? ""}`);
}

test("a URN of the source is an error, an id of it in any other form a warning", () => {
  expect(found({ ref: atSource, other: atTarget })).toEqual(["error /ref"]);
  expect(found({ ref: a, other: b })).toEqual(["warning /ref"]);
  // In a longer text nobody knows what it is; that of the target is no word of the source.
  expect(found({ note: `see page?id=${a}` })).toEqual(["warning /note"]);
  expect(found({ note: `see page?id=${b}` })).toEqual([]);
  expect(found({ note: `see ${atSource} and ${atTarget}` })).toHaveLength(1);
});

test("keys of parts are the service's own; one that it has kept as it was sent is the source's", () => {
  expect(found({ parts: { [a]: { name: "x" } } })).toEqual([]);
  expect(found({ parts: { [`new_${a}`]: { name: "x" } } })).toEqual(["warning /parts/new_" + a]);
  expect(found({ parts: { [`new_${b}`]: { name: "x" } } })).toEqual([]);
});

test("the id of a part of its own is no id of the source, whatever else has it", () => {
  expect(found({ parts: { [a]: { name: "x" } }, main: a })).toEqual([]);
  expect(found({ parts: { [b]: { name: "x" } }, main: a })).toEqual(["warning /main"]);
  expect(found({ parts: { [a]: { name: "x" } }, ref: atSource })).toEqual(["error /ref"]);
});

test("only what is known by a pair is looked at, of all that was listed or of some kinds of it", () => {
  const mapping = new MappingTable();
  mapping.set("things", "s1", { name: "", target: "t1", origin: "created" });
  mapping.set("others", "s3", { name: "", target: "t3", origin: "created" });
  const bodies: Readonly<Record<string, readonly string[]>> = { things: ["t1", "t2"], others: ["t3"] };
  const snapshot = {
    kinds: () => Object.keys(bodies),
    urns: () => [],
    stream: (kind: string) =>
      (bodies[kind] ?? []).map((urn) => ({
        urn,
        name: urn,
        body: { ref: `urn:data:dev:catalog:term:${c}` },
      })),
  };
  const pairs = { twins: new Map(), unpaired: new Map(), records: new Map() };
  const source = { kinds: () => ["things"], urns: () => [atSource], stream: () => [] };
  const options = {
    source,
    realms: { source: "dev", target: "prod" },
    target: { snapshot, pairs },
    mapping,
  } as never;
  const told = (kinds: readonly string[] | undefined): readonly unknown[] =>
    survivors({ ...(options as Parameters<typeof survivors>[0]), ...(kinds && { kinds }) }).map(
      ({ coordinate }) => coordinate?.urn,
    );
  expect(told(undefined)).toEqual(["t1", "t3"]);
  expect(told(["others"])).toEqual(["t3"]);
});
