import type { JsonObject } from "../../model/json.ts";
import type { Misfit, ModelTypes, Moved } from "../kind.ts";
import type { Place } from "./misfits.ts";
import { extraMisfits, withoutMisfits } from "./misfits.ts";
import type { Model, TypeDefinition } from "./model.ts";

type Fitting = Required<Pick<Moved, "misfits" | "adapt">>;

/**
 * What the environment that a kind was opened for has no place for blocks what has it, or is left out, as the plan says. `model`
 * is undefined where it was not read yet: of that nothing follows.
 */
export function fitting(
  model: () => Model | undefined,
  misfitsIn: (body: JsonObject, place: Place) => readonly Misfit[],
): Fitting {
  const misfits = (body: JsonObject, types: ModelTypes): readonly Misfit[] => {
    const known = model();
    return known === undefined ? [] : misfitsIn(body, { model: known, types });
  };
  return {
    misfits,
    adapt: (tree, policy, target, types) =>
      policy.missingProperty === "drop" ? withoutMisfits(tree, misfits(tree, types), target) : tree,
  };
}

/** The same of extra properties. Of things of several types a property of any of them will do; `name` is what these are called. */
export function fittingExtra(
  model: Model | undefined,
  types: readonly TypeDefinition[],
  name: string,
): Fitting {
  const type = together(types);
  return fitting(
    () => model,
    (body, place) => {
      const found = extraMisfits(body, type ?? name, place);
      // Of which of the types it is nothing shows, and each may have a property of that name in its own way.
      const fits = (misfit: Misfit): boolean =>
        types.some((one) => !extraMisfits(body, one, place).some((other) => isAtOnePlace(other, misfit)));
      return types.length < 2 ? found : found.filter((misfit) => !fits(misfit));
    },
  );
}

function isAtOnePlace(one: Misfit, other: Misfit): boolean {
  return one.place?.join("/") === other.place?.join("/");
}

/** As one type that has the properties of all; undefined for none. */
export function together(types: readonly TypeDefinition[]): TypeDefinition | undefined {
  const [first] = types;
  if (first === undefined) return undefined;
  return { ...first, properties: new Map(types.flatMap((type) => [...type.properties])) };
}
