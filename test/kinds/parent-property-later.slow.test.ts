import { describe, expect, test } from "vitest";
import { changeMetadataType, removeMetadataProperty, seedMetadataProperty } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { apply, changeOf, diff, expectAtRest, stage, type Stage } from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import { ended, rollback } from "../operations/rollback/support.ts";
import type { PlanChanges } from "../support/world.ts";
import { editEntity, removeOne, seedPort, seedProduct } from "./support/catalog.ts";

/** In which property of its parent an entity stands is worked out; by other words of the plan, or another model, another one. */

const plan: PlanChanges = { select: { kinds: ["entities"], entityTypes: ["dataProduct", "outputPort"] } };
const allowDelete = true;

function saying(property: string): PlanChanges {
  return { ...plan, pairing: { parentProperties: { "dataProduct/outputPort": property } } };
}

/** A product holds ports in `ports`, and in `drafts`. */
function seedDrafts({ tenant }: Side): void {
  const entityName = "outputPort";
  seedMetadataProperty(tenant, "dataProduct", { name: "drafts", type: "ARRAY_EMBEDDED", entityName });
  changeMetadataType(tenant, entityName, { nodePaths: ["/dataProducts/ports", "/dataProducts/drafts"] });
}

interface Moved {
  readonly at: Stage;
  readonly changed: Urn;
  readonly gone: Urn;
}

async function moved(first: PlanChanges, sides: readonly ("source" | "target")[] = []): Promise<Moved> {
  const at = await stage();
  for (const side of sides) seedDrafts(at[side]);
  const product = seedProduct(at.source, "Sales");
  seedPort(at.source, product, "Left alone");
  const [changed, gone] = [seedPort(at.source, product, "Changed"), seedPort(at.source, product, "Gone")];
  expect((await apply(at, first)).exitCode).toBe(0);
  return { at, changed, gone };
}

describe("nobody has changed what stands there", () => {
  test("where the plan says another property by now", async () => {
    const { at, changed, gone } = await moved(saying("drafts"), ["source", "target"]);
    editEntity(at.source, changed, { format: "CSV" });
    removeOne(at.source, gone);
    const later = saying("ports");
    const result = await apply(at, later, { allowDelete });
    expect(ended(result)).toEqual(["update entities done", "delete entities done"]);
    expect(result.exitCode).toBe(0);
    await expectAtRest(at, later, { allowDelete });
    await expectAtRest(at, saying("drafts"), { allowDelete });
  });

  test("where the plan says another property by now, and no more selects the type of the parent", async () => {
    const { at, changed, gone } = await moved(saying("drafts"), ["source", "target"]);
    editEntity(at.source, changed, { format: "CSV" });
    removeOne(at.source, gone);
    const later = { ...saying("ports"), select: { kinds: ["entities"], entityTypes: ["outputPort"] } };
    const result = await apply(at, later, { allowDelete });
    expect(ended(result)).toEqual(["update entities done", "delete entities done"]);
    expect(result.exitCode).toBe(0);
    await expectAtRest(at, later, { allowDelete });
  });

  test("where the target's model has a second one that fits by now; what goes there waits for a word of the plan", async () => {
    const { at, changed, gone } = await moved(plan);
    seedDrafts(at.target);
    await expectAtRest(at, plan, { allowDelete });
    editEntity(at.source, changed, { format: "CSV" });
    removeOne(at.source, gone);
    const result = await apply(at, plan, { allowDelete });
    expect(ended(result)).toEqual(["update entities done", "blocked entities"]);
    expect(changeOf(result, gone)?.reason).toBe(
      "it is gone at the source, and the metadata model leaves several properties of its parent that could hold it: ports, drafts",
    );
    expect(changeOf(result, gone)?.diagnostics[0]?.suggestion).toContain('"dataProduct/outputPort": ports');
    expect(ended(await apply(at, saying("ports"), { allowDelete }))).toEqual(["delete entities done"]);
    await expectAtRest(at, saying("ports"), { allowDelete });
  });

  test("where the model had a second one for a while; what was not written meanwhile is as it was", async () => {
    const { at, changed } = await moved(plan);
    seedDrafts(at.target);
    await expectAtRest(at, plan);
    removeMetadataProperty(at.target.tenant, "dataProduct", "drafts");
    changeMetadataType(at.target.tenant, "outputPort", { nodePaths: ["/dataProducts/ports"] });
    editEntity(at.source, changed, { format: "CSV" });
    expect(ended(await apply(at, plan))).toEqual(["update entities done"]);
  });

  test("and what a rollback has put back is back, also where the plan says another one by then", async () => {
    const { at, changed } = await moved(saying("drafts"), ["source", "target"]);
    editEntity(at.source, changed, { format: "CSV" });
    const { run = "" } = await apply(at, saying("drafts"));
    expect((await rollback(at, saying("drafts"), { run })).exitCode).toBe(0);
    const again = await rollback(at, saying("ports"), { run });
    expect([again.exitCode, again.changes]).toEqual([0, []]);
  });

  test("and a rollback takes back what the run made", async () => {
    const { at } = await moved(saying("drafts"), ["source", "target"]);
    const result = await rollback(at, saying("ports"), { allowDelete });
    expect(result.exitCode).toBe(0);
    expect(new Set(ended(result))).toEqual(new Set(["delete entities done"]));
  });
});

test("what somebody has changed there is theirs all the same", async () => {
  const { at, changed, gone } = await moved(saying("drafts"), ["source", "target"]);
  editEntity(at.source, changed, { format: "CSV" });
  removeOne(at.source, gone);
  for (const name of ["Changed", "Gone"])
    editEntity(at.target, at.target.entity("outputPort", name), { format: "XML" });
  const result = await diff(at, saying("ports"));
  expect(changeOf(result, changed)?.action).toBe("conflict");
  expect(changeOf(result, gone)).toMatchObject({
    action: "manual",
    reason: "it is gone at the source, and it was changed at the target since the last apply",
  });
});
