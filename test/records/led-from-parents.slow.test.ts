import { expect, onTestFinished, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { world } from "../support/world.ts";
import { author, authored, masterParty, orgModel, segment, stage } from "./masters-stage.ts";
import type { MasterEntity, Stage } from "./masters-stage.ts";

/** Of relations that the plan moves, and of those within a table, somebody's may be among them: it does not go with a master either. */

const house: MasterEntity = {
  ...masterParty,
  filter: {},
  authored: "all",
  relationships: ["addresses"],
};
const places: MasterEntity = {
  ...house,
  entity: "address",
  key: ["cmo_street", "cmo_zip"],
  relationships: [],
  filter: { cmo_zip: "1" },
};

/** Parties say what their addresses are. */
async function moved(): Promise<Stage> {
  const here = await stage([places, house], true);
  const barn = author(here.dev, { cmo_code: "BARN" }, "party");
  author(here.dev, { cmo_code: "KEPT" }, "party");
  for (const number of [1, 2, 3]) {
    const shop = author(here.dev, { cmo_street: `${number} Market`, cmo_zip: "1" }, "address");
    if (number < 3) books.relateMasters(here.dev, barn, "addresses", shop);
  }
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  return here;
}

function gone({ dev }: Stage, entity: string, column: string, value: string): void {
  for (const row of books.findMasters(dev, entity, column, value)) dev.masters(entity)?.delete(row);
}

const counts = ({ prod }: Stage): readonly number[] =>
  ["party", "address"].map((entity) => prod.masters(entity)?.size ?? 0);

const leads = expect.objectContaining({
  summary:
    "the row BARN: the address 9 Theirs / 9 at the target leads to it and stays: its relation would go with it; take that away in the web application if this one is to go",
});

test("an apply leaves a master to which somebody has related a record by a role that the plan moves, until it leads there no more", async () => {
  const here = await moved();
  const [barn] = books.findMasters(here.prod, "party", "cmo_code", "BARN");
  if (barn === undefined) throw new Error("it is not there");
  const theirs = author(here.prod, { cmo_street: "9 Theirs", cmo_zip: "9" }, "address");
  books.relateMasters(here.prod, barn, "addresses", theirs);
  gone(here, "party", "cmo_code", "BARN");
  for (let run = 0; run < 2; run += 1) {
    const result = await here.apply({ allowDelete: true });
    expect([result.exitCode, counts(here)]).toEqual([exitCodes.partial, [2, 4]]);
    expect(result.changes.flatMap(({ diagnostics }) => diagnostics)).toContainEqual(leads);
    expect(theirs.parents?.get("party_has_address")).toBe(barn.id);
  }
  theirs.parents?.clear();
  const related = barn.children?.get("party_has_address") ?? [];
  barn.children?.set(
    "party_has_address",
    related.filter((id) => id !== theirs.id),
  );
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(counts(here)).toEqual([1, 4]);
});

test("what the plan has related to it holds no master back: neither what stays, nor what goes in the same run", async () => {
  const here = await moved();
  gone(here, "party", "cmo_code", "BARN");
  gone(here, "address", "cmo_street", "2 Market");
  const result = await here.apply({ allowDelete: true });
  expect([result.exitCode, counts(here)]).toEqual([exitCodes.done, [1, 2]]);
});

test.each([
  ["apply", ["boss"]],
  ["apply", ["reports"]],
  ["apply", []],
  ["rollback", ["boss"]],
  ["rollback", ["reports"]],
  ["rollback", []],
] as const)(
  "within a table: a master to which somebody's leads is left by an %s (moved: %j)",
  async (command, roles) => {
    const made = await world("empty", { kept: "memory", masterData: { model: orgModel } });
    onTestFinished(() => made.close());
    const entity = {
      ...segment,
      view: "v",
      entity: "org",
      relationships: [...roles],
      filter: { cmo_name: "ours" },
    };
    const plan = made.plan({
      select: { kinds: ["master-data"] },
      records: { referenceData: [], masterData: [entity], remove: command === "apply" },
    });
    const options = { confirm: async () => true, verify: true, allowDelete: true };
    const apply = async (): Promise<Result> => applyPlan(made.migration({}, { plan }), options);
    const back = async (): Promise<Result> => rollbackRun(made.migration({}, { plan }), options);
    const [dev, prod] = [made.emulator.masterData("dev"), made.emulator.masterData("prod")];
    const org = (data: typeof dev, code: string, cmo_name = "ours") =>
      books.authorMaster(data, { entity: "org", attributes: { cmo_code: code, cmo_name }, by: "steward" });
    const [boss, report] = [org(dev, "BOSS"), org(dev, "REPORT")];
    org(dev, "KEPT");
    books.relateMasters(dev, boss, "reports", report);
    expect((await apply()).exitCode).toBe(exitCodes.done);
    const [there] = books.findMasters(prod, "org", "cmo_code", "BOSS");
    if (there === undefined) throw new Error("it is not there");
    const theirs = org(prod, "THEIRS", "theirs");
    books.relateMasters(prod, there, "reports", theirs);
    if (command === "apply") for (const row of [boss, report]) dev.masters("org")?.delete(row);
    const result = await (command === "apply" ? apply() : back());
    expect(result.exitCode).toBe(exitCodes.partial);
    const left = command === "apply" ? ["BOSS", "KEPT", "THEIRS"] : ["BOSS", "THEIRS"];
    expect(Object.keys(authored(prod, "org")).toSorted()).toEqual(left);
    expect(theirs.parents?.get("org_tree")).toBe(there.id);
  },
);

test.each(["apply", "rollback"] as const)(
  "within a table: masters that lead to each other go in one %s",
  async (command) => {
    const made = await world("empty", { kept: "memory", masterData: { model: orgModel } });
    onTestFinished(() => made.close());
    const entity = { ...segment, view: "v", entity: "org", relationships: ["boss"] };
    const plan = made.plan({
      select: { kinds: ["master-data"] },
      records: { referenceData: [], masterData: [entity], remove: command === "apply" },
    });
    const options = { confirm: async () => true, verify: true, allowDelete: true };
    const [dev, prod] = [made.emulator.masterData("dev"), made.emulator.masterData("prod")];
    const all = ["A", "B", "C", "D"].map((code) =>
      books.authorMaster(dev, { entity: "org", attributes: { cmo_code: code }, by: "steward" }),
    );
    const [a, b, c] = all;
    if (a === undefined || b === undefined || c === undefined) throw new Error("nobody is there");
    books.relateMasters(dev, a, "reports", b);
    books.relateMasters(dev, a, "reports", c);
    expect((await applyPlan(made.migration({}, { plan }), options)).exitCode).toBe(exitCodes.done);
    if (command === "apply") for (const row of [a, b]) dev.masters("org")?.delete(row);
    const migration = made.migration({}, { plan });
    const result = await (command === "apply"
      ? applyPlan(migration, options)
      : rollbackRun(migration, options));
    expect([result.exitCode, Object.keys(authored(prod, "org")).toSorted()]).toEqual([
      exitCodes.done,
      command === "apply" ? ["C", "D"] : [],
    ]);
  },
);

test.each(["apply", "rollback"] as const)(
  "within a table of which the plan moves no relation: whoever leads to a master, %s leaves it",
  async (command) => {
    const made = await world("empty", { kept: "memory", masterData: { model: orgModel } });
    onTestFinished(() => made.close());
    const entity = { ...segment, view: "v", entity: "org", relationships: [] };
    const plan = made.plan({
      select: { kinds: ["master-data"] },
      records: { referenceData: [], masterData: [entity], remove: command === "apply" },
    });
    const options = { confirm: async () => true, verify: true, allowDelete: true };
    const apply = async (): Promise<Result> => applyPlan(made.migration({}, { plan }), options);
    const [dev, prod] = [made.emulator.masterData("dev"), made.emulator.masterData("prod")];
    const org = (code: string) =>
      books.authorMaster(dev, { entity: "org", attributes: { cmo_code: code }, by: "steward" });
    org("REPORT");
    expect((await apply()).exitCode).toBe(exitCodes.done);
    const boss = org("BOSS");
    expect((await apply()).exitCode).toBe(exitCodes.done);
    // Both are moved, and that the one leads to the other is a colleague's word.
    const [there] = books.findMasters(prod, "org", "cmo_code", "BOSS");
    const [report] = books.findMasters(prod, "org", "cmo_code", "REPORT");
    if (there === undefined || report === undefined) throw new Error("they are not there");
    books.relateMasters(prod, report, "boss", there);
    if (command === "apply") dev.masters("org")?.delete(boss);
    const back = async (): Promise<Result> => rollbackRun(made.migration({}, { plan }), options);
    expect((await (command === "apply" ? apply() : back())).exitCode).toBe(exitCodes.partial);
    expect(Object.keys(authored(prod, "org")).toSorted()).toEqual(["BOSS", "REPORT"]);
    expect(report.parents?.get("org_tree")).toBe(there.id);
  },
);

test.each([
  ["apply", "boss"],
  ["apply", "reports"],
  ["rollback", "boss"],
  ["rollback", "reports"],
] as const)(
  "within a table: what somebody has related between two that the plan moves holds an %s, and what it has related itself does not (moved: %s)",
  async (command, role) => {
    const made = await world("empty", { kept: "memory", masterData: { model: orgModel } });
    onTestFinished(() => made.close());
    const entity = { ...segment, view: "v", entity: "org", relationships: [role] };
    const plan = made.plan({
      select: { kinds: ["master-data"] },
      records: { referenceData: [], masterData: [entity], remove: true },
    });
    const options = { confirm: async () => true, verify: true, allowDelete: true };
    const apply = async (): Promise<Result> => applyPlan(made.migration({}, { plan }), options);
    const [dev, prod] = [made.emulator.masterData("dev"), made.emulator.masterData("prod")];
    const org = (data: typeof dev, code: string) =>
      books.authorMaster(data, { entity: "org", attributes: { cmo_code: code }, by: "steward" });
    org(dev, "REPORT");
    // Whom several lead to is their boss: which end of a relation is which nothing else tells.
    const stays = org(dev, "STAYS");
    for (const code of ["A", "B"]) books.relateMasters(dev, stays, "reports", org(dev, code));
    expect((await apply()).exitCode).toBe(exitCodes.done);
    const [led, ours] = [org(dev, "LED"), org(dev, "OURS")];
    books.relateMasters(dev, ours, "reports", org(dev, "C"));
    expect((await apply()).exitCode).toBe(exitCodes.done);
    const there = (code: string) =>
      books.findMasters(prod, "org", "cmo_code", code)[0] ?? org(prod, "NOBODY");
    books.relateMasters(prod, there("LED"), "reports", there("REPORT"));
    if (command === "apply") for (const boss of [led, ours]) dev.masters("org")?.delete(boss);
    const result = await (command === "apply" ? apply() : rollbackRun(made.migration({}, { plan }), options));
    expect([result.exitCode, Object.keys(authored(prod, "org")).toSorted()]).toEqual([
      exitCodes.partial,
      ["A", "B", ...(command === "apply" ? ["C"] : []), "LED", "REPORT", "STAYS"],
    ]);
    expect(there("REPORT").parents?.get("org_tree")).toBe(there("LED").id);
  },
);

test("what a run has made and somebody has related to a parent, where the plan moves no relation, a rollback leaves; unless both go", async () => {
  const unrelated = { ...house, relationships: [] };
  const here = await stage([unrelated, { ...places, relationships: [], filter: {} }]);
  author(here.dev, { cmo_code: "STAYS" }, "party");
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  const goes = author(here.dev, { cmo_code: "GOES" }, "party");
  // Of a party several addresses are known, so that an address has one party.
  for (const street of ["1 Market", "2 Market"])
    books.relateMasters(
      here.dev,
      goes,
      "addresses",
      author(here.dev, { cmo_street: street, cmo_zip: "1" }, "address"),
    );
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  for (const [code, street] of [
    ["STAYS", "1 Market"],
    ["GOES", "2 Market"],
  ] as const) {
    const [from] = books.findMasters(here.prod, "party", "cmo_code", code);
    const [to] = books.findMasters(here.prod, "address", "cmo_street", street);
    if (from === undefined || to === undefined) throw new Error("they are there");
    books.relateMasters(here.prod, from, "addresses", to);
  }
  const back = await here.back();
  expect(back.changes.flatMap(({ diagnostics }) => diagnostics.map(({ summary }) => summary))).toEqual([
    "the row 1 Market / 1: the party STAYS at the target leads to it and stays: its relation would go with it; take that away in the web application if this one is to go",
  ]);
  expect([back.exitCode, counts(here)]).toEqual([exitCodes.partial, [1, 1]]);
});
