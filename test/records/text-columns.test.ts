import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { asText } from "../../src/emulator/json.ts";
import { exitCodes } from "../../src/model/result.ts";
import { author, authored, crmProd, masterParty, party, put, segment, stage } from "./masters-stage.ts";
import type { MasterEntity } from "./masters-stage.ts";

/** What an entity's metadata calls text is text, also where it looks like an instant; what it calls a time is one. */

const [before, after] = ["2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00"];

test("a text of an instance that looks like an instant moves when it is written otherwise", async () => {
  const here = await stage([party]);
  put(here.dev, "A", { src_note: before });
  await here.apply();
  put(here.dev, "A", { src_note: after });
  expect((await here.apply()).changes[0]?.records).toMatchObject({ update: 1, done: 1 });
  expect(books.findInstance(here.prod, "party", crmProd, "A")?.source["src_note"]).toBe(after);
  here.made.emulator.log.clear();
  await here.apply();
  expect(here.writes()).toBe(0);
});

test("so does one of a master", async () => {
  const here = await stage([segment]);
  const made = author(here.dev, { cmo_code: "k", cmo_name: before });
  await here.apply();
  books.writeMaster(here.dev, made, { cmo_name: after });
  await here.apply();
  expect(authored(here.prod)["k"]?.["cmo_name"]).toBe(after);
});

test("so is a key of masters: two that are written otherwise are two", async () => {
  const here = await stage([segment]);
  for (const code of [before, after]) author(here.dev, { cmo_code: code, cmo_name: code });
  author(here.prod, { cmo_code: before, cmo_name: "old" });
  const result = await here.apply();
  expect(result.summary).toMatchObject({ create: 1, update: 1, blocked: 0 });
  expect(authored(here.prod)).toMatchObject({ [before]: { cmo_name: before }, [after]: { cmo_name: after } });
  here.made.emulator.log.clear();
  expect([(await here.apply()).summary.unchanged, here.writes()]).toEqual([2, 0]);
});

test("a relation leads to the master with that very key", async () => {
  const places: MasterEntity = {
    ...masterParty,
    entity: "address",
    key: ["cmo_street"],
    relationships: ["party"],
  };
  const here = await stage([masterParty, places]);
  const owners = [before, after].map((code) => author(here.dev, { cmo_code: code }, "party"));
  for (const [at, owner] of owners.entries()) {
    const shop = author(here.dev, { cmo_street: String(at) }, "address");
    books.relateMasters(here.dev, owner, "addresses", shop);
  }
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  const parents = (here.prod.masters("address")?.rows ?? []).map((row): [string, unknown] => {
    const parent = here.prod.masters("party")?.get(row.parents?.get("party_has_address") ?? 0);
    return [asText(row.authored?.values["cmo_street"]), parent?.authored?.values["cmo_code"]];
  });
  expect(Object.fromEntries(parents)).toEqual({ 0: before, 1: after });
});
