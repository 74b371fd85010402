import { expect, test } from "vitest";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { apply, expectAtRest, refusal, type Stage, stage, twinOf } from "../diff/support/run.ts";
import { wanted } from "../diff/support/side.ts";
import { seedProduct } from "../kinds/support/catalog.ts";
import type { PlanChanges } from "../support/world.ts";
import { killedAt } from "./support.ts";

/** Which entities a listing shows the plan says, and the one that settles what a killed run has sent may say otherwise. */
const products: PlanChanges = {
  select: { kinds: ["entities"], entityTypes: ["dataProduct"] },
  // Without a pair it would be made beside what is there.
  policy: { adopt: "never" },
};
const others = {
  "another type": { select: { kinds: ["entities"], entityTypes: ["qualityIssue"] } },
  "no entities": { select: { kinds: ["rules"] } },
  "another type, by another plan": {
    name: "other",
    select: { kinds: ["entities"], entityTypes: ["qualityIssue"] },
  },
} satisfies Record<string, PlanChanges>;

/** A run has made the product, and died before it had the answer. */
async function madeUnseen(): Promise<{ readonly at: Stage; readonly urn: string }> {
  const at = await stage();
  const urn = seedProduct(at.source, "Sales");
  await killedAt(at, products, "send:after");
  expect(made(at)).toHaveLength(1);
  return { at, urn };
}

function made({ target }: Stage): readonly string[] {
  return target.tenant.entities.valuesIn("type:dataProduct").map(({ urn }) => urn);
}

test.each(Object.entries(others))(
  "an entity whose creation had no answer is known by a run that selects %s",
  async (_what, plan) => {
    const { at, urn } = await madeUnseen();
    expect((await apply(at, plan)).exitCode).toBe(0);
    await expectAtRest(at, products);
    expect(made(at)).toEqual([await twinOf(at, urn)]);
  },
);

test("where the target's metadata model has its type no more it stays open, and is known when that is back", async () => {
  const { at, urn } = await madeUnseen();
  const { model } = at.target.tenant;
  const type = wanted(model.get("dataProduct"), "type");
  model.remove("dataProduct");
  const blind = await apply(at, products);
  expect(blind.exitCode).toBe(5);
  expect(JSON.stringify(blind.diagnostics)).toContain("no list of the target shows it");
  model.put(type);
  await expectAtRest(at, products);
  expect(made(at)).toEqual([await twinOf(at, urn)]);
});

test("nor is it sent again by a person's word while it is there", async () => {
  const { at, urn } = await madeUnseen();
  const plan = others["another type"];
  const retry = [{ decision: "retry", source: urn }] as const;
  const resolved = async (decisions: readonly { decision: "retry" | "abandon"; source: string }[]) =>
    resolveDoubts(at.world.migration(plan), { decisions });
  expect((await refusal(async () => resolved(retry))).message).toContain("is there, with the same content");
  await resolved([{ decision: "abandon", source: urn }]);
  expect((await refusal(async () => resolved(retry))).message).toContain("is not sent again");
});
