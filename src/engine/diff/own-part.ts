import { type Resolution, notAssigned } from "../../model/translate.ts";
import { formatUrn, parseUrn } from "../../model/urn.ts";
import type { OwnUrns } from "../read/own-urns.ts";
import type { DiffInput } from "./input.ts";
import type { Nodes } from "./node.ts";

const notThere =
  "it names a part of its own that is not there at the target, which assigns it a key only with the request that brings it";

type Keys = Readonly<Record<string, string>>;

/**
 * What a body says of a part of its own by the URN of that part, as a threshold that an alert goes by: `there` are keys that the
 * target has, `remembered` those that it had. Which key the target gives to one that it lacks nobody knows before it is there.
 * Undefined of all else.
 */
export function ownPart(
  urn: string,
  there: Keys,
  remembered: Keys,
  { target: { pairs } }: Pick<DiffInput, "target">,
  { named }: Pick<Nodes, "named">,
  ownUrns: () => OwnUrns,
): Resolution | undefined {
  const parts = parseUrn(urn);
  if (parts === undefined) return undefined;
  const { uuid } = parts;
  if (!Object.hasOwn(there, uuid) && !Object.hasOwn(remembered, uuid)) return undefined;
  // A name of a field may be the UUID of another thing.
  const isThing = named.has(urn) || [pairs.twins, pairs.inside, pairs.unpaired].some((one) => one.has(urn));
  if (isThing) return undefined;
  const key = Object.hasOwn(there, uuid) ? there[uuid] : undefined;
  if (key === undefined) return { state: "unresolved", reason: notThere, suggestion: notAssigned.suggestion };
  return { state: "target", urn: formatUrn({ ...parts, ...ownUrns(), uuid: key }) };
}
