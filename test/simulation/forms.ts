import type { Tenant } from "../../src/emulator/index.ts";
import type { Json } from "../../src/emulator/json.ts";
import type { AppliedChange, FieldChange } from "../../src/model/change.ts";
import { keepsDescriptions } from "../support/forms.ts";
import type { Dice } from "./dice.ts";
import type { Story } from "./story.ts";

/** The target begins every description with a capital: that is what was brought there, and no word of a colleague. */
export function keepsCapitals(tenant: Tenant): void {
  keepsDescriptions(tenant, withCapital);
}

function withCapital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value in the form in which the target keeps it; to those who judge both are one. */
export function asKept(name: string, value: Json): Json {
  return name === "description" && typeof value === "string" ? withCapital(value) : value;
}

/**
 * Whether what is told to have changed at the target may be no more than such a form: an apply, which reads nothing back, does not know that
 * of what it has created (src/engine/README.md). What a conflict shows besides may be the source's word.
 */
export function isOverForm({ action, fields }: Pick<AppliedChange, "action" | "fields">): boolean {
  const isForm = ({ path, from }: FieldChange): boolean =>
    path === "/description" && typeof from === "string" && from.charAt(0) !== from.charAt(0).toLowerCase();
  return action === "conflict" ? fields.some(isForm) : fields.every(isForm);
}

/**
 * In one of twelve, but not where drift is overwritten: an apply reads nothing back, and where the answer to a change shows a text as it was
 * sent, each run would bring it once more (the service cannot be told from a person who does that again and again).
 */
export function withForms(story: Story, dice: Dice): Story {
  if (!dice.chance(1 / 12) || story.isMirrored === true || story.isOne === true) return story;
  const policies = [story.policy, story.teams?.policy, ...story.steps.map(({ policy }) => policy)];
  if (policies.some((policy) => policy?.drift === "overwrite")) return story;
  return { ...story, openings: { ...story.openings, keepsCapitals: true } };
}
