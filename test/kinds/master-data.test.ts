import { describe, expect, test } from "vitest";
import {
  InstanceColumns,
  overridden,
  overrideName,
  related,
  relatedName,
} from "../../src/kinds/shared/instance-rows.ts";
import { masterData } from "../../src/kinds/master-data.ts";
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
  expect(related(relatedName("addresses", 'a"#b', "1,(2)"))).toEqual(["addresses", 'a"#b', "1,(2)"]);
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
  const problemsOf = (entities: readonly (typeof entity)[]): readonly string[] => {
    const plan = planOf({ select: { kinds: ["master-data"] }, records: { masterData: [...entities] } });
    return (masterData.settings?.check?.(plan) ?? []).map(({ summary }) => summary);
  };

  test("entities are named, each once, and servers with them", () => {
    const server = "master-data is selected, and no master-data server is named";
    expect(problemsOf([])).toEqual(["master-data is selected, and no entity is named", server, server]);
    expect(problemsOf([entity, entity])).toEqual([server, server, "the entity party is named twice"]);
    expect(problemsOf([entity, { ...entity, entity: "Party" }])).toContain("the entity party is named twice");
  });
});
