import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { MasterData } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Stage } from "./masters-stage.ts";
import { author, authored, crmProd, party, put, segment, stage } from "./masters-stage.ts";

/** Lists of records are not isolated from changes: what comes or goes while one is read shifts its pages. */

/** Not the one that finds out whether there is such an entity. */
const isList = ({ method, path, query }: Entry): boolean =>
  method === "GET" && /\/(party|segment)$/.test(path) && query["count"] !== "1";

type Entry = Stage["made"]["emulator"]["log"]["entries"][number];

/** Something happens before the nth request for a page of the source's list is answered. */
function meanwhile(here: Stage, nth: number, change: () => void): () => number {
  let pages = 0;
  here.made.emulator.on(({ phase, entry }) => {
    if (phase !== "received" || entry.tenant !== "dev" || !isList(entry)) return;
    pages += 1;
    if (pages === nth) change();
  });
  return () => pages;
}

const filtered = { ...party, filter: { src_name: "r*" } };
const ids = Array.from({ length: 9 }, (_, index) => `r${index + 1}`);
const there = ({ prod }: Stage): readonly string[] =>
  ids.filter((id) => books.findInstance(prod, "party", crmProd, id) !== undefined);

test.each([
  ["one before leaves the list", 2, ["r1"]],
  ["several before leave the list", 2, ["r1", "r2"]],
  ["all that came leave the list", 2, ["r1", "r2", "r3"]],
  ["the one at the seam leaves the list", 3, ["r5"]],
  ["some leave it while its end is read", 4, ["r1", "r4", "r7"]],
])("no instance is left out, and what is verified is so: %s", async (_what, nth, leaving) => {
  const here = await stage([filtered]);
  for (const id of ids) put(here.dev, id, { src_name: id });
  here.dev.quirks.mostRecords = 3;
  meanwhile(here, nth, () => leaving.forEach((id) => put(here.dev, id, { src_name: "z" })));
  const result = await here.apply();
  expect(result.exitCode).toBe(exitCodes.done);
  expect(result.changes[0]?.records).toMatchObject({ blocked: 0 });
  const stay = ids.filter((id) => !leaving.includes(id));
  expect(there(here)).toEqual(expect.arrayContaining(stay));
});

test("what comes back to the list before its place makes nothing twice", async () => {
  const here = await stage([filtered]);
  for (const id of ids) put(here.dev, id, { src_name: id === "r1" || id === "r2" ? "z" : id });
  here.dev.quirks.mostRecords = 3;
  meanwhile(here, 3, () => ["r1", "r2"].forEach((id) => put(here.dev, id, { src_name: id })));
  const result = await here.apply();
  expect(result.changes[0]?.records).toMatchObject({ create: 7, blocked: 0 });
  expect((await here.apply()).summary).toMatchObject({ conflict: 0, drift: 0 });
  expect(there(here)).toEqual(ids);
});

test("no master is left out either", async () => {
  const here = await stage([{ ...segment, filter: { cmo_name: "A*" } }]);
  const made = ids.map((id) => author(here.dev, { cmo_code: id, cmo_name: "A" }));
  here.dev.quirks.mostRecords = 3;
  meanwhile(here, 2, () =>
    made.slice(0, 2).forEach((row) => books.writeMaster(here.dev, row, { cmo_name: "Z" })),
  );
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(Object.keys(authored(here.prod))).toEqual(expect.arrayContaining(ids.slice(2)));
});

test("a list that stands elsewhere each time that it is read ends as an error, and not as one that is complete", async () => {
  const here = await stage([filtered]);
  for (const id of ids) put(here.dev, id, { src_name: id });
  here.dev.quirks.mostRecords = 3;
  // Whatever was last on a page is not there when the next one is asked for.
  const restless = (data: MasterData): void => {
    let turn = 0;
    here.made.emulator.on(({ phase, entry }) => {
      if (phase !== "received" || entry.tenant !== data.name || !isList(entry)) return;
      turn += 1;
      ids.forEach((id, index) => put(data, id, { src_name: (index + turn) % 2 === 0 ? "z" : id }));
    });
  };
  restless(here.dev);
  const result = await here.apply().catch((error: unknown) => error);
  const isError = result instanceof Error;
  expect(isError ? result.message : there(here).length).toEqual(
    isError ? expect.stringContaining("cannot be completed") : ids.length,
  );
});

test.each([
  [1, undefined, 2],
  [3, undefined, 2],
  [500, undefined, 2],
  [750, undefined, 3],
  [1_000, undefined, 3],
  [9, 1, 10],
])(
  "while nothing moves it costs no request more: %i records, at most %s at once",
  async (many, most, pages) => {
    const here = await stage([party]);
    for (let index = 0; index < many; index += 1) put(here.dev, `p${index}`, { src_name: `p${index}` });
    if (most !== undefined) here.dev.quirks.mostRecords = most;
    const asked = meanwhile(here, 0, () => {});
    await here.apply({ verify: false });
    expect(asked()).toBe(pages);
  },
);
