import type { Change } from "../../model/change.ts";
import { text } from "../../model/json.ts";
import { once } from "../../model/once.ts";
import type { Check, CheckView, Held } from "../kind.ts";
import { lineOf, parentsIn } from "../shared/parents.ts";

/**
 * "The connection must belong to the same source as the folder" (document 1, "Catalog items"): a pair of connections
 * that belongs to another source is found out here, and not by a refusal in the middle of a run. Where folders are not read (a plan
 * that takes what is mapped only), and where the service does not say whose a connection is, that refusal tells it.
 */
export const connectionOfSource: Check = {
  name: "connection-of-source",
  run(view) {
    const held = new Map<string, Held>();
    const folders = {
      here: once(() => parentsIn(view.source, inFolders)),
      there: once(() => parentsIn(view.target, inFolders)),
    };
    for (const change of view.changes) {
      const reason = whyHeld(change, view, folders);
      if (reason !== undefined) held.set(change.id, reason);
    }
    return { diagnostics: [], held };
  },
};

const inFolders = { folders: "parentUrn" };

/** Of folders: what each stands in. */
type Parents = () => ReadonlyMap<string, string>;
interface Folders {
  readonly here: Parents;
  readonly there: Parents;
}

function whyHeld(change: Change, view: CheckView, folders: Folders): Held | undefined {
  if (change.kind !== "sql-items" || change.action !== "create") return undefined;
  const body = view.source.body(change.kind, change.source?.urn ?? "");
  const connection = view.resolve(text(body, "connectionUrn") ?? "");
  const source = sourceOfFolder(text(body, "folderUrn") ?? "", view, folders);
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

/**
 * The target's source that the folder stands in there, or will stand in; undefined where that is not known. One that is there may
 * have been paired with one of another source.
 */
function sourceOfFolder(folder: string, view: CheckView, { here, there }: Folders): string | undefined {
  for (const urn of lineOf(folder, here())) {
    const place = view.resolve(urn);
    if (place.state !== "target") continue;
    // What is in nothing is the source; of the folder itself that only tells that folders were not read.
    if (urn !== folder && !here().has(urn)) return place.urn;
    if (there().has(place.urn)) return lineOf(place.urn, there()).at(-1);
  }
  return undefined;
}
