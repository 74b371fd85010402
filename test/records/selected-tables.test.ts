import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import type { Selector } from "../../src/model/plan.ts";
import { columns, rows, rowsStage, type RowsStage } from "./support.ts";

/** Two tables and a term, of which a plan selects some by their names alone. */
async function selecting(select: {
  readonly include?: readonly Selector[];
  readonly exclude?: readonly Selector[];
}): Promise<RowsStage> {
  const stage = await rowsStage();
  seed.seedTerm(stage.dev, { name: "Customer" });
  for (const tenant of [stage.dev, stage.prod])
    seed.seedReferenceTable(tenant, {
      name: "Currencies",
      columns,
      rows: tenant === stage.dev ? rows : [],
    });
  const tables = ["Countries", "Currencies"] as const;
  stage.changes = {
    select: { kinds: ["terms", "reference-data"], ...select },
    records: {
      referenceData: tables.map((table) => ({ table, key: ["code"], publish: "direct" as const })),
    },
  };
  return stage;
}

test.each([
  { select: { include: [{ name: "Countries" }] }, moved: ["Countries"] },
  { select: { include: [{ name: "C*" }] }, moved: ["Countries", "Currencies", "Customer"] },
  { select: { include: [{ name: "Cu*" }] }, moved: ["Currencies", "Customer"] },
  { select: { exclude: [{ name: "Countries" }] }, moved: ["Currencies", "Customer"] },
  { select: { exclude: [{ name: "Cu*" }] }, moved: ["Countries"] },
  { select: { include: [{ kind: "terms", name: "C*" }] }, moved: ["Countries", "Currencies", "Customer"] },
  {
    select: { include: [{ name: "C*" }], exclude: [{ kind: "reference-data", name: "Cu*" }] },
    moved: ["Countries", "Customer"],
  },
])("a selector without a kind is about tables as well: $select", async ({ select, moved }) => {
  const stage = await selecting(select);
  const { exitCode, changes } = await stage.apply();
  expect(exitCode).toBe(0);
  expect(new Set(changes.map(({ source }) => source?.name))).toEqual(new Set(moved));
});

test("one of tables alone is no mistake where nothing else is selected, and one of nothing is", async () => {
  const stage = await selecting({ exclude: [{ name: "Countries" }] });
  stage.changes = { ...stage.changes, select: { ...stage.changes.select, kinds: ["reference-data"] } };
  expect((await stage.diff()).changes.map(({ source }) => source?.name)).toEqual(["Currencies"]);
  const none = { kinds: ["reference-data"], exclude: [{ name: "Contries" }] };
  await expect(stage.diff({ select: none })).rejects.toThrow('exclude: name "Contries"');
});

test.each(["include", "exclude"] as const)("a table goes by no URN: %s", async (list) => {
  const stage = await selecting({
    [list]: [{ kind: "reference-data", urns: ["urn:data:dev:reference-data:table:1"] }],
  });
  await expect(stage.diff()).rejects.toThrow("goes by a URN");
  expect(stage.writes()).toBe(0);
});
