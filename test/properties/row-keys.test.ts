import * as fc from "fast-check";
import { expect, it } from "vitest";
import { RowKeys } from "../../src/model/packed/row-keys.ts";
import { hashOf, readUuid } from "../../src/model/packed/uuid.ts";
import { runs } from "./runs.ts";

function keyOf(number: number): string {
  const mixed = (Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
  return `${mixed}-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** Rows with their keys, and which of them came last with each, the last one last. */
class Plain {
  readonly rows = new Map<number, Map<string, string>>();
  readonly having = new Map<string, readonly number[]>();
  readonly keys = new RowKeys((row, key) => this.rows.get(row)?.get(key));

  set(row: number, key: string, to: string): void {
    const known = this.rows.get(row) ?? new Map<string, string>();
    this.rows.set(row, known.set(key, to));
    this.having.set(key, [...this.#others(key, row), row]);
    this.keys.set(key, row);
  }

  drop(row: number, key: string): void {
    this.rows.get(row)?.delete(key);
    this.having.set(key, this.#others(key, row));
    this.keys.delete(key, row);
  }

  #others(key: string, row: number): readonly number[] {
    return (this.having.get(key) ?? []).filter((other) => other !== row);
  }

  check(key: string): void {
    const row = this.having.get(key)?.at(-1);
    expect(this.keys.get(key)).toBe(row === undefined ? undefined : this.rows.get(row)?.get(key));
  }
}

const deed = fc.record({
  row: fc.nat({ max: 4 }),
  key: fc.nat({ max: 30 }).map((number) => (number > 25 ? `no UUID ${number}` : keyOf(number))),
  isDropped: fc.boolean(),
  to: fc.string(),
});

it("a key is that of the row that came last with it, of those that have it", () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 200 }), (deeds) => {
      const plain = new Plain();
      for (const { row, key, isDropped, to } of deeds) {
        if (isDropped) plain.drop(row, key);
        else plain.set(row, key, to);
        plain.check(key);
      }
      for (const key of plain.having.keys()) plain.check(key);
    }),
    runs(200),
  );
});

it("keys with one hash are told apart, within a row and between rows", () => {
  const [one, other] = twoOfOneHash();
  for (const row of [1, 2]) {
    const plain = new Plain();
    plain.set(1, one, "one");
    plain.check(other);
    plain.set(row, other, "other");
    plain.check(one);
    plain.check(other);
    // A row that keeps the one is set again, and says so.
    plain.drop(row, other);
    if (row === 1) plain.set(1, one, "one");
    plain.check(one);
    plain.check(other);
  }
});

/** Among a hundred thousand there are two. */
function twoOfOneHash(): readonly [string, string] {
  const known = new Map<number, string>();
  const words = new Uint32Array(4);
  for (let number = 0; ; number += 1) {
    const key = keyOf(number);
    readUuid(key, 0, words, 0);
    const hash = hashOf(words, 0);
    const other = known.get(hash);
    if (other !== undefined) return [other, key];
    known.set(hash, key);
  }
}
