import { z } from "zod";
import type { PlanSection } from "../plan/section.ts";
import type { GivenKind } from "./kind.ts";
import { namedEntities } from "./shared/named-entities.ts";

declare module "../model/plan.ts" {
  interface Pairing {
    /** Name to name. */
    readonly connections: Readonly<Record<string, string>>;
  }
}

const settings = {
  pairing: {
    connections: {
      schema: z
        .record(z.string(), z.string())
        .default({})
        .describe("Connections: name at the source to name at the target."),
    },
  },
} satisfies PlanSection;

/** Connections of data sources, paired by name or as the plan says (pairing.connections). */
export const connections: GivenKind = namedEntities({
  name: "connections",
  entityType: "connection",
  urnTypes: ["processing:connection"],
  under: "connections",
  settings,
  madeInPlace: true,
  advice: "Pair the connection by name under pairing.connections in the plan.",
});
