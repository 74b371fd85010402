import type { JsonObject } from "../../model/json.ts";
import type { Misfit, Moved } from "../kind.ts";
import { extraMisfits, withoutMisfits } from "./misfits.ts";
import type { TypeDefinition } from "./model.ts";

/**
 * What a kind says of extra properties that the environment it was opened for has no place for: they block what has one,
 * or are left out, as the plan says. Of things of several types a property of any of them will do.
 */
export function withExtraProperties(
  types: readonly TypeDefinition[],
): Required<Pick<Moved, "misfits" | "adapt">> {
  const [first] = types;
  const properties = new Map(types.flatMap((type) => [...type.properties]));
  const type = first === undefined ? undefined : { ...first, properties };
  const misfits = (body: JsonObject): readonly Misfit[] => extraMisfits(body, type);
  return {
    misfits,
    adapt: (tree, policy, target) =>
      policy.missingProperty === "drop" ? withoutMisfits(tree, misfits(tree), target) : tree,
  };
}
