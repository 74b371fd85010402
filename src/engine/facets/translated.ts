import type { MovedKind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Lookup, Translation } from "../../model/translate.ts";
import { translate } from "../../model/translate.ts";

/** A stripped body of the source in the target's words: references by look-up, and texts as its kind rewords them. */
export function translated(kind: MovedKind, stripped: JsonObject, lookup: Lookup): Translation {
  const translation = translate(stripped, lookup);
  return kind.reword === undefined ? translation : { ...translation, tree: kind.reword(translation.tree) };
}
