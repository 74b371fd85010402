import { expect, test } from "vitest";
import { removeMetadataType, seedConnection, seedGroup } from "../../src/emulator/seed.ts";
import { groups } from "../../src/kinds/groups.ts";
import type { Pairing } from "../../src/model/plan.ts";
import type { Urn } from "../../src/model/urn.ts";
import { uuidOf } from "../../src/model/urn.ts";
import type { ReadClient } from "../../src/service/index.ts";
import { removeMappings, setMappings } from "../../src/operations/mappings.ts";
import type { Side } from "../diff/support/side.ts";
import { removeItem } from "../diff/support/web.ts";
import type { PlanChanges } from "../support/world.ts";
import { firstOf } from "./support/first.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";
import { monitorExporting, ruleOwnedBy } from "./support/users.ts";

/** Twins that a person named and that the target has no more: the diff says it, and nothing is sent that is refused. */

interface Owned {
  readonly at: Place;
  readonly user: Urn;
  readonly group: string;
  readonly twin: Urn;
  readonly plan: PlanChanges;
}

/** A rule of a group whose twin the plan names. */
async function owned(): Promise<Owned> {
  const at = await fresh();
  const { urn } = seedGroup(at.source.tenant, { name: "Stewards" });
  const { urn: twin } = seedGroup(at.target.tenant, { name: "Stewards of prod" });
  const group = uuidOf(urn);
  const plan = { select: { kinds: ["rules"] }, pairing: { groups: { [group]: uuidOf(twin) } } };
  return { at, user: ruleOwnedBy(at.source, urn), group, twin, plan };
}

test("a group of the plan that is not at the target is told by the diff, with the line to correct", async () => {
  const { at, user, group, twin, plan } = await owned();
  at.target.tenant.entities.delete(twin);
  const { urn: near } = seedGroup(at.target.tenant, { name: "Stewards" });
  const change = changeOf(await at.diff(plan), user);
  expect(change).toMatchObject({
    action: "blocked",
    reason: expect.stringContaining(`looked for group "${uuidOf(twin)}" ("${group}" at the source)`),
  });
  expect(change.diagnostics[0]?.suggestion).toBe(
    `In the plan, under pairing.groups, correct \`"${group}": "${uuidOf(near)}"\` (a guess by name: check it); or set policy.missingGroup to drop, which leaves the reference out`,
  );
  await at.apply(plan);
  expect(at.writes()).toEqual([]);
});

test.each([
  ["is there, and the list leaves it out", true],
  ["is not there", false],
])("a group of the plan that %s", async (_how, isThere) => {
  const [group, twin, other] = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
  const urn = `urn:data:prod:iam:group:${twin ?? ""}`;
  const shown = { urn: `urn:data:prod:iam:group:${other ?? ""}`, properties: { name: "Others" } };
  const catalog = {
    entities: async function* () {
      yield { items: [shown] };
    },
    entity: async () => (isThere ? { urn } : undefined),
  };
  const source = `urn:data:dev:iam:group:${group ?? ""}`;
  const found = await groups.candidates(
    { catalog } as unknown as ReadClient,
    [{ urn: source, name: "Stewards", body: { urn: source, name: "Stewards" } }],
    {
      pairing: { groups: { [group ?? ""]: twin ?? "" } } as unknown as Pairing,
      twin: () => undefined,
      rename: (text) => text,
      inTarget: (text) => text.replace(":dev:", ":prod:"),
    },
  );
  const urns = "length" in found ? found.map((one) => one.urn) : [];
  expect(urns).toEqual(isThere ? [urn, shown.urn] : [shown.urn]);
});

test.each([
  ["no groups are listed", (at: Place) => removeMetadataType(at.target.tenant, "group")],
  [
    "the list is without any",
    ({ target: { tenant } }: Place) => {
      for (const { urn } of tenant.entities.valuesIn("type:group")) tenant.entities.delete(urn);
    },
  ],
] as const)("where %s the plan's word is all that is known", async (_where, without) => {
  const { at, user, plan } = await owned();
  without(at);
  expect(changeOf(await at.diff(plan), user)).toMatchObject({ action: "create" });
});

test("an item that a person paired with one that is gone blocks what lies over it, until the pair is taken away", async () => {
  const at = await fresh();
  const [source, twin] = [at.source.item("CUSTOMER"), at.target.item("CUSTOMER_ADDRESS")];
  await setMappings(at.world.migration(), [{ source, target: twin }]);
  removeItem(at.target, twin);
  // Its primary monitor is found through its columns as well.
  const plan = { select: { kinds: ["item-metadata", "monitors"] } };
  const [over, primary] = [source, at.source.primary("CUSTOMER")];
  const result = await at.apply(plan);
  for (const urn of [over, primary]) {
    const change = changeOf(result, urn);
    expect(change).toMatchObject({ action: "blocked", reason: expect.stringContaining(twin) });
    expect(change.diagnostics[0]?.suggestion).toContain(`ferry mappings test remove ${source}`);
  }
  expect(JSON.stringify(at.writes())).not.toContain(twin);
  await removeMappings(at.world.migration(), [source]);
  const { changes } = await at.diff(plan);
  expect(changes.filter((change) => [over, primary].includes(change.source?.urn as Urn))).toEqual([]);
});

test("a connection that a person paired with one that is gone blocks what refers to it", async () => {
  const at = await fresh();
  const make = (side: Side, name: string): Urn =>
    seedConnection(side.tenant, { name, sourceUrn: firstOf(side, "source") }).urn;
  const source = make(at.source, "Archive");
  const [twin] = [make(at.target, "Archive of prod"), make(at.target, "Archive")];
  const user = monitorExporting(at.source, source);
  await setMappings(at.world.migration(), [{ source, target: twin }]);
  at.target.tenant.entities.delete(twin);
  const plan = { select: { kinds: ["monitors"] } };
  const change = changeOf(await at.diff(plan), user);
  expect(change).toMatchObject({ action: "blocked", reason: expect.stringContaining(twin) });
  expect(change.diagnostics[0]?.suggestion).toContain(`ferry mappings test remove ${source}`);
});
