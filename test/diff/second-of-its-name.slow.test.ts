import { expect, test } from "vitest";
import { seedAssignment } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { PlanChanges } from "../support/world.ts";
import { editEntity, seedProduct } from "../kinds/support/catalog.ts";
import { removeMappings, setMappings } from "../../src/operations/mappings.ts";
import { seedFolder, seedMonitor, seedRule, seedTerm } from "./support/content.ts";
import {
  apply,
  changeOf,
  diff,
  expectAtRest,
  expectChange,
  type Stage,
  stage,
  twinOf,
} from "./support/run.ts";
import { wanted } from "./support/side.ts";
import { editFolder, editMonitor, editTerm, removeTerm } from "./support/web.ts";

const code = "second-of-its-name";
const plan: PlanChanges = {
  select: { kinds: ["folders", "terms", "rules", "monitors", "entities"], entityTypes: ["dataProduct"] },
};
const termNames = ({ target }: Stage): readonly string[] =>
  [...target.tenant.terms.values()].map(({ published }) => published?.name ?? "").sort();

test("what is renamed to the name of something at the target that nobody has paired says so, and how to pair it", async () => {
  const at = await stage();
  const folder = seedFolder(at.source, "A");
  const term = seedTerm(at.source, "A");
  const product = seedProduct(at.source, "A");
  const monitor = seedMonitor(at.source, seedRule(at.source, "Email"), "A");
  await apply(at, plan);
  const theirs = new Map<Urn, Urn>([
    [folder, seedFolder(at.target, "B")],
    [term, seedTerm(at.target, "B")],
    [product, seedProduct(at.target, "B")],
    [monitor, seedMonitor(at.target, seedRule(at.target, "Another"), "B")],
  ]);
  editFolder(at.source, folder, { name: "B" });
  editTerm(at.source, term, { name: "B" });
  editEntity(at.source, product, { name: "B" });
  editMonitor(at.source, monitor, { name: "B" });
  const result = await apply(at, plan);
  for (const [source, target] of theirs) {
    const change = expectChange(result, source, "update", "it changed at the source");
    expect(change.diagnostics).toMatchObject([{ severity: "warning", code }]);
    expect(change.diagnostics[0]?.summary).toContain(`"B" (${target})`);
    expect(change.diagnostics[0]?.suggestion).toContain(`set ${source} ${target}`);
  }
  expect(result.exitCode).toBe(0);
  await expectAtRest(at, plan);
});

test("who swap names, pass them on, or share one at the source as well are in nobody's way", async () => {
  const at = await stage();
  const [a, b, c, d] = ["A", "B", "C", "D"].map((name) => seedTerm(at.source, name)) as [Urn, Urn, Urn, Urn];
  const [one, two] = [seedFolder(at.source, "One"), seedFolder(at.source, "Two")];
  const inner = seedFolder(at.source, "Inner", one);
  await apply(at, plan);
  seedFolder(at.target, "Other", (await twinOf(at, two)) as Urn);
  editTerm(at.source, a, { name: "B" });
  editTerm(at.source, b, { name: "C" });
  editTerm(at.source, c, { name: "A" });
  editFolder(at.source, one, { name: "Two" });
  editFolder(at.source, two, { name: "One" });
  editFolder(at.source, inner, { name: "Other" });
  const result = await apply(at, plan);
  expect(result.changes.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  expect(termNames(at)).toEqual(["A", "B", "C", "D"]);
  editTerm(at.source, a, { name: "D" });
  expect(changeOf(await apply(at, plan), a)?.diagnostics).toEqual([]);
  expect(at.source.body(d)["name"]).toBe("D");
});

test("the one that keeps its name where the swap is not made whole is named", async () => {
  const at = await stage();
  const [a, b] = [seedTerm(at.source, "A"), seedTerm(at.source, "B")];
  await apply(at, plan);
  // Its own change is left to a person: it was changed at the target as well.
  editTerm(at.source, a, { name: "B" });
  editTerm(at.source, b, { name: "A" });
  editTerm(at.target, (await twinOf(at, b)) as Urn, { description: "Theirs" });
  const change = wanted(changeOf(await diff(at, plan), a), a);
  expect(change.diagnostics).toMatchObject([{ code }]);
  expect(change.diagnostics[0]?.summary).toContain(`the twin of terms "A" (${b})`);
});

test("what is made beside a twin that somebody has called so at the target says so", async () => {
  const at = await stage();
  const old = seedTerm(at.source, "A");
  await apply(at, plan);
  editTerm(at.target, (await twinOf(at, old)) as Urn, { name: "B" });
  const made = seedTerm(at.source, "B");
  const change = wanted(changeOf(await diff(at, plan), made), made);
  expect(change).toMatchObject({ action: "create", diagnostics: [{ severity: "warning", code }] });
});

/** A term that was brought to the target, deleted at the source and made anew there. */
async function madeAnew(): Promise<{ at: Stage; old: Urn; there: Urn; made: () => Urn }> {
  const at = await stage();
  const old = seedTerm(at.source, "T");
  await apply(at, plan);
  const there = (await twinOf(at, old)) as Urn;
  removeTerm(at.source, old);
  return { at, old, there, made: () => seedTerm(at.source, "T") };
}

test("what is made anew at the source says whose place it takes, and how to keep that one", async () => {
  const { at, old, there, made } = await madeAnew();
  const term = made();
  const change = expectChange(await diff(at, plan), term, "create", `it takes the place of ${there}`);
  expect(change.diagnostics).toMatchObject([{ severity: "warning", code }]);
  expect(change.diagnostics[0]?.summary).toContain("deleted under --allow-delete alone");
  expect(change.diagnostics[0]?.suggestion).toContain(
    `mappings test remove ${old}, and then ferry mappings test set ${term} ${there}`,
  );
  await apply(at, plan, { allowDelete: true });
  expect(termNames(at)).toEqual(["T"]);
  await expectAtRest(at, plan, { allowDelete: true });
});

test("it is not made beside a twin that is not deleted, since somebody has changed that one; what it says to do keeps that one", async () => {
  const { at, old, there, made } = await madeAnew();
  editTerm(at.target, there, { description: "Theirs" });
  const term = made();
  const user = seedTerm(at.source, "User", { extraProperties: { partOf: term } });
  const result = await apply(at, plan, { allowDelete: true });
  expectChange(result, term, "blocked", "a second one is not made beside it");
  expectChange(result, user, "blocked", 'it waits for terms "T"');
  expect(changeOf(result, term)?.diagnostics).toMatchObject([{ severity: "error", code }]);
  expect(termNames(at)).toEqual(["T"]);
  expect((await removeMappings(at.world.migration(plan), [old])).diagnostics).toEqual([]);
  await setMappings(at.world.migration(plan), [{ source: term, target: there }]);
  await apply(at, { ...plan, policy: { drift: "overwrite" } });
  expect(termNames(at)).toEqual(["T", "User"]);
  expect(await twinOf(at, term)).toBe(there);
  await expectAtRest(at, plan);
});

test("nor beside a twin that is not deleted since something at the target refers to it", async () => {
  const { at, there, made } = await madeAnew();
  seedAssignment(at.target.tenant, {
    attributeUrn: at.target.attribute("CUSTOMER", "EMAIL"),
    termUrn: there,
  });
  const term = made();
  const user = seedTerm(at.source, "User", { extraProperties: { partOf: term } });
  for (const options of [{ allowDelete: true }, {}]) {
    const result = await apply(at, plan, options);
    expectChange(result, term, "blocked", "a second one is not made beside it");
    expect(changeOf(result, term)?.diagnostics).toMatchObject([{ severity: "error", code }]);
    expectChange(result, user, "blocked", 'it waits for terms "T"');
  }
  expect(termNames(at)).toEqual(["T"]);
});

test("where the plan adopts nothing, it is made, and says that two stand there", async () => {
  const { at, there, made } = await madeAnew();
  editTerm(at.target, there, { description: "Theirs" });
  const term = made();
  const change = changeOf(await diff(at, { ...plan, policy: { adopt: "never" } }), term);
  expect(change).toMatchObject({ action: "create", diagnostics: [{ severity: "warning", code }] });
});

test("what is renamed to the name of one that is gone at the source says that two stand there until that is deleted", async () => {
  const { at, old } = await madeAnew();
  const other = seedTerm(at.source, "Other");
  await apply(at, plan);
  editTerm(at.source, other, { name: "T" });
  const change = expectChange(await diff(at, plan), other, "update", "it changed at the source");
  expect(change.diagnostics).toMatchObject([{ code }]);
  expect(change.diagnostics[0]?.summary).toContain(old);
});
