import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedTerm } from "./support/content.ts";
import { onlyPatch, written } from "./support/log.ts";
import { apply, expectAtRest, expectChange, type Stage, stage, twinOf } from "./support/run.ts";
import { editTerm } from "./support/web.ts";

const plan = { select: { kinds: ["terms"] } };

/** A term with everything, and three others that it refers to, all moved. */
async function moved(): Promise<{ readonly at: Stage; readonly urn: Urn; readonly twin: string }> {
  const at = await stage();
  const others = ["Person", "Party", "Contact"].map((name) => seedTerm(at.source, name));
  const urn = seedTerm(at.source, "Customer", {
    detectionRules: {
      operator: "AND",
      ruleAssignments: [
        { detectionRuleUrn: at.source.detectionRule("E-mail pattern"), threshold: 80 },
        { detectionRuleUrn: at.source.detectionRule("Person name"), threshold: 70 },
      ],
    },
    attributeToCatalogItemTermRules: { enabled: true, minimumAttributes: 2 },
    extraProperties: {
      owner: "Sales",
      reviewCycleDays: 30,
      partOf: others[0] ?? "",
      relatedTerms: others.slice(1),
    },
  });
  await apply(at, plan);
  return { at, urn, twin: await twinOf(at, urn) };
}

type Change = (at: Stage) => { readonly edit: JsonObject; readonly patch: JsonObject };

const cases: readonly { readonly what: string; readonly change: Change }[] = [
  { what: "one scalar", change: () => ({ edit: { description: "New" }, patch: { description: "New" } }) },
  {
    what: "the name: the mapping still knows it",
    change: () => ({ edit: { name: "Client" }, patch: { name: "Client" } }),
  },
  { what: "a scalar cleared", change: () => ({ edit: { description: null }, patch: { description: null } }) },
  {
    what: "a nested scalar of a field that no document describes",
    change: () => ({
      edit: { attributeToCatalogItemTermRules: { enabled: true, minimumAttributes: 3 } },
      patch: { attributeToCatalogItemTermRules: { minimumAttributes: 3 } },
    }),
  },
  {
    what: "an extra property",
    change: () => ({
      edit: { extraProperties: { owner: "Service" } },
      patch: { extraProperties: { owner: "Service" } },
    }),
  },
  {
    what: "an extra property cleared with null",
    change: () => ({
      edit: { extraProperties: { owner: null } },
      patch: { extraProperties: { owner: null } },
    }),
  },
  {
    what: "a reference array cleared with []",
    change: () => ({
      edit: { extraProperties: { relatedTerms: [] } },
      patch: { extraProperties: { relatedTerms: [] } },
    }),
  },
  {
    what: "a reference changed",
    change: ({ source, target }) => ({
      edit: { extraProperties: { partOf: source.term("Party") } },
      patch: { extraProperties: { partOf: target.term("Party") } },
    }),
  },
  {
    what: "one of an array of references taken away",
    change: ({ source, target }) => ({
      edit: { extraProperties: { relatedTerms: [source.term("Contact")] } },
      patch: { extraProperties: { relatedTerms: [target.term("Contact")] } },
    }),
  },
  {
    what: "the threshold of a detection rule: arrays travel whole",
    change: ({ source, target }) => ({
      edit: {
        detectionRules: {
          operator: "AND",
          ruleAssignments: [{ detectionRuleUrn: source.detectionRule("Person name"), threshold: 60 }],
        },
      },
      patch: {
        detectionRules: {
          ruleAssignments: [{ detectionRuleUrn: target.detectionRule("Person name"), threshold: 60 }],
        },
      },
    }),
  },
  {
    what: "all detection rules cleared",
    change: () => ({ edit: { detectionRules: null }, patch: { detectionRules: null } }),
  },
  {
    what: "all extra properties cleared, each by its name: only the listed ones are modified",
    change: () => ({
      edit: { extraProperties: { owner: null, reviewCycleDays: null, partOf: null, relatedTerms: [] } },
      patch: { extraProperties: { owner: null, reviewCycleDays: null, partOf: null, relatedTerms: [] } },
    }),
  },
];

describe("an update of a term", () => {
  it.each(cases)("sends $what and nothing else", async ({ change }) => {
    const { at, urn } = await moved();
    const { edit, patch } = change(at);
    editTerm(at.source, urn, edit);
    const done = await apply(at, plan);
    expectChange(done, urn, "update", "it changed at the source");
    expect(done.exitCode).toBe(0);
    expect(written(at.world)).toEqual(["PATCH terms/:urn"]);
    expect(onlyPatch(at.world)).toEqual(patch);
    await expectAtRest(at, plan);
  });

  it("refers to a term that is created in the same run", async () => {
    const { at, urn } = await moved();
    const fresh = seedTerm(at.source, "Household");
    editTerm(at.source, urn, { extraProperties: { partOf: fresh } });
    await apply(at, plan);
    expect(written(at.world)).toEqual(["POST terms/bulk", "PATCH terms/:urn"]);
    expect(onlyPatch(at.world)).toEqual({ extraProperties: { partOf: at.target.term("Household") } });
    await expectAtRest(at, plan);
  });
});

describe("no change of a term", () => {
  it("is another order of references and of detection rules", async () => {
    const { at, urn } = await moved();
    const body = at.source.body(urn);
    const rules = body["detectionRules"] as { ruleAssignments: unknown[] };
    const related = (body["extraProperties"] as { relatedTerms: string[] }).relatedTerms;
    editTerm(at.source, urn, {
      detectionRules: {
        operator: "AND",
        ruleAssignments: [...rules.ruleAssignments].reverse() as JsonObject[],
      },
      extraProperties: { relatedTerms: [...related].reverse() },
    });
    await expectAtRest(at, plan);
  });

  it("is a property that the service computes, or a field set to nothing", async () => {
    const { at, urn, twin } = await moved();
    const { extraProperties } = at.source.body(urn);
    at.source.tenant.terms.put({
      urn,
      published: {
        ...at.source.body(urn),
        extraProperties: { ...(extraProperties as JsonObject), usageCount: 42 },
      } as never,
      draftType: "NONE",
    });
    at.source.tenant.critical.add(urn);
    at.target.tenant.critical.add(twin as Urn);
    await expectAtRest(at, plan);
  });

  it("is the same change made at the target already", async () => {
    const { at, urn, twin } = await moved();
    editTerm(at.source, urn, { description: "New" });
    editTerm(at.target, twin as Urn, { description: "New" });
    await expectAtRest(at, plan);
    // What both sides agree on is remembered: a change after it is the source's alone.
    editTerm(at.source, urn, { description: "Newer" });
    expectChange(await apply(at, plan), urn, "update", "it changed at the source");
  });
});
