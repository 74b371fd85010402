import type { JsonObject } from "../../model/json.ts";
import { text } from "../../model/json.ts";
import { once } from "../../model/once.ts";
import type { Check, CheckView, Held } from "../kind.ts";

/**
 * An SQL item is known by its folder and its name. Of one that the target shows without its folder nobody can tell whether it is the
 * twin of a new one of its name: made beside it, that might be there twice.
 */
export const folderNotShown: Check = {
  name: "folder-not-shown",
  run(view) {
    const held = new Map<string, Held>();
    const there = once(() => withoutFolder(view));
    for (const { id, kind, action, source } of view.changes) {
      if (kind !== "sql-items" || action !== "create") continue;
      const other = there().get(text(view.source.body(kind, source?.urn ?? ""), "name") ?? "");
      if (other !== undefined) held.set(id, because(text(other, "urn") ?? ""));
    }
    return { diagnostics: [], held };
  },
};

/** By name, those that the target shows without a folder and that are nobody's twin. */
function withoutFolder(view: CheckView): ReadonlyMap<string, JsonObject> {
  const { changes, target } = view;
  const taken = new Set<string>();
  for (const { kind, target: twin } of changes)
    if (kind === "sql-items" && twin !== undefined) taken.add(twin.urn);
  const found = new Map<string, JsonObject>();
  for (const body of target.bodies("sql-items")) {
    const urn = text(body, "urn") ?? "";
    const isHidden = (text(body, "folderUrn") ?? "") === "";
    if (isHidden && !taken.has(urn) && !view.isTwin("sql-items", urn))
      found.set(text(body, "name") ?? "", body);
  }
  return found;
}

function because(urn: string): Held {
  return {
    code: "folder-not-shown",
    reason: `the target has one of the same name (${urn}) and does not show the folder of that: it may be this very item`,
    suggestion:
      "Give the API client of the target the permission to read the folder of the item, and run again.",
  };
}
