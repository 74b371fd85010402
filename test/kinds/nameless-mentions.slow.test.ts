import { expect, test } from "vitest";
import { seedDashboard, seedMonitor, seedRule, seedTerm } from "../diff/support/content.ts";
import { apply, expectAtRest, expectChange, stage } from "../diff/support/run.ts";
import { type Side, wanted } from "../diff/support/side.ts";
import type { PlanChanges } from "../support/world.ts";
import { type Urn, uuidOf } from "../../src/model/urn.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import { seedComment, seedIssue } from "./support/catalog.ts";

const plan: PlanChanges = {
  select: {
    kinds: ["terms", "rules", "monitors", "dashboards", "entities"],
    entityTypes: ["qualityIssue", "issueComment"],
  },
};

const mentions: Readonly<Record<string, (side: Side) => Urn>> = {
  "a term": (side) => seedTerm(side, "Customer"),
  "a rule": (side) => seedRule(side, "E-mail"),
  "a monitor": (side) => seedMonitor(side, seedRule(side, "E-mail"), "Customers"),
  "a dashboard": (side) => seedDashboard(side, "Sales"),
};

// Kinds are gone through in an order of their own, and rules come after entities.
test.each(Object.entries(mentions))(
  "what has no name and mentions %s is known by that at the target, and not made beside it",
  async (_what, seed) => {
    const at = await stage();
    const comment = (side: Side): Urn => {
      const node = { type: "entityReference", gid: uuidOf(seed(side)), entityName: "entity" };
      return seedComment(side, seedIssue(side, "Late"), JSON.stringify([node]));
    };
    const here = comment(at.source);
    const there = comment(at.target);
    const result = await apply(at, plan);
    expect(expectChange(result, here, "adopt", "same content").target?.urn).toBe(there);
    expect(at.target.tenant.entities.valuesIn("type:issueComment")).toHaveLength(1);
    await expectAtRest(at, plan);
  },
);

const texts: Readonly<Record<string, (urn: Urn) => string>> = {
  "in a formatted text": (urn) =>
    JSON.stringify([{ type: "entityReference", gid: uuidOf(urn), entityName: "term" }]),
  "by its URN": (urn) => `See ${urn}, please`,
};

test.each(Object.entries(texts))(
  "what has no name and mentions, %s, what a person has to tell apart first waits for that",
  async (_where, text) => {
    const at = await stage();
    const comment = (side: Side, what: string): { readonly urn: Urn; readonly term: Urn } => {
      const [term] = [1, 2].map((number) => seedTerm(side, "Twin", { description: `${what} ${number}` }));
      const mentioned = wanted(term, "term");
      return { urn: seedComment(side, seedIssue(side, "Late"), text(mentioned)), term: mentioned };
    };
    const here = comment(at.source, "Here");
    const there = comment(at.target, "There");

    const held = expectChange(await apply(at, plan), here.urn, "blocked", 'mentions terms "Twin"');
    expect(held.reason).toContain(there.urn);
    expect(at.target.tenant.entities.valuesIn("type:issueComment")).toHaveLength(1);

    await setMappings(at.world.migration(plan), [{ source: here.term, target: there.term }]);
    const found = expectChange(await apply(at, plan), here.urn, "adopt", "same content");
    expect(found.target?.urn).toBe(there.urn);
  },
);

test("one that says something else is made beside what the target has", async () => {
  const at = await stage();
  for (const side of [at.source, at.target]) {
    const [term] = [1, 2].map((number) =>
      seedTerm(side, "Twin", { description: `${side.tenant.name} ${number}` }),
    );
    seedComment(side, seedIssue(side, "Late"), `${side.tenant.name} on ${wanted(term, "term")}`);
  }
  await apply(at, plan);
  expect(at.target.tenant.entities.valuesIn("type:issueComment")).toHaveLength(2);
});
