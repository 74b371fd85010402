import { expect, test } from "vitest";
import * as emulator from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import { apply, decideOne, diff, expectAtRest, expectChange, stage, twinOf } from "../diff/support/run.ts";
import type { Stage } from "../diff/support/run.ts";
import type { PlanChanges } from "../support/world.ts";
import { editEntity, seedProduct } from "./support/catalog.ts";

/** What the source's metadata model does not name for a while: what a person said of it, what waits, and what never came from there. */
const plan: PlanChanges = { select: { kinds: ["entities"], entityTypes: ["dataProduct"] } };

interface Named extends Stage {
  readonly product: Urn;
  readonly twin: Urn;
}

async function graded(): Promise<Stage> {
  const at = await stage();
  for (const { tenant } of [at.source, at.target])
    emulator.seedMetadataProperty(tenant, "dataProduct", { name: "grade" });
  return at;
}

async function begin(): Promise<Named> {
  const at = await graded();
  const product = seedProduct(at.source, "Sales", { grade: "gold" });
  await apply(at, plan);
  return { ...at, product, twin: (await twinOf(at, product)) as Urn };
}

function unname({ source }: Stage): void {
  emulator.removeMetadataProperty(source.tenant, "dataProduct", "grade");
}

/** Without a value the source has cleared it. */
function name({ source, product }: Named, grade?: string): void {
  emulator.seedMetadataProperty(source.tenant, "dataProduct", { name: "grade" });
  const { grade: _before, ...rest } = source.body(product)["properties"] as Record<string, string>;
  const entity = source.tenant.entities.get(product);
  if (entity === undefined) throw new Error("it is not there");
  source.tenant.entities.put({ ...entity, properties: grade === undefined ? rest : { ...rest, grade } });
}

function said({ target, twin }: Pick<Named, "target" | "twin">): unknown {
  return target.body(twin)["properties"];
}

test.each([
  { theirs: "theirs", what: "nothing else", isOther: false },
  { theirs: "theirs", what: "another value", isOther: true },
  { theirs: null, what: "nothing else", isOther: false },
  { theirs: null, what: "another value", isOther: true },
])(
  "what a person has had stay as somebody made it ($theirs) stays, where $what was changed meanwhile",
  async ({ theirs, isOther }) => {
    const at = await begin();
    editEntity(at.target, at.twin, { grade: theirs });
    const before = (said(at) as { readonly grade?: unknown }).grade;
    await decideOne(at, plan, "keep-target");
    await apply(at, plan);
    unname(at);
    if (isOther) editEntity(at.source, at.product, { description: "new" });
    await apply(at, plan);
    name(at, "gold");
    expect((await apply(at, plan)).changes).toEqual([]);
    expect((said(at) as { readonly grade?: unknown }).grade).toEqual(before);
    await expectAtRest(at, plan);
    if (theirs === null) return;
    name(at, "silver");
    expectChange(await diff(at, plan), at.product, "conflict", "what the target was to keep");
  },
);

test("what the source has cleared is a change of it, also beside one at the target", async () => {
  const at = await begin();
  unname(at);
  editEntity(at.source, at.product, { description: "new" });
  await apply(at, plan);
  name(at);
  expectChange(await diff(at, plan), at.product, "update", "it changed at the source");
  editEntity(at.target, at.twin, { description: "theirs" });
  expectChange(await diff(at, plan), at.product, "conflict", "it changed on both sides");
});

test("what the source has cleared is cleared, where a change waited for something new meanwhile", async () => {
  const at = await begin();
  for (const { tenant } of [at.source, at.target])
    emulator.seedMetadataProperty(tenant, "dataProduct", {
      name: "seeAlso",
      type: "SINGLE_REFERENCE",
      entityName: "dataProduct",
    });
  unname(at);
  editEntity(at.source, at.product, { seeAlso: seedProduct(at.source, "Other") });
  expect(await apply(at, plan)).toMatchObject({ exitCode: 0, summary: { create: 1, update: 1 } });
  expect(said(at)).toMatchObject({ grade: "gold" });
  name(at);
  expect((await apply(at, plan)).summary.update).toBe(1);
  expect(said(at)).not.toHaveProperty("grade");
  await expectAtRest(at, plan);
});

test.each(["by its name", "by a person"])(
  "what the target has of its own is no word of the source: one that is paired %s meanwhile",
  async (how) => {
    const at = await graded();
    const product = seedProduct(at.source, "Sales", { description: "same" });
    const twin = seedProduct(at.target, "Sales", { description: "same", grade: "theirs" });
    const by: PlanChanges = { ...plan, policy: { adopt: "by-name" } };
    unname(at);
    if (how === "by a person") await setMappings(at.world.migration(by), [{ source: product, target: twin }]);
    await apply(at, by);
    name({ ...at, product, twin });
    await expectAtRest(at, by);
    expect(said({ ...at, twin })).toMatchObject({ grade: "theirs" });
    editEntity(at.target, twin, { description: "theirs" });
    expectChange(await diff(at, by), product, "drift", "it was changed at the target");
    editEntity(at.target, twin, { description: "same" });
    name({ ...at, product, twin }, "gold");
    const told = expectChange(await diff(at, by), product, "update", "it changed at the source");
    expect(told.diagnostics.map(({ code }) => code)).toEqual(["taken-over"]);
  },
);

/** What it had when it was brought, what somebody has made of it while the source could not be asked, and what the source says after that. */
const cases = [
  { had: undefined, theirs: "theirs", says: undefined, kept: "at-rest", taken: "at-rest" },
  { had: undefined, theirs: "theirs", says: "gold", kept: "conflict", taken: "conflict" },
  { had: "gold", theirs: "theirs", says: "gold", kept: "at-rest", taken: "conflict" },
  { had: "gold", theirs: "theirs", says: undefined, kept: "conflict", taken: "conflict" },
  { had: "gold", theirs: null, says: "gold", kept: "at-rest", taken: "conflict" },
] as const;

test.each(
  (["keep-target", "take-source", "source-wins"] as const).flatMap((by) =>
    cases.map((one) => ({ ...one, by, comes: by === "keep-target" ? one.kept : one.taken })),
  ),
)(
  "what somebody has made of it ($had, then $theirs) is theirs, where another field is decided meanwhile ($by) and the source says $says: $comes",
  async ({ had, theirs, says, by, comes }) => {
    const at = await graded();
    const product = seedProduct(at.source, "Sales", had === undefined ? {} : { grade: had });
    await apply(at, plan);
    const twin = (await twinOf(at, product)) as Urn;
    unname(at);
    editEntity(at.target, twin, { grade: theirs });
    editEntity(at.source, product, { description: "new" });
    if (by === "source-wins") await apply(at, { ...plan, policy: { conflict: by } });
    else {
      await decideOne(at, plan, by);
      await apply(at, plan);
    }
    const before = said({ ...at, twin });
    expect(before).toMatchObject(by === "keep-target" ? {} : { description: "new" });
    name({ ...at, product, twin }, says);
    const result = await apply(at, plan);
    expect(result.changes.map(({ action }) => action)).toEqual(comes === "at-rest" ? [] : [comes]);
    expect(said({ ...at, twin })).toEqual(before);
  },
);
