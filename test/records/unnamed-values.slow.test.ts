import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { emptied } from "../../src/engine/records/emptied.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { exitCodes } from "../../src/model/result.ts";
import {
  address,
  adr,
  adrProd,
  author,
  authored,
  crm,
  crmProd,
  masterParty,
  party,
  put,
  stage,
} from "./masters-stage.ts";

/** No document says what a PUT does to values that it does not name. */

test.each([
  ["kept", exitCodes.done, []],
  ["emptied", exitCodes.partial, ["row-emptied"]],
] as const)(
  "values that a change does not name and the server has %s: a loss is told by the run that makes it",
  async (unnamed, exitCode, codes) => {
    const here = await stage([party]);
    put(here.dev, "A", { src_name: "A", src_note: "n", src_email: "a@example.org" });
    await here.apply();
    here.prod.quirks.unnamed = unnamed;
    put(here.dev, "A", { src_name: "A2" });
    const result = await here.apply();
    const told = result.changes.flatMap(({ diagnostics }) => diagnostics);
    expect([result.exitCode, told.map(({ code }) => code)]).toEqual([exitCode, codes]);
    if (unnamed === "emptied") expect(told[0]?.summary).toContain("empty since: src_email, src_note. ");
    expect((await here.diff()).summary.drift).toBe(codes.length);
  },
);

test("so is that of values in columns that the plan does not move, by an apply and by a rollback", async () => {
  const here = await stage([{ ...party, columns: ["src_name"] }]);
  const theirs = { src_note: "theirs" };
  put(here.dev, "A", { src_name: "A" });
  await here.apply();
  for (const does of ["apply", "back"] as const) {
    here.prod.quirks.unnamed = "kept";
    put(here.prod, "A", theirs, { origin: crmProd });
    here.prod.quirks.unnamed = "emptied";
    if (does === "apply") put(here.dev, "A", { src_name: "A2" });
    const { exitCode, changes } = await here[does]();
    const told = changes.flatMap(({ diagnostics }) => diagnostics);
    expect([exitCode, told.map(({ code }) => code)]).toEqual([exitCodes.partial, ["row-emptied"]]);
    expect(told[0]?.summary).toContain("empty since: src_note. ");
  }
});

test("what is called otherwise than what is moved may be computed by the server, and be empty then", () => {
  const task = {
    action: "update",
    key: "k",
    name: "A",
    values: { src_name: "A2" },
    before: { src_name: "A" },
  } as const;
  const aside = { src_note: "n", exp_reason: "wrong name" };
  const row = { key: "k", name: "A", values: { src_name: "A2" } };
  const said = (now: JsonObject): string | undefined =>
    emptied(
      { task, aside, print: undefined, was: undefined },
      { ...row, unmoved: () => now },
      { isOurs: () => true },
    );
  expect(said({ src_note: "n" })).toBeUndefined();
  expect(said({ exp_reason: "wrong name" })).toContain("src_note");
});

test("a rollback tells such a loss as well", async () => {
  const here = await stage([party]);
  put(here.dev, "A", { src_name: "A", src_note: "n" });
  await here.apply();
  put(here.dev, "A", { src_name: "A2" });
  await here.apply();
  here.prod.quirks.unnamed = "emptied";
  const { exitCode, changes } = await here.back();
  const codes = changes.flatMap(({ diagnostics }) => diagnostics).map(({ code }) => code);
  expect([exitCode, codes]).toEqual([exitCodes.partial, ["row-emptied"]]);
});

test("a master that a rollback makes again has all of it, in whatever requests that came", async () => {
  for (const type of [undefined, "drop-after-commit"] as const) {
    const here = await stage([{ ...masterParty, columns: ["cmo_name"] }], true);
    here.prod.quirks.unnamed = "emptied";
    const gone = { cmo_code: "B", cmo_name: "B", cmo_email: "b@example.org" };
    author(here.dev, { cmo_code: "A", cmo_name: "A" }, "party");
    author(here.prod, gone, "party");
    await here.apply({ allowDelete: true });
    expect(authored(here.prod, "party")["B"]).toBeUndefined();
    const match = { tenant: "prod", method: "POST", path: "/\\/master\\/masters\\/party$/" } as const;
    if (type !== undefined) here.made.emulator.faults.add({ match, when: { times: 1 }, effect: { type } });
    expect((await here.back()).exitCode).toBe(exitCodes.done);
    expect(authored(here.prod, "party")).toEqual({ B: { ...gone, active: true } });
  }
});

test("what a colleague empties later is drift, and nobody's loss", async () => {
  const here = await stage([party]);
  put(here.dev, "A", { src_name: "A", src_note: "n" });
  await here.apply();
  put(here.dev, "A", { src_name: "A2" });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  put(here.prod, "A", { src_note: null }, { origin: crmProd });
  expect((await here.diff()).summary).toMatchObject({ drift: 1, update: 0 });
});

test("a relation that comes later says nothing of values", async () => {
  const full = { ...party, relationships: ["addresses"] };
  const here = await stage([full, address]);
  const origins = { [crm]: crmProd, [adr]: adrProd };
  here.plan = {
    ...here.plan,
    records: {
      ...here.plan.records,
      masterData: [
        { ...full, origins },
        { ...address, origins },
      ],
    },
  };
  const one = put(here.dev, "A", { src_name: "A", src_note: "n" });
  const home = books.putInstance(here.dev, {
    entity: "address",
    origin: adr,
    sourceId: "A1",
    attributes: { src_city: "Bern" },
  });
  await here.apply();
  here.prod.quirks.unnamed = "emptied";
  books.relate(here.dev, one, "addresses", home);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  const source = (entity: string, origin: string, id: string): unknown =>
    here.prod.byKey(entity, origin, id)?.source;
  expect(source("party", crmProd, "A")).toMatchObject({ src_name: "A", src_note: "n" });
  expect(source("address", adrProd, "A1")).toMatchObject({ src_city: "Bern" });
  expect((await here.diff()).summary).toMatchObject({ unchanged: 2, drift: 0, update: 0 });
});
