import { expect, test } from "vitest";
import type { Migration } from "../../src/operations/migration.ts";
import {
  isAmong,
  isMeant,
  meantOf,
  refuseAmbiguous,
  refuseUnknown,
} from "../../src/operations/resolve-check.ts";
import { AbandonedList } from "../../src/store/index.ts";

const urn = "urn:data:dev:catalog:catalog-attribute:00000000-0000-4000-8000-000000000001";
const [assignment, description] = [
  { kind: "term-assignments", id: urn },
  { kind: "attribute-metadata", id: urn },
];
const migration = { plan: { name: "prod" } } as unknown as Migration;

test("a word is about an object by its URN, or by kind and URN where several things lie over one", () => {
  expect([isMeant(urn, assignment), isMeant(urn, description)]).toEqual([true, true]);
  expect(isMeant(`term-assignments:${urn}`, assignment)).toBe(true);
  expect(isMeant(`term-assignments:${urn}`, description)).toBe(false);
  expect(isMeant(`${urn}0`, assignment)).toBe(false);
  expect(isAmong(`attribute-metadata:${urn}`, [assignment])).toBe(false);
});

test("a word that several doubts could take for theirs is asked about, one that names its kind is not", () => {
  const word = { decision: "retry", source: urn } as const;
  expect(() => refuseAmbiguous(migration, [word], [assignment, description])).toThrow(
    /is in doubt as several things: term-assignments, attribute-metadata/,
  );
  refuseAmbiguous(migration, [word], [assignment]);
  refuseAmbiguous(migration, [{ ...word, source: `term-assignments:${urn}` }], [assignment, description]);
});

test("what was abandoned is taken up by kind, and what is neither in doubt nor abandoned is refused", () => {
  const entry = { source: urn, name: "SKU", step: "assign", at: "2026-11-22T08:00:00.000Z" };
  const list = new AbandonedList([
    { ...entry, kind: "term-assignments" },
    { ...entry, kind: "attribute-metadata" },
  ]);
  expect(meantOf(`term-assignments:${urn}`, list).map(({ kind }) => kind)).toEqual(["term-assignments"]);
  expect(meantOf(urn, list)).toHaveLength(2);
  const other = { decision: "retry", source: `rules:${urn}` } as const;
  expect(() => refuseUnknown(migration, [other], [assignment], list)).toThrow(/nothing is in doubt/);
});
