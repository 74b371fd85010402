import { describe, expect, test } from "vitest";
import type { Tenant } from "../../src/emulator/index.ts";
import { ruleInputs } from "../../src/emulator/quality/rule-shape.ts";
import { demoPairing } from "../../src/emulator/scenarios/index.ts";
import { linkRuleToTerm } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { Result } from "../../src/model/result.ts";
import type { PlanChanges, World } from "../support/world.ts";
import { onDemo } from "./on-demo.ts";
import { differences } from "../support/meaning.ts";
import { only, run, writes } from "./support.ts";

/** Document 2, Migration rules 7: terms, links between rules and terms by a person, then the assignments. */
const select = { kinds: ["terms", "rules", "monitors", "dashboards", "term-assignments"] };
const pending: PlanChanges = { select, policy: { termLinks: "pending" } };
const linked: PlanChanges = { select, policy: { termLinks: "done" } };

const held = ["CURRENCY", "EMAIL", "GTIN", "IBAN", "PHONE"];
const free = ["BIRTH_DATE", "ORDER_NUMBER", "SKU", "VAT_NUMBER", "best_before"];
const except = ["Fuel level (built)", "Supplier has a contact (built)"].map((name) => `rule ${name}`);

let demo: World;
let source: Tenant;
let target: Tenant;
onDemo((at) => ({ demo, source, target } = at));

const left = (): readonly string[] =>
  differences(source, target, { renames: demoPairing, assignments: true, except });

/** `attribute: term (how)`, of everything that is assigned. */
function assigned(tenant: Tenant): string[] {
  return [...tenant.attributes.values()]
    .flatMap(({ name, termAssignments }) =>
      termAssignments.map(
        ({ termUrn, source: how }) =>
          `${name}: ${tenant.terms.get(termUrn)?.published?.name ?? "?"} (${how})`,
      ),
    )
    .sort();
}

/** The rule and input that a link of the source means, found at the target by content. */
function twinOfRule(urn: Urn, inputUrn: Urn): { ruleUrn: Urn; ruleAttributeUrn: Urn } {
  const rule = source.rules.get(urn)?.published;
  const input = rule === undefined ? undefined : ruleInputs(rule).get(inputUrn)?.["name"];
  for (const { urn: ruleUrn, published } of target.rules.values()) {
    if (
      published === undefined ||
      published.name !== rule?.name ||
      published["description"] !== rule["description"]
    )
      continue;
    for (const [ruleAttributeUrn, { name }] of ruleInputs(published)) {
      if (name === input) return { ruleUrn, ruleAttributeUrn: ruleAttributeUrn as Urn };
    }
  }
  throw new Error(`no twin of ${rule?.name ?? urn}`);
}

/** What a person does in the web application of the target. */
function linkAtTarget(): void {
  for (const { termUrn, ruleUrn, ruleAttributeUrn } of source.termRuleLinks) {
    const { name, type } = source.terms.get(termUrn)?.published ?? {};
    const twin = [...target.terms.values()].find(
      ({ published }) => published?.name === name && published?.type === type,
    );
    if (twin === undefined) throw new Error(`no twin of ${name ?? termUrn}`);
    linkRuleToTerm(target, { termUrn: twin.urn, ...twinOfRule(ruleUrn, ruleAttributeUrn) });
  }
}

function instances(tenant: Tenant): number {
  return [...tenant.monitors.values()].reduce((sum, { published }) => {
    return sum + Object.keys(published?.["termRuleInstances"] ?? {}).length;
  }, 0);
}

const ofKind = (result: Result, action: string): readonly string[] =>
  only(result.changes, action)
    .flatMap((change) => (change.kind === "term-assignments" ? [change.source?.name ?? ""] : []))
    .sort();

test("what is created in this very run cannot have been linked, whatever the plan says", async () => {
  const result = await run(demo, linked);
  const waiting = result.changes.filter(
    (change) => change.kind === "term-assignments" && change.action === "manual",
  );
  expect(new Set(waiting.map((change) => change.source?.name))).toEqual(new Set(held));
  for (const change of waiting) expect(change.reason).toContain("must link rules to terms first");
});

describe("before the links are made", () => {
  test("assignments of terms with rules wait for a person, the others are made", async () => {
    const result = await run(demo, pending, { verify: true });
    expect(ofKind(result, "manual")).toEqual(held);
    expect(ofKind(result, "update")).toEqual(free);
    expect(result.summary).toMatchObject({ failed: 0, blocked: 0, inDoubt: 0 });
    expect(result.exitCode).toBe(4);
    expect(assigned(target)).toEqual([
      "BIRTH_DATE: Date of birth (MANUAL)",
      "BIRTH_DATE: Special category of personal data (MANUAL)",
      "ORDER_NUMBER: Order number (MANUAL)",
      "SKU: Stock keeping unit (MANUAL)",
      "VAT_NUMBER: VAT number (MANUAL)",
      "best_before: Best-before date (MANUAL)",
    ]);
    expect(instances(target)).toBe(0);
  });

  test("the person is told the exact pairs", async () => {
    const result = await run(demo, pending);
    const email = result.changes.find(
      ({ kind, source: named }) => kind === "term-assignments" && named?.name === "EMAIL",
    );
    expect(email?.reason).toBe('a person must link rules to terms first: "Email format" to "E-mail address"');
    const [problem] = email?.diagnostics.filter((diagnostic) => diagnostic.code === "link-terms-first") ?? [];
    expect(problem?.suggestion).toContain("policy.termLinks");
    const pairs = result.diagnostics.filter((diagnostic) => diagnostic.code === "link-term-rule");
    const ruleOf = (summary: string): string => /"([^"]*)"/.exec(summary)?.[1] ?? "";
    expect(pairs.map((pair) => `${ruleOf(pair.summary)} to ${pair.coordinate?.name ?? ""}`).sort()).toEqual([
      "Currency code to Currency",
      "Email format to E-mail address",
      "GTIN check digit to GTIN",
      "IBAN check digits to IBAN",
      "Phone number format to Phone number",
    ]);
  });

  test("a second run waits still, and writes nothing", async () => {
    await run(demo, pending);
    demo.emulator.log.clear();
    const result = await run(demo, pending);
    expect(ofKind(result, "manual")).toEqual(held);
    expect(writes(demo.emulator, "prod")).toEqual([]);
  });
});

describe("after a person made the links", () => {
  test("the rest is assigned, and the rule instances appear where the source has them", async () => {
    await run(demo, pending);
    linkAtTarget();
    const result = await run(demo, linked, { verify: true });
    expect(ofKind(result, "update")).toEqual(held);
    expect(result.summary).toMatchObject({ create: 0, update: held.length, failed: 0, manual: 2 });
    expect(result.headline).toContain("Verified what was done.");
    expect(result.diagnostics.filter((diagnostic) => diagnostic.code === "link-term-rule")).toEqual([]);
    // The source has a sixth, which detection brought: it is the target's own business.
    expect(instances(source)).toBe(6);
    expect(instances(target)).toBe(5);
    expect(left()).toEqual([]);
  });

  test("only what people assigned is moved", async () => {
    await run(demo, pending);
    linkAtTarget();
    await run(demo, linked);
    const manual = assigned(source).filter((line) => line.endsWith("(MANUAL)"));
    expect(assigned(source).length).toBeGreaterThan(manual.length);
    expect(assigned(target)).toEqual(manual);
    expect([...target.attributes.values()].flatMap((attribute) => attribute.termDetectionDenylist)).toEqual(
      [],
    );
  });

  test("the comparison sees each assignment", async () => {
    await run(demo, pending);
    linkAtTarget();
    await run(demo, linked);
    const attribute = [...target.attributes.values()].find(
      ({ termAssignments }) => termAssignments.length > 1,
    );
    if (attribute === undefined) throw new Error("no attribute has two terms");
    for (const { termUrn } of attribute.termAssignments) {
      const termAssignments = attribute.termAssignments.filter(
        (assignment) => assignment.termUrn !== termUrn,
      );
      target.attributes.put({ ...attribute, termAssignments });
      expect(left().length).toBeGreaterThan(0);
    }
    target.attributes.put(attribute);
    expect(left()).toEqual([]);
  });

  test("a further run writes nothing, whatever the policy says", async () => {
    await run(demo, pending);
    linkAtTarget();
    await run(demo, linked);
    const state = JSON.stringify(target.dump());
    for (const changes of [linked, pending]) {
      demo.emulator.log.clear();
      const result = await run(demo, changes, { verify: true });
      expect(ofKind(result, "manual")).toEqual([]);
      expect(writes(demo.emulator, "prod")).toEqual([]);
    }
    expect(JSON.stringify(target.dump())).toBe(state);
  });

  test("assignments go in batches, not one by one", async () => {
    await run(demo, pending);
    linkAtTarget();
    demo.emulator.log.clear();
    await run(demo, linked);
    expect(writes(demo.emulator, "prod").map((entry) => entry.route)).toEqual([
      "POST /api/catalog/v1/attributes/term-assignments/batch/assign",
    ]);
  });

  test("an answer that was lost is settled, and no instance is there twice", async () => {
    await run(demo, pending);
    linkAtTarget();
    const route = "POST /api/catalog/v1/attributes/term-assignments/batch/assign";
    demo.emulator.faults.add({
      match: { tenant: "prod", route },
      when: { times: 1 },
      effect: { type: "garbage" },
    });
    const result = await run(demo, linked, { verify: true });
    expect(result.summary).toMatchObject({ failed: 0, inDoubt: 0 });
    expect(left()).toEqual([]);
  });
});

test("links that were announced and never made are reported: the instances did not appear", async () => {
  await run(demo, pending);
  const result = await run(demo, linked, { verify: true });
  expect(ofKind(result, "update")).toEqual(held);
  expect(instances(target)).toBe(0);
  const pairs = result.diagnostics.filter((diagnostic) => diagnostic.code === "link-term-rule");
  expect(pairs).toHaveLength(5);
  expect(left().some((line) => line.startsWith("primary monitor of"))).toBe(true);
});

test("assignments alone, without the terms they need, are blocked", async () => {
  const result = await run(demo, {
    select: { kinds: ["term-assignments"], dependencies: "mapped-only" },
    policy: { termLinks: "done" },
  });
  expect(ofKind(result, "blocked")).toEqual([...free, ...held].sort());
  expect(writes(demo.emulator, "prod")).toEqual([]);
});
