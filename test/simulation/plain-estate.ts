import type { RulePlan, TermPlan } from "../properties/estates/estate.ts";

/** A rule and a term with nothing about them, for stories in which something else matters. */

export const anyRule: RulePlan = {
  name: "Email",
  description: "What it means",
  dimension: 0,
  groups: [{ joined: false, inputs: [{ name: "email", trims: false }] }],
  parameters: [],
  conditions: [{ expression: "true", result: 0 }],
  group: false,
};

export const anyTerm: TermPlan = {
  type: "businessTerm",
  name: "Email",
  text: "What it means",
  mentions: [],
  related: [],
  broader: undefined,
  owner: undefined,
  detection: [],
};
