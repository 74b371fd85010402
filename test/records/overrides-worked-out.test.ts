import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { MasterData } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { exitCodes } from "../../src/model/result.ts";
import { crm, crmProd, party, put, stage } from "./masters-stage.ts";

/** What people lay over what the server works out itself, which no source sends. */
const full = { ...party, overrides: true };

function overridesOf(data: MasterData, sourceId = "A"): JsonObject | undefined {
  const origin = data.name === "dev" ? crm : crmProd;
  return books.findInstance(data, "party", origin, sourceId)?.overrides;
}

test("overrides of what the server works out arrive, change, go, and are taken back", async () => {
  const here = await stage([full]);
  const row = put(
    here.dev,
    "A",
    { src_name: "ada" },
    { overrides: { std_name: "ADA L", cmo_name: "Ada L." } },
  );
  put(here.prod, "A", { src_name: "ada" });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(overridesOf(here.prod)).toEqual({ std_name: "ADA L", cmo_name: "Ada L." });
  const before = here.writes();
  expect([(await here.apply()).exitCode, here.writes() - before]).toEqual([exitCodes.done, 0]);

  books.clearOverrides(here.dev, row);
  put(here.dev, "A", { src_name: "ada" }, { overrides: { std_name: "ADA LOVELACE" } });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(overridesOf(here.prod)).toEqual({ std_name: "ADA LOVELACE" });
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  expect(overridesOf(here.prod)).toEqual({ std_name: "ADA L", cmo_name: "Ada L." });
});

test("one that people laid over it at the target since is drift, and stays", async () => {
  const here = await stage([full]);
  put(here.dev, "A", { src_name: "ada" });
  await here.apply();
  put(here.prod, "A", { src_name: "ada" }, { overrides: { std_name: "theirs" } });
  const result = await here.apply();
  expect([result.exitCode, result.summary.drift]).toEqual([exitCodes.partial, 1]);
  expect(overridesOf(here.prod)).toEqual({ std_name: "theirs" });
});

test("the value below it is never sent, also not to be identified", async () => {
  const here = await stage([{ ...full, columns: ["*"], view: "masters" }]);
  const row = { src_name: "ada", src_email: "ada@example.com" };
  put(here.dev, "A", row, { overrides: { std_name: "ADA L", src_email: "other@example.com" } });
  await here.diff({ identify: 10 });
  await here.apply();
  const sent = here.made.emulator.log.entries.map(({ path, body }) => [path.split("/").at(-1), body]);
  expect(sent.filter(([last]) => last === "identify")).toEqual([
    [
      "identify",
      {
        sourceSystem: "crm",
        record: { attributes: { src_name: "ada", src_email: "other@example.com" } },
      },
    ],
  ]);
  expect(sent.filter(([last]) => last === "A").map(([, body]) => body)).toMatchObject([{ attributes: row }]);
  expect(overridesOf(here.prod)).toEqual({ std_name: "ADA L", src_email: "other@example.com" });
});

test.each(["std_name", "src_note"])(
  "one over %s, which the target does not have, is told, and keeps no row from arriving nor any run from resting",
  async (name) => {
    const here = await stage([full]);
    const { model } = here.prod;
    const without = <T extends { readonly name: string }>(columns: readonly T[]): T[] =>
      columns.filter((column) => column.name !== name);
    const entities = model.entities.map((one) => ({
      ...one,
      columns: without(one.columns),
      computed: without(one.computed),
    }));
    here.prod.model = { ...model, entities };
    put(here.dev, "A", { src_name: "ada" }, { overrides: { [name]: "over", cmo_name: "Ada L." } });
    const first = await here.apply();
    expect([first.exitCode, first.summary]).toMatchObject([
      exitCodes.partial,
      { create: 1, failed: 0, manual: 1 },
    ]);
    expect(overridesOf(here.prod)).toEqual({ cmo_name: "Ada L." });
    const before = here.writes();
    const again = await here.apply();
    expect([again.exitCode, here.writes() - before]).toEqual([exitCodes.partial, 0]);
    expect(JSON.stringify(again.changes)).toContain(`the target has no column ${name}`);
  },
);
