import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, matchesGlob, relative } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { Table } from "../../src/emulator/reference-data/table.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { keptOfRows } from "../support/kept-of-rows.ts";
import type { RowsStage } from "./support.ts";
import { countries, countsOf, cut, recordOf, rowsStage } from "./support.ts";

/** What the recipes commit. */
const committed = ["mappings/*/*.json", "mappings/*/journal.ndjson", "mappings/*/rows/*.open.ndjson"];

/** All that another runner finds of a folder, with what is in its cache. */
function moveOn({ world }: RowsStage, cached: readonly string[]): void {
  for (const entry of readdirSync(world.folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(world.folder, path);
    if (![...committed, ...cached].some((pattern) => matchesGlob(name, pattern))) rmSync(path);
  }
}

function edit(table: Table, code: string, values: JsonObject): void {
  const record = recordOf(table, code);
  if (record === undefined) throw new Error(`no row ${code}`);
  seed.editRecord(table, record, values);
}

describe("on another runner", () => {
  test("what is known of rows comes along: drift is seen, and what changed at the source alone arrives", async () => {
    const stage = await rowsStage({ kept: "files" });
    await stage.apply();
    moveOn(stage, keptOfRows);
    edit(stage.target, "FR", { name: "Frankreich" });
    edit(stage.source, "CH", { name: "Schweiz" });
    const result = await stage.apply();
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(countsOf(result)).toMatchObject({ drift: 1, update: 1, done: 1, unchanged: 1 });
    expect(stage.published()["FR"]).toMatchObject({ name: "Frankreich" });
    expect(stage.published()["CH"]).toMatchObject({ name: "Schweiz" });
  });

  test("without it the source's word counts, as the recipes say", async () => {
    const stage = await rowsStage({ kept: "files" });
    await stage.apply();
    moveOn(stage, []);
    edit(stage.target, "FR", { name: "Frankreich" });
    const result = await stage.diff();
    expect(countsOf(result)).toMatchObject({ update: 1, unchanged: 2 });
  });

  test.each([
    ["other line ends", (text: string) => text.replaceAll("\n", "\r\n")],
    [
      "marks of a merge",
      (text: string) => text.replace("\n", "\n<<<<<<< HEAD\n").concat("=======\n>>>>>>> other\n"),
    ],
  ])("where git has given it %s it is refused, and nobody's word is overwritten", async (_what, spelt) => {
    const stage = await rowsStage({ kept: "files" });
    await stage.apply();
    const { rows } = stage.world.places(stage.changes);
    const path = join(rows, "countries.prints");
    const own = readFileSync(path, "utf8");
    edit(stage.target, "FR", { name: "Frankreich" });
    edit(stage.source, "CH", { name: "Schweiz" });
    writeFileSync(path, spelt(own));
    const before = stage.writes();
    await expect(stage.apply()).rejects.toThrow(`${path} is damaged: its lines are not as ferry wrote them`);
    expect(stage.writes()).toBe(before);
    writeFileSync(path, own);
    expect(countsOf(await stage.apply())).toMatchObject({ drift: 1, update: 1, done: 1 });
    expect(stage.published()["FR"]).toMatchObject({ name: "Frankreich" });
  });

  test("what is known from before the last run overwrites nothing: what changed on both sides since is a conflict", async () => {
    const stage = await rowsStage({ kept: "files" });
    await stage.apply();
    // A run whose cache was not written: what it brought is alike on both sides.
    for (const code of ["FR", "CH"])
      for (const table of [stage.source, stage.target]) edit(table, code, { name: `anew ${code}` });
    moveOn(stage, keptOfRows);
    edit(stage.target, "FR", { name: "Frankreich" });
    const result = await stage.apply();
    expect(countsOf(result)).toMatchObject({ conflict: 1, unchanged: 2 });
    expect(stage.published()["FR"]).toMatchObject({ name: "Frankreich" });
  });

  test("an interrupted run is brought to its end there, each row once", async () => {
    const stage = await rowsStage({ source: countries(1_000), kept: "files" });
    await cut(stage, 5);
    moveOn(stage, keptOfRows);
    const result = await stage.apply();
    expect(result.exitCode).toBe(exitCodes.done);
    expect(Object.keys(stage.published())).toHaveLength(1_000);
    expect(stage.target.records()).toHaveLength(1_000);
    expect(stage.target.open()).toEqual([]);
  });
});
