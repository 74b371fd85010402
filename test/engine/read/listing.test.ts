import { describe, expect, test } from "vitest";
import { ahead } from "../../../src/engine/read/listing.ts";

/** Pages that note when they are asked for and when the source is closed; an Error is thrown in its place. */
function source(pages: readonly (string | Error)[]): {
  readonly log: string[];
  readonly pages: AsyncGenerator<string, void, undefined>;
} {
  const log: string[] = [];
  async function* read(): AsyncGenerator<string, void, undefined> {
    try {
      for (const page of pages) {
        log.push(`asked for ${page instanceof Error ? page.message : page}`);
        // Every page takes its time.
        await new Promise(setImmediate);
        if (page instanceof Error) throw page;
        yield page;
      }
    } finally {
      log.push("closed");
    }
  }
  return { log, pages: read() };
}

async function aWhile(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}

describe("pages that are read ahead", () => {
  test("all come, in order", async () => {
    const seen: string[] = [];
    for await (const page of ahead(source(["1", "2", "3"]).pages)) seen.push(page);
    expect(seen).toEqual(["1", "2", "3"]);
    for await (const page of ahead(source([]).pages)) seen.push(page);
    expect(seen).toEqual(["1", "2", "3"]);
  });

  test("the next one is asked for before this one is done, and never more than one", async () => {
    const { log, pages } = source(["1", "2", "3"]);
    const asked: number[] = [];
    for await (const _page of ahead(pages)) {
      await aWhile();
      asked.push(log.filter((line) => line.startsWith("asked")).length);
    }
    expect(asked).toEqual([2, 3, 3]);
  });

  test("nothing is asked for before somebody wants the first one", async () => {
    const { log, pages } = source(["1"]);
    const reading = ahead(pages);
    await aWhile();
    expect(log).toEqual([]);
    await reading.return();
  });

  test("whoever ends early ends the source", async () => {
    const { log, pages } = source(["1", "2", "3"]);
    for await (const _page of ahead(pages)) break;
    expect(log).toEqual(["asked for 1", "asked for 2", "closed"]);
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });

  test("whoever fails ends the source as well", async () => {
    const { log, pages } = source(["1", "2", "3"]);
    const work = async (): Promise<void> => {
      for await (const _page of ahead(pages)) throw new Error("the disk is full");
    };
    await expect(work()).rejects.toThrow("the disk is full");
    expect(log.at(-1)).toBe("closed");
  });

  test("an error comes when it is its turn", async () => {
    const { log, pages } = source(["1", new Error("the third page"), "3"]);
    const seen: string[] = [];
    const work = async (): Promise<void> => {
      for await (const page of ahead(pages)) {
        await aWhile(); // It has failed by now, and this page is still looked at in peace.
        expect(log).toContain("closed");
        seen.push(page);
      }
    };
    await expect(work()).rejects.toThrow("the third page");
    expect(seen).toEqual(["1"]);
  });

  test("an error that nobody came to take is no error", async () => {
    const { pages } = source(["1", new Error("the second page")]);
    for await (const _page of ahead(pages)) {
      await aWhile();
      break;
    }
    await aWhile();
  });
});
