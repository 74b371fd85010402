import { expect, test } from "vitest";
import { seedDashboard, seedMonitor, seedRule, seedTerm } from "../diff/support/content.ts";
import { apply, expectAtRest, expectChange, stage } from "../diff/support/run.ts";
import type { Side } from "../diff/support/side.ts";
import type { PlanChanges } from "../support/world.ts";
import { type Urn, uuidOf } from "../../src/model/urn.ts";
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
