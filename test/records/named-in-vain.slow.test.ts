import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../src/emulator/json.ts";
import type { Result } from "../../src/model/result.ts";
import { doctorPlan } from "../../src/operations/doctor/index.ts";
import { front } from "../support/front.ts";
import { address, adr, author, crmProd, masterParty, party, put, segment, stage } from "./masters-stage.ts";
import { rowsStage } from "./support.ts";

/** What a plan names and nothing is there for it is told before anything is written, and is never a source without rows. */

type Stage = Awaited<ReturnType<typeof stage>>;

const told = ({ diagnostics }: Result, code: string): readonly string[] =>
  diagnostics.filter((found) => found.code === code).map(({ summary }) => summary);
const doctor = async (here: Stage): Promise<Result> =>
  doctorPlan(here.made.migration({}, { plan: here.plan }));

/** With a server of the source that shows things in another way. */
async function shownAs(here: Stage, change: (record: JsonObject) => JsonObject): Promise<void> {
  const { masterData } = here.plan.source;
  if (masterData === undefined) throw new Error("the plan has no master-data server");
  const { url } = await front(masterData.baseUrl, {
    answer: (body) => {
      const said = JSON.parse(body) as Json;
      return JSON.stringify(Array.isArray(said) ? said.map((one) => change(one as JsonObject)) : said);
    },
  });
  here.plan = {
    ...here.plan,
    source: { ...here.plan.source, masterData: { ...masterData, baseUrl: url } },
  };
}

/** A party with two addresses. */
async function withAddresses(...ids: readonly string[]): Promise<Stage> {
  const here = await stage([{ ...party, relationships: ["addresses"] }, address]);
  const one = put(here.dev, "A", { src_name: "A" });
  for (const sourceId of ids) {
    const attributes = { src_city: "B" };
    books.relate(
      here.dev,
      one,
      "addresses",
      books.putInstance(here.dev, { entity: "address", origin: adr, sourceId, attributes }),
    );
  }
  return here;
}

test("an origin that no record has, with those that there are", async () => {
  const here = await stage([{ ...party, origins: { "crm#party#Dve": crmProd } }]);
  put(here.dev, "A", { src_name: "A" });
  const { diagnostics } = await here.diff();
  expect(diagnostics.find(({ code }) => code === "row-none")).toMatchObject({
    summary: "party: no record of dev (master data) has the origin crm#party#Dve",
    suggestion: expect.stringContaining("crm#party#Dev") as string,
  });
  // Where there is no record at all the counts say so.
  expect(told(await (await stage([party])).diff(), "row-none")).toEqual([]);
});

test("relations that a server shows under another name move; where they show nowhere that is said", async () => {
  const here = await withAddresses("H1", "H2", "H3");
  await shownAs(here, ({ relationships, ...record }) =>
    relationships === undefined
      ? record
      : { ...record, links: { addresses: { href: "/party/1/addresses" } }, relatedRecords: relationships },
  );
  const result = await here.apply();
  expect([result.exitCode, told(result, "row-none")]).toEqual([0, []]);
  const moved = here.prod.instances("address")?.rows ?? [];
  expect(moved.map((row) => Object.keys(books.instanceBook(here.prod, row).parents).length)).toEqual([
    1, 1, 1,
  ]);

  const other = await withAddresses("H1");
  await shownAs(other, ({ relationships: _hidden, ...record }) => record);
  expect(told(await other.diff(), "row-none")).toEqual([expect.stringContaining("its relations addresses")]);
});

test("relations to what the plan does not move", async () => {
  const here = await withAddresses("H1");
  here.name({ ...party, relationships: ["addresses"] });
  expect(told(await here.diff(), "row-relation-elsewhere")).toEqual([
    expect.stringContaining("lead to address, of which the plan moves nothing"),
  ]);
});

test("a relation to what is inactive at the source is told with the word that moves that", async () => {
  const here = await withAddresses("H1");
  const end = books.findInstance(here.dev, "address", adr, "H1");
  if (end !== undefined) books.setActivity(here.dev, end, false);
  const refused = await here.apply();
  expect(refused.exitCode).toBe(4);
  expect(told(refused, "row-refused")).toEqual([
    expect.stringMatching(
      /no filter leaves it out, and, where it is inactive at the source, with activity: true$/,
    ),
  ]);
  here.name({ ...party, relationships: ["addresses"] }, { ...address, activity: true });
  expect((await here.apply()).exitCode).toBe(0);
});

test("masters whose relations lead to what the plan names after them", async () => {
  const places = { ...masterParty, entity: "address", key: ["cmo_street"], relationships: ["party"] };
  const here = await stage([places, masterParty]);
  const owner = author(here.dev, { cmo_code: "HOUSE" }, "party");
  books.relateMasters(here.dev, owner, "addresses", author(here.dev, { cmo_street: "1" }, "address"));
  expect(told(await here.diff(), "row-relation-later")).toEqual([
    expect.stringContaining("lead to party, which the plan names after it"),
  ]);
  here.name(masterParty, places);
  expect(told(await here.diff(), "row-relation-later")).toEqual([]);
  expect((await here.apply()).exitCode).toBe(0);
});

test("a relation that no request can name is for a person, and the others arrive", async () => {
  const here = await withAddresses("H1", "H,2");
  const result = await here.apply();
  expect(result.exitCode).toBe(4);
  expect(JSON.stringify(result)).toContain("crm#address#Prod / H,2: its source id holds a comma");
  const [moved] = here.prod.instances("address")?.rows ?? [];
  expect(moved && Object.keys(books.instanceBook(here.prod, moved).parents)).not.toEqual([]);
});

test("a column that is not there, of a server whose metadata is in no known form", async () => {
  const here = await stage([
    { ...party, columns: ["src_nothing"] },
    { ...segment, key: ["cmo_number"] },
  ]);
  put(here.dev, "A", { src_name: "A" });
  here.dev.quirks.metadata = "other";
  here.prod.quirks.metadata = "other";
  const found = told(await doctor(here), "table-unusable");
  expect(found).toEqual([expect.stringContaining("src_nothing"), expect.stringContaining("cmo_number")]);
});

test("a column of the filter that the target lacks, where rows of the target are to be removed by it", async () => {
  const here = await stage([{ ...party, columns: ["src_name"], filter: { src_note: "n" } }], true);
  const columns = here.prod.entityModel("party")?.columns ?? [];
  books.remodel(
    here.prod,
    "party",
    columns.filter(({ name }) => name !== "src_note"),
  );
  expect(told(await doctor(here), "table-unusable")).toEqual([expect.stringContaining("src_note")]);
});

test("advice on a wrong password names the server that it is for, and no check fails for another's sake", async () => {
  const here = await stage([party]);
  const { masterData } = here.plan.target;
  if (masterData === undefined) throw new Error("the plan has no master-data server");
  here.plan = {
    ...here.plan,
    target: { ...here.plan.target, masterData: { ...masterData, password: "x" } },
  };
  const advice = (await doctor(here)).diagnostics.find(({ code }) => code === "doctor-tables")?.suggestion;
  expect(advice).toContain("under masterData of source and target");

  const other = await stage([party]);
  other.made.emulator.faults.add({
    match: { path: "/history$/" },
    when: {},
    effect: { type: "status", code: 501 },
  });
  const { details } = await doctor(other);
  expect(JSON.stringify(details)).toContain('"name":"tables","state":"ok"');
});

test("many look-ups at once learn it from one refusal, and a run that was killed is settled by it", async () => {
  const day = (number: number): string =>
    new Date(Date.UTC(2000, 0, 1 + number)).toISOString().replace(".000", "");
  const source = Array.from({ length: 250 }, (_, index) => ({ since: day(index), name: "new" }));
  const here = await rowsStage({ columns: { since: "DATETIME", name: "STRING" }, source, key: ["since"] });
  for (const { quirks } of [here.dev, here.prod]) quirks.tableFields = "bare";
  here.prod.quirks.draftFilter = "absent";
  let sent = 0;
  const reached = (point: string): void => {
    if (point === "send:after" && ++sent === 2) throw new Error("killed");
  };
  await expect(here.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
  for (let run = 0; run < 3; run += 1) await here.apply();
  expect(here.target.records().filter(({ published }) => published !== undefined)).toHaveLength(250);
  expect((await here.apply()).exitCode).toBe(0);
});

test("a key of dates is found again where a service does not tell the types of its tables", async () => {
  const since = "2026-01-01T00:00:00Z";
  const here = await rowsStage({
    columns: { since: "DATETIME", name: "STRING" },
    source: [{ since, name: "new" }],
    target: [{ since, name: "old" }],
    key: ["since"],
  });
  here.dev.quirks.tableFields = "bare";
  here.prod.quirks.tableFields = "bare";
  expect(await here.apply()).toMatchObject({ exitCode: 0, summary: { update: 1 } });
  expect(Object.values(here.published())).toMatchObject([{ name: "new" }]);
});
