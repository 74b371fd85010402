import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { MasterData } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import {
  adr,
  address,
  adrProd,
  author,
  columnIs,
  crm,
  crmProd,
  masterParty,
  party,
  put,
  stage,
} from "./masters-stage.ts";
import type { MasterEntity } from "./masters-stage.ts";

const places: MasterEntity = {
  ...masterParty,
  entity: "address",
  key: ["cmo_street", "cmo_zip"],
  relationships: ["party"],
};

/** Of every authored address, the code of the party that it belongs to. */
function parents(data: MasterData): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    (data.masters("address")?.rows ?? []).map((row) => {
      const id = row.parents?.get("party_has_address");
      const parent = id === undefined ? undefined : data.masters("party")?.get(id);
      return [row.authored?.values["cmo_street"], parent?.authored?.values["cmo_code"]];
    }),
  );
}

async function related(...entities: readonly MasterEntity[]) {
  const here = await stage(entities);
  const owner = author(here.dev, { cmo_code: "HOUSE" }, "party");
  const shop = author(here.dev, { cmo_street: "1 Market", cmo_zip: "1" }, "address");
  author(here.dev, { cmo_street: "2 Market", cmo_zip: "2" }, "address");
  books.relateMasters(here.dev, owner, "addresses", shop);
  return here;
}

test("relations between masters are made with them, by the target's ids; a second run writes nothing", async () => {
  const here = await related(masterParty, places);
  const result = await here.apply();
  expect(result.changes.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  expect(result.exitCode).toBe(exitCodes.done);
  expect(parents(here.prod)).toEqual({ "1 Market": "HOUSE", "2 Market": undefined });
  here.made.emulator.log.clear();
  const again = await here.apply();
  expect([again.exitCode, again.summary.unchanged, here.writes()]).toEqual([exitCodes.done, 3, 0]);
});

test("who comes before what it is related to is not made without it, and is made by the next run", async () => {
  const here = await related(places, masterParty);
  const first = await here.apply();
  expect(first.exitCode).toBe(exitCodes.partial);
  expect(first.changes[0]?.diagnostics.map(({ summary }) => summary)).toEqual([
    expect.stringMatching(
      /^the row 1 Market \/ 1: its relation party .* leads to the party HOUSE, of which the target has none/,
    ),
  ]);
  expect(Object.keys(parents(here.prod))).toEqual(["2 Market"]);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(parents(here.prod)).toMatchObject({ "1 Market": "HOUSE" });
});

test("a relation that the plan names from both of its ends is told as that, and made where it is named at one", async () => {
  const here = await related({ ...masterParty, relationships: ["addresses"] }, places);
  const both = await here.apply();
  expect([both.exitCode, both.summary.failed]).toEqual([exitCodes.partial, 2]);
  for (const { diagnostics } of both.changes)
    expect(diagnostics.map(({ summary }) => summary)).toEqual([
      expect.stringContaining("leave it out of `relationships` at one of them"),
    ]);
  here.name(masterParty, places);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(parents(here.prod)).toMatchObject({ "1 Market": "HOUSE" });
});

test("a relation that a master at the target lacks is left to a person, and told each time", async () => {
  const here = await related(masterParty, places);
  author(here.prod, { cmo_street: "1 Market", cmo_zip: "1" }, "address");
  const result = await here.apply();
  expect([result.exitCode, result.summary.manual]).toEqual([exitCodes.partial, 1]);
  expect(result.changes.flatMap(({ diagnostics }) => diagnostics).map(({ summary }) => summary)).toEqual([
    "first contact: 1 row is at the target already; nothing that stands there is overwritten",
    "the row 1 Market / 1: no request brings over its relation party to the party HOUSE: a person has to",
  ]);
  here.made.emulator.log.clear();
  expect([(await here.apply()).exitCode, here.writes()]).toEqual([exitCodes.partial, 0]);
  const [owner] = books.findMasters(here.prod, "party", "cmo_code", "HOUSE");
  const [shop] = books.findMasters(here.prod, "address", "cmo_street", "1 Market");
  if (owner !== undefined && shop !== undefined) books.relateMasters(here.prod, owner, "addresses", shop);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
});

test("what leads to instances, or to masters that no key is named of, is told and not made", async () => {
  const here = await related({ ...places, relationships: ["party", "instances"] });
  const [shop] = books.findMasters(here.dev, "address", "cmo_street", "1 Market");
  const instance = books.putInstance(here.dev, {
    entity: "address",
    origin: adr,
    sourceId: "A1",
    attributes: { src_street: "1 Market" },
  });
  if (shop !== undefined) shop.members = [instance.id];
  here.name(address, { ...places, relationships: ["party", "instances"] });
  const result = await here.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.changes[1]?.diagnostics.map(({ summary }) => summary)).toEqual([
    `the row 1 Market / 1: no request brings over its relation party to a party whose key the plan does not name, or that has none, its relation instances to the instance ${adrProd} / A1: a person has to`,
  ]);
});

test("an instance is not related to a record that was not moved: it would be made empty", async () => {
  const full = { ...party, relationships: ["addresses"] };
  const here = await stage([full]);
  const one = put(here.dev, "P1", { src_name: "one" });
  put(here.dev, "P2", { src_name: "two" });
  const home = books.putInstance(here.dev, {
    entity: "address",
    origin: adr,
    sourceId: "A1",
    attributes: { src_city: "Bern" },
  });
  books.relate(here.dev, one, "addresses", home);
  const result = await here.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.changes[0]?.diagnostics.map(({ summary }) => summary)).toEqual([
    expect.stringMatching(
      /^the row crm#party#Prod \/ P1: the address crm#address#Dev \/ A1 that it is related to is not at the target/,
    ),
  ]);
  expect([here.prod.instances("party")?.size, here.prod.instances("address")?.size]).toEqual([2, 0]);
  // Its origin is renamed where its own entity says so.
  here.name(full, address);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  const moved = here.prod.byKey("address", adrProd, "A1");
  expect(moved === undefined ? undefined : books.instanceBook(here.prod, moved)).toMatchObject({
    source: { src_city: "Bern" },
    parents: { party_has_address: `${crmProd} P1` },
  });
  expect(Object.keys(full.origins)).toEqual([crm]);
});

test("relations of a source id with a * are seen, and not written again", async () => {
  const here = await stage([{ ...party, relationships: ["addresses"] }, address]);
  const one = put(here.dev, "P*", { src_name: "one" });
  put(here.dev, "P*2", { src_name: "another" });
  const home = books.putInstance(here.dev, {
    entity: "address",
    origin: adr,
    sourceId: "A*",
    attributes: { src_city: "Bern" },
  });
  books.relate(here.dev, one, "addresses", home);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  here.made.emulator.log.clear();
  const again = await here.apply();
  expect([again.summary.unchanged, here.writes()]).toEqual([3, 0]);
});

test("a rollback makes a master again with its relations, and takes one that was made away with them", async () => {
  const here = await related(masterParty, places);
  here.plan = { ...here.plan, records: { ...here.plan.records, remove: true } };
  // What is removed at the target is what its own filter finds: authored there by a steward.
  const owner = author(here.prod, { cmo_code: "HOUSE" }, "party");
  const old = author(here.prod, { cmo_street: "9 Market", cmo_zip: "9" }, "address");
  books.relateMasters(here.prod, owner, "addresses", old);
  const before = parents(here.prod);
  expect((await here.diff()).summary).toMatchObject({ create: 2, delete: 1, unchanged: 1 });
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(parents(here.prod)).toEqual(parents(here.dev));
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  expect(parents(here.prod)).toEqual(before);
});

test("an instance that only the source relates to another one is no conflict", async () => {
  const here = await stage([party, { ...address, relationships: ["party"] }]);
  const [first, second] = ["P1", "P2"].map((id) => put(here.dev, id, { src_name: id }));
  if (first === undefined || second === undefined) throw new Error("they were put there");
  const at = put(here.dev, "A1", { src_street: "1 Market" }, { entity: "address", origin: adr });
  books.relate(here.dev, first, "addresses", at);
  await here.apply();
  books.relate(here.dev, second, "addresses", at);
  expect(await here.diff()).toMatchObject({ summary: { conflict: 0, drift: 0, update: 1 } });
  expect(await here.apply()).toMatchObject({ exitCode: exitCodes.done });
  const there = books.findInstance(here.prod, "address", adrProd, "A1");
  if (there === undefined) throw new Error("it was moved");
  expect(books.instanceBook(here.prod, there).parents).toEqual({ party_has_address: `${crmProd} P2` });
  here.made.emulator.log.clear();
  expect([(await here.apply()).exitCode, here.writes()]).toEqual([exitCodes.done, 0]);
});

test("a relation is there, however each side writes the key of its other end", async () => {
  const owners: MasterEntity = { ...masterParty, key: ["cmo_birth_date"] };
  const here = await stage([owners, places]);
  for (const data of [here.dev, here.prod]) columnIs(data, "party", "cmo_birth_date", "DATETIME");
  const owner = author(here.dev, { cmo_birth_date: "2020-01-01T00:00:00Z" }, "party");
  books.relateMasters(
    here.dev,
    owner,
    "addresses",
    author(here.dev, { cmo_street: "1 Market", cmo_zip: "1" }, "address"),
  );
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  // A server that writes instants in its own way.
  const [twin] = here.prod.masters("party")?.rows ?? [];
  if (twin === undefined) throw new Error("it was made");
  books.writeMaster(here.prod, twin, { cmo_birth_date: "2020-01-01T00:00:00.000Z" });
  here.made.emulator.log.clear();
  expect([(await here.apply()).exitCode, here.writes()]).toEqual([exitCodes.done, 0]);
});
