import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { author, masterParty, stage } from "./masters-stage.ts";
import type { MasterEntity, Stage } from "./masters-stage.ts";
import { diesAt } from "./support.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";

/** A master that is removed takes the relations of others along: nobody has changed those by that. */

const house: MasterEntity = { ...masterParty, filter: {}, authored: "all" };
const places: MasterEntity = {
  ...house,
  entity: "address",
  key: ["cmo_street", "cmo_zip"],
  relationships: ["party"],
};

/** The party comes first in the plan, so that it is there when the address is made; and goes first. */
async function moved(): Promise<Stage> {
  const here = await stage([house, places], true);
  const barn = author(here.dev, { cmo_code: "BARN" }, "party");
  const shop = author(here.dev, { cmo_street: "1 Market", cmo_zip: "1" }, "address");
  for (const number of [2, 3]) author(here.dev, { cmo_street: `${number} Market`, cmo_zip: "1" }, "address");
  author(here.dev, { cmo_code: "KEPT" }, "party");
  books.relateMasters(here.dev, barn, "addresses", shop);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(parentOfShop(here)).toBe("BARN");
  return here;
}

function parentOfShop({ prod }: Stage): unknown {
  const [shop] = books.findMasters(prod, "address", "cmo_street", "1 Market");
  const id = shop?.parents?.get("party_has_address");
  return id === undefined ? undefined : prod.masters("party")?.get(id)?.authored?.values["cmo_code"];
}

const left = ({ prod }: Stage): readonly number[] =>
  ["party", "address"].map((entity) => prod.masters(entity)?.size ?? 0);

function removeBoth({ dev }: Stage): void {
  for (const [entity, column, value] of [
    ["party", "cmo_code", "BARN"],
    ["address", "cmo_street", "1 Market"],
  ] as const)
    for (const row of books.findMasters(dev, entity, column, value)) dev.masters(entity)?.delete(row);
}

test("a rollback takes back both, and the next apply makes both again", async () => {
  const here = await moved();
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  expect(left(here)).toEqual([0, 0]);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(parentOfShop(here)).toBe("BARN");
});

test("a rollback that was killed behind the first of them takes back the other when it is made again", async () => {
  for (let nth = 1; ; nth += 1) {
    const here = await moved();
    const died = await diesAt("outcome:after", nth, async (hooks) =>
      rollbackRun(here.made.migration({}, { plan: here.plan, hooks }), {
        allowDelete: true,
        confirm: async () => true,
      }),
    );
    if (died === undefined) break;
    expect((await here.back()).exitCode).toBe(exitCodes.done);
    expect(left(here)).toEqual([0, 0]);
  }
});

test.each(["intent:after", "outcome:after"] as const)(
  "a rollback that was killed (%s), and an apply after it, leave nobody without a relation",
  async (point) => {
    for (let nth = 1; ; nth += 1) {
      const here = await moved();
      const died = await diesAt(point, nth, async (hooks) =>
        rollbackRun(here.made.migration({}, { plan: here.plan, hooks }), {
          allowDelete: true,
          confirm: async () => true,
        }),
      );
      if (died === undefined) break;
      expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
      expect([left(here), parentOfShop(here)]).toEqual([[2, 3], "BARN"]);
    }
  },
);

test("what is removed with them is removed by one run, and comes back with its relation", async () => {
  const here = await moved();
  removeBoth(here);
  const gone = await here.apply({ allowDelete: true });
  expect([gone.exitCode, left(here)]).toEqual([exitCodes.done, [1, 2]]);
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  expect(parentOfShop(here)).toBe("BARN");
});

test.each(["intent:after", "send:after", "outcome:after"] as const)(
  "a run that was killed (%s) as it removed them goes on, and who leads goes before whom it leads to",
  async (point) => {
    for (let nth = 1; ; nth += 1) {
      const here = await moved();
      removeBoth(here);
      const died = await diesAt(point, nth, async (hooks) =>
        applyPlan(here.made.migration({}, { plan: here.plan, hooks }), {
          allowDelete: true,
          confirm: async () => true,
        }),
      );
      if (died === undefined) break;
      // Nobody stands there without what it led to.
      const isThere = books.findMasters(here.prod, "address", "cmo_street", "1 Market").length > 0;
      if (isThere) expect(parentOfShop(here)).toBe("BARN");
      expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
      expect(left(here)).toEqual([1, 2]);
    }
  },
);

test("whom somebody has related to another one, or to none, while the party is there, is left", async () => {
  for (const isOther of [true, false]) {
    const here = await moved();
    const [shop] = books.findMasters(here.prod, "address", "cmo_street", "1 Market");
    const [kept] = books.findMasters(here.prod, "party", "cmo_code", "KEPT");
    if (shop === undefined || kept === undefined) throw new Error("they are not there");
    if (isOther) books.relateMasters(here.prod, kept, "addresses", shop);
    else shop.parents?.clear();
    const back = await here.back();
    expect(back.exitCode).toBe(exitCodes.partial);
    expect(left(here)[1]).toBe(1);
  }
});

test("what a colleague's record leads to is left, and named, until it leads there no more", async () => {
  const here = await moved();
  const [barn] = books.findMasters(here.prod, "party", "cmo_code", "BARN");
  if (barn === undefined) throw new Error("it is not there");
  const theirs = author(here.prod, { cmo_street: "9 Theirs", cmo_zip: "9" }, "address");
  books.relateMasters(here.prod, barn, "addresses", theirs);
  const back = await here.back();
  expect([back.exitCode, left(here)]).toEqual([exitCodes.partial, [1, 1]]);
  expect(back.diagnostics.concat(back.changes.flatMap(({ diagnostics }) => diagnostics))).toContainEqual(
    expect.objectContaining({
      summary:
        "the row BARN: the address 9 Theirs / 9 at the target leads to it and stays: its relation would go with it; take that away in the web application if this one is to go",
    }),
  );
  expect(theirs.parents?.get("party_has_address")).toBe(barn.id);
  theirs.parents?.clear();
  barn.children?.clear();
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  expect(left(here)).toEqual([0, 1]);
});

test("what a later run has related to what the run made keeps it, as what refers to an object does", async () => {
  const here = await stage([house, places]);
  const barn = author(here.dev, { cmo_code: "BARN" }, "party");
  const { run } = await here.apply();
  const shop = author(here.dev, { cmo_street: "1 Market", cmo_zip: "1" }, "address");
  books.relateMasters(here.dev, barn, "addresses", shop);
  await here.apply();
  expect((await here.back(true, run)).exitCode).toBe(exitCodes.partial);
  expect(parentOfShop(here)).toBe("BARN");
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  expect((await here.back(true, run)).exitCode).toBe(exitCodes.done);
  expect(left(here)).toEqual([0, 0]);
});

test.each(["apply", "rollback"] as const)(
  "a deletion that a killed %s had begun is not sent once somebody's record leads to it",
  async (command) => {
    const here = await moved();
    if (command === "apply") removeBoth(here);
    const options = { allowDelete: true, confirm: async () => true };
    // BARN goes last, behind each address.
    const died = await diesAt("intent:after", 2, async (hooks) => {
      const migration = here.made.migration({}, { plan: here.plan, hooks });
      return command === "apply" ? applyPlan(migration, options) : rollbackRun(migration, options);
    });
    expect(died).toBeDefined();
    const [barn] = books.findMasters(here.prod, "party", "cmo_code", "BARN");
    if (barn === undefined) throw new Error("it is not there");
    here.name(house, { ...places, filter: { cmo_zip: "1" } });
    const theirs = author(here.prod, { cmo_street: "9 Theirs", cmo_zip: "9" }, "address");
    books.relateMasters(here.prod, barn, "addresses", theirs);
    const again = command === "apply" ? await here.apply({ allowDelete: true }) : await here.back();
    expect(again.exitCode).toBe(exitCodes.partial);
    expect(again.changes.flatMap(({ diagnostics }) => diagnostics)).toContainEqual(
      expect.objectContaining({ summary: expect.stringContaining("the address 9 Theirs / 9 at the target") }),
    );
    expect(theirs.parents?.get("party_has_address")).toBe(barn.id);
    expect(books.findMasters(here.prod, "party", "cmo_code", "BARN")).toHaveLength(1);
  },
);

test("an apply leaves what a colleague's record leads to, and names it, until it leads there no more", async () => {
  const here = await moved();
  const [barn] = books.findMasters(here.prod, "party", "cmo_code", "BARN");
  if (barn === undefined) throw new Error("it is not there");
  const theirs = author(here.prod, { cmo_street: "9 Theirs", cmo_zip: "9" }, "address");
  // Theirs is none of those that the plan moves.
  here.name(house, { ...places, filter: { cmo_zip: "1" } });
  books.relateMasters(here.prod, barn, "addresses", theirs);
  removeBoth(here);
  for (let run = 0; run < 2; run += 1) {
    const gone = await here.apply({ allowDelete: true });
    expect([gone.exitCode, left(here)]).toEqual([exitCodes.partial, [2, 3]]);
    expect(gone.changes.flatMap(({ diagnostics }) => diagnostics)).toContainEqual(
      expect.objectContaining({
        summary:
          "the row BARN: the address 9 Theirs / 9 at the target leads to it and stays: its relation would go with it; take that away in the web application if this one is to go",
      }),
    );
  }
  theirs.parents?.clear();
  barn.children?.clear();
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(left(here)).toEqual([1, 3]);
});

test.each([0, 1])(
  "what somebody changes while it is asked who leads to it is left (answers lost: %s)",
  async (times) => {
    const here = await stage([house], true);
    author(here.dev, { cmo_code: "KEPT" }, "party");
    const gone = author(here.dev, { cmo_code: "GONE" }, "party");
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    here.dev.masters("party")?.delete(gone);
    const { emulator } = here.made;
    emulator.faults.add({
      match: { method: "DELETE" },
      when: { times },
      effect: { type: "drop-before-commit" },
    });
    let asked = 0;
    emulator.on(({ phase, entry: { query } }) => {
      const isAsked = query["preload"]?.includes("addresses") === true && query["offset"] === "1";
      if (phase !== "answered" || !isAsked || (asked += 1) !== times + 1) return;
      const [row] = books.findMasters(here.prod, "party", "cmo_code", "GONE");
      if (row !== undefined) books.writeMaster(here.prod, row, { cmo_name: "theirs" });
    });
    expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.partial);
    expect(asked).toBe(times + 1);
    expect(books.findMasters(here.prod, "party", "cmo_code", "GONE")).toHaveLength(1);
  },
);

test("whom somebody has removed takes a relation along: the record that had it is as the run has left it", async () => {
  const here = await moved();
  const [barn] = books.findMasters(here.prod, "party", "cmo_code", "BARN");
  if (barn === undefined) throw new Error("it is not there");
  here.prod.masters("party")?.delete(barn);
  const back = await here.back();
  expect([back.exitCode, left(here)]).toEqual([exitCodes.done, [0, 0]]);
});
