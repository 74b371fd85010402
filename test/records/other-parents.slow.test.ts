import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { address, adr, adrProd, author, crmProd, masterParty, party, put, stage } from "./masters-stage.ts";
import type { InstanceEntity, MasterEntity, Stage } from "./masters-stage.ts";

const upwards: InstanceEntity = { ...address, relationships: ["party"] };
const downwards: InstanceEntity = { ...party, relationships: ["addresses"] };

/** Two parties and some addresses that nothing is related to yet, on both sides. */
async function moved(...entities: readonly InstanceEntity[]): Promise<Stage> {
  const here = await stage(entities);
  for (const id of ["P1", "P2", "P3"]) put(here.dev, id, { src_name: id });
  for (const id of ["A1", "A2", "A3"])
    put(here.dev, id, { src_street: `${id} Market` }, { entity: "address", origin: adr });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  return here;
}

function relate({ dev, prod }: Stage, side: "dev" | "prod", parent: string, child: string): void {
  const data = side === "dev" ? dev : prod;
  const origin = side === "dev" ? ["crm#party#Dev", adr] : [crmProd, adrProd];
  const from = data.byKey("party", origin[0] ?? "", parent);
  const to = data.byKey("address", origin[1] ?? "", child);
  if (from === undefined || to === undefined) throw new Error("they are there");
  books.relate(data, from, "addresses", to);
}

function parentOf({ prod }: Stage, child: string): unknown {
  const found = prod.byKey("address", adrProd, child);
  return found === undefined ? undefined : books.instanceBook(prod, found).parents["party_has_address"];
}

/** What is told of rows that take something away. */
function told(result: Result): readonly string[] {
  return result.changes
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code === "row-takes")
    .map(({ summary }) => summary);
}

test("a record that a colleague has related at the target is told where the source relates it to another one", async () => {
  const here = await moved(party, upwards);
  relate(here, "prod", "P2", "A1");
  relate(here, "dev", "P1", "A1");
  // Of a party several addresses are known, so that an address has one party.
  relate(here, "dev", "P3", "A2");
  relate(here, "dev", "P3", "A3");
  const expected = [
    `the row ${adrProd} / A1: its relation party to ${crmProd} / P1 moves it away from ${crmProd} / P2, to which somebody has related it at the target`,
  ];
  const diff = await here.diff();
  expect(told(diff)).toEqual(expected);
  expect(diff.consequences?.map(({ key, count }) => [key, count])).toEqual([["overwrite", 1]]);
  const result = await here.apply();
  expect([told(result), result.exitCode]).toEqual([expected, exitCodes.done]);
  expect(parentOf(here, "A1")).toBe(`${crmProd} P1`);
  here.made.emulator.log.clear();
  expect([told(await here.apply()), here.writes()]).toEqual([[], 0]);
});

test("what the run itself has related is moved without a word", async () => {
  for (const entities of [[party, upwards] as const, [downwards, address] as const]) {
    const here = await moved(...entities);
    relate(here, "dev", "P2", "A1");
    relate(here, "dev", "P3", "A2");
    relate(here, "dev", "P3", "A3");
    expect(told(await here.apply())).toEqual([]);
    relate(here, "dev", "P1", "A1");
    expect(told(await here.apply())).toEqual([]);
    expect(parentOf(here, "A1")).toBe(`${crmProd} P1`);
  }
});

test("the same from the other end: the row is told that takes a record away from another one", async () => {
  const here = await moved(downwards, address);
  relate(here, "prod", "P2", "A1");
  relate(here, "dev", "P1", "A1");
  relate(here, "dev", "P3", "A2");
  relate(here, "dev", "P3", "A3");
  const expected = [
    `the row ${crmProd} / P1: its relation addresses moves ${adrProd} / A1 away from ${crmProd} / P2, to which somebody has related it at the target`,
  ];
  expect(told(await here.diff())).toEqual(expected);
  expect(told(await here.apply())).toEqual(expected);
  expect(parentOf(here, "A1")).toBe(`${crmProd} P1`);
});

test("a new row that takes one away is told as well, and so is first contact", async () => {
  const here = await moved(address);
  here.name(downwards, address);
  put(here.prod, "P2", { src_name: "P2" });
  relate(here, "prod", "P2", "A1");
  relate(here, "dev", "P1", "A1");
  expect(told(await here.diff())).toEqual([
    `the row ${crmProd} / P1: its relation addresses moves ${adrProd} / A1 away from ${crmProd} / P2, to which somebody has related it at the target (if it may have one only)`,
  ]);
});

test("what a master takes away is told beside one that leads to what no request can ask for", async () => {
  const house: MasterEntity = { ...masterParty, filter: {}, authored: "all", relationships: ["addresses"] };
  const places: MasterEntity = { ...house, entity: "address", key: ["cmo_street"], relationships: [] };
  const here = await stage([places, house]);
  const shop = author(here.dev, { cmo_street: "1 Market" }, "address");
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  const [theirs] = books.findMasters(here.prod, "address", "cmo_street", "1 Market");
  if (theirs === undefined) throw new Error("it is there");
  books.relateMasters(here.prod, author(here.prod, { cmo_code: "THEIRS" }, "party"), "addresses", theirs);
  const barn = author(here.dev, { cmo_code: "BARN" }, "party");
  books.relateMasters(here.dev, barn, "addresses", shop);
  for (const [index, street] of ["2 Market, left", "3 Market"].entries()) {
    const yard = author(here.dev, { cmo_code: `YARD ${index}` }, "party");
    books.relateMasters(here.dev, yard, "addresses", author(here.dev, { cmo_street: street }, "address"));
  }
  expect(told(await here.diff())).toEqual([
    "the row BARN: its relation addresses moves the address 1 Market away from the party THEIRS, to which somebody has related it at the target (if it may have one only)",
  ]);
  const result = await here.apply();
  expect(result.changes.flatMap(({ diagnostics }) => diagnostics)).toContainEqual(
    expect.objectContaining({
      summary: expect.stringMatching(/^the row YARD 0: .* leads to the address 2 Market, left, of which/),
    }),
  );
});

test("a parent is not told of the children that it has at the target already", async () => {
  const here = await moved(party, upwards);
  relate(here, "prod", "P1", "A2");
  relate(here, "dev", "P1", "A1");
  relate(here, "dev", "P1", "A3");
  expect(told(await here.apply())).toEqual([]);
  expect([parentOf(here, "A1"), parentOf(here, "A2")]).toEqual([`${crmProd} P1`, `${crmProd} P1`]);
});

test("where the target does not say what leads back, that is told", async () => {
  const here = await moved(downwards, address);
  here.prod.quirks.metadata = "absent";
  relate(here, "prod", "P2", "A1");
  relate(here, "dev", "P1", "A1");
  const result = await here.diff();
  expect(told(result)).toEqual([]);
  expect(result.diagnostics.map(({ summary }) => summary)).toContain(
    "party: whether what relations addresses lead to has another parent at the target is not told: prod (master data) does not say what leads back from there",
  );
});

test("where the target refuses to show what leads back, that is told, and the rest is what it is", async () => {
  const here = await moved(downwards, address);
  relate(here, "prod", "P2", "A1");
  relate(here, "dev", "P1", "A1");
  here.made.emulator.faults.add({
    match: { path: "/instance/address$/", query: { preload: "party" } },
    when: {},
    effect: { type: "status", code: 403 },
  });
  const result = await here.diff();
  expect([result.summary.update, told(result)]).toEqual([1, []]);
  expect(result.diagnostics.map(({ summary }) => summary)).toContainEqual(
    expect.stringMatching(/^party: whether what relations addresses lead to .* does not say/),
  );
});

test("a master that is made with a relation to one that another master has is told", async () => {
  const owners: MasterEntity = { ...masterParty, relationships: ["addresses"] };
  const places: MasterEntity = { ...masterParty, entity: "address", key: ["cmo_street"] };
  const here = await stage([places, owners]);
  const [house] = [author(here.dev, { cmo_code: "HOUSE" }, "party")];
  for (const data of [here.dev, here.prod])
    for (const street of ["1 Market", "2 Market"]) author(data, { cmo_street: street }, "address");
  const other = author(here.prod, { cmo_code: "OTHER" }, "party");
  const at = (data: Stage["dev"], street: string) => books.findMasters(data, "address", "cmo_street", street);
  for (const street of ["1 Market", "2 Market"])
    for (const shop of at(here.dev, street)) books.relateMasters(here.dev, house, "addresses", shop);
  for (const shop of at(here.prod, "1 Market")) books.relateMasters(here.prod, other, "addresses", shop);
  const expected = [
    "the row HOUSE: its relation addresses moves the address 1 Market away from the party OTHER, to which somebody has related it at the target",
  ];
  expect(told(await here.diff())).toEqual(expected);
  expect(told(await here.apply())).toEqual(expected);
});

/** Two parties, and an address of the first, that a run has brought, with whatever relation the plan moves. */
async function housed(): Promise<Stage> {
  const house: MasterEntity = { ...masterParty, filter: {}, authored: "all", relationships: ["addresses"] };
  const places: MasterEntity = { ...house, entity: "address", key: ["cmo_street"], relationships: [] };
  const here = await stage([places, house], true);
  const [first] = ["P1", "P2"].map((code) => author(here.dev, { cmo_code: code }, "party"));
  if (first === undefined) throw new Error("it was authored");
  // Of a party several addresses are known, so that an address has one party.
  for (const street of ["A1", "A2"])
    books.relateMasters(here.dev, first, "addresses", author(here.dev, { cmo_street: street }, "address"));
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  return here;
}

function relateAlso({ dev, prod }: Stage, side: "dev" | "prod", parent: string, child: string): void {
  const data = side === "dev" ? dev : prod;
  const [from] = books.findMasters(data, "party", "cmo_code", parent);
  const [to] = books.findMasters(data, "address", "cmo_street", child);
  if (from === undefined || to === undefined) throw new Error("they are there");
  books.relateMasters(data, from, "addresses", to);
}

test("a new master that takes a record away is told, also where a run has brought all of them, and not what a run has related", async () => {
  const here = await housed();
  relateAlso(here, "prod", "P2", "A1");
  author(here.dev, { cmo_code: "P3" }, "party");
  for (const child of ["A1", "A2"]) relateAlso(here, "dev", "P3", child);
  const expected = [
    "the row P3: its relation addresses moves the address A1 away from the party P2, to which somebody has related it at the target",
  ];
  expect(told(await here.diff())).toEqual(expected);
  expect(told(await here.apply())).toEqual(expected);
});

test("a rollback that makes a master again tells what it takes away", async () => {
  const here = await housed();
  const [first] = books.findMasters(here.dev, "party", "cmo_code", "P1");
  if (first === undefined) throw new Error("it is there");
  here.dev.masters("party")?.delete(first);
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  relateAlso(here, "prod", "P2", "A1");
  expect(told(await here.back())).toEqual([
    "the row P1: its relation addresses moves the address A1 away from the party P2, to which somebody has related it at the target (if it may have one only)",
  ]);
});
