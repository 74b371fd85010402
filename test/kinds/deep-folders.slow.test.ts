import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import type { Side } from "../diff/support/side.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { editFolder, removeFolder } from "../diff/support/web.ts";
import { seedIssue, seedProduct } from "./support/catalog.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";

const plan = { select: { kinds: ["folders"] } };
const allowDelete = { allowDelete: true, maxDeletes: 50 };
const depth = 50;

/** Fifty folders in each other, the outermost first; all but it are called the same. */
function seedDeep(side: Side): readonly Urn[] {
  const all: Urn[] = [];
  for (let level = 0; level < depth; level += 1)
    all.push(seedFolder(side, level === 0 ? "Top" : "Level", all.at(-1)));
  return all;
}

/** Names of the folders from the innermost of the longest line up. */
function line({ tenant }: Side, top: Urn): readonly Urn[] {
  const below = [...tenant.folders.values()].filter(({ parentUrn }) => parentUrn === top);
  const lines = below.map(({ urn }) => line({ tenant } as Side, urn));
  const longest = lines.reduce((found, one) => (one.length > found.length ? one : found), []);
  return [top, ...longest];
}

function deepAt(side: Side): number {
  return [...side.tenant.folders.values()].some(({ name }) => name === "Top")
    ? line(side, side.folder("Top")).length
    : 0;
}

function requests(at: Place, method: string): number {
  return at.writes().filter((entry) => entry.method === method).length;
}

function inOrder(one: readonly unknown[], other: readonly unknown[]): number {
  return String(one[0]) < String(other[0]) ? -1 : 1;
}

test("fifty levels of folders come over, change, go and come back, a request a folder", async () => {
  const at = await fresh();
  const all = seedDeep(at.source);
  const before = at.target.tenant.folders.size;
  const made = await at.apply(plan, { verify: true });
  expect(made.exitCode).toBe(0);
  expect([deepAt(at.target), requests(at, "POST")]).toEqual([depth, depth]);
  // One list a side, whatever is above what, and one more to prove it; none is read by itself, and none by its parent.
  const reads = at.world.emulator.log.entries.filter(
    ({ method, path }) => method === "GET" && /\/folders/.test(path),
  );
  expect(reads.map(({ tenant, route, query }) => [tenant, route, query["parentUrn"]]).sort(inOrder)).toEqual(
    ["dev", "prod", "prod"].map((tenant) => [tenant, "GET /api/catalog/v1/folders", undefined]),
  );
  expect((await at.apply(plan)).changes).toEqual([]);

  const inner = all.at(-1) as Urn;
  editFolder(at.source, inner, { description: "The innermost" });
  expect((await at.apply(plan, { verify: true })).exitCode).toBe(0);
  expect(at.writes().map(({ method }) => method)).toEqual(["PATCH"]);
  expect(
    at.target.tenant.folders.get(line(at.target, at.target.folder("Top")).at(-1) ?? "")?.description,
  ).toBe("The innermost");

  for (const urn of all) removeFolder(at.source, urn);
  const gone = await at.apply(plan, allowDelete);
  expect(gone.exitCode).toBe(0);
  expect([at.target.tenant.folders.size, requests(at, "DELETE")]).toEqual([before, depth]);
  // The service refuses to delete one that holds another: none was refused.
  expect(at.writes().filter(({ status }) => status >= 400)).toEqual([]);

  const back = await rollbackRun(at.world.migration(plan), { confirm: async () => true, ...allowDelete });
  expect(back.exitCode).toBe(0);
  expect(deepAt(at.target)).toBe(depth);
});

test("fifty levels that are at the target already are adopted, and a rollback of the run that made them takes them away", async () => {
  const at = await fresh();
  for (const side of [at.source, at.target]) seedDeep(side);
  const adopted = await at.apply(plan);
  expect(at.writes()).toEqual([]);
  expect(adopted.summary).toMatchObject({ adopt: depth, create: 0 });

  const other = await fresh();
  seedDeep(other.source);
  const before = other.target.tenant.folders.size;
  await other.apply(plan);
  const undone = await rollbackRun(other.world.migration(plan), {
    confirm: async () => true,
    ...allowDelete,
  });
  expect(undone.exitCode).toBe(0);
  expect(other.target.tenant.folders.size).toBe(before);
});

test("names that differ only in case are different things, of every kind that goes by its name", async () => {
  const at = await fresh();
  const all = {
    select: { kinds: ["folders", "terms", "entities"], entityTypes: ["dataProduct", "qualityIssue"] },
  };
  const seed = (side: Side, name: string): readonly Urn[] => [
    seedFolder(side, name),
    seedTerm(side, name),
    seedProduct(side, name),
    seedIssue(side, name),
  ];
  const small = seed(at.source, "sales");
  const large = seed(at.source, "Sales");
  seed(at.target, "Sales");
  const first = await at.diff(all);
  // What a side says of a thing holds its name: the twins are the same but for nothing.
  for (const urn of large) expect(changeOf(first, urn)).toMatchObject({ action: "adopt" });
  for (const urn of small) expect(changeOf(first, urn)).toMatchObject({ action: "create" });
  expect((await at.apply(all)).exitCode).toBe(0);
  expect(at.target.tenant.terms.size).toBe(2);
  expect((await at.apply(all)).changes).toEqual([]);
});

test.each(["drop-before-commit", "drop-after-commit", "truncate"] as const)(
  "a folder whose creation was lost (%s) is settled: one of each, in its parent",
  async (effect) => {
    const at = await fresh();
    const top = seedFolder(at.source, "Top");
    seedFolder(at.source, "Inner", top);
    at.world.emulator.faults.add({
      match: { tenant: "prod", route: "POST /api/catalog/v1/folders" },
      when: { times: 1 },
      effect: { type: effect },
    });
    expect((await at.apply(plan)).exitCode).toBe(0);
    const called = (name: string): number =>
      [...at.target.tenant.folders.values()].filter((folder) => folder.name === name).length;
    expect([called("Top"), called("Inner")]).toEqual([1, 1]);
    expect(at.target.tenant.folders.get(at.target.folder("Inner"))?.parentUrn).toBe(at.target.folder("Top"));
    expect((await at.apply(plan)).changes).toEqual([]);
  },
);
