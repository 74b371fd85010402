import { describe, expect, onTestFinished, test } from "vitest";
import type { LogEntry } from "../../src/emulator/index.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { compareMeanings, meaningOf } from "../support/meaning.ts";
import { noRenames } from "../support/meaning/given.ts";
import { type PlanChanges, type World, world } from "../support/world.ts";
import { outline, refusal, run, writes } from "./support.ts";

type Side = "dev" | "prod";

/** The demo, whose lists show no primary monitors on some sides. */
async function hiding(...sides: readonly Side[]): Promise<World> {
  const demo = await world("demo");
  onTestFinished(async () => demo.close());
  for (const side of sides) demo.emulator.tenant(side).quirks.listsPrimaries = false;
  return demo;
}

/** Reads of one primary monitor: by that word, at a side. */
function singly({ emulator }: World, side: Side): readonly LogEntry[] {
  return emulator.log.entries.filter(
    ({ tenant, method, path }) =>
      tenant === side && method === "GET" && path.endsWith("/dq-monitors/primary"),
  );
}

/** Pages of the whole catalog. */
function catalog({ emulator }: World, side: Side): number {
  return emulator.log.entries.filter(
    ({ tenant, route, body }) =>
      tenant === side &&
      route.endsWith("/catalog-items/filter") &&
      JSON.stringify(body).includes("isNotNull"),
  ).length;
}

function withDrafts(entries: readonly LogEntry[]): number {
  return entries.filter(({ query }) => query["version"] === undefined).length;
}

const everything: PlanChanges = {
  select: { kinds: ["terms", "rules", "monitors", "dashboards", "term-assignments"] },
  policy: { termLinks: "done" },
};

const places: readonly (readonly [string, readonly Side[]])[] = [
  ["the source", ["dev"]],
  ["the target", ["prod"]],
  ["both", ["dev", "prod"]],
];

describe.each(places)("where the list of %s shows no primary monitors", (_where, sides) => {
  test("a migration comes to the same", async () => {
    const [plain, hidden] = [await hiding(), await hiding(...sides)];
    const [expected, result] = [await run(plain, everything), await run(hidden, everything)];
    expect(result.exitCode).toBe(expected.exitCode);
    expect(outline(result.changes)).toEqual(outline(expected.changes));
    const meant = ({ emulator }: World): ReturnType<typeof meaningOf> =>
      meaningOf(emulator.tenant("prod"), noRenames, true);
    expect(compareMeanings(meant(plain), meant(hidden))).toEqual([]);
    expect(compareMeanings(meant(hidden), meant(plain))).toEqual([]);

    // Terms wait for their rules: a second run assigns the rest, with and without.
    await run(hidden, everything);
    hidden.emulator.log.clear();
    await run(hidden, everything);
    expect(writes(hidden.emulator, "prod")).toEqual([]);
    expect(writes(hidden.emulator, "dev")).toEqual([]);
  });

  test("an item that nothing else refers to costs one request, and a page of the catalog many items", async () => {
    const demo = await hiding(...sides);
    const result = await diffPlan(demo.migration({ select: { kinds: ["monitors"] } }));
    const all = [...demo.emulator.tenant("dev").items.values()];
    // Those that say they have one; an item that has none costs nothing.
    const items = all.filter(({ primaryMonitorUrn }) => primaryMonitorUrn !== undefined).length;
    expect(items).toBeLessThan(all.length);
    const twins = result.changes.filter(({ kind }) => kind === "primary-monitors").length;
    expect(twins).toBeGreaterThan(0);
    if (sides.includes("dev")) {
      expect(withDrafts(singly(demo, "dev"))).toBe(items);
      expect(catalog(demo, "dev")).toBe(Math.ceil(all.length / 100));
      expect(result.diagnostics.find(({ code }) => code === "unlisted")?.summary).toContain(`${items} `);
    }
    if (sides.includes("prod")) {
      expect(withDrafts(singly(demo, "prod"))).toBeLessThanOrEqual(items);
      expect(catalog(demo, "prod")).toBe(0);
    }
  });

  test("dashboards alone read those that they show", async () => {
    const demo = await hiding(...sides);
    const tenant = demo.emulator.tenant("dev");
    const primaries = new Set(
      [...tenant.items.values()].map(({ primaryMonitorUrn }) => String(primaryMonitorUrn)),
    );
    const shown = [...tenant.dashboards.values()].flatMap(
      ({ published }) => published?.["dqMonitorUrns"] ?? [],
    );
    const needed = new Set((shown as string[]).filter((urn) => primaries.has(urn)));
    expect(needed.size).toBeGreaterThan(0);
    // The rules that come with terms are handed over whatever is selected, as far as the snapshot knows of them.
    const handing = [...tenant.monitors.values()].filter(
      ({ published }) => Object.keys(published?.["termRuleInstances"] ?? {}).length > 0,
    );
    const all = new Set([...needed, ...handing.map(({ urn }) => String(urn))]);
    const plan = { select: { kinds: ["dashboards"] } };
    const result = await run(demo, plan);
    const plain = await hiding();
    expect(outline(result.changes)).toEqual(outline((await run(plain, plan)).changes));
    demo.emulator.log.clear();
    await run(demo, plan);
    for (const side of ["dev", "prod"] as const)
      expect(withDrafts(singly(demo, side))).toBe(
        sides.includes(side) ? (sides.includes("dev") ? needed : all).size : 0,
      );
    expect(writes(demo.emulator, "prod")).toEqual([]);
  });

  test.each<[string, PlanChanges["select"], number, number]>([
    ["its name", { include: [{ kind: "monitors", name: "CUSTOMER (primary)" }] }, 1, 1],
    ["a pattern", { include: [{ kind: "monitors", name: "CUSTOMER* (primary)" }] }, 2, 4],
  ])("by %s only what is meant is read", async (_how, select, changed, count) => {
    const demo = await hiding(...sides);
    const plan = { select: { kinds: ["monitors"], dependencies: "mapped-only" as const, ...select } };
    const result = await diffPlan(demo.migration(plan));
    expect(result.changes.filter(({ kind }) => kind === "primary-monitors")).toHaveLength(changed);
    for (const side of sides) {
      const reads = withDrafts(singly(demo, side));
      if (sides.includes("dev")) expect(reads).toBe(count);
      else expect(reads).toBeLessThan(15);
    }
  });

  test("by its URN, also to leave it out", async () => {
    const demo = await hiding(...sides);
    const item = [...demo.emulator.tenant("dev").items.values()].find(({ name }) => name === "CUSTOMER");
    const urns = [item?.primaryMonitorUrn ?? ""];
    const only = { kinds: ["monitors"], include: [{ urns }], dependencies: "mapped-only" as const };
    const result = await diffPlan(demo.migration({ select: only }));
    expect(outline(result.changes).map((line) => line.split(" ").slice(1).join(" "))).toEqual([
      "primary-monitors CUSTOMER (primary)",
    ]);
    const without = { kinds: ["monitors"], exclude: [{ kind: "monitors", urns }] };
    const left = await diffPlan(demo.migration({ select: without }));
    expect(outline(left.changes).join()).not.toContain("CUSTOMER (primary)");
  });

  test("what a selector names and nothing has is told", async () => {
    const demo = await hiding(...sides);
    const select = { kinds: ["monitors"], include: [{ kind: "monitors", name: "NOBODY (primary)" }] };
    const error = await refusal(diffPlan(demo.migration({ select })));
    expect(error.message).toContain("NOBODY (primary)");
  });

  test("a refused read of one is an error and not its absence", async () => {
    const demo = await hiding(...sides);
    const [side = "dev"] = sides;
    demo.emulator.faults.add({
      match: { tenant: side, path: "/\\/dq-monitors\\/primary$/" },
      when: { skip: 2, times: 1 },
      effect: { type: "status", code: 403 },
    });
    const error = await refusal(run(demo));
    expect(error.message).toContain("403");
    expect(writes(demo.emulator, "prod")).toEqual([]);
  });

  test("a rollback takes back what was changed of one", async () => {
    const demo = await hiding(...sides);
    const plan = {
      select: { kinds: ["monitors", "rules"], include: [{ kind: "monitors", name: "CUSTOMER (primary)" }] },
    };
    await run(demo, plan);
    const result = await rollbackRun(demo.migration(plan), { allowDelete: true, confirm: async () => true });
    expect(result.changes.map(({ outcome }) => outcome ?? "")).not.toContain("");
    const of = result.changes.filter(({ kind }) => kind === "primary-monitors");
    expect(of.map(({ action, outcome }) => `${action} ${outcome ?? ""}`)).toEqual(["update done"]);
  });
});

test("where the lists show them no request is made for one", async () => {
  const demo = await hiding();
  await diffPlan(demo.migration());
  expect(
    [...singly(demo, "dev"), ...singly(demo, "prod")].filter(({ query }) => query["version"] === undefined),
  ).toEqual([]);
  expect(catalog(demo, "dev") + catalog(demo, "prod")).toBe(0);
});
