import { describe, expect, test } from "vitest";
import { ReferenceTable } from "../../src/kinds/shared/reference-table.ts";
import { valueText } from "../../src/kinds/shared/row-values.ts";
import { tableId } from "../../src/kinds/shared/table-ids.ts";
import type { Json } from "../../src/model/json.ts";
import type { Plan } from "../../src/model/plan.ts";
import { parseJson } from "../../src/model/json-text.ts";
import { loadPlan } from "../../src/plan/load.ts";
import { PlanError } from "../../src/plan/plan-error.ts";
import { registry } from "../../src/kinds/index.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

describe("values are one where they say the same", () => {
  const same: readonly (readonly [string, string])[] = [
    ["1", "1.0"],
    ["1e2", "100"],
    ["0.10", "0.1"],
    ['"2024-05-01T12:00:00Z"', '"2024-05-01T14:00:00.000+02:00"'],
    ['"2024-05-01T12:00Z"', '"2024-05-01T12:00:00+0000"'],
    ['"2024-05-01T12:00:00.1234Z"', '"2024-05-01T12:00:00.12340Z"'],
  ];
  test.each(same)("%s and %s", (one, other) => {
    expect(valueText(parseJson(one), false)).toBe(valueText(parseJson(other), false));
  });

  const different: readonly (readonly [string, string])[] = [
    ["1", '"1"'],
    ["true", '"true"'],
    ["9007199254740993", "9007199254740992"],
    ['"2024-05-01"', '"2024-05-01T00:00:00Z"'],
    ['"2024-05-01T12:00:00.1234Z"', '"2024-05-01T12:00:00.1235Z"'],
    ['"a"', '"A"'],
    ['"2024-05-01T12:00:00"', '"2024-05-01T12:00:00Z"'],
  ];
  test.each(different)("%s and %s are two", (one, other) => {
    expect(valueText(parseJson(one), false)).not.toBe(valueText(parseJson(other), false));
  });

  test("what is known to be text is text, whatever it looks like", () => {
    const [one, other] = ["2024-05-01T12:00:00Z", "2024-05-01T14:00:00+02:00"];
    expect(valueText(one, true)).not.toBe(valueText(other, true));
  });
});

describe("rows", () => {
  const columns = new Map([
    ["code", "STRING"],
    ["year", "INTEGER"],
    ["since", "DATE"],
  ]);
  const record = (values: Readonly<Record<string, Json>>): { urn: string; values: Json } => ({
    urn: "urn:x",
    values: Object.entries(values).map(([name, value]) => ({ name, value })),
  });

  test("are named by their key, and have none where a part of it is missing", () => {
    const table = new ReferenceTable(["code", "year"], columns);
    expect(table.rowOf(record({ code: "DE", year: 2024 }))).toMatchObject({ name: "DE / 2024" });
    for (const odd of [{ code: "DE" }, { code: "", year: 1 }, { code: "DE", year: null }])
      expect(table.rowOf(record(odd)).key).toBeUndefined();
    expect(table.rowOf(record({ year: 1 }), table).bad).toBe("its key attribute code is empty");
  });

  test("whose values the target has no place for are told", () => {
    const to = new ReferenceTable(["code"], columns);
    const from = new ReferenceTable(["code"], undefined);
    const bad = (values: Readonly<Record<string, Json>>): string | undefined =>
      from.rowOf(record({ code: "DE", ...values }), to).bad;
    expect(bad({ year: 1, since: "2024-05-01" })).toBeUndefined();
    expect(bad({ year: "1" })).toBe("its year is no INTEGER");
    expect(bad({ since: true })).toBe("its since is no DATE");
    expect(bad({ capital: "Berlin" })).toContain("has no attribute capital");
    expect(bad({ year: { of: 1 } })).toBe("its year is neither text, number nor truth value");
  });

  test("are looked up by values of the type that their attribute has", () => {
    const one = new ReferenceTable(["since"], columns);
    expect(one.filterOf([{ values: { since: "2024-05-01" } }, { values: { since: "2024-05-02" } }])).toEqual({
      attribute: { attributeName: { equals: "since" }, date: { in: ["2024-05-01", "2024-05-02"] } },
    });
    const two = new ReferenceTable(["code", "year"], undefined);
    expect(two.filterOf([{ values: { code: "DE", year: 1 } }])).toEqual({
      or: [
        {
          and: [
            { attribute: { attributeName: { equals: "code" }, string: { equals: "DE" } } },
            { attribute: { attributeName: { equals: "year" }, number: { equals: 1 } } },
          ],
        },
      ],
    });
  });
});

test("each table has files of its own", () => {
  expect(tableId(["Countries", "Countries"])).toBe("countries");
  const ids = [
    ["Countries", "Other"],
    ["Länder / 2024", "Länder / 2024"],
    ["日本", "日本"],
    ["中国", "中国"],
    ["..", ".."],
  ].map(tableId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z0-9][a-z0-9-]*$/);
});

describe("in a plan", () => {
  function planOf(records: string): Plan {
    const folder = mkdtempSync(join(tmpdir(), "ferry-"));
    const side = (name: string): string =>
      `{ name: ${name}, baseUrl: "https://${name}.example.com", realm: x, clientId: x, clientSecret: x }`;
    const path = join(folder, "plan.yaml");
    writeFileSync(
      path,
      `version: 1\nsource: ${side("dev")}\ntarget: ${side("prod")}\nselect: { kinds: [reference-data] }\n${records}\n`,
    );
    try {
      const [selectable, sections] = [registry.selectable(), registry.sections()];
      return loadPlan({ plan: path, folder, env: {}, selectable, sections }).plan;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  function problemsOf(records: string): readonly string[] {
    try {
      planOf(records);
      return [];
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      return error.problems.map(({ path: at, summary }) => `${at}: ${summary}`);
    }
  }

  test("tables are named with their keys", () => {
    expect(problemsOf("records: { referenceData: [ { table: Countries, key: [code] } ] }")).toEqual([]);
  });

  test("shares no files with an entity of master data, whatever it is called", () => {
    for (const name of ["party-instances", "Party-Instances", "codes-segment-masters"]) {
      const text = `records:
  referenceData: [ { table: ${name}, key: [a] } ]
  masterData:
    - { layer: instance, entity: party }
    - { layer: master, view: codes, entity: segment, key: [a], authored: all }`;
      const plan = planOf(text);
      const ids = registry.records().flatMap((kind) => kind.tables(plan).map(({ id }) => id));
      expect(new Set(ids).size).toBe(3);
    }
  });

  test.each([
    ["", "reference-data is selected, and no table is named"],
    ["records: { referenceData: [ { table: A, key: [] } ] }", "records.referenceData[0].key"],
    ["records: { referenceData: [ { table: A, key: [a], publish: now } ] }", "publish"],
    [
      "records: { referenceData: [ { table: A, key: [a] }, { table: B, targetTable: A, key: [a] } ] }",
      "two tables have one target",
    ],
    [
      "records: { referenceData: [ { table: A, key: [a] }, { table: a, key: [a] } ] }",
      "differ in capital letters alone",
    ],
    ["records: { referenceData: [ { table: A, key: [a] } ] }\nlimits: { badRows: 120% }", "badRows"],
  ])("%s is refused", (records, why) => {
    expect(problemsOf(records).join("\n")).toContain(why);
  });
});
