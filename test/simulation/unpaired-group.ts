import type { Tenant } from "../../src/emulator/index.ts";
import { isObject, type Json } from "../../src/emulator/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { Dice } from "./dice.ts";
import type { Step, Story } from "./story.ts";

/** A group of the source that has no twin: the plan names none, and none at the target is called as it is. */
export type UnpairedGroup = "group" | "group owners" | "group guests";

/** In one of eight histories in which groups are referred to; what the plan says of it changes now and then. */
export function withUnpairedGroup(story: Story, dice: Dice): Story {
  const { kinds = [] } = story;
  const hasStewards = kinds.includes("stewardship");
  if (!hasStewards && !kinds.includes("rules")) return story;
  if (!dice.chance(share) || story.isOne === true || story.isMirrored === true) return story;
  const groups: readonly UnpairedGroup[] = hasStewards
    ? ["group", "group owners", "group guests"]
    : ["group"];
  const drawn = (): Step["policy"] => ({ missingGroup: dice.pick(["drop", "drop", "block"]) });
  const steps = story.steps.map((step) =>
    dice.chance(0.2) ? { ...step, policy: { ...step.policy, ...drawn() } } : step,
  );
  return { ...story, steps, unpairedGroup: dice.pick(groups), policy: { ...story.policy, ...drawn() } };
}

const share = 0.12;

/** What stands for it at the target goes by another name there. */
export function rename(tenant: Tenant, urn: Urn | undefined): void {
  const group = urn === undefined ? undefined : tenant.entities.get(urn);
  if (group !== undefined)
    tenant.entities.put({ ...group, properties: { ...group.properties, name: "others" } });
}

/** Without what refers to it: under `drop` nothing of that arrives. */
export function withoutGroup(value: Json, urn: string): Json {
  if (Array.isArray(value)) return value.map((one) => withoutGroup(one, urn));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== urn);
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutGroup(field, urn)]));
}
