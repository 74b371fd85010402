import { expect, test } from "vitest";
import { seedCatalogItem } from "../../src/emulator/seed.ts";
import { folders } from "../../src/kinds/folders.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import type { Result } from "../../src/model/result.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedFolder } from "../diff/support/content.ts";
import type { Side } from "../diff/support/side.ts";
import { editFolder, removeFolder } from "../diff/support/web.ts";
import { contract } from "./contract.ts";
import { changeOf, fresh } from "./support/place.ts";
import { refusedFolder } from "./support/spoil.ts";

const plan = { select: { kinds: ["folders"] } };

/** Three folders in each other, and four that hold no other; those first. */
function seed(from: Side): readonly Urn[] {
  const top = seedFolder(from, "Finance");
  const middle = seedFolder(from, "Reports", top);
  const inner = seedFolder(from, "2026", middle);
  const first = seedFolder(from, "Q1", inner, { extraProperties: {} });
  const second = seedFolder(from, "Q2", inner);
  return [first, second, seedFolder(from, "Sandbox"), seedFolder(from, "Q1", top), inner, middle, top];
}

contract({
  kind: folders,
  plan,
  routes: {
    create: "POST /api/catalog/v1/folders",
    patch: "PATCH /api/catalog/v1/folders/:urn",
    delete: "DELETE /api/catalog/v1/folders/:urn",
  },
  seed,
  spoil: ({ source }, urn) => refusedFolder(source, urn),
  edit: (from, urn) => editFolder(from, urn, { description: "Changed" }),
  drop: removeFolder,
});

test("a tree that is at the target already is taken at once, to any depth, and what is missing in it is made there", async () => {
  const at = await fresh();
  const all = seed(at.source);
  seed(at.target);
  const deep = seedFolder(at.source, "March", all[0]);
  const result = await at.apply(plan);
  expect(result.exitCode).toBe(0);
  for (const urn of all) expect(changeOf(result, urn).action).toBe("adopt");
  expect(changeOf(result, deep)).toMatchObject({ action: "create", outcome: "done" });
  expect(at.target.tenant.folders.get(at.target.folder("March"))?.parentUrn).toBe(
    (await at.entries(folders)).get(all[0] ?? "")?.target,
  );
  expect((await at.diff(plan)).changes).toEqual([]);
});

test("a folder that moved at the source stays where it is at the target, and a person is told both places", async () => {
  const at = await fresh();
  const [first = "" as Urn, , , , inner = "" as Urn, , top = "" as Urn] = seed(at.source);
  await at.apply(plan);
  editFolder(at.source, first, { parentUrn: top });
  const change = changeOf(await at.apply(plan), first);
  expect(change).toMatchObject({ action: "manual" });
  expect(change.fields).toMatchObject([{ path: "/parentUrn", fromName: "2026", toName: "Finance" }]);
  expect(at.writes()).toEqual([]);
  expect(inner).not.toBe(top);
});

test("a folder in which somebody keeps an item is not deleted, and the item is named", async () => {
  const at = await fresh();
  const [, , sandbox = "" as Urn] = seed(at.source);
  await at.apply(plan);
  seedCatalogItem(at.target.tenant, {
    name: "ADHOC",
    parentUrn: at.target.folder("Sandbox"),
    query: "select 1",
  });
  removeFolder(at.source, sandbox);
  const result = await at.apply(plan, { allowDelete: true });
  expect(changeOf(result, sandbox)).toMatchObject({ action: "manual" });
  expect(changeOf(result, sandbox).reason).toContain("ADHOC");
  expect(at.writes()).toEqual([]);
});

test("a rollback takes a tree away from the inside, and brings one back from the outside", async () => {
  const at = await fresh();
  const all = seed(at.source);
  const before = at.target.tenant.folders.size;
  await at.apply(plan);
  expect(at.target.tenant.folders.size).toBe(before + all.length);
  const undo = (): Promise<Result> =>
    rollbackRun(at.world.migration(plan), { confirm: async () => true, allowDelete: true });
  for (const urn of all) removeFolder(at.source, urn);
  await at.apply(plan, { allowDelete: true });
  expect(at.target.tenant.folders.size).toBe(before);
  expect((await undo()).exitCode).toBe(0);
  expect(at.target.tenant.folders.size).toBe(before + all.length);
  const { folders: back } = at.target.tenant;
  const parent = back.get(at.target.folder("2026"))?.parentUrn;
  expect(parent).toBe(at.target.folder("Reports"));
  expect(back.get(parent ?? "")?.parentUrn).toBe(at.target.folder("Finance"));
});

test("a rollback of the run that made a tree takes it away again", async () => {
  const at = await fresh();
  const all = seed(at.source);
  const before = at.target.tenant.folders.size;
  await at.apply(plan);
  expect(at.target.tenant.folders.size).toBe(before + all.length);
  const result = await rollbackRun(at.world.migration(plan), {
    confirm: async () => true,
    allowDelete: true,
  });
  expect(result.exitCode).toBe(0);
  expect(at.target.tenant.folders.size).toBe(before);
});
