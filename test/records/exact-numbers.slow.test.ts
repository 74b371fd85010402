import { describe, expect, test } from "vitest";
import type { MasterData } from "../../src/emulator/index.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../src/emulator/json.ts";
import { exitCodes } from "../../src/model/result.ts";
import { author, columnIs, masterParty, party, put, stage } from "./masters-stage.ts";
import type { MasterEntity, Stage } from "./masters-stage.ts";
import { rowsStage } from "./support.ts";

/** What no JavaScript holds, and what it would write otherwise. */
const keys = [
  "9007199254740992",
  "9007199254740993",
  "-9007199254740993",
  "12345678901234567890123",
  "0.1234567890123456789",
  "1.50",
  "1e2",
];

const raw = (text: string): Json => JSON.rawJSON(text) as unknown as Json;
const texts = (values: readonly (Json | undefined)[]): readonly string[] =>
  values.map((value) => JSON.stringify(value ?? null)).toSorted();
/** As a service writes what it was sent. */
const sent = texts(["1.5", "100"].map(raw).concat(keys.filter((text) => text.length > 4).map(raw)));

const address: MasterEntity = {
  ...masterParty,
  entity: "address",
  key: ["cmo_street", "cmo_zip"],
  relationships: ["party"],
};

async function parties(...more: readonly MasterEntity[]): Promise<Stage> {
  const here = await stage([masterParty, ...more], true);
  for (const side of [here.dev, here.prod]) columnIs(side, "party", "cmo_code", "FLOAT");
  return here;
}

function codes(data: MasterData): readonly string[] {
  return texts((data.masters("party")?.rows ?? []).map((row) => row.authored?.values["cmo_code"]));
}

describe("a number that JavaScript cannot hold, or would write otherwise,", () => {
  test("as the key of masters arrives once, is found again, and is not removed", async () => {
    const here = await parties();
    for (const key of keys) author(here.dev, { cmo_code: raw(key), cmo_name: key }, "party");
    const first = await here.apply({ allowDelete: true });
    expect([first.exitCode, first.summary.create]).toEqual([exitCodes.done, keys.length]);
    expect(codes(here.prod)).toEqual(sent);
    const before = here.writes();
    const again = await here.apply({ allowDelete: true });
    expect([again.exitCode, again.summary.unchanged, here.writes() - before]).toEqual([
      exitCodes.done,
      keys.length,
      0,
    ]);
    expect(codes(here.prod)).toEqual(sent);
  });

  test("is told and asked for in digits, as a number", async () => {
    const here = await parties();
    author(here.dev, { cmo_code: raw("9007199254740993") }, "party");
    const diff = await here.diff();
    expect(diff.changes[0]?.records?.samples.map(({ name }) => name)).toEqual(["9007199254740993"]);
    const { entries } = here.made.emulator.log;
    const asked = entries
      .filter(({ path }) => path.endsWith("/search"))
      .map(({ body }) => JSON.stringify(body));
    expect(asked).toEqual(['{"cmo_code":[9007199254740993]}']);
  });

  test.each(keys)("as the key of the master that another one leads to (%s)", async (key) => {
    const here = await parties(address);
    for (const side of [here.dev, here.prod])
      for (const code of new Set(["9007199254740992", "9007199254740994", key]))
        author(side, { cmo_code: raw(code), cmo_name: code }, "party");
    const [owner] = books.findMasters(here.dev, "party", "cmo_name", key);
    const shop = author(here.dev, { cmo_street: "1 Market", cmo_zip: "1" }, "address");
    if (owner !== undefined) books.relateMasters(here.dev, owner, "addresses", shop);
    const first = await here.apply();
    expect([first.exitCode, first.summary.failed]).toEqual([exitCodes.done, 0]);
    const leads = here.prod.masters("address")?.rows.map((row) => {
      const parent = here.prod.masters("party")?.get(row.parents?.get("party_has_address") ?? 0);
      return parent?.authored?.values["cmo_name"];
    });
    expect(leads).toEqual([key]);
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
  });

  test("as a value of instances, and as key and value of reference data", async () => {
    const here = await stage([party]);
    const row = (key: string): JsonObject => ({ src_credit_limit: raw(key) });
    for (const side of [here.dev, here.prod])
      books.remodel(side, "party", [{ name: "src_credit_limit", type: "FLOAT" }]);
    for (const [index, key] of keys.entries()) put(here.dev, `P${index}`, row(key));
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    expect(
      texts((here.prod.instances("party")?.rows ?? []).map(({ source }) => source["src_credit_limit"])),
    ).toEqual(sent);
    const before = here.writes();
    expect([(await here.apply()).exitCode, here.writes() - before]).toEqual([exitCodes.done, 0]);

    const tables = await rowsStage({
      columns: { code: "NUMBER", area: "NUMBER" },
      source: keys.map((key) => ({ code: raw(key), area: raw(key) })),
    });
    expect((await tables.apply()).exitCode).toBe(exitCodes.done);
    const published = tables.target.records().map((record) => record.published ?? {});
    expect(texts(published.map(({ code }) => code))).toEqual(sent);
    expect(texts(published.map(({ area }) => area))).toEqual(sent);
    const writes = tables.writes();
    expect([(await tables.apply()).exitCode, tables.writes() - writes]).toEqual([exitCodes.done, 0]);
  });
});
