import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Texts } from "../../src/model/packed/texts.ts";
import { UuidPool } from "../../src/model/packed/uuid-pool.ts";

/** Two UUIDs of which one differs in its last digit alone, what is nearly one, and what stands before them. */
const uuids = [
  "0190f4a2-7c11-4f3e-9a55-0c2d6e8b1f00",
  "0190f4a2-7c11-4f3e-9a55-0c2d6e8b1f01",
  "7190f4a2-7c11-4f3e-9a55-0c2d6e8b1f0z",
  "0190f4a2x7c11-4f3e-9a55-0c2d6e8b1f00",
  "0190f4a2-7c11-4f3e-9a55-0c2d6e8b1f0",
];
const text = fc
  .tuple(
    fc.constantFrom("", "urn:x:dev:catalog:term:", "urn:x:prod:catalog:term:", "é:"),
    fc.constantFrom("", ...uuids),
  )
  .map((parts) => parts.join(""));
const act = fc.record({ table: fc.nat(2), text, what: fc.constantFrom("add", "find", "at") });

test("each of several tables knows just the texts that were added to it, whichever was asked before", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const pool = new UuidPool();
      // Two of them have their UUIDs in one place.
      const tables = [new Texts(pool), new Texts(pool), new Texts(new UuidPool())];
      const known = tables.map((): string[] => []);
      for (const { table, text: one, what } of acts) {
        const [texts, told] = [tables[table], known[table]];
        if (texts === undefined || told === undefined) continue;
        if (what === "add") {
          if (!told.includes(one)) told.push(one);
          expect(texts.add(one)).toBe(told.indexOf(one));
        } else if (what === "find") expect(texts.find(one)).toBe(told.indexOf(one));
        else for (const [number, it] of told.entries()) expect(texts.at(number)).toBe(it);
      }
      expect(tables.map((texts) => [...texts])).toEqual(known);
    }),
  );
});
