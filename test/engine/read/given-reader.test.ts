import { describe, expect, test } from "vitest";
import { GivenReader, readTogether } from "../../../src/engine/read/given-reader.ts";
import { Registry } from "../../../src/kinds/registry.ts";
import type { ReadClient } from "../../../src/service/index.ts";
import { dev, found, named } from "./given.ts";

const sources = named("sources", []);
const items = named("items", [], { after: ["sources"] });
const attributes = named("attributes", [], { after: ["items", "something that is not read"] });
const groups = named("groups", []);

async function turn(): Promise<void> {
  await new Promise(setImmediate);
}

describe("kinds that are read at once", () => {
  test("each begins when those that it comes after have ended, whatever the order of the list", async () => {
    const log: string[] = [];
    const gates = new Map<string, () => void>();
    const work = readTogether([attributes, groups, items, sources], async ({ name }) => {
      log.push(name);
      await new Promise<void>((open) => gates.set(name, open));
    });
    await turn();
    expect(log.toSorted()).toEqual(["groups", "sources"]);
    gates.get("sources")?.();
    await turn();
    expect(log.slice(2)).toEqual(["items"]);
    gates.get("items")?.();
    await turn();
    expect(log.slice(3)).toEqual(["attributes"]);
    gates.get("attributes")?.();
    gates.get("groups")?.();
    await work;
    expect(log).toHaveLength(4);
  });

  test("an error keeps back what comes after, and is told when the others have ended", async () => {
    const log: string[] = [];
    const group = Promise.withResolvers<void>();
    let ended = false;
    const work = readTogether([sources, items, attributes, groups], async ({ name }) => {
      log.push(name);
      if (name === "sources") throw new Error("sources are forbidden");
      if (name === "groups") await group.promise;
    }).finally(() => {
      ended = true;
    });
    const failed = expect(work).rejects.toThrow("sources are forbidden");
    await turn();
    expect(ended).toBe(false);
    group.resolve();
    await failed;
    expect(log).toEqual(["sources", "groups"]);
  });
});

test("a given record is asked for once, also while it is on its way", async () => {
  const asked: string[][] = [];
  const kind = named("groups", [], {
    read: async (_client, urns) => {
      asked.push([...urns]);
      await turn();
      // One of them does not exist.
      return [...urns].filter((urn) => urn !== dev(2)).map((urn) => found(urn, "a group"));
    },
  });
  const reader = new GivenReader({} as ReadClient, new Registry([kind]));
  await Promise.all([reader.given("groups", [dev(1), dev(2)]), reader.given("groups", [dev(2), dev(3)])]);
  await reader.given("groups", [dev(1), dev(2), dev(3)]);
  expect(asked).toEqual([[dev(1), dev(2)], [dev(3)]]);
  expect([...reader.records("groups").keys()]).toEqual([dev(1), dev(3)]);
});
