import type { GivenKind } from "./kind.ts";
import { namedEntities } from "./shared/named-entities.ts";

/** Data sources, paired by name or as the plan says (pairing.sources). */
export const sources: GivenKind = namedEntities({
  name: "sources",
  entityType: "source",
  urnTypes: ["catalog:source"],
  under: "sources",
  madeInPlace: true,
  advice: "Pair the source by name under pairing.sources in the plan.",
});
