import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, isArray, isObject, own } from "../../model/json.ts";
import type { Translation } from "../../model/translate.ts";

/** An id in a text, as a URN or bare; what is still to be created stands there behind a sign. */
const id =
  /[\uE000\uE001]?(?:urn:[^:\s"]+:[^:\s"]+:[^:\s"]+:[^:\s"]+:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/**
 * A text may mention what has no twin any more: it is gone on both sides, or a person took its pair out of the mapping. Where nobody
 * has changed the text, what stands at the target is what it was led to then; the id of the source leads nowhere there.
 */
export function withTheirMentions(
  tree: JsonObject,
  target: JsonObject,
  { loose }: Pick<Translation, "loose">,
): JsonObject {
  const lost = new Set(
    loose.flatMap(({ form, value }) => (form === "gid" || form === "embedded" ? [value] : [])),
  );
  return lost.size === 0 ? tree : inObject(tree, target, lost);
}

function inObject(ours: JsonObject, theirs: JsonObject, lost: ReadonlySet<string>): JsonObject {
  return fromEntries(
    Object.entries(ours).map(([name, value]) => [name, beside(value, own(theirs, name), lost)]),
  );
}

function beside(ours: Json, theirs: Json | undefined, lost: ReadonlySet<string>): Json {
  if (typeof ours === "string") return typeof theirs === "string" ? inText(ours, theirs, lost) : ours;
  if (isArray(ours))
    return isArray(theirs) ? ours.map((item, index) => beside(item, theirs[index], lost)) : ours;
  return isObject(ours) && isObject(theirs) ? inObject(ours, theirs, lost) : ours;
}

function inText(ours: string, theirs: string, lost: ReadonlySet<string>): string {
  const there = theirs.match(id) ?? [];
  const isAlike = ours.replaceAll(id, "") === theirs.replaceAll(id, "");
  if (!isAlike || ours.match(id)?.length !== there.length) return ours;
  let at = -1;
  return ours.replaceAll(id, (found) => {
    at += 1;
    return lost.has(found) ? (there[at] ?? found) : found;
  });
}
