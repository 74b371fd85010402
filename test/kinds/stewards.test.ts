import { doctorPlan } from "../../src/operations/doctor/index.ts";
import { describe, expect, test } from "vitest";
import { seedEntity, seedGroup, seedStewardship } from "../../src/emulator/seed.ts";
import { stewardship } from "../../src/kinds/stewardship.ts";
import type { Urn } from "../../src/model/urn.ts";
import { uuidOf } from "../../src/model/urn.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { writes, written } from "../diff/support/log.ts";
import { apply, changeOf, diff, expectAtRest, stage, type Stage } from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import { rollback } from "../operations/rollback/support.ts";
import { seedProduct, seedSqlItem } from "./support/catalog.ts";
import type { PlanChanges } from "../support/world.ts";
import { inWhole } from "../support/whole.ts";

const path = "/api/catalog/v1/stewardship";
const route = "POST stewardship/batch/manage";
const plan: PlanChanges = { select: { kinds: ["stewardship"], dependencies: "mapped-only" } };
const withTerms: PlanChanges = { select: { kinds: ["terms", "stewardship"] } };
const table = (side: Side): Urn => side.item("CUSTOMER");

function steward(side: Side, entityUrn: Urn, group: string): void {
  seedStewardship(side.tenant, { entityUrn, groupUrn: side.group(group) });
}

function stewardOf({ tenant }: Side, urn: Urn): unknown {
  return tenant.entities.get(tenant.stewards.get(urn) ?? "")?.properties["name"];
}

async function stewarded(group = "Customer domain"): Promise<{ at: Stage; here: Urn; there: Urn }> {
  const at = await stage();
  const [here, there] = [table(at.source), table(at.target)];
  steward(at.source, here, group);
  return { at, here, there };
}

test("only a steward of its own moves; one that is inherited comes with what it is inherited from", async () => {
  const at = await stage();
  const item = table(at.source);
  const place = at.source.tenant.items.get(item)?.parentUrn ?? item;
  steward(at.source, place, "Data stewards");
  const first = await apply(at, plan);
  expect(first.changes.map(({ source, action, outcome }) => [source?.urn, action, outcome])).toEqual([
    [place, "update", "done"],
  ]);
  expect(written(at.world)).toEqual([route]);
  expect(at.target.tenant.stewards.has(table(at.target))).toBe(false);
  steward(at.source, item, "Customer domain");
  expect(changeOf(await apply(at, plan), item)).toMatchObject({ action: "update", outcome: "done" });
  expect(written(at.world)).toEqual([route]);
  expect(stewardOf(at.target, table(at.target))).toBe("Customer domain");
  await expectAtRest(at, plan);
});

test.each([
  ["folders", seedFolder],
  ["terms", seedTerm],
] as const)("%s that only their stewards tell apart are each the twin of its own", async (kind, seed) => {
  const at = await stage();
  const both: PlanChanges = { select: { kinds: [kind, "stewardship"] } };
  const stewarded = (side: Side, groups: readonly string[]): readonly Urn[] =>
    groups.map((group) => {
      const urn = seed(side, "Phone");
      steward(side, urn, group);
      return urn;
    });
  const from = stewarded(at.source, ["Data stewards", "Customer domain"]);
  const to = stewarded(at.target, ["Customer domain", "Data stewards"]);
  const done = await apply(at, both);
  expect(done).toMatchObject({ exitCode: 0, summary: { adopt: 2, conflict: 0 } });
  const twins = from.map((urn) =>
    done.changes.find(({ source, kind: of }) => of === kind && source?.urn === urn),
  );
  expect(twins.map((change) => change?.target?.urn)).toEqual([...to].reverse());
  expect(writes(at.world)).toEqual([]);
  await expectAtRest(at, both);
});

test("a folder's steward follows it, in the run that makes the folder", async () => {
  const at = await stage();
  const both: PlanChanges = { select: { kinds: ["folders", "stewardship"] } };
  const folder = seedFolder(at.source, "F");
  steward(at.source, folder, "Data stewards");
  expect((await apply(at, both)).exitCode).toBe(0);
  const [there] = [...at.target.tenant.folders.values()];
  expect(stewardOf(at.target, there?.urn ?? folder)).toBe("Data stewards");
  await expectAtRest(at, both);
  steward(at.source, folder, "Customer domain");
  expect((await apply(at, both)).exitCode).toBe(0);
  expect(stewardOf(at.target, there?.urn ?? folder)).toBe("Customer domain");
});

test("a folder that comes along brings its steward; where folders show none the others move", async () => {
  const at = await stage();
  const folder = seedFolder(at.source, "F");
  seedSqlItem(at.source, "Active", folder);
  steward(at.source, folder, "Data stewards");
  const items: PlanChanges = { select: { kinds: ["sql-items", "stewardship"] } };
  expect((await apply(at, items)).exitCode).toBe(0);
  const [there] = [...at.target.tenant.folders.values()];
  expect(stewardOf(at.target, there?.urn ?? folder)).toBe("Data stewards");

  const other = await stewarded();
  other.at.world.emulator.faults.add({
    match: { path: "/entities$/", query: { entityType: "folder" } },
    when: {},
    effect: { type: "status", code: 400 },
  });
  expect(changeOf(await apply(other.at, plan), other.here)).toMatchObject({ outcome: "done" });
});

describe("folders that no list of entities shows", () => {
  const both: PlanChanges = { select: { kinds: ["folders", "stewardship"] } };

  async function moved(prepare: (at: Stage) => void): Promise<{ at: Stage; stewards: unknown[] }> {
    const at = await stage();
    const top = seedFolder(at.source, "Top");
    const below = seedFolder(at.source, "Below", top);
    seedFolder(at.source, "Beside", top);
    steward(at.source, top, "Data stewards");
    steward(at.source, below, "Customer domain");
    prepare(at);
    expect((await apply(at, both)).exitCode).toBe(0);
    const stewards = ["Top", "Below", "Beside"].map((name) => {
      const there = [...at.target.tenant.folders.values()].find((folder) => folder.name === name);
      return stewardOf(at.target, there?.urn ?? top);
    });
    return { at, stewards };
  }

  const listed = "/entities$/";
  const alone = "/entities/urn.*/";

  function refuse(at: Stage, path: string, query: Readonly<Record<string, string>> = {}): void {
    at.world.emulator.faults.add({
      match: { tenant: "dev", path, query },
      when: {},
      effect: { type: "status", code: 400 },
    });
  }

  test("have their stewards asked for by what they lie in", async () => {
    const { at, stewards } = await moved(({ source }) => {
      source.tenant.quirks.allQueries = "roots";
    });
    expect(stewards).toEqual(["Data stewards", "Customer domain", undefined]);
    await expectAtRest(at, both);
  });

  inWhole("have them asked for one by one where that list is refused altogether", async () => {
    const { stewards } = await moved((at) => refuse(at, listed, { entityType: "folder" }));
    expect(stewards).toEqual(["Data stewards", "Customer domain", undefined]);
  });

  inWhole(
    "have none that is shown where nothing of it is taken, at the cost of three questions",
    async () => {
      const { at, stewards } = await moved((at) => {
        refuse(at, listed, { entityType: "folder" });
        refuse(at, alone);
      });
      expect(stewards).toEqual([undefined, undefined, undefined]);
      const refused = at.world.emulator.log.entries.filter(
        ({ tenant, status }) => tenant === "dev" && status === 400,
      );
      expect(refused).toHaveLength(3);
    },
  );
});

inWhole("what the target inherits is not in the way of one of its own", async () => {
  const { at, here, there } = await stewarded();
  steward(at.target, at.target.tenant.items.get(there)?.parentUrn ?? there, "Data stewards");
  expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "update", outcome: "done" });
  await expectAtRest(at, plan);
});

test("a group without a pair blocks, and is named; with its pair in the plan it goes on", async () => {
  const { at, here, there } = await stewarded();
  const { urn: group } = seedGroup(at.source.tenant, { name: "Nobody's" });
  seedStewardship(at.source.tenant, { entityUrn: here, groupUrn: group });
  const change = changeOf(await apply(at, plan), here);
  expect(change).toMatchObject({ action: "blocked" });
  expect(JSON.stringify(change?.diagnostics)).toContain(uuidOf(group));
  expect(JSON.stringify(change?.diagnostics)).toContain("pairing.groups");
  expect(written(at.world)).toEqual([]);
  const groups = { [uuidOf(group)]: uuidOf(at.target.group("Data stewards")) };
  expect(changeOf(await apply(at, { ...plan, pairing: { groups } }), here)).toMatchObject({
    outcome: "done",
  });
  expect(stewardOf(at.target, there)).toBe("Data stewards");
});

test("a group without a pair that the plan leaves out is told, though nothing else is to be done", async () => {
  const { at, here } = await stewarded();
  const { urn: group } = seedGroup(at.source.tenant, { name: "Nobody's" });
  seedStewardship(at.source.tenant, { entityUrn: here, groupUrn: group });
  const result = await apply(at, { ...plan, policy: { missingGroup: "drop" } });
  expect(written(at.world)).toEqual([]);
  expect(result.diagnostics).toContainEqual(
    expect.objectContaining({ coordinate: expect.objectContaining({ urn: here }), pointer: "/groupUrn" }),
  );
});

inWhole(
  "the steward of an entity that is moved already follows when stewards alone are selected",
  async () => {
    const at = await stage();
    const product = seedProduct(at.source, "Sales");
    const select = { entityTypes: ["dataProduct"] };
    await apply(at, { select: { ...select, kinds: ["entities"] } });
    steward(at.source, product, "Customer domain");
    const result = await apply(at, {
      select: { ...select, kinds: ["stewardship"], dependencies: "mapped-only" },
    });
    expect(changeOf(result, product)).toMatchObject({ action: "update", outcome: "done" });
    expect(stewardOf(at.target, at.target.entity("dataProduct", "Sales"))).toBe("Customer domain");
  },
);

inWhole(
  "another one on both sides at first contact is a conflict; the source wins where the plan says so",
  async () => {
    const { at, here, there } = await stewarded();
    steward(at.target, there, "Data stewards");
    expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "conflict" });
    expect(written(at.world)).toEqual([]);
    const wins: PlanChanges = { ...plan, policy: { conflict: "source-wins" } };
    expect(changeOf(await apply(at, wins), here)).toMatchObject({ action: "update", outcome: "done" });
    expect(writes(at.world)[0]?.body).toMatchObject({
      data: [{ entityUrn: there, previousStewardAccessLevel: "viewMetadata" }],
    });
    expect(stewardOf(at.target, there)).toBe("Customer domain");
    await expectAtRest(at, plan);
  },
);

test("one that only the target has is left alone; one that was brought there and is taken away is for a person", async () => {
  const { at, here, there } = await stewarded();
  const other = [at.source.item("PRODUCT"), at.target.item("PRODUCT")] as const;
  steward(at.target, other[1], "Data stewards");
  await apply(at, plan);
  expect(stewardOf(at.target, other[1])).toBe("Data stewards");
  await expectAtRest(at, plan);
  at.source.tenant.stewards.delete(here);
  const result = await apply(at, plan);
  expect(changeOf(result, here)).toMatchObject({
    action: "manual",
    diagnostics: [{ code: "steward-stays" }],
  });
  expect(written(at.world)).toEqual([]);
  expect(stewardOf(at.target, there)).toBe("Customer domain");
  at.target.tenant.stewards.delete(there);
  await expectAtRest(at, plan);
});

test("somebody else at the target since is drift", async () => {
  const { at, here, there } = await stewarded();
  await apply(at, plan);
  steward(at.target, there, "Data stewards");
  expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "drift" });
  const overwrite: PlanChanges = { ...plan, policy: { drift: "overwrite" } };
  expect(changeOf(await apply(at, overwrite), here)).toMatchObject({ action: "update", outcome: "done" });
  expect(stewardOf(at.target, there)).toBe("Customer domain");
});

test("terms and entities that the run creates have theirs after it", async () => {
  const at = await stage();
  const term = seedTerm(at.source, "Customer");
  const { urn: product } = seedEntity(at.source.tenant, {
    concreteType: "dataProduct",
    parentProperty: "dataProducts",
    properties: { name: "Customer 360" },
  });
  for (const urn of [term, product]) steward(at.source, urn, "Customer domain");
  const all: PlanChanges = {
    select: { kinds: ["terms", "entities", "stewardship"], entityTypes: ["dataProduct"] },
  };
  expect(await apply(at, all)).toMatchObject({ exitCode: 0 });
  expect(stewardOf(at.target, at.target.term("Customer"))).toBe("Customer domain");
  const [there] = at.target.tenant.entities.valuesIn("type:dataProduct");
  expect(stewardOf(at.target, there?.urn ?? term)).toBe("Customer domain");
  await expectAtRest(at, all);
});

test("what the run creates and has no steward, or none that is moved, is named to nobody", async () => {
  const at = await stage();
  seedTerm(at.source, "Account");
  const { urn: group } = seedGroup(at.source.tenant, { name: "Nobody's" });
  seedStewardship(at.source.tenant, { entityUrn: seedTerm(at.source, "Customer"), groupUrn: group });
  const strict: PlanChanges = { ...withTerms, policy: { targetOnly: "remove", missingGroup: "drop" } };
  expect(await apply(at, strict)).toMatchObject({ exitCode: 0, summary: { failed: 0 } });
  expect(written(at.world)).toEqual(["POST terms/bulk"]);
  await expectAtRest(at, strict);
});

test.each([
  ["over what stands", plan],
  ["over what the run creates as well", withTerms],
])(
  "without the interface every one is for a person, in the run that finds it out and ever after: %s",
  async (_, chosen) => {
    const { at, here } = await stewarded();
    const term = seedTerm(at.source, "Customer");
    for (const urn of [term, at.source.item("PRODUCT")]) steward(at.source, urn, "Data stewards");
    at.target.tenant.quirks.absent = [path];
    const first = await apply(at, chosen);
    const mine = (result: typeof first) => result.changes.filter(({ kind }) => kind === stewardship.name);
    for (const result of [first, await apply(at, chosen), await diff(at, chosen)]) {
      const there = mine(result).filter(({ source }) => source?.urn !== term || chosen === withTerms);
      expect(there.map(({ action, outcome }) => [action, outcome])).toEqual(
        there.map(() => ["manual", undefined]),
      );
      expect(there).toHaveLength(chosen === withTerms ? 3 : 2);
      const causes = there.flatMap(({ diagnostics }) => diagnostics.map(({ cause }) => cause?.key));
      expect(new Set(causes)).toEqual(new Set(["no-stewardship-interface"]));
      expect(result).toMatchObject({ exitCode: expect.toSatisfy((code: number) => [0, 4].includes(code)) });
      expect(result.summary.failed).toBe(0);
    }
    // The run went on, and what was known to be missing was not asked for again.
    if (chosen === withTerms) expect(at.target.term("Customer")).toBeDefined();
    await apply(at, chosen);
    expect(written(at.world)).toEqual([]);
    expect(changeOf(first, here)).toMatchObject({ action: "manual" });
  },
);

inWhole(
  "an interface that is there by now is used once somebody has the environment looked over",
  async () => {
    const { at, here } = await stewarded();
    at.target.tenant.quirks.absent = [path];
    await apply(at, plan);
    at.target.tenant.quirks.absent = [];
    const still = changeOf(await apply(at, plan), here);
    expect(still).toMatchObject({ action: "manual" });
    expect(still?.diagnostics[0]?.suggestion).toContain("run `ferry doctor test`: it is tried again then");
    const doctor = await doctorPlan(at.world.migration(plan));
    expect(JSON.stringify(doctor.details)).toContain("what prod was seen not to offer is tried again");
    expect(JSON.stringify((await doctorPlan(at.world.migration(plan))).details)).not.toContain("tried again");
    expect(changeOf(await apply(at, plan), here)).toMatchObject({ outcome: "done" });
    await expectAtRest(at, plan);
  },
);

inWhole.each(["drop-before-commit", "drop-after-commit", "truncate", "missing-items"] as const)(
  "a lost answer (%s) is settled, and nobody is named twice",
  async (type) => {
    const { at, there } = await stewarded();
    const second = at.source.item("PRODUCT");
    steward(at.source, second, "Data stewards");
    at.world.emulator.faults.add({
      match: { tenant: "prod", route: `POST ${path}/batch/manage` },
      when: { times: 1 },
      effect: { type },
    });
    expect(await apply(at, plan)).toMatchObject({ exitCode: 0, summary: { inDoubt: 0, failed: 0 } });
    expect(written(at.world)).toHaveLength(type === "drop-before-commit" ? 2 : 1);
    expect(stewardOf(at.target, there)).toBe("Customer domain");
    expect(stewardOf(at.target, at.target.item("PRODUCT"))).toBe("Data stewards");
    await expectAtRest(at, plan);
  },
);

test("a rollback names the steward again who was there, and says where there was none before", async () => {
  const { at, here, there } = await stewarded();
  const [second, twin] = [at.source.item("PRODUCT"), at.target.item("PRODUCT")];
  steward(at.source, second, "Customer domain");
  steward(at.target, twin, "Data stewards");
  await apply(at, { ...plan, policy: { conflict: "source-wins" } });
  const result = await rollback(at, plan);
  expect(result.exitCode).toBe(4);
  expect(changeOf(result, here)).toMatchObject({ action: "manual" });
  expect(changeOf(result, second)).toMatchObject({ action: "update", outcome: "done" });
  expect(stewardOf(at.target, there)).toBe("Customer domain");
  expect(stewardOf(at.target, twin)).toBe("Data stewards");
});

inWhole(
  "a steward that a rollback has given back is asked about again, and not replaced by the next run",
  async () => {
    const { at, here, there } = await stewarded();
    steward(at.target, there, "Data stewards");
    await apply(at, { ...plan, policy: { conflict: "source-wins" } });
    expect((await rollback(at, plan)).exitCode).toBe(0);
    expect(changeOf(await apply(at, plan), here)).toMatchObject({ action: "conflict" });
    expect(written(at.world)).toEqual([]);
    expect(stewardOf(at.target, there)).toBe("Data stewards");
  },
);

inWhole("a plan that moves other things forgets nothing of what another one has brought", async () => {
  const products: PlanChanges = {
    name: "products",
    select: { kinds: ["entities", "stewardship"], entityTypes: ["dataProduct"] },
  };
  const at = await stage();
  const product = seedProduct(at.source, "Sales");
  steward(at.source, product, "Data stewards");
  await apply(at, products);
  const there = at.target.entity("dataProduct", "Sales");
  steward(at.target, there, "Supply domain");
  await apply(at, { name: "terms", ...withTerms });
  // A colleague's change of what we have brought is drift, and not first contact, where the source would win.
  const result = await apply(at, { ...products, policy: { conflict: "source-wins" } });
  expect(result.changes.map(({ action }) => action)).toEqual(["drift"]);
  expect(stewardOf(at.target, there)).toBe("Supply domain");
});
