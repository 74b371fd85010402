import { z } from "zod";
import type { PlanSection } from "../plan/section.ts";
import type { GivenKind } from "./kind.ts";
import { namedEntities } from "./shared/named-entities.ts";

declare module "../model/plan.ts" {
  interface Pairing {
    /** Name to name. */
    readonly sources: Readonly<Record<string, string>>;
  }
}

const settings = {
  pairing: {
    sources: {
      schema: z
        .record(z.string(), z.string())
        .default({})
        .describe("Data sources: name at the source to name at the target."),
    },
  },
} satisfies PlanSection;

/** Data sources, paired by name or as the plan says (pairing.sources). */
export const sources: GivenKind = namedEntities({
  name: "sources",
  entityType: "source",
  urnTypes: ["catalog:source"],
  under: "sources",
  settings,
  madeInPlace: true,
  advice: "Pair the source by name under pairing.sources in the plan.",
});
