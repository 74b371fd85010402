import type { GivenKind } from "./kind.ts";
import { namedEntities } from "./shared/named-entities.ts";

/** Detection rules that terms refer to, paired by name. */
export const detectionRules: GivenKind = namedEntities({
  name: "detection-rules",
  entityType: "detectionRule",
  urnTypes: ["catalog:detection-rule"],
  advice:
    "Create the detection rule at the target under the same name, or run `ferry mappings PLAN set <source urn> <target urn>`.",
});
