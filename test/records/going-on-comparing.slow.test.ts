import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { party, put, stage as instanceStage } from "./masters-stage.ts";
import { countries, countsOf, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

const all = countries(1_000);

/** A clock that goes on by itself: each page is worth keeping. */
function ticking(from = Date.UTC(2026, 0, 5)): () => number {
  let now = from;
  return () => (now += 1_500);
}

async function begun(options: Parameters<typeof rowsStage>[0]): Promise<RowsStage> {
  const stage = await rowsStage({ source: all, plan: { limits: { concurrency: 1 } }, ...options });
  const stop = new AbortController();
  let pages = 0;
  const off = stage.world.emulator.on(({ phase, entry }) => {
    const isPage = entry.tenant === "dev" && entry.path.endsWith("published/filter");
    if (phase === "received" && isPage && (pages += 1) === 8) stop.abort();
  });
  await expect(stage.apply({ verify: false }, { stop: stop.signal, now: ticking() })).rejects.toThrow(
    /interrupted|stopped/,
  );
  off();
  expect(stage.writes()).toBe(0);
  stage.world.emulator.log.clear();
  return stage;
}

const pagesOf = ({ world }: RowsStage): number =>
  world.emulator.log.entries.filter(
    ({ tenant, path }) => tenant === "dev" && path.endsWith("published/filter"),
  ).length;
const notesOf = (result: Awaited<ReturnType<RowsStage["apply"]>>): readonly string[] =>
  result.diagnostics.filter(({ code }) => code === "row-note").map(({ summary }) => summary);
const later = (ms: number) => ({ now: ticking(Date.UTC(2026, 0, 5) + ms) });

test("a run that goes on with one that ended while it compared begins at the page that one had come to", async () => {
  const target = [...all.slice(0, 50), { code: "C60", name: "as it was" }];
  const stage = await begun({ target });
  const result = await stage.apply({ verify: false }, later(60_000));
  expect([result.exitCode, countsOf(result)]).toMatchObject([
    exitCodes.done,
    { create: 949, update: 1, unchanged: 50, done: 950 },
  ]);
  expect(pagesOf(stage)).toBeLessThan(7);
  expect(notesOf(result)[0]).toMatch(
    /^[4-7]00 rows of the source were compared by an interrupted run: this one went on from there$/,
  );
  expect(stage.published()).toMatchObject(Object.fromEntries(all.map((row) => [row.code, row])));
  expect(stage.target.records()).toHaveLength(1_000);
  // What was alike in its first part is known: a colleague's edit of it is drift.
  const record = recordOf(stage.target, "C10");
  if (record !== undefined) seed.editRecord(stage.target, record, { name: "a colleague's word" });
  expect((await stage.diff()).summary).toMatchObject({ drift: 1, update: 0, create: 0, unchanged: 999 });
});

test("what it says is verified is what was compared, and what changed since comes with the next run", async () => {
  const stage = await begun({ target: all.slice(0, 50) });
  const record = recordOf(stage.source, "C10");
  if (record !== undefined) seed.editRecord(stage.source, record, { name: "changed since" });
  const { headline } = await stage.apply({}, later(60_000));
  expect(headline).toContain(
    "Verified what was done. Rows of 1 table had been compared by an interrupted run:",
  );
  const { headline: next } = await stage.apply({}, later(120_000));
  expect(next).toBe("1 change made. Verified: the target is as it should be.");
});

test("what a colleague has done at the target since is not overwritten, and is told", async () => {
  const stage = await begun({ target: [{ code: "C1", name: "as it was" }] });
  const record = recordOf(stage.target, "C1");
  if (record !== undefined) seed.editRecord(stage.target, record, { name: "a colleague's word" });
  seed.seedRecord(stage.prod, stage.target, { code: "C2", name: "a colleague's row" });
  const result = await stage.apply({ verify: false }, later(60_000));
  expect(result.changes[0]?.diagnostics.filter(({ code }) => code === "row-refused")).toHaveLength(2);
  expect(stage.published()).toMatchObject({
    C1: { name: "a colleague's word" },
    C2: { name: "a colleague's row" },
    C3: { name: "Country 3" },
  });
  expect(stage.target.records()).toHaveLength(1_000);
});

test("a key that occurs once before that page and once behind it is one that occurs twice", async () => {
  const source = [...all, { code: "C7", name: "again" }];
  const stage = await begun({ source });
  const result = await stage.apply({ verify: false }, later(60_000));
  expect(countsOf(result)).toMatchObject({ create: 999, blocked: 2 });
  expect(recordOf(stage.target, "C7")).toBeUndefined();
});

test.for([
  [
    "the source has other rows where it had come to",
    {},
    60_000,
    (stage: RowsStage) => {
      for (const record of stage.source.records().slice(0, 700)) stage.source.show(record, undefined);
    },
    /and the source has other rows there by now: all of them were compared anew/,
  ],
  [
    "the source does not know that place any more",
    {},
    60_000,
    ({ world }: RowsStage) => {
      world.emulator.faults.add({
        match: { tenant: "dev", path: "/published\\/filter$/" },
        when: { times: 1 },
        effect: { type: "status", code: 400 },
      });
    },
    /and the source does not know the place any more: all of them were compared anew/,
  ],
  ["it was more than an hour ago", {}, 61 * 60_000, () => {}, undefined],
  ["rows that the source lacks are to go", { remove: true }, 60_000, () => {}, undefined],
  [
    "somebody has written rows of the table since",
    {},
    60_000,
    async (stage: RowsStage) => {
      const other = { ...stage.changes, select: { kinds: ["reference-data" as const] } };
      const { store } = stage.world.migration(other);
      const since = "2026-01-05T00:00:00.000Z";
      const taken = await store.state.lock({ owner: "test", host: "here", pid: 1, run: "r", since });
      if (!taken.ok) throw new Error("the target is held");
      await (await store.state.openRowLog(taken.lease, "countries", "r")).close();
      await store.state.closeRowLog(taken.lease, "countries", "r");
      await taken.lease.release();
    },
    undefined,
  ],
  [
    "its lines have holes",
    { kept: "files" as const },
    60_000,
    (stage: RowsStage) => {
      const path = join(stage.world.places(stage.changes).records, "countries.part.ndjson");
      writeFileSync(path, readFileSync(path, "utf8").replace('"create"', '"cre\0\0\0\0'));
    },
    undefined,
  ],
  [
    "what was kept of it is damaged",
    { kept: "files" as const },
    60_000,
    (stage: RowsStage) => {
      const path = join(stage.world.places(stage.changes).records, "countries.part.prints");
      writeFileSync(path, readFileSync(path, "utf8").replace(/^./, "x"));
    },
    undefined,
  ],
] as const)("all of it is compared anew where %s", async ([, options, ms, change, note]) => {
  const stage = await begun(options);
  await change(stage);
  const rows = stage.source.records().filter(({ published }) => published !== undefined).length;
  const result = await stage.apply({ verify: false }, later(ms));
  expect([result.exitCode, countsOf(result)?.create]).toEqual([exitCodes.done, rows]);
  expect(stage.target.records()).toHaveLength(rows);
  const notes = notesOf(result);
  if (note === undefined) {
    expect(notes).toEqual([]);
    expect(pagesOf(stage)).toBe(Math.max(1, rows / 100));
  } else expect(notes).toEqual([expect.stringMatching(note)]);
});

test("instances go on, too: at the record that their list had come to", async () => {
  const here = await instanceStage([party]);
  // Each page but the first begins with the last record of the one before.
  here.dev.quirks.mostRecords = 51;
  for (let number = 0; number < 300; number += 1)
    put(here.dev, `P${number}`, { src_name: `Party ${number}` });
  const stop = new AbortController();
  let pages = 0;
  const { emulator } = here.made;
  const isPage = ({ tenant, path, method }: { tenant: string; path: string; method: string }): boolean =>
    tenant === "dev" && method === "GET" && path.endsWith("/instance/party");
  const off = emulator.on(({ phase, entry }) => {
    if (phase === "received" && isPage(entry) && (pages += 1) === 6) stop.abort();
  });
  const plan = { ...here.plan, limits: { ...here.plan.limits, concurrency: 1 } };
  const run = async (more: object) =>
    applyPlan(here.made.migration({}, { plan, ...more }), { confirm: async () => true, verify: false });
  await expect(run({ stop: stop.signal, now: ticking() })).rejects.toThrow(/interrupted|stopped/);
  off();
  emulator.log.clear();
  const result = await run(later(60_000));
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.done, { create: 300, done: 300 }]);
  // All of them, and one that is empty, would be seven.
  expect(emulator.log.entries.filter(isPage).length).toBeLessThan(7);
  expect(notesOf(result).some((note) => note.endsWith("interrupted run: this one went on from there"))).toBe(
    true,
  );
  expect(here.prod.instances("party")?.size).toBe(300);
});
