import { expect, test } from "vitest";
import { isArray, type Json, type JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { type Api, at, expectRefusal, type Reply, startWorld, textAt, urnAt } from "./support.ts";

const base = "/api/reference-data/v1";
const columns = { code: "STRING", name: "STRING", area: "NUMBER", member: "BOOLEAN", since: "DATE" } as const;

interface Stage {
  readonly api: Api;
  readonly dev: Awaited<ReturnType<typeof startWorld>>["dev"];
  readonly table: Urn;
  readonly path: string;
}

async function stage(rows: readonly JsonObject[] = []): Promise<Stage> {
  const { api, dev } = await startWorld();
  dev.quirks.publishing = "at-once";
  const { urn } = seed.seedReferenceTable(dev, { name: "Countries", columns, rows });
  return { api, dev, table: urn, path: `${base}/tables/${urn}` };
}

const values = (row: JsonObject): Json => Object.entries(row).map(([name, value]) => ({ name, value }));
const byCode = (codes: readonly string[]): Json => ({
  attribute: { attributeName: { equals: "code" }, string: { in: [...codes] } },
});
const codesOf = ({ body }: Reply): readonly Json[] =>
  (at(body, "data") as Json[]).map(
    (record) =>
      (at(record, "values") as Json[]).flatMap((entry) =>
        at(entry, "name") === "code" ? [at(entry, "value") ?? null] : [],
      )[0] ?? null,
  );

test("tables are listed", async () => {
  const { api, table } = await stage();
  const { body } = await api.get(`${base}/tables`);
  expect(body).toMatchObject({ meta: { next: null, total: 1 }, data: [{ urn: table, name: "Countries" }] });
});

test("tables come in pages, as all lists do", async () => {
  const { api, dev } = await stage();
  for (let more = 0; more < 24; more += 1)
    seed.seedReferenceTable(dev, { name: `T${more}`, columns, rows: [] });
  const first = await api.get(`${base}/tables`);
  expect([first.body, at(first.body, "data")]).toMatchObject([{ meta: { total: 25 } }, { length: 20 }]);
  const { body } = await api.get(`${base}/tables?after=${textAt(first.body, "meta.next")}`);
  expect(at(body, "data")).toHaveLength(5);
  expect(body).toMatchObject({ meta: { prev: null, next: null, total: 25 } });
  expectRefusal(await api.get(`${base}/tables?size=101`), 400);
});

test("a record is created in the draft, and shows when it is published by its URN alone", async () => {
  const { api, path } = await stage();
  const made = await api.post(`${path}/draft/batch`, {
    records: [{ values: values({ code: "DE", area: 357_022 }) }, { values: values({ code: "FR" }) }],
  });
  expect(made.body).toMatchObject({
    meta: { total: 2 },
    data: [{ urn: expect.stringContaining("reference-data:record"), state: "NEW" }, { state: "NEW" }],
  });
  expect(codesOf(await api.post(`${path}/published/filter`, {}))).toEqual([]);
  const filter = { recordUrn: { in: [urnAt(made.body, "data.0.urn")] } };
  const { body } = await api.post(`${path}/draft/publish`, { filter });
  expect(body).toMatchObject({ publishedDatasetUrn: expect.any(String), publishedAt: expect.any(String) });
  expect(codesOf(await api.post(`${path}/published/filter`, {}))).toEqual(["DE"]);
});

test("twice without a URN is two records: creating is not idempotent", async () => {
  const { api, path } = await stage();
  for (const _ of [1, 2])
    await api.post(`${path}/draft/batch`, { records: [{ values: values({ code: "DE" }) }] });
  await api.post(`${path}/draft/publish`, {});
  expect(codesOf(await api.post(`${path}/published/filter`, {}))).toEqual(["DE", "DE"]);
});

test("with a URN only the listed attributes change, and null clears", async () => {
  const { api, path } = await stage([{ code: "DE", name: "Germany", area: 1 }]);
  const urn = textAt((await api.post(`${path}/published/filter`, {})).body, "data.0.urn");
  const { body } = await api.post(`${path}/draft/batch`, {
    records: [{ urn, values: values({ name: "Deutschland", area: null }) }],
  });
  expect(at(body, "data.0")).toEqual({
    urn,
    values: values({ code: "DE", name: "Deutschland" }),
    state: "CHANGED",
  });
});

test("one value that does not fit refuses the whole batch and points at it", async () => {
  const { api, path } = await stage();
  const records = [
    { values: values({ code: "DE" }) },
    { values: values({ code: "FR", area: "large" }) },
    { values: values({ code: "IT", capital: "Rome" }) },
    { urn: "urn:data:dev:reference-data:record:00000000-0000-4000-8000-000000000000", values: [] },
  ];
  const reply = await api.post(`${path}/draft/batch`, { records });
  expectRefusal(reply, 400, "#/records/1/values/1/value");
  expectRefusal(reply, 400, "#/records/2/values/1/name");
  expectRefusal(reply, 400, "#/records/3/urn");
  expect(codesOf(await api.post(`${path}/published/filter`, {}))).toEqual([]);
});

test("what is published is looked up by values of every type", async () => {
  const rows = [
    { code: "DE", area: 1.5, member: true, since: "1958-01-01" },
    { code: "CH", area: 2, member: false, since: "1291-08-01" },
  ];
  const { api, path } = await stage(rows);
  const look = async (name: string, operators: JsonObject): Promise<readonly Json[]> =>
    codesOf(
      await api.post(`${path}/published/filter`, {
        filter: { attribute: { attributeName: { equals: name }, ...operators } },
      }),
    );
  expect(await look("code", { string: { in: ["DE", "XX", "CH"] } })).toEqual(["DE", "CH"]);
  expect(await look("area", { number: { equals: 1.5 } })).toEqual(["DE"]);
  expect(await look("member", { boolean: { equals: false } })).toEqual(["CH"]);
  expect(await look("since", { date: { in: ["1291-08-01"] } })).toEqual(["CH"]);
  const both = { or: [byCode(["DE"]), { and: [byCode(["CH"]), byCode(["DE"])] }] };
  expect(codesOf(await api.post(`${path}/published/filter`, { filter: both }))).toEqual(["DE"]);
  const wrong = { attribute: { attributeName: { equals: "area" }, string: { in: ["1"] } } };
  expectRefusal(
    await api.post(`${path}/published/filter`, { filter: wrong }),
    400,
    "#/filter/attribute/string",
  );
});

test("pages go on where they ended, also when a record goes meanwhile", async () => {
  const { api, dev, path, table } = await stage(
    Array.from({ length: 5 }, (_, index) => ({ code: `C${index}` })),
  );
  const first = await api.post(`${path}/published/filter?size=2`, {});
  expect(at(first.body, "meta.total")).toBe(5);
  const found = dev.referenceData.table(table);
  const [gone] = found.publishedWith("code", "C1");
  if (gone !== undefined) found.show(gone, undefined);
  const next = textAt(first.body, "meta.next");
  const second = await api.post(`${path}/published/filter?size=2&after=${next}`, {});
  expect(codesOf(second)).toEqual(["C2", "C3"]);
});

test("publishing is asynchronous where it is told to be", async () => {
  const { api, dev, path } = await stage();
  dev.quirks.publishing = { afterReads: 2 };
  await api.post(`${path}/draft/batch`, { records: [{ values: values({ code: "DE" }) }] });
  await api.post(`${path}/draft/publish`, {});
  expect(codesOf(await api.post(`${path}/published/filter`, {}))).toEqual([]);
  expect(codesOf(await api.post(`${path}/published/filter`, {}))).toEqual(["DE"]);
});

test("a publication that nobody looks at holds up none of another table", async () => {
  const { api, dev, path } = await stage();
  const { urn } = seed.seedReferenceTable(dev, { name: "Others", columns: { code: "STRING" }, rows: [] });
  const other = path.replace(/urn:[^/]*$/, urn);
  dev.quirks.publishing = { afterReads: 1 };
  for (const one of [path, other]) {
    await api.post(`${one}/draft/batch`, { records: [{ values: values({ code: "DE" }) }] });
    await api.post(`${one}/draft/publish`, {});
  }
  expect(codesOf(await api.post(`${other}/published/filter`, {}))).toEqual(["DE"]);
});

test("what was published later is not shown as it was before by a publication that takes longer", async () => {
  const { api, dev, path, table } = await stage([{ code: "DE", name: "old" }]);
  dev.quirks.publishing = { afterReads: 2 };
  const found = dev.referenceData.table(table);
  const [record] = found.records();
  if (record === undefined) throw new Error("there is no record");
  await api.post(`${path}/draft/batch`, { records: [{ urn: record.urn, values: values({ name: "ours" }) }] });
  await api.post(`${path}/draft/publish`, {});
  seed.editRecord(found, record, { name: "theirs" });
  dev.referenceData.settle();
  expect(record).toMatchObject({
    state: "UNCHANGED",
    draft: record.published,
    published: { name: "theirs" },
  });
});

test("a deletion counts when it is published", async () => {
  const { api, path } = await stage([{ code: "DE" }, { code: "FR" }]);
  const urn = textAt((await api.post(`${path}/published/filter`, {})).body, "data.0.urn");
  expect((await api.delete(`${path}/draft/${urn}`)).body).toMatchObject({ urn, state: "DELETED" });
  expect(codesOf(await api.post(`${path}/published/filter`, {}))).toEqual(["DE", "FR"]);
  await api.post(`${path}/draft/publish`, { filter: { recordUrn: { in: [urn] } } });
  expect(codesOf(await api.post(`${path}/published/filter`, {}))).toEqual(["FR"]);
  expectRefusal(await api.delete(`${path}/draft/${urn}`), 404);
});

test("a review takes what matches, keeps it from being published, and gives it back when it is approved", async () => {
  const { api, path } = await stage();
  const records = ["DE", "FR"].map((code) => ({ values: values({ code }) }));
  await api.post(`${path}/draft/batch`, { records });
  const asked = await api.post(`${path}/draft/request-review`, {
    name: "Countries",
    priority: "MEDIUM",
    description: "",
    filter: { state: { in: ["NEW", "CHANGED"] }, ...(byCode(["DE"]) as JsonObject) },
  });
  expect(asked.body).toMatchObject({ taskMetadata: { name: "Countries", priority: "MEDIUM" } });
  const review = `${base}/reviews/${textAt(asked.body, "reviewDatasetUrn")}`;
  const shown = await api.get(`${review}/records`);
  expect(codesOf(shown)).toEqual(["DE"]);
  expect(at(shown.body, "data.0.state")).toBe("REVIEW");
  await api.post(`${path}/draft/publish`, {});
  expect(codesOf(await api.post(`${path}/published/filter`, {}))).toEqual(["FR"]);
  const own = { filter: { recordUrn: { in: [textAt(shown.body, "data.0.urn")] } } };
  expectRefusal(await api.post(`${path}/draft/publish`, own), 409);
  expect((await api.post(`${review}/approve`, {})).body).toEqual({ affectedRecordCount: 1 });
  await api.post(`${path}/draft/publish`, own);
  expect(codesOf(await api.post(`${path}/published/filter`, {}))).toEqual(["DE", "FR"]);
});

test("drafts cannot be read, unless the service offers more than its document says", async () => {
  const { api, dev, path } = await stage();
  await api.post(`${path}/draft/batch`, { records: [{ values: values({ code: "DE" }) }] });
  expectRefusal(await api.post(`${path}/draft/filter`, {}), 404);
  dev.quirks.draftFilter = "offered";
  expect(codesOf(await api.post(`${path}/draft/filter`, { filter: { state: { in: ["NEW"] } } }))).toEqual([
    "DE",
  ]);
});

test("who may only read is refused a write", async () => {
  const { api, dev, path } = await stage();
  dev.restrict("reference-data", { write: false });
  expectRefusal(await api.post(`${path}/draft/batch`, { records: [{ values: [] }] }), 403);
  expect(isArray(at((await api.post(`${path}/published/filter`, {})).body, "data"))).toBe(true);
});
