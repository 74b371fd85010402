import { describe, expect, test } from "vitest";
import { openReadClient } from "../../src/service/index.ts";
import { json, loopback } from "./loopback.ts";
import { collect, serviceError, setup, urn } from "./support.ts";

/** Lists that go on under fresh cursors: which of them have no end, and which are only long or moving. */
interface Served {
  readonly numbers: readonly number[];
  readonly total?: number;
  readonly last?: boolean;
}

async function read(
  serve: (page: number) => Served,
): Promise<{ items: number; pages: number; failed?: string }> {
  let pages = 0;
  await using server = await loopback((_request, response) => {
    const { numbers, total, last = false } = serve(pages);
    pages += 1;
    const meta = { ...(total === undefined ? {} : { total }), ...(last ? {} : { next: `c ${pages}` }) };
    const data = numbers.map((number) => ({ urn: urn("catalog:term", number), name: `t${number}` }));
    json(response, 200, { meta, data });
  });
  const client = openReadClient(server.environment, setup().options);
  const list = collect(client.catalog.terms());
  const items = await list.then(
    (found) => found.reduce((sum, page) => sum + page.items.length, 0),
    () => -1,
  );
  if (items >= 0) return { items, pages };
  const error = await serviceError(list);
  expect(error).toMatchObject({ kind: "cursor-repeated" });
  return { items, pages, failed: error.message };
}

const run = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);

describe("a list without an end is an error", () => {
  test("always new objects, more than the total that every page states", async () => {
    const { failed, pages } = await read((page) => ({ numbers: run(page * 100, 100), total: 250 }));
    expect(failed).toMatch(/400 objects came, it has 250 by its own account/u);
    expect(pages).toBe(4);
  });

  test("a total that creeps along far behind", async () => {
    const { failed } = await read((page) => ({ numbers: run(page * 100, 100), total: 100 + page }));
    expect(failed).toContain("by its own account");
  });

  test.each([
    ["the whole list again and again", 300],
    ["its pages begin elsewhere in each round", 350],
    ["a round that no page fits into", 1_009],
    ["a page over and over in another order", 100],
  ])("%s", async (_what, length) => {
    const { failed, pages } = await read((page) => {
      const numbers = run(page * 100, 100).map((number) => number % length);
      return { numbers: page % 2 === 0 || length > 100 ? numbers : numbers.toReversed() };
    });
    expect(failed).toContain("only objects that came before");
    expect(pages).toBeLessThan((4 * length) / 100 + 4);
  });
});

describe("a list that is long, or read while it is changed, is read to its end", () => {
  test.each<readonly [string, (page: number) => Served, number]>([
    ["no total, many pages", (page) => ({ numbers: run(page * 100, 100), last: page === 60 }), 6_100],
    [
      "it grows while it is read",
      (page) => ({ numbers: run(page * 100, 100), total: 500 + page * 50, last: page === 9 }),
      1_000,
    ],
    [
      "it shrinks while it is read",
      (page) => ({ numbers: run(page * 100, 100), total: 1_000 - page * 90, last: page === 9 }),
      1_000,
    ],
    [
      "some objects come twice, and the total does not know it",
      (page) => ({ numbers: run(page * 95, 100), total: 955, last: page === 9 }),
      1_000,
    ],
    [
      "what comes last came before",
      (page) => ({ numbers: page === 3 ? [299] : run(page * 100, 100), last: page === 3 }),
      301,
    ],
  ])("%s", async (_what, serve, items) => {
    expect(await read(serve)).toMatchObject({ items });
  });
});
