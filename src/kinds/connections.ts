import type { GivenKind } from "./kind.ts";
import { namedEntities } from "./shared/named-entities.ts";

/** Connections of data sources, paired by name or as the plan says (pairing.connections). */
export const connections: GivenKind = namedEntities({
  name: "connections",
  entityType: "connection",
  urnTypes: ["processing:connection"],
  under: "connections",
  madeInPlace: true,
  advice: "Pair the connection by name under pairing.connections in the plan.",
});
