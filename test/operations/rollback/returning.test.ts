import { describe, expect, onTestFinished, test } from "vitest";
import type { Deed } from "../../../src/engine/undo/deed.ts";
import { KeptPlans } from "../../../src/engine/undo/kept-plans.ts";
import { ListedTypes } from "../../../src/engine/read/listed-types.ts";
import type { TargetState } from "../../../src/engine/read/target.ts";
import { Overlays } from "../../../src/engine/read/overlays.ts";
import { planDeeds } from "../../../src/engine/undo/plan.ts";
import { Returning } from "../../../src/engine/undo/rewrite.ts";
import { RollbackTasks } from "../../../src/engine/undo/tasks.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import { world } from "../../support/world.ts";
import { FoundTable } from "../../../src/model/packed/found-table.ts";

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const termUrn = (number: number): string => `urn:data:prod:catalog:term:${uuid(number)}`;
const ruleUrn = (number: number): string => `urn:data:prod:data-quality:rule:${uuid(number)}`;
const inputUrn = (key: string): string => `urn:data:prod:data-quality:rule-attribute:${key}`;

function deleted(kind: string, target: string, undo: JsonObject): Deed {
  const intent = { source: `source of ${target}`, name: target, target, undo };
  const { source, name } = intent;
  return {
    kind,
    source,
    name,
    what: "deleted",
    target,
    left: undefined,
    before: undefined,
    intent,
    undos: [],
    sent: [],
    keys: {},
  };
}

describe("what comes back under a new URN", () => {
  const rule = deleted("rules", ruleUrn(1), {
    inputGroups: { [uuid(11)]: { inputs: { [uuid(12)]: { name: "x" } } } },
  });
  const uses = {
    ruleUrn: ruleUrn(1),
    attribute: inputUrn(uuid(12)),
    text: `see ${ruleUrn(1)}`,
    bare: uuid(12),
  };

  test("is found wherever a body refers to it or to a part of it", () => {
    const returning = new Returning([rule], new MappingTable());
    expect([...returning.referredBy(uses)]).toEqual([rule]);
    expect([...returning.referredBy({ attribute: inputUrn(uuid(12)) })]).toEqual([rule]);
    expect([...returning.referredBy({ other: ruleUrn(2) })]).toEqual([]);
    expect([...returning.referredBy(uses, rule)]).toEqual([]);
  });

  test("is rewritten once it is there, in every form, and not before", () => {
    const mapping = new MappingTable();
    const returning = new Returning([rule], mapping);
    expect(returning.rewrite(uses)).toEqual(uses);
    const keys = { [uuid(11)]: uuid(21), [uuid(12)]: uuid(22) };
    mapping.set("rules", rule.source, { name: "x", target: ruleUrn(9), origin: "created", keys });
    expect(returning.rewrite(uses)).toEqual({
      ruleUrn: ruleUrn(9),
      attribute: inputUrn(uuid(22)),
      text: `see ${ruleUrn(9)}`,
      bare: uuid(22),
    });
  });
});

test("objects that refer to each other come back without their references, which follow", async () => {
  const made = await world("empty");
  onTestFinished(async () => made.close());
  const migration = made.migration();
  const one = deleted("terms", termUrn(1), { name: "One", extraProperties: { relatedTerms: [termUrn(2)] } });
  const two = deleted("terms", termUrn(2), { name: "Two", extraProperties: { relatedTerms: [termUrn(1)] } });
  const mapping = new MappingTable();
  const returning = new Returning([one, two], mapping);
  const standing = standingTerms();
  const planned = planDeeds([one, two], {
    registry: migration.registry,
    plan: migration.plan,
    standing,
    listed: new ListedTypes(standing.snapshot),
    mapping,
    returning,
    finished: false,
    otherRuns: new Set(),
    ownRuns: new Set(),
    backRuns: new Set(),
    keep: new KeptPlans().keep,
    abandoned: new Set(),
  });
  expect(planned.map(({ change }) => change.action)).toEqual(["create", "create"]);
  const { tasks, build } = new RollbackTasks(planned, {
    standing,
    mapping,
    returning,
    registry: migration.registry,
    now: migration.now,
  });
  const waits = Object.fromEntries([...tasks].map(([id, task]) => [id, [...task.waits].toSorted(byText)]));
  const [first, second] = [one, two].map(({ source }) => `terms:${source}`);
  expect(waits).toEqual({
    [first ?? ""]: [],
    [`${first}#2`]: [first ?? "", second ?? ""].toSorted(byText),
    [second ?? ""]: [],
    [`${second}#2`]: [first ?? "", second ?? ""].toSorted(byText),
  });
  const create = tasks.get(first ?? "");
  const patch = tasks.get(`${first}#2`);
  if (create === undefined || patch === undefined) throw new Error("two tasks were expected");
  expect(build(create)).toMatchObject({ item: { body: { name: "One" } }, intent: { body: { name: "One" } } });
  const row = (name: string, from: number, to: number): MappingEntry => {
    return { name, target: termUrn(to), origin: "created", former: { target: termUrn(from) } };
  };
  mapping.set("terms", one.source, row("One", 1, 8));
  mapping.set("terms", two.source, row("Two", 2, 9));
  expect(build(patch)).toMatchObject({
    item: { target: termUrn(8), body: { extraProperties: { relatedTerms: [termUrn(9)] } } },
  });

  // Killed before the references could follow: the next rollback sends them, and nothing else.
  const there = standingTerms({ [termUrn(8)]: { name: "One" }, [termUrn(9)]: { name: "Two" } });
  const again = planDeeds([one, two], {
    registry: migration.registry,
    plan: migration.plan,
    standing: there,
    listed: new ListedTypes(there.snapshot),
    mapping,
    returning,
    finished: false,
    otherRuns: new Set(),
    ownRuns: new Set(),
    backRuns: new Set(),
    keep: new KeptPlans().keep,
    abandoned: new Set(),
  });
  expect(again.map(({ change }) => [change.action, change.target?.urn])).toEqual([
    ["update", termUrn(8)],
    ["update", termUrn(9)],
  ]);
  const rest = new RollbackTasks(again, {
    standing: there,
    mapping,
    returning,
    registry: migration.registry,
    now: migration.now,
  });
  const task = rest.tasks.get(second ?? "");
  expect(task === undefined ? undefined : rest.build(task)).toMatchObject({
    item: { target: termUrn(9), body: { extraProperties: { relatedTerms: [termUrn(8)] } } },
    intent: { target: termUrn(9) },
  });
  const whole = standingTerms({
    [termUrn(8)]: { name: "One", extraProperties: { relatedTerms: [termUrn(9)] } },
    [termUrn(9)]: { name: "Two", extraProperties: { relatedTerms: [termUrn(8)] } },
  });
  expect(
    planDeeds([one, two], {
      registry: migration.registry,
      plan: migration.plan,
      standing: whole,
      listed: new ListedTypes(whole.snapshot),
      mapping,
      returning,
      finished: false,
      otherRuns: new Set(),
      ownRuns: new Set(),
      backRuns: new Set(),
      keep: new KeptPlans().keep,
      abandoned: new Set(),
    }),
  ).toEqual([]);
});

/** A target with these terms in it. */
function standingTerms(terms: Readonly<Record<string, JsonObject>> = {}): TargetState {
  return {
    snapshot: {
      manifest: undefined as never,
      kinds: () => [],
      urns: () => [],
      has: (_kind, urn) => Object.hasOwn(terms, urn),
      name: () => "",
      meta: () => undefined,
      body: (_kind, urn) => terms[urn] ?? {},
      stream: () => [],
      close: () => undefined,
    },
    pairs: {
      twins: new Map(),
      unpaired: new Map(),
      unlisted: new Map(),
      supposed: new Map(),
      untold: new Set(),
      inside: new Map(),
      records: new FoundTable(),
    },
    overlays: new Overlays(),
  };
}

function byText(left: string, right: string): number {
  return left.localeCompare(right);
}
