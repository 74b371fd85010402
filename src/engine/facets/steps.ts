import type { MovedKind, Step } from "../../kinds/kind.ts";
import { standsAlone } from "./standing.ts";

/** The steps that make a new one; none where things of the kind cannot be made. */
export function createSteps(kind: MovedKind): readonly Step[] {
  return standsAlone(kind) ? kind.create : [];
}

/** The step that takes one away; undefined where the service offers none, or where it goes with something else. */
export function removeStep(kind: MovedKind): Step | undefined {
  return standsAlone(kind) ? kind.remove : undefined;
}

/** A step by the name that the journal and the mapping know it by. */
export function stepNamed(kind: MovedKind, name: string): Step | undefined {
  const remove = removeStep(kind);
  const steps = [...createSteps(kind), ...(kind.update ?? []), ...(remove === undefined ? [] : [remove])];
  return steps.find((step) => step.name === name);
}

/** What the others bring counts once it is published. */
export function isToPublish(steps: readonly Step[]): boolean {
  return steps.some(({ effect }) => effect === "releases");
}

/** The step that follows one of the same write; undefined after the last. */
export function stepAfter(kind: MovedKind, name: string): Step | undefined {
  const created = createSteps(kind);
  const steps = created.some((step) => step.name === name) ? created : (kind.update ?? []);
  return steps[steps.findIndex((step) => step.name === name) + 1];
}
