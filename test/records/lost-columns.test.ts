import { expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { crmProd, party, put, stage as recordsStage } from "./masters-stage.ts";
import { recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** A column that is gone at the source is no word that it is empty, and no change of the target. */

async function lost(...names: readonly string[]): Promise<RowsStage> {
  const stage = await rowsStage({
    source: [
      { code: "A", name: "a", area: 1, member: true },
      { code: "B", name: "b", area: 2 },
    ],
  });
  await stage.apply();
  lose(stage, names);
  return stage;
}

function lose({ source }: RowsStage, names: readonly string[]): void {
  Object.assign(source, { columns: source.columns.filter(({ name }) => !names.includes(name)) });
  for (const record of source.records()) {
    const rest: JsonObject = Object.fromEntries(
      Object.entries(record.published ?? {}).filter(([name]) => !names.includes(name)),
    );
    source.show(record, rest);
    record.draft = rest;
  }
}

function edit(stage: RowsStage, of: "source" | "target", code: string, values: JsonObject): void {
  const record = recordOf(stage[of], code);
  if (record === undefined) throw new Error(`there is no record ${code}`);
  seed.editRecord(stage[of], record, values);
}

test.each([["area"], ["area", "member"]])(
  "what the source alone has changed since is moved, and what it has no more stays: %s %s",
  async (...names) => {
    const stage = await lost(...names);
    edit(stage, "source", "A", { name: "a2" });
    const result = await stage.apply();
    expect([result.exitCode, result.summary]).toMatchObject([exitCodes.done, { conflict: 0, drift: 0 }]);
    expect(stage.published()).toMatchObject({
      A: { name: "a2", area: 1, member: true },
      B: { name: "b", area: 2 },
    });
    const before = stage.writes();
    expect((await stage.apply()).exitCode).toBe(exitCodes.done);
    expect(stage.writes()).toBe(before);
  },
);

test("so it is with several at once, where the target has columns of its own beside them", async () => {
  const columns = { code: "STRING", name: "STRING", x1: "STRING", x2: "STRING", own: "STRING" } as const;
  const source = [{ code: "A", name: "a", x1: "1", x2: "2" }];
  const target = [{ code: "A", name: "old", own: "theirs" }];
  const stage = await rowsStage({ columns, source, target });
  Object.assign(stage.source, { columns: stage.source.columns.filter(({ name }) => name !== "own") });
  await stage.apply();
  lose(stage, ["x1", "x2"]);
  edit(stage, "source", "A", { name: "a2" });
  expect((await stage.apply()).summary).toMatchObject({ conflict: 0, update: 1 });
  expect(stage.published()["A"]).toEqual({ code: "A", name: "a2", x1: "1", x2: "2", own: "theirs" });
  // Somebody's word in one of them is theirs.
  edit(stage, "source", "A", { name: "a3" });
  edit(stage, "target", "A", { name: "theirs" });
  expect((await stage.apply()).summary).toMatchObject({ conflict: 1 });
});

test("what somebody has changed at the target meanwhile is a conflict still", async () => {
  const stage = await lost("area");
  edit(stage, "source", "A", { name: "a2" });
  edit(stage, "target", "A", { name: "theirs" });
  expect((await stage.apply()).summary).toMatchObject({ conflict: 1 });
  expect(stage.published()["A"]).toMatchObject({ name: "theirs", area: 1 });
});

test("a column that an entity has lost at the source stays as it is at the target", async () => {
  const here = await recordsStage([party]);
  for (const id of ["A", "B"]) put(here.dev, id, { src_name: id, src_note: "x" });
  await here.apply();
  const { model } = here.dev;
  const entities = model.entities.map((one) => ({
    ...one,
    columns: one.columns.filter(({ name }) => name !== "src_note"),
  }));
  here.dev.model = { ...model, entities };
  for (const row of here.dev.instances("party")?.rows ?? [])
    delete (row.source as Record<string, unknown>)["src_note"];
  put(here.dev, "A", { src_name: "A2" });
  const result = await here.apply();
  expect([result.exitCode, result.summary]).toMatchObject([exitCodes.done, { conflict: 0, drift: 0 }]);
  const there = (id: string): JsonObject | undefined =>
    books.findInstance(here.prod, "party", crmProd, id)?.source;
  expect([there("A"), there("B")]).toMatchObject([
    { src_name: "A2", src_note: "x" },
    { src_name: "B", src_note: "x" },
  ]);
  const before = here.writes();
  await here.apply();
  expect(here.writes()).toBe(before);
});
