import { z } from "zod";
import { formatUrn, parseUrn, uuidOf } from "../model/urn.ts";
import type { PlanSection } from "../plan/section.ts";
import type { GivenKind } from "./kind.ts";

declare module "../model/plan.ts" {
  interface Pairing {
    /** UUID to UUID. */
    readonly groups: Readonly<Record<string, string>>;
  }
  interface Policy {
    readonly missingGroup: "block" | "drop";
  }
}

const settings = {
  pairing: { groups: { schema: z.record(z.string(), z.uuid()).default({}) } },
  policy: { missingGroup: { schema: z.enum(["block", "drop"]).default("block"), after: "targetOnly" } },
} satisfies PlanSection;

/**
 * Groups of people. No interface lists them; the plan names the target's UUID (pairing.groups) and the URN is built
 * from it (document 2, Migration rules 3).
 */
export const groups: GivenKind = {
  name: "groups",
  selectedAs: "groups",
  mode: "given",
  urnTypes: ["iam:group"],
  modelType: "group",
  settings,
  after: [],
  read: async (_client, urns) => [...urns].map((urn) => ({ urn, name: uuidOf(urn), body: { urn } })),
  candidates: async (_client, records, context) =>
    records.flatMap((record) => {
      const uuid = context.pairing.groups[uuidOf(record.urn)];
      const parts = parseUrn(context.inTarget(record.urn));
      if (uuid === undefined || parts === undefined) return [];
      const urn = formatUrn({ ...parts, uuid });
      return [{ urn, name: uuid, body: { urn } }];
    }),
  sourceKeys(record, context) {
    const uuid = context.pairing.groups[uuidOf(record.urn)];
    return uuid === undefined ? [] : [uuid];
  },
  targetKeys: (record) => [uuidOf(record.urn)],
  withoutKey:
    "the plan has no entry for it under pairing.groups, and groups are paired only there: no interface lists them",
  pairedUnder: "groups",
  otherwise: "or set policy.missingGroup to drop, which leaves the reference out",
  advice:
    "Name the target's group under pairing.groups in the plan (source uuid: target uuid), or set policy.missingGroup to drop.",
  mayDrop: (policy) => policy.missingGroup === "drop",
};
