import { expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { seedGroup } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedRule } from "./support/content.ts";
import { apply, changeOf, expectAtRest, expectChange, stage } from "./support/run.ts";
import type { Stage } from "./support/run.ts";
import { namePair } from "./support/pairs.ts";
import { editRule } from "./support/web.ts";

const plan: PlanChanges = { select: { kinds: ["rules"] }, policy: { missingGroup: "drop" } };

/** A group that stands where nothing else does, and what is left of that without it. */
const places: readonly (readonly [string, (group: Urn) => JsonObject, JsonObject])[] = [
  ["in a list", (group) => ({ owners: [group] }), {}],
  ["in an object", (group) => ({ contact: { groupUrn: group } }), {}],
  ["in an object of a list", (group) => ({ contacts: [{ groupUrn: group }] }), {}],
  [
    "in one of several",
    (group) => ({ contacts: [{ groupUrn: group }, { name: "A" }] }),
    { contacts: [{ name: "A" }] },
  ],
  [
    "in a part",
    (group) => ({
      parameters: { pattern: { name: "pattern", dataType: "STRING", contact: { groupUrn: group } } },
    }),
    {},
  ],
];

async function withGroup(more: (group: Urn) => JsonObject): Promise<{ at: Stage; rule: Urn }> {
  const at = await stage();
  const { urn } = seedGroup(at.source.tenant, { name: "Only here" });
  return { at, rule: seedRule(at.source, "Email", more(urn)) };
}

/** Fields that no document names. */
function others({ target }: Stage, urn: string): JsonObject {
  const { owners, contact, contacts } = target.body(urn);
  return JSON.parse(JSON.stringify({ owners, contact, contacts })) as JsonObject;
}

test.each(places)(
  "a group without a pair %s is left out, and with it what held nothing else",
  async (_where, more, left) => {
    const { at, rule } = await withGroup(more);
    expect((await apply(at, plan)).exitCode).toBe(0);
    const there = at.target.rule("Email");
    expect(others(at, there)).toEqual(left);
    await expectAtRest(at, plan);

    editRule(at.source, rule, { description: "changed" });
    expectChange(await apply(at, plan), rule, "update", "it changed at the source");
    await expectAtRest(at, plan);
  },
);

test.each(places.slice(0, 3))(
  "one that is the same but for such a group, %s, is adopted",
  async (_where, more) => {
    const { at, rule } = await withGroup(more);
    seedRule(at.target, "Email");
    expect(changeOf(await apply(at, plan), rule)).toMatchObject({ action: "adopt", outcome: "done" });
    await expectAtRest(at, plan);
  },
);

test.each(places.slice(0, 2))(
  "what the target has in its place, %s, is its own when they first meet",
  async (_where, more) => {
    const { at, rule } = await withGroup(more);
    const { urn } = seedGroup(at.target.tenant, { name: "Only there" });
    const there = seedRule(at.target, "Email", more(urn));
    await namePair(at, "rules", rule, there);
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(others(at, there)).toEqual(more(urn));
    await expectAtRest(at, plan);
  },
);
