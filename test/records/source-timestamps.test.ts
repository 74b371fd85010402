import { describe, expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { sendableTimestamp } from "../../src/kinds/shared/instance-rows.ts";
import { party, put, stage } from "./masters-stage.ts";

/** What a master says may be the youngest word of its instances: the time of a record is a part of what it says. */

const [old, young] = [Date.UTC(2026, 0, 2, 3, 4, 5), Date.UTC(2026, 4, 6, 7, 8, 9)];

type Stage = Awaited<ReturnType<typeof stage>>;
const times = ({ prod }: Stage): readonly unknown[] =>
  (prod.instances("party")?.rows ?? []).map((row) => [
    row.sourceId,
    books.instanceBook(prod, row).source_timestamp,
  ]);

describe("the source's own time of a record", () => {
  test("arrives as the same moment, whatever the clock of the target says, and rests", async () => {
    const here = await stage([party]);
    // A `Z` would be read as the server's local time (document 3, "Modify", rule 3).
    here.prod.quirks.zoneMinutes = 120;
    put(here.dev, "A", { src_name: "A" }, { sourceTime: old });
    put(here.dev, "B", { src_name: "B" });
    expect(await here.apply()).toMatchObject({ exitCode: 0, summary: { create: 2 } });
    expect(times(here)).toEqual([
      ["A", "2026-01-02T03:04:05.000Z"],
      ["B", null],
    ]);
    const writes = here.writes();
    expect(await here.apply()).toMatchObject({ exitCode: 0, summary: { unchanged: 2 } });
    expect(here.writes()).toBe(writes);
  });

  test("is a difference by itself; one that only the target has is the target's", async () => {
    const here = await stage([party]);
    put(here.dev, "A", { src_name: "A" }, { sourceTime: old });
    put(here.prod, "B", { src_name: "B" }, { sourceTime: old });
    put(here.dev, "B", { src_name: "B" });
    await here.apply();
    put(here.dev, "A", { src_name: "A" }, { sourceTime: young });
    expect(await here.apply()).toMatchObject({ exitCode: 0, summary: { update: 1, unchanged: 1 } });
    expect(Object.fromEntries(times(here) as [string, string][])).toEqual({
      A: "2026-05-06T07:08:09.000Z",
      B: "2026-01-02T03:04:05.000Z",
    });
    expect((await here.back()).exitCode).toBe(0);
    expect(times(here)).toContainEqual(["A", "2026-01-02T03:04:05.000Z"]);
  });
});

test("a source that ends, or begins, to say when has changed; the target has not by that", async () => {
  const here = await stage([party]);
  const load = (id: string, name: string, more: object = {}): void =>
    void put(here.dev, id, { src_name: name }, more);
  load("ends", "one", { sourceTime: old });
  load("begins", "one");
  put(here.prod, "begins", { src_name: "one" }, { sourceTime: young });
  expect((await here.apply()).exitCode).toBe(0);
  const ends = here.dev.instances("party")?.rows.find(({ sourceId }) => sourceId === "ends");
  delete ends?.sourceTime;
  load("ends", "other");
  load("begins", "one", { sourceTime: old });
  expect(await here.apply()).toMatchObject({ exitCode: 0, summary: { update: 2, conflict: 0 } });
  expect(Object.fromEntries(times(here) as [string, string][])["begins"]).toBe("2026-01-02T03:04:05.000Z");
});

test("a rollback takes back what was written with it, and says that no request takes the time away", async () => {
  const here = await stage([party]);
  put(here.prod, "A", { src_name: "old" });
  put(here.prod, "B", { src_name: "B" });
  put(here.dev, "A", { src_name: "new" }, { sourceTime: old });
  put(here.dev, "B", { src_name: "B" }, { sourceTime: old });
  await here.apply();
  const back = await here.back();
  expect(back.exitCode).toBe(4);
  expect(JSON.stringify(back)).toContain("no request takes away");
  expect(here.prod.instances("party")?.rows.map(({ source }) => source["src_name"])).toEqual(["old", "B"]);
  // A second one finds it as it is.
  const writes = here.writes();
  await here.back();
  expect(here.writes()).toBe(writes);
});

test.each([
  ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05+00:00"],
  ["2026-01-02T03:04:05.1Z", "2026-01-02T03:04:05.100+00:00"],
  ["2026-01-02T03:04:05.123+08:00", "2026-01-02T03:04:05.123+08:00"],
  // Nobody says which zone is meant: it is sent as it is shown.
  ["2026-01-02T03:04:05", "2026-01-02T03:04:05"],
  ["02.01.2026 03:04", undefined],
  ["2026-01-02T03:04:05.123456Z", "2026-01-02T03:04:05.123+00:00"],
  ["2026-01-02T03:04-0130", "2026-01-02T03:04:00-01:30"],
  ["2026-01-02T03:04:05+02", "2026-01-02T03:04:05+02:00"],
])("%s is sent as %s", (shown, sent) => {
  expect(sendableTimestamp(shown)).toBe(sent);
});

test("a time that the source begins to say is no conflict where somebody has laid an override over a value at the target", async () => {
  const here = await stage([party]);
  put(here.dev, "P1", { src_name: "Ada" });
  await here.apply();
  put(here.prod, "P1", { src_name: "Ada" }, { sourceTime: 1_000_000, overrides: { src_name: "Ida" } });
  expect((await here.diff()).summary).toMatchObject({ unchanged: 1 });
  put(here.dev, "P1", { src_name: "Ada" }, { sourceTime: 2_000_000 });
  expect((await here.diff()).summary).toMatchObject({ conflict: 0, update: 1 });
});
