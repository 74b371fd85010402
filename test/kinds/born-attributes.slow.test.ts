import { describe, expect, test } from "vitest";
import { runQuery } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { editMonitor, removeFolder, removeMonitor, removeRule } from "../diff/support/web.ts";
import { seedFolder } from "../diff/support/content.ts";
import { removeSqlItem, seedSqlItem } from "./support/catalog.ts";
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

  test("follows in the same run when they appear one after the other", async () => {
    const at = await fresh();
    const { tenant } = at.target;
    let looks = 0;
    const held: ReturnType<typeof tenant.attributes.valuesIn> = [];
    at.world.emulator.on(({ phase, entry }) => {
      if (
        phase !== "received" ||
        entry.tenant !== "prod" ||
        !entry.route.endsWith("GET /api/catalog/v1/attributes")
      )
        return;
      const item = [...tenant.items.values()].find(
        ({ name }) => name === "Active customers" || name === "Active",
      );
      if (item === undefined) return;
      looks += 1;
      if (looks === 1) {
        held.push(...tenant.attributes.valuesIn(`item:${item.urn}`).slice(1));
        for (const { urn } of held) tenant.attributes.delete(urn);
      }
      if (looks === 4) for (const attribute of held) tenant.attributes.put(attribute);
    });
    seedBorn(at.source);
    const result = await at.apply(patient);
    expect(looks).toBeGreaterThanOrEqual(4);
    expect(held.length).toBeGreaterThan(0);
    expect(result.exitCode).toBe(0);
    expect(bornAt(at.target)).toEqual(whole());
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

  test("is waited for by the run that goes on after a kill right behind the creation", async () => {
    const at = await fresh();
    at.target.tenant.quirks.queryAttributes = { afterMilliseconds: 1200 };
    seedBorn(at.source);
    // What becomes of an answer that has come is at work still: the power fails before anything is asked after it.
    const stop = new AbortController();
    at.world.emulator.on(({ phase, entry }) => {
      const isBirth = entry.method === "POST" && entry.path.endsWith("/catalog-items");
      if (phase === "answered" && entry.tenant === "prod" && isBirth) stop.abort();
    });
    await applyPlan(at.world.migration(patient, { stop: stop.signal }), { confirm: async () => true });
    expect(bornAt(at.target)).toMatchObject({ items: 1, monitors: [] });
    const next = await at.apply(patient);
    expect([next.exitCode, bornAt(at.target)]).toEqual([0, whole()]);
    await expectAtRest(at);
  });

  test("goes with a rollback of the run, whatever lies over it", async () => {
    const at = await fresh();
    const { items, rules, terms, folders, monitors } = at.target.tenant;
    const sizes = (): readonly number[] => [items, rules, terms, folders, monitors].map(({ size }) => size);
    const before = sizes();
    seedBorn(at.source);
    expect((await at.apply(everything)).exitCode).toBe(0);
    const undo = { confirm: async () => true, allowDelete: true };
    const result = await rollbackRun(at.world.migration(everything), undo);
    expect(sizes()).toEqual(before);
    expect(result.exitCode).toBe(0);
    expect((await at.apply(everything)).exitCode).toBe(0);
    expect(bornAt(at.target)).toEqual(whole());
    await expectAtRest(at);
  });

  test("stays with all that it needs when somebody has worked on what lies over it since", async () => {
    const at = await fresh();
    const { items } = at.target.tenant;
    const before = items.size;
    const { primary } = seedBorn(at.source);
    await at.apply(everything);
    editMonitor(at.target, at.target.primary("Active"), {
      schedule: { cronExpression: "0 0 5 * * ?", enabled: true, timeZone: "UTC" },
    });
    const undo = { confirm: async () => true, allowDelete: true };
    const result = await rollbackRun(at.world.migration(everything), undo);
    expect(result.exitCode).toBe(4);
    expect(items.size).toBe(before + 1);
    expect(at.target.tenant.rules.size).toBe(1);
    expect(changeOf(result, primary)).toMatchObject({ action: "manual" });
  });

  test("goes when the item is gone at the source, with the rule and the folder that only it needed", async () => {
    const at = await fresh();
    const { items, rules, folders, monitors } = at.target.tenant;
    const sizes = (): readonly number[] => [items, rules, folders, monitors].map(({ size }) => size);
    const before = sizes();
    const { item, monitor } = seedBorn(at.source);
    await at.apply(everything);
    const rule = at.source.rule("Rule of Active");
    const folder = at.source.folder("Folder of Active");
    removeMonitor(at.source, monitor);
    removeSqlItem(at.source, item);
    removeRule(at.source, rule);
    removeFolder(at.source, folder);
    const result = await at.apply(everything, { allowDelete: true });
    expect(result.changes.map(({ kind, outcome, reason }) => [kind, outcome, reason])).not.toContainEqual([
      expect.anything(),
      undefined,
      expect.anything(),
    ]);
    expect(result.exitCode).toBe(0);
    expect(sizes()).toEqual(before);
    expect((await at.diff(everything)).changes).toEqual([]);
  });

  test("is waited for without holding up anything else", async () => {
    const at = await fresh();
    at.target.tenant.quirks.queryAttributes = { afterReads: 2 };
    const folder = seedFolder(at.source, "Reports");
    for (const name of ["One", "Two"]) seedSqlItem(at.source, name, folder);
    const plan = { select: { kinds: ["folders", "sql-items"] } };
    const limits = { attributesWaitMs: 20_000, concurrency: 1 };
    expect((await at.apply({ ...plan, limits })).exitCode).toBe(0);
    const routes = at.world.emulator.log.entries
      .filter(({ tenant }) => tenant === "prod")
      .map(({ route }) => route.replace("/api/catalog/v1/", ""));
    const second = routes.lastIndexOf("POST catalog-items");
    const looks = routes.filter((route) => route === "GET attributes").length;
    expect(looks).toBeGreaterThan(4);
    expect(routes.slice(0, second).filter((route) => route === "GET attributes").length).toBeLessThan(2);
  });
});
