import type { Change } from "../../model/change.ts";
import { text } from "../../model/json.ts";
import type { Check, CheckView, Held } from "../kind.ts";

/**
 * "The connection must belong to the same source as the folder" (document 1, "Catalog items"): a pair of connections
 * that belongs to another source is found out here, and not by a refusal in the middle of a run.
 */
export const connectionOfSource: Check = {
  name: "connection-of-source",
  run(view) {
    const held = new Map<string, Held>();
    for (const change of view.changes) {
      const reason = whyHeld(change, view);
      if (reason !== undefined) held.set(change.id, reason);
    }
    return { diagnostics: [], held };
  },
};

function whyHeld(change: Change, view: CheckView): Held | undefined {
  if (change.kind !== "sql-items" || change.action !== "create") return undefined;
  const body = view.source.body(change.kind, change.source?.urn ?? "");
  const connection = view.resolve(text(body, "connectionUrn") ?? "");
  const source = sourceOfFolder(text(body, "folderUrn") ?? "", view);
  if (connection.state !== "target" || source === undefined) return undefined;
  const there = view.givenAtTarget(connection.urn);
  const owner = there === undefined ? undefined : text(there.body, "parentUrn");
  if (owner === undefined || owner === source) return undefined;
  const name = view.givenAtTarget(source)?.name ?? source;
  return {
    code: "connection-of-another-source",
    reason: `its connection "${there?.name ?? connection.urn}" at the target does not belong to "${name}", the source that its folder is in`,
    suggestion: "Pair the connection with one of that source under pairing.connections in the plan.",
  };
}

/** The target's source that the folder, or the one above it, stands in; undefined where that is not known. */
function sourceOfFolder(folder: string, view: CheckView): string | undefined {
  const parents = new Map<string, string>();
  for (const body of view.source.bodies("folders"))
    parents.set(text(body, "urn") ?? "", text(body, "parentUrn") ?? "");
  let urn = folder;
  // A circle cannot be, and would not end.
  for (let levels = 0; levels <= parents.size; levels += 1) {
    const parent = parents.get(urn);
    if (parent === undefined) break;
    urn = parent;
  }
  if (urn === folder) return undefined;
  const source = view.resolve(urn);
  return source.state === "target" ? source.urn : undefined;
}
