import { text } from "../../model/json.ts";
import type { CheckSide } from "../kind.ts";

/** By URN, what each object of these kinds stands in: the field of its body that says so, by kind. */
export function parentsIn(
  side: CheckSide,
  fields: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const [kind, field] of Object.entries(fields)) {
    for (const body of side.bodies(kind)) {
      const [urn, parent] = [text(body, "urn"), text(body, field)];
      if (urn !== undefined && parent !== undefined) parents.set(urn, parent);
    }
  }
  return parents;
}

/** Itself and all that it is in, the closest first. */
export function lineOf(first: string, parents: ReadonlyMap<string, string>): readonly string[] {
  const line = new Set<string>();
  // A circle cannot be, and would not end.
  for (let urn: string | undefined = first; urn !== undefined && !line.has(urn); urn = parents.get(urn))
    line.add(urn);
  return [...line];
}
