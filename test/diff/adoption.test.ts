import { describe, expect, it } from "vitest";
import { child, type JsonObject } from "../../src/emulator/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedDimension } from "../../src/emulator/seed.ts";
import { instanceOf, seedDashboard, seedFolder, seedMonitor, seedRule, seedTerm } from "./support/content.ts";
import { onlyPatch, writes, written } from "./support/log.ts";
import {
  apply,
  changeOf,
  diff,
  entryOf,
  expectAtRest,
  expectChange,
  type Stage,
  stage,
  twinOf,
} from "./support/run.ts";
import { keyOf, type Side } from "./support/side.ts";
import { editMonitor, editRule, editTerm, removeRule, removeTerm } from "./support/web.ts";
import { namePair } from "./support/pairs.ts";

const plan: PlanChanges = { select: { kinds: ["terms", "rules", "monitors", "dashboards"] } };
const byName = { ...plan, policy: { adopt: "by-name" } as const };
const sameContent = "the same natural key and the same content";

/** Each of these was adopted as the twin of the other, and nothing was written. */
async function expectAdopted(at: Stage, pairs: readonly (readonly [string, string])[]): Promise<void> {
  const done = await apply(at, plan);
  for (const [source] of pairs) expectChange(done, source, "adopt", sameContent);
  expect(done.exitCode).toBe(0);
  expect(written(at.world)).toEqual([]);
  for (const [source, target] of pairs)
    expect(await entryOf(at, source)).toMatchObject({ target, origin: "adopted" });
  await expectAtRest(at, plan);
}

describe("an estate that was built twice by hand", () => {
  it("is adopted as a whole, references and all, without a write", async () => {
    const at = await stage();
    const build = (side: Side): readonly Urn[] => {
      const term = seedTerm(side, "Customer");
      const rule = seedRule(side, "Email");
      const monitor = seedMonitor(side, rule, "Customers");
      const dashboard = seedDashboard(side, "Overview", {
        dqMonitorUrns: [monitor, side.primary("SALES_ORDER")],
      });
      return [term, rule, monitor, dashboard];
    };
    const sources = build(at.source);
    const targets = build(at.target);
    await expectAdopted(
      at,
      sources.map((source, index) => [source, targets[index] ?? ""]),
    );
  });

  it("pairs sub-entity keys by content, so that later updates patch the target's keys", async () => {
    const at = await stage();
    const both = [at.source, at.target].map((side) => {
      const rule = seedRule(side, "Email");
      const instances: readonly JsonObject[] = [
        instanceOf(side, rule, "First"),
        instanceOf(side, rule, "Second", { dqThresholds: { low: { value: 10 } } }),
      ];
      const inOrder = side === at.source ? instances : [...instances].reverse();
      return seedMonitor(side, rule, "Customers", {
        manualRuleInstances: Object.fromEntries(inOrder.map((part, index) => [`part ${index}`, part])),
      });
    });
    const [urn, twin] = [both[0] ?? "", both[1] ?? ""] as [Urn, Urn];
    await apply(at, plan);
    expect(writes(at.world)).toEqual([]);

    const key = (side: Side, monitor: string, name: string): string =>
      keyOf(side.body(monitor)["manualRuleInstances"], "ruleInstanceName", name);
    const { keys } = (await entryOf(at, urn)) ?? {};
    for (const name of ["First", "Second"])
      expect(keys?.[key(at.source, urn, name)]).toBe(key(at.target, twin, name));
    const change = (instance: string): JsonObject => ({
      manualRuleInstances: { [instance]: { enabled: false } },
    });
    editMonitor(at.source, urn, change(key(at.source, urn, "Second")));
    await apply(at, plan);
    expect(onlyPatch(at.world)).toEqual(change(key(at.target, twin, "Second")));
    await expectAtRest(at, plan);
  });

  it("pairs terms that refer to each other in a circle together", async () => {
    const at = await stage();
    const both = [at.source, at.target].map((side) => {
      const urns = ["Hen", "Egg"].map((name) => seedTerm(side, name)) as [Urn, Urn];
      editTerm(side, urns[0], { extraProperties: { partOf: urns[1] } });
      editTerm(side, urns[1], { extraProperties: { partOf: urns[0] } });
      return urns;
    });
    const [from, to] = [both[0] ?? [], both[1] ?? []];
    await expectAdopted(
      at,
      from.map((urn, index) => [urn, to[index] ?? ""]),
    );
  });

  it("blocks a whole circle when one of it has other content, and creates none of it", async () => {
    const at = await stage();
    const both = [at.source, at.target].map((side) => {
      const urns = ["Hen", "Egg"].map((name) => seedTerm(side, name)) as [Urn, Urn];
      editTerm(side, urns[0], {
        extraProperties: { partOf: urns[1] },
        description: side === at.source ? "Here" : "There",
      });
      editTerm(side, urns[1], { extraProperties: { partOf: urns[0] } });
      return urns;
    });
    const done = await apply(at, plan);
    for (const urn of both[0] ?? [])
      expectChange(done, urn, "blocked", "the target has one of the same name with other content");
    expect(written(at.world)).toEqual([]);
    // By name the difference is patched, and the circle closes.
    const again = await apply(at, byName);
    for (const urn of both[0] ?? []) expectChange(again, urn, "adopt", "the same natural key");
    expect(onlyPatch(at.world)).toEqual({ description: "Here" });
    await expectAtRest(at, byName);
  });
});

it("who of two namesakes is whose twin is not told by their name, also where the others are paired by then", async () => {
  const at = await stage();
  const [equal, other] = ["As there", "Here"].map((description) =>
    seedRule(at.source, "Email", { description }),
  ) as [Urn, Urn];
  const theirs = ["As there", "There"].map((description) =>
    seedRule(at.target, "Email", { description }),
  )[1] as Urn;
  const fits = "its natural key fits 2 objects at the source and 2 at the target";
  for (const run of [1, 2, 3]) {
    const done = await apply(at, byName);
    expect(changeOf(done, equal)?.action).toBe(run === 1 ? "adopt" : undefined);
    expectChange(done, other, "blocked", `${fits}; candidates: "Email" (${theirs})`);
    expect([done.exitCode, written(at.world)]).toEqual([4, []]);
  }
  // What says the same is the twin all the same.
  editRule(at.source, other, { description: "There" });
  expect(changeOf(await apply(at, byName), other)?.action).toBe("adopt");
  await expectAtRest(at, byName);
});

it.each([
  ["which the plan leaves out", () => undefined, true],
  [
    "which is made by hand",
    (at: Stage, first: Urn) => editRule(at.source, first, { implementation: { stringExpression: "" } }),
    false,
  ],
  [
    "whose twin somebody has made anew under its name",
    async (at: Stage, first: Urn) => {
      expect((await apply(at, byName)).exitCode).toBe(0);
      removeRule(at.target, (await twinOf(at, first)) as Urn);
      seedRule(at.target, "Email", { description: "There" });
    },
    false,
  ],
] as const)(
  "what is there by a name may be the twin of a namesake %s, and is not written over",
  async (_which, change, isLeftOut) => {
    const at = await stage();
    const first = seedRule(at.source, "Email", { description: "As there" });
    seedRule(at.target, "Email", { description: "As there" });
    await change(at, first);
    const other = seedRule(at.source, "Email", { description: "Here" });
    const exclude = isLeftOut ? [{ urns: [first] }] : [];
    for (let run = 1; run <= 2; run += 1) {
      const done = await apply(at, { ...byName, select: { ...plan.select, exclude } });
      expectChange(
        done,
        other,
        "blocked",
        "its natural key fits 2 objects at the source and 1 at the target",
      );
      expect([done.exitCode, written(at.world)]).toEqual([4, []]);
    }
  },
);

it("what is there by a name beside the twin of one that was made anew at the source is not written over", async () => {
  const at = await stage();
  const first = seedRule(at.source, "Email");
  expect((await apply(at, byName)).exitCode).toBe(0);
  const twin = await twinOf(at, first);
  removeRule(at.source, first);
  const again = seedRule(at.source, "Email", { description: "Here" });
  const theirs = seedRule(at.target, "Email", { description: "There" });
  const fits = "its natural key fits 1 object at the source and 2 at the target";
  for (let run = 1; run <= 2; run += 1) {
    const done = await apply(at, byName);
    expectChange(done, again, "blocked", `${fits}; candidates: "Email" (${theirs}), "Email" (${twin})`);
    expect([done.exitCode, written(at.world)]).toEqual([4, []]);
  }
  // Once it has another name there, the name says which one is meant.
  editRule(at.target, twin as Urn, { name: "E-mail" });
  expectChange(await apply(at, byName), again, "adopt", "the same natural key");
  expect(at.target.body(theirs)).toMatchObject({ description: "Here" });
});

it("a namesake that was paired, and is made by hand by now, has its twin, and the other one is nobody's by its name", async () => {
  const at = await stage();
  const [equal, other] = ["As there", "Here"].map((description) =>
    seedRule(at.source, "Email", { description }),
  ) as [Urn, Urn];
  for (const description of ["As there", "There"]) seedRule(at.target, "Email", { description });
  expect(changeOf(await apply(at, byName), equal)?.action).toBe("adopt");
  editRule(at.source, equal, { implementation: { stringExpression: "" } });
  const done = await apply(at, byName);
  expectChange(done, other, "blocked", "its natural key fits 2 objects at the source and 2 at the target");
  expect(written(at.world)).toEqual([]);
});

it("what lies in one of two namesakes is nobody's twin by its name before a person has told them apart", async () => {
  const at = await stage();
  const folders: PlanChanges = { select: { kinds: ["folders"] }, policy: { adopt: "by-name" } };
  const seed = (side: Side, description: string): Urn =>
    seedFolder(side, "Sales", undefined, { description });
  const [, other = ""] = ["As there", "Here"].map((description) => seed(at.source, description));
  const [, theirs = ""] = ["As there", "There"].map((description) => seed(at.target, description));
  const inner = seedFolder(at.source, "Inner", other as Urn);
  const deep = seedFolder(at.source, "Deep", inner);
  const made = seedFolder(at.source, "New", deep);
  seedFolder(at.target, "Deep", seedFolder(at.target, "Inner", theirs as Urn));
  for (let run = 1; run <= 3; run += 1) {
    const done = await apply(at, folders);
    expectChange(done, other, "blocked", "its natural key fits 2 objects");
    for (const urn of [inner, deep, made]) expect(changeOf(done, urn)?.action).toBe("blocked");
    expect([done.exitCode, written(at.world)]).toEqual([4, []]);
    expect(await entryOf(at, deep)).toBeUndefined();
  }
});

describe("what policy accepted as the twin, while its own adoption is blocked,", () => {
  it("is what others are led to, parts and all", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    const twin = seedRule(at.target, "Email", { description: "Another" });
    const monitor = seedMonitor(at.source, rule, "Customers");
    const own = seedDimension(at.source.tenant, { name: "Of the source", results: [] });
    editRule(at.source, rule, { implementation: { dqDimensionUrn: own.urn, conditions: null } });
    const done = await apply(at, byName);
    expectChange(done, rule, "blocked", "Of the source");
    expectChange(done, monitor, "create", "nothing at the target stands for it");
    expect(done.changes.find(({ id }) => id.endsWith(monitor))).toMatchObject({ outcome: "done" });
    expect(done.exitCode).toBe(4);
    expect(await entryOf(at, rule)).toBeUndefined();
    expect(at.target.body(twin)).toMatchObject({ description: "Another" });
    const made = at.target.body(await twinOf(at, monitor));
    const [instance] = Object.values(made["manualRuleInstances"] as Record<string, JsonObject>);
    const [mapping] = Object.values(instance?.["mappings"] as Record<string, JsonObject>);
    const [value] = Object.values(instance?.["parameterValues"] as Record<string, JsonObject>);
    expect(instance).toMatchObject({ ruleUrn: twin });
    expect(mapping).toMatchObject({ ruleAttributeUrn: at.target.part(twin, "email") });
    expect(value).toMatchObject({ ruleParameterUrn: at.target.part(twin, "pattern") });

    at.world.emulator.log.clear();
    const again = await apply(at, byName);
    expectChange(again, rule, "blocked", "Of the source");
    expect(written(at.world)).toEqual([]);
  });

  it("is it as well when the adoption waits for what is blocked itself", async () => {
    const at = await stage();
    const [term, twin] = [at.source, at.target].map((side) => seedTerm(side, "Customer")) as [Urn, Urn];
    const left = seedTerm(at.source, "Left out");
    const lost = seedTerm(at.source, "Lost", { extraProperties: { partOf: left } });
    editTerm(at.source, term, { extraProperties: { partOf: lost } });
    const third = seedTerm(at.source, "Third", { extraProperties: { partOf: term } });
    const done = await apply(at, {
      select: { kinds: ["terms"], exclude: [{ kind: "terms", name: "Left out" }] },
      policy: byName.policy,
    });
    expectChange(done, lost, "blocked", "neither selected nor mapped");
    expectChange(done, term, "blocked", 'it waits for terms "Lost"');
    expectChange(done, third, "create", "nothing at the target stands for it");
    expect(at.target.body(await twinOf(at, third))).toMatchObject({ extraProperties: { partOf: twin } });
    expect(await entryOf(at, term)).toBeUndefined();
  });

  it("what waits for one that waits itself is told so", async () => {
    const at = await stage();
    const left = seedTerm(at.source, "Left out");
    const first = seedTerm(at.source, "First", { extraProperties: { partOf: left } });
    const second = seedTerm(at.source, "Second", { extraProperties: { partOf: first } });
    const third = seedTerm(at.source, "Third", { extraProperties: { partOf: second } });
    const found = await diff(at, {
      select: { kinds: ["terms"], exclude: [{ kind: "terms", name: "Left out" }] },
    });
    expectChange(found, second, "blocked", 'it waits for terms "First", which is blocked');
    expectChange(found, third, "blocked", 'it waits for terms "Second", which is blocked');
  });

  it("is it in the place of the twin that is gone", async () => {
    const at = await stage();
    const term = seedTerm(at.source, "Customer");
    const left = seedTerm(at.source, "Left out");
    const changes: PlanChanges = {
      select: { kinds: ["terms"], exclude: [{ kind: "terms", name: "Left out" }] },
      policy: { adopt: "by-name", missingTarget: "recreate" },
    };
    await apply(at, changes);
    const old = await twinOf(at, term);
    removeTerm(at.target, old as Urn);
    const again = seedTerm(at.target, "Customer");
    editTerm(at.source, term, { extraProperties: { partOf: left } });
    const other = seedTerm(at.source, "Other", { extraProperties: { partOf: term } });
    const done = await apply(at, changes);
    expectChange(done, term, "blocked", "neither selected nor mapped");
    expectChange(done, other, "create", "nothing at the target stands for it");
    expect(at.target.body(await twinOf(at, other))).toMatchObject({ extraProperties: { partOf: again } });
  });
});

describe("objects of one name", () => {
  it("with different content are adopted pairwise", async () => {
    const at = await stage();
    const from = ["strict", "loose"].map((description) => seedRule(at.source, "Email", { description }));
    const to = ["loose", "strict"]
      .map((description) => seedRule(at.target, "Email", { description }))
      .reverse();
    await expectAdopted(
      at,
      from.map((urn, index) => [urn, to[index] ?? ""]),
    );
  });

  it("with different content are adopted pairwise together with the rules that they use", async () => {
    const at = await stage();
    const both = [at.source, at.target].map((side) => {
      const rule = seedRule(side, "Email");
      const order = side === at.source ? [10, 20] : [20, 10];
      const monitors = order.map((value) =>
        seedMonitor(side, rule, "Customers", { overallDqThresholds: { one: { value } } }),
      );
      return side === at.source ? monitors : monitors.reverse();
    });
    await expectAdopted(
      at,
      (both[0] ?? []).map((urn, index) => [urn, both[1]?.[index] ?? ""]),
    );
  });

  it("with the same content, as many on both sides, are adopted one by one", async () => {
    const at = await stage();
    const from = [seedTerm(at.source, "Customer"), seedTerm(at.source, "Customer")];
    const to = [seedTerm(at.target, "Customer"), seedTerm(at.target, "Customer")];
    const done = await apply(at, plan);
    for (const urn of from) expectChange(done, urn, "adopt", sameContent);
    const twins = await Promise.all(from.map(async (urn) => twinOf(at, urn)));
    expect(twins.sort()).toEqual([...to].sort());
    await expectAtRest(at, plan);
  });

  it("that do not tell which is which block, and every candidate is named", async () => {
    const at = await stage();
    const urn = seedRule(at.source, "Email", { description: "strict" });
    const candidates = ["loose", "looser"].map((description) =>
      seedRule(at.target, "Email", { description }),
    );
    const monitor = seedMonitor(at.source, urn, "Customers");
    const done = await apply(at, plan);
    const change = expectChange(done, urn, "blocked", "candidates:");
    for (const candidate of candidates) expect(change.reason).toContain(candidate);
    const [first] = change.diagnostics;
    expect(first).toMatchObject({
      code: "ambiguous",
      suggestion: expect.stringContaining(`ferry mappings test set ${urn}`),
    });
    expectChange(done, monitor, "blocked", "it depends on rules");
    expect(written(at.world)).toEqual([]);
  });

  it("block also when the one at the target has other content than the only one at the source", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "Customer", { description: "Here" });
    const twin = seedTerm(at.target, "Customer", { description: "There" });
    const change = expectChange(await diff(at, plan), urn, "blocked", "differing: /description");
    expect(change.reason).toContain(twin);
    expect(change.diagnostics[0]).toMatchObject({ code: "exists-with-other-content" });
  });

  it("but of another type of term, or another item, are others", async () => {
    const at = await stage();
    const term = seedTerm(at.source, "Customer");
    seedTerm(at.target, "Customer", { type: "securityTerm" });
    const monitor = seedMonitor(at.source, seedRule(at.source, "Email"), "Customers", {
      manualRuleInstances: {},
    });
    seedMonitor(at.target, seedRule(at.target, "Email"), "Customers", {
      manualRuleInstances: {},
      catalogItemUrn: at.target.item("PRODUCT"),
    });
    const done = await apply(at, plan);
    for (const urn of [term, monitor])
      expectChange(done, urn, "create", "nothing at the target stands for it");
  });
});

describe("the ladder", () => {
  it("an object that is mapped to another is nobody's candidate", async () => {
    const at = await stage();
    const first = seedTerm(at.source, "Customer");
    await apply(at, plan);
    const second = seedTerm(at.source, "Customer");
    const done = await apply(at, plan);
    expectChange(done, second, "create", "nothing at the target stands for it");
    expect(await twinOf(at, second)).not.toBe(await twinOf(at, first));
  });

  it("a pair that a person named wins over the natural key", async () => {
    const at = await stage();
    const urn = seedRule(at.source, "Email");
    const named = seedRule(at.target, "E-mail, old", { description: "old" });
    const natural = seedRule(at.target, "Email");
    await namePair(at, "rules", urn, named);
    const before = structuredClone(at.target.body(natural));
    const done = await apply(at, plan);
    expectChange(done, urn, "update", "first contact: the source says how it should be");
    expect(onlyPatch(at.world)).toEqual({ name: "Email", description: "Checks Email" });
    expect(decodeURIComponent(writes(at.world)[0]?.path ?? "")).toContain(named);
    expect(await entryOf(at, urn)).toMatchObject({ target: named, origin: "explicit" });
    expect(at.target.body(natural)).toEqual(before);
    await expectAtRest(at, plan);
    // Its parts were paired as well.
    editRule(at.source, urn, {
      parameters: { [keyOf(at.source.body(urn)["parameters"], "name", "pattern")]: { dataType: "LONG" } },
    });
    await apply(at, plan);
    const key = keyOf(at.target.body(named)["parameters"], "name", "pattern");
    expect(onlyPatch(at.world)).toEqual({ parameters: { [key]: { dataType: "LONG" } } });
  });

  it("a pair that a person named decides where candidates are many", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "Customer");
    const [first, second] = [seedTerm(at.target, "Customer"), seedTerm(at.target, "Customer")];
    expectChange(await diff(at, plan), urn, "blocked", "candidates:");
    await namePair(at, "terms", urn, second);
    await expectAtRest(at, plan);
    expect(await twinOf(at, urn)).toBe(second);
    expect(at.target.tenant.terms.has(first)).toBe(true);
  });

  it("a pair whose target is not there is reported, not replaced", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "Customer");
    await namePair(at, "terms", urn, at.target.tenant.newUrn("catalog:term"));
    seedTerm(at.target, "Customer");
    expectChange(await apply(at, plan), urn, "manual", "its twin was removed at the target");
    expect(written(at.world)).toEqual([]);
  });

  it("an adopted rule's inputs are known to a monitor that is created in the same run", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    const twin = seedRule(at.target, "Email");
    const monitor = seedMonitor(at.source, rule, "Customers");
    const done = await apply(at, plan);
    expectChange(done, rule, "adopt", sameContent);
    expectChange(done, monitor, "create", "nothing at the target stands for it");
    const instances = Object.values(child(at.target.body(await twinOf(at, monitor)), "manualRuleInstances"));
    expect(JSON.stringify(instances)).toContain(at.target.part(twin, "email"));
    await expectAtRest(at, plan);
  });
});
