import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { PlanChanges } from "../support/world.ts";
import {
  configurePrimary,
  instanceOf,
  seedDashboard,
  seedMonitor,
  seedRule,
  seedTerm,
} from "./support/content.ts";
import { writes } from "./support/log.ts";
import { namePair } from "./support/pairs.ts";
import { apply, changeOf, entryOf, expectAtRest, type Stage, stage } from "./support/run.ts";
import type { Side } from "./support/side.ts";
import { editMonitor, editTerm } from "./support/web.ts";

const plan: PlanChanges = {
  select: { kinds: ["terms", "rules", "monitors", "dashboards", "term-assignments"] },
  policy: { termLinks: "done" },
};

/** Builds in the order of `indexes`: what comes first on one side comes last on the other. */
type Build = (side: Side, indexes: readonly number[]) => readonly Urn[];

/** By index, whatever the order they were made in. */
function inOrder(indexes: readonly number[], make: (index: number) => Urn): readonly Urn[] {
  const made = new Map(indexes.map((index) => [index, make(index)]));
  return [...made].sort(([one], [other]) => one - other).map(([, urn]) => urn);
}

const estates: Readonly<Record<string, Build>> = {
  "rules that monitors of different names use": (side, indexes) => {
    const rules = inOrder(indexes, () => seedRule(side, "Email"));
    const monitors = rules.map((rule, index) => seedMonitor(side, rule, `Monitor ${index}`));
    return [...rules, ...monitors];
  },
  "rules that are told apart by monitors that are told apart by dashboards": (side, indexes) => {
    const rules = inOrder(indexes, () => seedRule(side, "Email"));
    const monitors = inOrder(indexes, (index) => seedMonitor(side, rules[index] as Urn, "Customers"));
    const dashboards = monitors.map((urn, index) =>
      seedDashboard(side, `Board ${index}`, { dqMonitorUrns: [urn] }),
    );
    return [...rules, ...monitors, ...dashboards];
  },
  "rules that one primary monitor uses in instances of different names": (side, indexes) => {
    const rules = inOrder(indexes, () => seedRule(side, "Email"));
    configurePrimary(side, "CUSTOMER", {
      manualRuleInstances: Object.fromEntries(
        rules.map((rule, index) => [`instance ${index}`, instanceOf(side, rule, `Instance ${index}`)]),
      ),
    });
    return rules;
  },
  "terms that other terms are part of": (side, indexes) => {
    const terms = inOrder(indexes, () => seedTerm(side, "Customer"));
    const parts = terms.map((urn, index) =>
      seedTerm(side, `Part ${index}`, { extraProperties: { partOf: urn } }),
    );
    return [...terms, ...parts];
  },
  "terms that are part of each other, and of others": (side, indexes) => {
    const terms = inOrder(indexes, () => seedTerm(side, "Customer"));
    for (const [index, urn] of terms.entries())
      editTerm(side, urn, { extraProperties: { partOf: terms[(index + 1) % terms.length] as Urn } });
    const user = seedTerm(side, "User", { extraProperties: { partOf: terms[0] as Urn } });
    return [...terms, user];
  },
  "terms that are assigned to different attributes": (side, indexes) => {
    const terms = inOrder(indexes, () => seedTerm(side, "Customer"));
    const attributes = ["EMAIL", "CUSTOMER_ID", "FIRST_NAME"];
    for (const [index, termUrn] of terms.entries()) {
      const attribute = side.attribute("CUSTOMER", attributes[index] ?? "EMAIL");
      const row = side.tenant.attributes.get(attribute);
      if (row === undefined) throw new Error("no attribute");
      side.tenant.attributes.put({
        ...row,
        termAssignments: [{ termUrn, source: "MANUAL" }],
      } as unknown as typeof row);
    }
    return terms;
  },
};

async function built(build: Build): Promise<{ at: Stage; from: readonly Urn[]; to: readonly Urn[] }> {
  const at = await stage();
  const from = build(at.source, [0, 1, 2]);
  const to = build(at.target, [2, 0, 1]);
  return { at, from, to };
}

async function expectPairs(at: Stage, from: readonly Urn[], to: readonly string[]): Promise<void> {
  const done = await apply(at, plan);
  expect(done.exitCode).toBe(0);
  expect(writes(at.world)).toEqual([]);
  const pairs = await Promise.all(from.map(async (urn) => (await entryOf(at, urn))?.target));
  expect(pairs).toEqual(to);
  for (const urn of from) expect(changeOf(done, urn)?.action).toBe("adopt");
  await expectAtRest(at, plan);
}

describe("namesakes of the same content that only their users tell apart", () => {
  it.each(Object.entries(estates))("%s: each is the twin of its own", async (_what, build) => {
    const { at, from, to } = await built(build);
    await expectPairs(at, from, to);
  });

  it.each(Object.entries(estates).slice(0, 5))(
    "%s: moved, and the mapping lost: as before, and nothing is made",
    async (_what, build) => {
      const at = await stage({ kept: "files" });
      const from = build(at.source, [1, 2, 0]);
      expect((await apply(at, plan)).exitCode).toBe(0);
      const to = await Promise.all(from.map(async (urn) => (await entryOf(at, urn))?.target ?? ""));
      rmSync(at.world.places().mapping, { recursive: true });
      await expectPairs(at, from, to);
    },
  );

  it("and that a colleague uses for more at the target", async () => {
    const { at, from, to } = await built(estates["rules that monitors of different names use"] as Build);
    seedMonitor(at.target, to[1] as Urn, "Their own");
    await expectPairs(at, from, to);
  });

  it("and whose users a person has paired, though they differ elsewhere by now", async () => {
    const { at, from, to } = await built(estates["rules that monitors of different names use"] as Build);
    for (const index of [3, 4, 5]) await namePair(at, "monitors", from[index] as Urn, to[index] as Urn);
    editMonitor(at.source, from[3] as Urn, { name: "Renamed" });
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(0);
    for (const index of [0, 1, 2])
      expect(await entryOf(at, from[index] as Urn)).toMatchObject({ target: to[index], origin: "adopted" });
    await expectAtRest(at, plan);
  });

  it("are blocked where their users contradict each other, and nothing is written", async () => {
    const at = await stage();
    const build = (side: Side, swap: boolean): readonly Urn[] => {
      const rules = [seedRule(side, "Email"), seedRule(side, "Email")];
      const use = (index: number): Urn => rules[index] as Urn;
      const monitors = [
        seedMonitor(side, use(0), "One"),
        seedMonitor(side, use(swap ? 1 : 0), "Two"),
        seedMonitor(side, use(1), "Three"),
      ];
      return [...rules, ...monitors];
    };
    const from = build(at.source, false);
    build(at.target, true);
    const done = await apply(at, plan);
    for (const urn of from.slice(0, 2)) expect(changeOf(done, urn)).toMatchObject({ action: "blocked" });
    expect(writes(at.world)).toEqual([]);
  });

  it("are told apart by what they say, though one of their users, which nobody knows yet, says more by now", async () => {
    const { at, from, to } = await built((side, indexes) => {
      const rules = inOrder(indexes, (index) => seedRule(side, "Email", { description: `Rule ${index}` }));
      return [...rules, ...inOrder(indexes, (index) => seedMonitor(side, rules[index] as Urn, "Customers"))];
    });
    editMonitor(at.source, from[4] as Urn, { description: "What it means" });
    const done = await apply(at, plan);
    expect(done.summary).toMatchObject({ adopt: 5, create: 0, blocked: 1 });
    for (const index of [0, 1, 2])
      expect(await entryOf(at, from[index] as Urn)).toMatchObject({ target: to[index], origin: "adopted" });
    expect(changeOf(done, from[4] as Urn)).toMatchObject({ action: "blocked" });
  });

  it("are interchangeable where nobody uses them, and paired one by one", async () => {
    const at = await stage();
    const from = [0, 1, 2].map(() => seedRule(at.source, "Email"));
    const to = [0, 1, 2].map(() => seedRule(at.target, "Email"));
    const done = await apply(at, plan);
    expect(done).toMatchObject({ exitCode: 0, summary: { adopt: 3 } });
    const pairs = await Promise.all(from.map(async (urn) => (await entryOf(at, urn))?.target));
    expect(new Set(pairs)).toEqual(new Set(to));
  });

  it("many that nothing tells apart with many users that nothing tells apart are paired consistently", async () => {
    const at = await stage();
    for (const side of [at.source, at.target]) {
      const rules = Array.from({ length: 12 }, () => seedRule(side, "Email"));
      const order = side === at.source ? rules : rules.toReversed();
      const body: JsonObject = {};
      for (const rule of order) seedMonitor(side, rule, "Customers", body);
    }
    const done = await apply(at, plan);
    expect(done).toMatchObject({ exitCode: 0, summary: { adopt: 24, blocked: 0, create: 0 } });
    expect(writes(at.world)).toEqual([]);
    await expectAtRest(at, plan);
  });
});
