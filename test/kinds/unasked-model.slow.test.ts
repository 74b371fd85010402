import { expect, test } from "vitest";
import * as emulator from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { exportSnapshot } from "../../src/operations/export.ts";
import { seedFolder } from "../diff/support/content.ts";
import { seedProduct } from "./support/catalog.ts";
import { fresh } from "./support/place.ts";

type At = Awaited<ReturnType<typeof fresh>>;

const plan = { select: { kinds: ["terms", "folders"] } } as const;
const entities = { select: { kinds: ["entities"], entityTypes: ["dataProduct"] } } as const;
const overwriting = { ...plan, policy: { drift: "overwrite", conflict: "source-wins" } } as const;

async function filled(): Promise<At> {
  const at = await fresh();
  emulator.seedTerm(at.source.tenant, { name: "T", extraProperties: { owner: "Ada" } });
  seedFolder(at.source, "F", undefined, { extraProperties: { costCentre: "1" } });
  seedFolder(at.source, "Plain");
  return at;
}

function held({ target }: At): readonly unknown[] {
  const [term] = [...target.tenant.terms.values()];
  const folder = [...target.tenant.folders.values()].find(({ name }) => name === "F");
  return [term?.published?.extraProperties?.["owner"], folder?.extraProperties?.["costCentre"]];
}

/** As a fault answers it: 200, and nothing in it. */
function emptied({ tenant }: At["source"]): void {
  for (const { name } of tenant.model.all()) emulator.removeMetadataType(tenant, name);
}

test.each([
  ["source", plan],
  ["target", plan],
  ["target", overwriting],
  ["source", entities],
  ["target", entities],
] as const)("a model of the %s without any type ends a later run: %j", async (side, changes) => {
  const at = await filled();
  seedProduct(at.source, "Sales", { tier: 1 });
  await at.apply(changes);
  const before = held(at);
  emptied(at[side]);
  await expect(at.apply(changes)).rejects.toThrow(
    `GET /api/catalog/v1/metadata-model/entities at "${side === "source" ? "dev" : "prod"}": the list is empty, which cannot be true`,
  );
  expect(at.writes("prod")).toEqual([]);
  expect(held(at)).toEqual(before);
});

test("and so it does a first one, before anything is created", async () => {
  const at = await filled();
  emptied(at.target);
  await expect(at.apply(plan)).rejects.toThrow("which cannot be true");
  expect(at.writes("prod")).toEqual([]);
});

test("a type that the target's model does not name: nothing is created with properties of it", async () => {
  const at = await filled();
  emulator.removeMetadataType(at.target.tenant, "folder");
  for (const name of ["businessTerm", "securityTerm", "policyTerm", "term"])
    if (at.target.tenant.model.get(name) !== undefined) emulator.removeMetadataType(at.target.tenant, name);
  const { changes, exitCode } = await at.apply(plan);
  expect(exitCode).toBe(exitCodes.partial);
  const told = changes.map(({ kind, source, action, reason }) => [kind, source?.name, action, reason]);
  expect(told).toEqual(
    expect.arrayContaining([
      ["terms", "T", "blocked", "prod: its metadata model has no type businessTerm"],
      ["folders", "F", "blocked", "prod: its metadata model has no type folder"],
      ["folders", "Plain", "create", expect.any(String)],
    ]),
  );
});

test.each([
  ["reported", plan],
  ["overwritten", overwriting],
])("and what it has there is nobody's drift, where drift is %s", async (_policy, changes) => {
  const at = await filled();
  await at.apply(changes);
  emulator.removeMetadataType(at.target.tenant, "folder");
  const blind = await at.apply(changes);
  expect(blind.changes.filter(({ action }) => action !== "unchanged")).toMatchObject([
    { action: "blocked", source: { name: "F" }, reason: "prod: its metadata model has no type folder" },
  ]);
  expect(at.writes("prod")).toEqual([]);
  expect(held(at)).toEqual(["Ada", "1"]);
});

test("the same of a single property", async () => {
  const at = await filled();
  await at.apply(plan);
  emulator.removeMetadataProperty(at.target.tenant, "folder", "costCentre");
  const blind = await at.apply(plan);
  expect(blind.changes.filter(({ action }) => action !== "unchanged")).toMatchObject([
    { action: "blocked", reason: "prod: its metadata model has no property costCentre of folder" },
  ]);
  const left = { ...plan, policy: { missingProperty: "drop" } } as const;
  expect((await at.apply(left)).exitCode).toBe(exitCodes.done);
  expect(held(at)).toEqual(["Ada", "1"]);
});

test("a snapshot says what the source was asked for when it was made: the model of today does not", async () => {
  const at = await filled();
  const policy = { policy: { drift: "overwrite", conflict: "source-wins" } } as const;
  expect((await at.apply({ ...plan, ...policy })).exitCode).toBe(exitCodes.done);
  const costCentre = at.source.tenant.model
    .get("folder")
    ?.properties.find(({ name }) => name === "costCentre");
  emulator.removeMetadataProperty(at.source.tenant, "folder", "costCentre");
  const migration = at.world.migration(plan);
  (await exportSnapshot(migration)).close();
  emulator.seedMetadataProperty(at.source.tenant, "folder", { name: "costCentre", ...costCentre });
  const result = await at.apply({ ...plan, ...policy }, { snapshot: at.world.places().snapshot });
  expect(at.writes("prod")).toEqual([]);
  expect([result.exitCode, held(at)]).toEqual([exitCodes.done, ["Ada", "1"]]);
});
