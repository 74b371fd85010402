import { describe, expect, it } from "vitest";
import type { MappingEntry } from "../../src/model/mapping.ts";
import { MappingTable } from "../../src/model/mapping-table.ts";
import { sourceKey, targetKey, urn, uuid } from "./ids.ts";

const source = (number: number): string => urn("dev", "catalog:term", number);
const target = (number: number): string => urn("prod", "catalog:term", number);
const entry = (number: number, more: Partial<MappingEntry> = {}): MappingEntry => ({
  name: `term ${number}`,
  target: target(number),
  origin: "created",
  ...more,
});

describe("the mapping", () => {
  it("is empty at first", () => {
    const mapping = new MappingTable();
    expect(mapping.kinds()).toEqual([]);
    expect(mapping.entries("terms").size).toBe(0);
    expect([mapping.get(source(1)), mapping.kindOf(source(1)), mapping.claimedBy(target(1))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([mapping.uuid(uuid("a", 1)), mapping.key(sourceKey(1))]).toEqual([undefined, undefined]);
  });

  it("finds an entry by source, by target, by UUID and by the keys of its parts", () => {
    const mapping = new MappingTable();
    const first = entry(1, { keys: { [sourceKey(1)]: targetKey(1) } });
    mapping.set("terms", source(1), first);
    mapping.set("rules", source(2), entry(2));
    expect(mapping.kinds()).toEqual(["terms", "rules"]);
    expect([...mapping.entries("terms")]).toEqual([[source(1), first]]);
    expect(mapping.get(source(1))).toBe(first);
    expect(mapping.kindOf(source(2))).toBe("rules");
    expect(mapping.claimedBy(target(2))).toEqual({ kind: "rules", source: source(2) });
    expect(mapping.uuid(uuid("a", 1))).toBe(uuid("b", 1));
    expect(mapping.key(sourceKey(1))).toBe(targetKey(1));
  });

  it("forgets all of an entry that is replaced or removed", () => {
    const mapping = new MappingTable();
    mapping.set("terms", source(1), entry(1, { keys: { [sourceKey(1)]: targetKey(1) } }));
    mapping.set("rules", source(1), entry(2));
    expect(mapping.entries("terms").size).toBe(0);
    expect([mapping.kindOf(source(1)), mapping.claimedBy(target(1)), mapping.key(sourceKey(1))]).toEqual([
      "rules",
      undefined,
      undefined,
    ]);
    expect(mapping.uuid(uuid("a", 1))).toBe(uuid("b", 2));
    mapping.set("rules", source(1), null);
    expect([mapping.get(source(1)), mapping.claimedBy(target(2)), mapping.uuid(uuid("a", 1))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    mapping.set("rules", source(1), null);
    expect(mapping.entries("rules").size).toBe(0);
  });

  it("keeps a claim that another source has taken over", () => {
    const mapping = new MappingTable();
    mapping.set("terms", source(1), entry(1));
    mapping.set("terms", source(2), entry(1));
    mapping.set("terms", source(1), null);
    expect(mapping.claimedBy(target(1))).toEqual({ kind: "terms", source: source(2) });
  });
});
