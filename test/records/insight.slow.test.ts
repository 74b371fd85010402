import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { changesIn } from "../../src/engine/records/explain.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { renderMarkdown, renderText } from "../../src/report/index.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { address, adr, author, masterParty, party, put, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";

function told({ changes }: Result, code: string): readonly string[] {
  return changes.flatMap(({ diagnostics }) =>
    diagnostics.filter((found) => found.code === code).map(({ summary }) => summary),
  );
}

async function fileOf({ made, plan }: Stage, table: string): Promise<readonly JsonObject[]> {
  const lines: JsonObject[] = [];
  for await (const some of made.migration({}, { plan }).store.work.readRows(table)) lines.push(...some);
  return lines;
}

describe("which master a new instance would join", () => {
  async function people(): Promise<Stage> {
    const here = await stage([party]);
    put(here.prod, "9001", { src_name: "Ada Lovelace", src_email: "ada@example.org" });
    put(here.dev, "1", { src_name: "LOVELACE Ada", src_email: "Ada@example.org" });
    put(here.dev, "2", { src_name: "Ada Lovelace", src_email: "another@example.org" });
    put(here.dev, "3", { src_name: "Alan Turing", src_email: "alan@example.org" });
    return here;
  }
  const master = (here: Stage): string => String(here.prod.instances("party")?.rows[0]?.masterId);

  test("is asked of the target for these alone, told with its rule, and stands in the table's file", async () => {
    const here = await people();
    const result = await here.diff({ identify: 100 });
    const id = master(here);
    expect(told(result, "row-identified")).toEqual([
      "of 3 new instances, as the target is now, 1 would join a master, 1 would only be proposed to one, 1 would be a master of its own; all of them stand in records/party-instances.ndjson",
      `the row crm#party#Prod / 1 would join the master ${id} "Ada Lovelace" (rule same_email, quality 1)`,
      `the row crm#party#Prod / 2 would be a master of its own; proposed: ${id} "Ada Lovelace" (rule same_name, quality 0.6)`,
    ]);
    const ada = { master: id, name: "Ada Lovelace" };
    expect((await fileOf(here, "party-instances")).map(({ name, identify }) => [name, identify])).toEqual([
      ["crm#party#Prod / 1", { joins: { ...ada, rule: "same_email", quality: 1 }, proposals: [] }],
      ["crm#party#Prod / 2", { joins: null, proposals: [{ ...ada, rule: "same_name", quality: 0.6 }] }],
      ["crm#party#Prod / 3", { joins: null, proposals: [] }],
    ]);
    expect(result.changes[0]?.records?.samples[0]).toMatchObject({ identify: { joins: ada } });
    for (const render of [renderText, renderMarkdown])
      expect(render(result).replaceAll(/[\\\s]+/g, " ")).toContain('"Ada Lovelace" (rule same');
    expect(here.writes()).toBe(0);
    // Those that are there are not asked about, and neither is anything without the flag.
    await here.apply();
    here.made.emulator.log.clear();
    await here.diff({ identify: 100 });
    await here.diff();
    expect(here.made.emulator.log.entries.filter(({ path }) => path.endsWith("/identify"))).toEqual([]);
  });

  test("is no part of what is approved", async () => {
    const here = await people();
    const file = join(here.made.folder, "approved.json");
    const plain = await here.diff();
    const asked = await here.diff({ identify: 100, out: file });
    expect(asked.changes[0]?.records?.digest).toBe(plain.changes[0]?.records?.digest);
    const result = await applyPlan(here.made.migration({}, { plan: here.plan }), {
      confirm: async () => true,
      diff: file,
    });
    expect([result.exitCode, here.prod.instances("party")?.size]).toEqual([exitCodes.done, 4]);
  });

  test("is asked of so many, and the others are counted", async () => {
    const here = await people();
    const result = await here.diff({ identify: 1 });
    expect(told(result, "row-identified")[0]).toBe(
      "of 1 new instance, as the target is now, 1 would join a master; 2 new instances not asked about: --identify-limit says how many are",
    );
    expect(here.made.emulator.log.entries.filter(({ path }) => path.endsWith("/identify"))).toHaveLength(1);
  });

  test("is asked of the view that the plan names; of a view that is missing it is told before any write", async () => {
    const here = await people();
    here.name({ ...party, view: "masters" });
    expect(told(await here.diff({ identify: 100 }), "row-identified")).toHaveLength(3);
    here.name({ ...party, view: "codes" });
    const result = await here.apply();
    expect(result.changes[0]?.reason).toBe(
      'prod (master data) has no entity "party" in its master view "codes"',
    );
    expect(here.writes()).toBe(0);
  });

  test("is asked with what the instance is related to, as its source sends it", async () => {
    const here = await people();
    here.name({ ...party, relationships: ["addresses"] }, { ...address, columns: ["src_street", "src_zip"] });
    const [one] = here.dev.instances("party")?.rows ?? [];
    for (const zip of ["3011", "3012"]) {
      const attributes = { src_street: "Market", src_city: "Bern", src_zip: zip };
      const home = put(here.dev, zip, attributes, { entity: "address", origin: adr });
      if (one !== undefined) books.relate(here.dev, one, "addresses", home);
    }
    expect(told(await here.diff({ identify: 100 }), "row-identified")).toHaveLength(4);
    const asked = here.made.emulator.log.entries.filter(({ path }) => path.endsWith("party/identify"));
    const addresses = ["3011", "3012"].map((zip) => ({ attributes: { src_street: "Market", src_zip: zip } }));
    const along = asked.flatMap(({ body }) => (body as { record: JsonObject }).record["relationships"] ?? []);
    expect([asked.length, along]).toEqual([3, [{ addresses }]]);
  });

  test("is asked without that where the target refuses it, and it says so", async () => {
    const here = await people();
    here.name({ ...party, relationships: ["addresses"] }, address);
    const [one] = here.dev.instances("party")?.rows ?? [];
    const home = put(here.dev, "A1", { src_zip: "3011" }, { entity: "address", origin: adr });
    if (one !== undefined) books.relate(here.dev, one, "addresses", home);
    books.remodel(here.prod, "address", [{ name: "src_street", type: "STRING" }]);
    expect(told(await here.diff({ identify: 100 }), "row-identified")[1]).toMatch(
      /^the row crm#party#Prod \/ 1 would join the master \d+ .*; asked without what it is related to, which is refused: .*src_zip/,
    );
  });

  test("is not known where the service refuses, and the diff is what it is", async () => {
    const here = await people();
    for (let number = 4; number < 30; number += 1) put(here.dev, String(number), { src_name: `N${number}` });
    here.made.emulator.faults.add({
      match: { path: "/identify$/" },
      when: {},
      effect: { type: "status", code: 400 },
    });
    const result = await here.diff({ identify: 100 });
    expect(result.summary.create).toBe(29);
    expect(told(result, "row-identified")[0]).toMatch(
      /^of 8 new instances, .*; 21 new instances not asked about: /,
    );
  });
});

describe("since when a row is otherwise", () => {
  test("is looked up in the target's history, column by column, for those that drifted", async () => {
    const here = await stage([party, masterParty]);
    here.prod.historised.instance.add("party");
    here.prod.historised.master.add("party");
    for (const id of ["A", "B"]) put(here.dev, id, { src_name: id, src_note: "n" });
    author(here.dev, { cmo_code: "HOUSE", cmo_name: "house" }, "party");
    await here.apply();
    put(here.prod, "A", { src_name: "first" });
    put(here.prod, "A", { src_name: "second" });
    put(here.prod, "A", { src_note: "other" });
    const [house] = books.findMasters(here.prod, "party", "cmo_code", "HOUSE");
    if (house !== undefined) books.writeMaster(here.prod, house, { cmo_name: "the house" });
    const result = await here.diff();
    expect(result.summary).toMatchObject({ drift: 2, unchanged: 1 });
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect((await fileOf(here, "party-instances")).map(({ name, history }) => [name, history])).toEqual([
      [
        "crm#party#Prod / A",
        [
          { column: "src_name", since: at, from: "first", to: "second" },
          { column: "src_note", since: at, from: "n", to: "other" },
        ],
      ],
    ]);
    expect(told(result, "row-history")).toEqual([
      expect.stringMatching(
        /^the row crm#party#Prod \/ A: src_name is "second" since 2026-[\dT:.-]+Z; "first" before$/,
      ),
      expect.stringMatching(/: src_note is "other" since .*; "n" before$/),
      expect.stringMatching(/^the row HOUSE: cmo_name is "the house" since .*, by prod-mdm; "house" before$/),
    ]);
    expect(result.diagnostics.map(({ summary }) => summary)).toEqual([]);
  });

  test("is looked up for so many, and the others are counted", async () => {
    const here = await stage([party]);
    here.prod.historised.instance.add("party");
    for (let number = 0; number < 103; number += 1) put(here.dev, `P${number}`, { src_name: `${number}` });
    await here.apply();
    for (let number = 0; number < 103; number += 1) put(here.prod, `P${number}`, { src_name: "theirs" });
    const result = await here.diff();
    expect(told(result, "row-history")[0]).toBe(
      "the history of 3 more rows was not looked at, after that of 100",
    );
    expect(here.made.emulator.log.entries.filter(({ path }) => /\d\/history$/.test(path))).toHaveLength(100);
  });

  test("is not told where there is no history: of a server that has none it is said once", async () => {
    const here = await stage([party, { ...party, entity: "address" }, masterParty]);
    const notes = async (): Promise<readonly string[]> =>
      (await here.diff()).diagnostics.map(({ summary }) => summary);
    expect(await notes()).toEqual([
      "prod (master data) keeps no history, so when a row drifted cannot be told",
    ]);
    here.prod.historised.instance.add("party");
    expect(await notes()).toEqual([
      "address: prod (master data) keeps no history of it, so when a row drifted cannot be told",
      "masters/party: prod (master data) keeps no history of it, so when a row drifted cannot be told",
    ]);
  });

  test("of a value that was always so nothing came before, of a column that is not kept nothing is told", () => {
    const fields = ["a", "b", "c"].map((name) => ({ name, from: undefined, to: null }));
    const versions = [
      { from: "3", values: { a: 1, b: 2 } },
      { from: "2", by: "x", values: { a: 1, b: 2 } },
      { from: "1", values: { a: 1, b: 1 } },
    ];
    expect(changesIn({ fields }, versions, { text: (_name, value) => JSON.stringify(value) })).toEqual([
      { column: "a", since: "1", to: 1, isFirst: true },
      { column: "b", since: "2", by: "x", from: 1, to: 2 },
    ]);
  });
});
