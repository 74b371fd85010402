import { describe, expect, test } from "vitest";
import {
  InstanceColumns,
  overridden,
  overrideName,
  related,
  relatedName,
} from "../../src/kinds/shared/instance-rows.ts";
import { masterData } from "../../src/kinds/master-data.ts";
import { masterRelation, masterRelationName } from "../../src/kinds/shared/master-rows.ts";
import type { Plan } from "../../src/model/plan.ts";
import { segment } from "../records/masters-stage.ts";
import { planOf } from "../support/plan.ts";

describe("columns", () => {
  test("are matched by pattern, and what is computed is never sent", () => {
    const columns = new InstanceColumns(["src_*", "*_code", "exact.name"]);
    const moved = ["src_name", "a_code", "exact.name"];
    const left = ["std_name", "cmo_code", "eng_active", "source_id", "master_id", "exactXname", "name"];
    expect(moved.filter((name) => columns.has(name))).toEqual(moved);
    expect(left.filter((name) => columns.has(name))).toEqual([]);
  });
});

test("what is beside columns goes by names that no column has, and is told apart again", () => {
  expect(overridden(overrideName("src_name"))).toBe("src_name");
  expect(related(relatedName("addresses", 'a"#b', "1,(2)", "address"))).toEqual([
    "addresses",
    'a"#b',
    "1,(2)",
    "address",
  ]);
  const relation = { role: "a", entity: 'b"', key: ["1,2", 3, true] };
  expect(masterRelation(masterRelationName(relation))).toEqual(relation);
  for (const name of ["src_name", "(active)", overrideName("x")]) expect(related(name)).toBeUndefined();
});

describe("in a plan", () => {
  const entity = {
    layer: "instance" as const,
    entity: "party",
    origins: {},
    columns: ["src_*"],
    filter: {},
    relationships: [],
    overrides: false,
    activity: false,
  };
  const master = {
    ...segment,
    filter: {},
  };
  const problemsOf = (entities: Plan["records"]["masterData"]): readonly string[] => {
    const plan = planOf({ select: { kinds: ["master-data"] }, records: { masterData: [...entities] } });
    return (masterData.settings?.check?.(plan) ?? []).map(({ summary }) => summary);
  };

  test("entities are named, each once, and servers with them", () => {
    const server = "master-data is selected, and no master-data server is named";
    expect(problemsOf([])).toEqual(["master-data is selected, and no entity is named", server, server]);
    expect(problemsOf([entity, entity])).toEqual([server, server, "the entity party is named twice"]);
    expect(problemsOf([entity, { ...entity, entity: "Party" }])).toContain("the entity party is named twice");
    expect(problemsOf([master, { ...master, view: "other" }, entity])).toEqual([server, server]);
    expect(problemsOf([master, master])).toContain("the entity codes/segment is named twice");
  });

  test("masters that are authored are told from merged ones by a filter, or by a word that all are", () => {
    const { authored: _all, ...bare } = master;
    expect(problemsOf([bare])).toContain(
      "no field tells authored masters from those that are merged of instances",
    );
    expect(problemsOf([{ ...bare, filter: { published_by: "x" } }])).toEqual(problemsOf([master]));
  });
});
