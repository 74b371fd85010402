import { describe, expect, test } from "vitest";
import { runQuery } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { bornAt, everything, seedBorn, whole } from "./support/born.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";

const patient = { ...everything, limits: { attributesWaitMs: 20_000 } };

async function expectAtRest(at: Place): Promise<void> {
  const again = await at.apply(everything);
  expect(at.writes()).toEqual([]);
  expect(again).toMatchObject({ exitCode: 0, changes: [] });
}

describe("what needs the attributes of a new SQL item", () => {
  test.each([
    ["at once", "at-once"],
    ["after some looks", { afterReads: 2 }],
    ["after some time", { afterMilliseconds: 300 }],
  ] as const)("follows in the same run when they appear %s", async (_name, appearance) => {
    const at = await fresh();
    at.target.tenant.quirks.queryAttributes = appearance;
    seedBorn(at.source);
    const result = await at.apply(patient);
    expect(
      result.changes
        .filter(({ outcome }) => outcome !== "done")
        .map((c) => [c.kind, c.source?.name, c.outcome, c.diagnostics]),
    ).toEqual([]);
    expect(result.exitCode).toBe(0);
    expect(bornAt(at.target)).toEqual(whole());
    await expectAtRest(at);
  });

  test("is blocked when none appear, with the connection's name, and taken up when they are there", async () => {
    const at = await fresh();
    at.target.tenant.quirks.queryAttributes = "never";
    const { item, monitor, primary, email, id } = seedBorn(at.source);
    const result = await at.apply(everything);
    expect(result.exitCode).toBe(4);
    expect(changeOf(result, item)).toMatchObject({ action: "create", outcome: "done" });
    for (const urn of [monitor, primary]) {
      const change = changeOf(result, urn);
      expect(change).toMatchObject({ outcome: "blocked" });
      expect(change.diagnostics.at(-1)?.summary).toContain('on the connection "prod-wh"');
    }
    expect(result.changes.filter((change) => [email, id].includes(change.source?.urn as Urn))).not.toEqual(
      [],
    );
    const warning = result.diagnostics.find(({ code }) => code === "born-without");
    expect(warning?.summary).toContain("prod-wh");
    expect(bornAt(at.target)).toMatchObject({ items: 1, columns: [], monitors: [], primary: "" });

    const still = await at.apply(everything);
    expect(still.exitCode).toBe(4);
    expect(at.writes()).toEqual([]);
    expect(changeOf(still, monitor)).toMatchObject({ action: "blocked" });

    runQuery(at.target.tenant, at.target.item("Active"));
    const taken = await at.apply(everything);
    expect(taken.exitCode).toBe(0);
    expect(bornAt(at.target)).toEqual(whole());
    await expectAtRest(at);
  });

  test.each([
    ["intent:after", 2],
    ["send:after", 2],
    ["outcome:after", 2],
    ["outcome:after", 3],
    ["intent:after", 5],
    ["send:after", 6],
    ["outcome:after", 7],
    ["intent:after", 9],
    ["send:after", 9],
  ] as const)("arrives once also after a kill at %s %i", async (point, nth) => {
    const at = await fresh();
    seedBorn(at.source);
    let seen = 0;
    const reached = (here: string): void => {
      if (here === point && ++seen >= nth) throw new Error("killed");
    };
    const killed = applyPlan(at.world.migration(everything, { hooks: { reached } }), {
      confirm: async () => true,
    });
    await expect(killed).rejects.toThrow("killed");
    for (let run = 0; run < 3; run += 1) await at.apply(everything);
    expect(bornAt(at.target)).toEqual(whole());
    await expectAtRest(at);
  });
});
