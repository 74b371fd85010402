import { describe, expect, it } from "vitest";
import type { Scratch } from "../../src/model/packed/spool.ts";
import { Spool } from "../../src/model/packed/spool.ts";

const mebibyte = 1 << 20;

function room(): Scratch & { size: number; reads: number } {
  const bytes = Buffer.alloc(32 * mebibyte);
  return {
    size: 0,
    reads: 0,
    append(piece) {
      this.size += piece.copy(bytes, this.size);
    },
    read(into, position) {
      this.reads += 1;
      expect(position + into.length).toBeLessThanOrEqual(this.size);
      bytes.copy(into, 0, position);
    },
  };
}

/** Lengths that fall on every side of a chunk's end; the last ones are larger than a chunk. */
function texts(): readonly string[] {
  const lengths = [0, 1, 5, 3_000, 262_139, 262_140, 262_141, 17, 700_001, 40, 1_500_000];
  return Array.from({ length: 33 }, (_, at) =>
    `${at}é`.repeat(lengths[at % lengths.length] ?? 0).slice(0, 900_000),
  );
}

describe("texts that do not all fit into memory", () => {
  it.each([
    ["on disk", true],
    ["in memory, where there is no disk", false],
  ])("come back in order, backwards and by turns: %s", (_, isOnDisk) => {
    const disk = room();
    const spool = new Spool(isOnDisk ? () => disk : undefined);
    const all = texts();
    const places: number[] = [];
    for (const [at, text] of all.entries()) {
      places.push(spool.add(text));
      const other = Math.floor(at / 2);
      expect(spool.at(places[other] ?? 0) === all[other]).toBe(true);
    }
    for (const at of all.keys()) expect(spool.at(places[at] ?? 0) === all[at]).toBe(true);
    for (const at of [...all.keys()].reverse()) expect(spool.at(places[at] ?? 0) === all[at]).toBe(true);
    expect(disk.size > 4 * mebibyte).toBe(isOnDisk);
  });

  it("asks for no room before there are some megabytes", () => {
    let asked = 0;
    const spool = new Spool(() => {
      asked += 1;
      return room();
    });
    for (let at = 0; at < 39; at += 1) spool.add("x".repeat(100_000));
    expect(asked).toBe(0);
    for (let at = 0; at < 39; at += 1) spool.add("x".repeat(100_000));
    expect(asked).toBe(1);
  });

  it("reads ahead, also at several places by turns", () => {
    const disk = room();
    const spool = new Spool(() => disk);
    const places = Array.from({ length: 60_000 }, (_, at) => spool.add(`${at}`.padEnd(400)));
    for (let at = 0; at < 10_000; at += 1)
      for (const from of [0, 15_000, 30_000])
        if (spool.at(places[from + at] ?? 0) !== `${from + at}`.padEnd(400)) throw new Error(`${from + at}`);
    // 12 MB in pieces of 64 KiB.
    expect(disk.reads).toBeLessThan(220);
  });
});
