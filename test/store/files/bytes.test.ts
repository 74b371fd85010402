import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Bytes } from "../../../src/store/files/bytes.ts";
import type { DiskFile } from "../../../src/store/files/disk.ts";
import { runs } from "../../properties/runs.ts";

/** A file that takes what it was given only when it is told to go on. */
function slowFile(): { readonly file: DiskFile; readonly written: Buffer[]; readonly goOn: () => void } {
  const written: Buffer[] = [];
  let waiting: (() => void)[] = [];
  const appendFile = (content: Buffer): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(() => {
        written.push(Buffer.from(content));
        resolve();
      });
    });
  return {
    file: { appendFile } as DiskFile,
    written,
    goOn: () => {
      for (const resolve of waiting) resolve();
      waiting = [];
    },
  };
}

test("texts and bytes become what they are, however many there are", () => {
  const part = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.string({ unit: "binary", minLength: 20_000, maxLength: 40_000, size: "max" }),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.constant("half of a character: \ud83d"),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const bytes = new Bytes();
      for (const each of parts) {
        const before = bytes.length;
        if (typeof each !== "string") bytes.add(each);
        else expect(bytes.text(each)).toBe(Buffer.byteLength(each));
        expect(bytes.view(before).equals(Buffer.from(each as string))).toBe(true);
      }
      const whole = Buffer.concat(parts.map((each) => Buffer.from(each as string)));
      expect(bytes.view().equals(whole)).toBe(true);
      bytes.release();
    }),
    runs(40),
  );
});

test("room is used again when what stood in it is written, and not before", async () => {
  const { file, written, goOn } = slowFile();
  const long = (letter: string): string => letter.repeat(300_000);
  const [one, other] = [new Bytes(), new Bytes()];
  one.text(long("a"));
  const used = [one.view().buffer];
  const first = one.appendTo(file);
  other.text(long("b"));
  used.push(other.view().buffer);
  const second = other.appendTo(file);
  goOn();
  await Promise.all([first, second]);
  expect(written.map((content) => content.toString())).toEqual([long("a"), long("b")]);

  const next = new Bytes();
  next.text(long("c"));
  const again = new Bytes();
  again.text(long("d"));
  // By identity: two buffers of the same bytes are not the same room.
  expect(used.filter((room) => room === next.view().buffer || room === again.view().buffer)).toHaveLength(2);
  expect(next.view().toString()).toBe(long("c"));
  expect(again.view().toString()).toBe(long("d"));
});

test("what could not be written gives its room back, and says so", async () => {
  const bytes = new Bytes();
  bytes.text("never");
  const appendFile = (): Promise<void> => Promise.reject(new Error("the disk is full"));
  await expect(bytes.appendTo({ appendFile } as unknown as DiskFile)).rejects.toThrow("the disk is full");
  expect(bytes.length).toBe(0);
});
