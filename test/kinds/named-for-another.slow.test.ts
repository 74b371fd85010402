import { describe, expect, test } from "vitest";
import { seedConnection, seedSource } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { Side } from "../diff/support/side.ts";
import type { PlanChanges } from "../support/world.ts";
import { changeOf, fresh } from "./support/place.ts";
import { monitorExporting, termAbout } from "./support/users.ts";

/** The source has two: "Thing DEV", which the plan pairs with the target's "Thing", and an old one that is called "Thing" as well. */
const subjects = [
  {
    under: "sources",
    select: { kinds: ["terms"] },
    seed: (side: Side, name: string): Urn => seedSource(side.tenant, { name }).urn,
    user: termAbout("source"),
  },
  {
    under: "connections",
    select: { kinds: ["monitors"], exclude: [{ kind: "monitors", name: "*(primary)" }] },
    seed: (side: Side, name: string): Urn =>
      seedConnection(side.tenant, { name, sourceUrn: side.source() }).urn,
    user: monitorExporting,
  },
] as const;

describe.each(subjects)("of $under", ({ under, select, seed, user }) => {
  const plan: PlanChanges = { select, pairing: { [under]: { "Thing DEV": "Thing" } } };

  test("the one that the plan gives to another is not paired by its name", async () => {
    const at = await fresh();
    const old = seed(at.source, "Thing");
    seed(at.source, "Thing DEV");
    seed(at.target, "Thing");
    // Whether anything refers to the other one or not.
    const using = user(at.source, old, at.target);
    const change = changeOf(await at.apply(plan), using);
    expect(change.action).toBe("blocked");
    expect(change.reason).toContain(
      `the plan gives the one of that name there to another, under pairing.${under}`,
    );
  });

  test("and the other one has it", async () => {
    const at = await fresh();
    const [old, used] = [seed(at.source, "Thing"), seed(at.source, "Thing DEV")];
    const twin = seed(at.target, "Thing");
    const users = [old, used].map((one) => user(at.source, one, at.target));
    const done = await at.apply(plan);
    expect(users.map((urn) => changeOf(done, urn).action)).toEqual(["blocked", "create"]);
    expect(JSON.stringify(at.target.body(await at.twinOf(users[1] ?? "")))).toContain(twin);
  });
});
