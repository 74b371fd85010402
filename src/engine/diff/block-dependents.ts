import type { Change } from "../../model/change.ts";
import type { Cause } from "../../model/diagnostic.ts";
import { dependents } from "../../model/graph.ts";
import { become, packed } from "../../model/packed/change-list.ts";
import { TextNumbers } from "../../model/packed/numbers.ts";
import { instead } from "./instead.ts";

const happens: ReadonlySet<Change["action"]> = new Set(["create", "update", "replace", "adopt", "delete"]);

/**
 * A change that waits for one that will not happen is blocked, and says by what. A delete waits for what lets go of
 * the object, and does not wait for what is not to be done at all.
 */
export function blockDependents(changes: readonly Change[]): readonly Change[] {
  /** Ids are long, and there may be a million of them. */
  const places = new TextNumbers();
  for (const [place, { id }] of changes.entries()) places.set(id, place);
  const byId = (id: string): Change | undefined => changes[places.get(id) ?? -1];
  const waits = ({ dependsOn, work }: Change): readonly string[] =>
    work?.deferredOn === undefined ? dependsOn : [...dependsOn, ...work.deferredOn];
  const working = packed(changes.values().filter(({ action }) => happens.has(action)));
  const roots = new Set<string>();
  for (const change of working) {
    for (const id of waits(change)) {
      const needed = byId(id);
      const isIdle = needed === undefined && change.action === "delete";
      if (!isIdle && (needed === undefined || !happens.has(needed.action))) roots.add(id);
    }
  }
  if (roots.size === 0) return changes;
  const graph = new Map(working.map((change) => [change.id, waits(change)]));
  const because = dependents(graph, roots);
  const blockedBy = (change: Change): Change => {
    const cause = because.get(change.id);
    if (cause === undefined) return change;
    const needed = byId(cause);
    const what = needed === undefined ? cause : `${needed.kind} "${needed.source?.name ?? ""}"`;
    const action = because.has(cause) ? "blocked" : (needed?.action ?? "unknown");
    const reason = `it waits for ${what}, which is ${action}`;
    const behind = causeOf(byId(rootOf(cause, because)));
    const suggestion = needed?.diagnostics[0]?.suggestion;
    return instead(change, "blocked", reason, {
      code: "blocked-by",
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(behind === undefined ? {} : { cause: behind }),
    });
  };
  return become(changes, blockedBy);
}

/** The end of the chain: what does not itself wait for another one. */
function rootOf(id: string, because: ReadonlyMap<string, string>): string {
  let root = id;
  for (let next = because.get(root); next !== undefined; next = because.get(root)) root = next;
  return root;
}

function causeOf(needed: Change | undefined): Cause | undefined {
  if (needed === undefined) return undefined;
  const known = needed.diagnostics.find(({ cause }) => cause !== undefined)?.cause;
  const suggestion = needed.diagnostics.find((found) => found.suggestion !== undefined)?.suggestion;
  const summary = `${needed.kind} "${needed.source?.name ?? ""}" is ${needed.action}: ${needed.reason}`;
  return known ?? { key: needed.id, summary, ...(suggestion === undefined ? {} : { suggestion }) };
}
