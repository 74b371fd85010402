import { expect, test } from "vitest";
import * as emulator from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { apply, expectAtRest, expectChange, stage, twinOf } from "../diff/support/run.ts";
import type { Stage } from "../diff/support/run.ts";
import type { PlanChanges } from "../support/world.ts";
import { editEntity, seedProduct } from "./support/catalog.ts";

/**
 * What the source's metadata model does not name for a while cannot be asked for: no run in between knows what the source says of
 * it, and so none may take for known that it says what the target has.
 */
const plan: PlanChanges = { select: { kinds: ["entities"], entityTypes: ["dataProduct"] } };

interface Named extends Stage {
  readonly product: Urn;
  readonly twin: Urn;
}

/** A value is moved; then the source's model does not name its property while `meanwhile` happens, and a run. */
async function unnamed(meanwhile: (at: Named) => void): Promise<Named> {
  const at = await stage();
  for (const { tenant } of [at.source, at.target])
    emulator.seedMetadataProperty(tenant, "dataProduct", { name: "grade" });
  const product = seedProduct(at.source, "Sales", { grade: "gold" });
  await apply(at, plan);
  const named = { ...at, product, twin: (await twinOf(at, product)) as Urn };
  emulator.removeMetadataProperty(at.source.tenant, "dataProduct", "grade");
  meanwhile(named);
  await apply(at, plan);
  return named;
}

/** The model names it again; without a value the source has cleared it. */
function name({ source, product }: Named, grade?: string): void {
  emulator.seedMetadataProperty(source.tenant, "dataProduct", { name: "grade" });
  const { grade: _before, ...rest } = source.body(product)["properties"] as Record<string, string>;
  const entity = source.tenant.entities.get(product);
  if (entity !== undefined)
    source.tenant.entities.put({
      ...entity,
      properties: grade === undefined ? rest : { ...rest, grade },
    });
}

const gradeOf = ({ target, twin }: Named): unknown =>
  (target.body(twin)["properties"] as Record<string, unknown>)["grade"];

test.each([
  { value: "gold", action: "drift" },
  { value: "silver", action: "conflict" },
  { value: undefined, action: "conflict" },
] as const)("a colleague's change of it is a $action when the source says $value again", async (row) => {
  const at = await unnamed(({ target, twin }) => editEntity(target, twin, { grade: "theirs" }));
  name(at, row.value);
  expectChange(await apply(at, plan), at.product, row.action, "since the last apply");
  expect(gradeOf(at)).toBe("theirs");
});

test.each([
  { what: "nothing else", meanwhile: () => {} },
  {
    what: "another value",
    meanwhile: ({ source, product }: Named) => editEntity(source, product, { description: "new" }),
  },
])("what the source has cleared is cleared, where $what was changed meanwhile", async ({ meanwhile }) => {
  const at = await unnamed(meanwhile);
  name(at);
  expect(expectChange(await apply(at, plan), at.product, "update", "")).toMatchObject({ outcome: "done" });
  expect(gradeOf(at)).toBeUndefined();
  await expectAtRest(at, plan);
});

test("what it says as before is nobody's change", async () => {
  const at = await unnamed(() => {});
  name(at, "gold");
  await expectAtRest(at, plan);
});
