import type { MovedKind } from "../../kinds/kind.ts";
import { fingerprint } from "../../model/canonical.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, isArray, isObject } from "../../model/json.ts";
import { strip } from "../../model/shape.ts";
import { isUrn } from "../../model/urn.ts";
import { standsAlone } from "../facets/standing.ts";
import type { DiffInput } from "./input.ts";
import type { Resolver } from "./resolver.ts";

interface Known extends Pick<DiffInput, "applied" | "mapping" | "registry"> {
  readonly target: Pick<DiffInput["target"], "snapshot">;
}

/**
 * Whether all that is otherwise at the target since it was last applied is what the service has taken out of it: references to what
 * a run had brought and is gone there. Nobody has changed it then. Known only while what was last applied is.
 */
export function isTakenOut(
  kind: MovedKind,
  urn: string,
  there: { readonly print: string | undefined; readonly now: string },
  { applied, mapping, target: { snapshot }, registry }: Known,
  { listed }: Pick<Resolver, "listed">,
): boolean {
  if (kind.refersTo.length === 0 || there.print === undefined) return false;
  const last = applied?.get(kind.name, urn);
  if (last?.print !== there.print) return false;
  let isAnyGone = false;
  const isGone = (value: string): boolean => {
    const twin = isUrn(value) ? mapping.claimedBy(value) : undefined;
    const of = twin === undefined ? undefined : registry.movedKind(twin.kind);
    if (of === undefined || !standsAlone(of) || snapshot.has(of.name, value)) return false;
    const isIt = listed.has(of, value);
    isAnyGone ||= isIt;
    return isIt;
  };
  const less = without(last.tree, isGone);
  return isAnyGone && fingerprint(strip(less, kind.shape), kind.shape) === there.now;
}

function without(body: JsonObject, isGone: (value: string) => boolean): JsonObject {
  const stays = (value: Json): boolean => typeof value !== "string" || !isGone(value);
  const rest = (value: Json): Json =>
    isArray(value) ? value.filter(stays).map(rest) : isObject(value) ? without(value, isGone) : value;
  return fromEntries(
    Object.entries(body).flatMap(([name, value]): [string, Json][] =>
      stays(value) ? [[name, rest(value)]] : [],
    ),
  );
}
