import type { Registry } from "../../kinds/registry.ts";
import { printOf } from "../../model/canonical.ts";
import type { Change } from "../../model/change.ts";
import type { ReadClient } from "../../service/index.ts";
import type { Diff } from "../diff/index.ts";
import { instead } from "../diff/instead.ts";
import { isDraftOf } from "../drafts.ts";
import type { TargetState } from "../read/target.ts";
import { bounded, looksAtOnce } from "../bounded.ts";
import { draftReader, draftWithinReader, saysDraftWithin } from "../facets/drafts.ts";
import { withHeld } from "./held.ts";

/**
 * The check stage: what only the target can tell about a planned change. An open draft of somebody else would be
 * published with ours (document 2, "Update rules" 6) or deleted with the object, so the change is refused. A draft
 * that says what is published holds nobody's work.
 */
export async function checkDrafts(
  diff: Diff,
  options: { readonly client: ReadClient; readonly registry: Registry; readonly target: TargetState },
): Promise<Diff> {
  const asked: { readonly at: number; readonly change: Change }[] = [];
  // Few have one to ask for: nothing is begun for the others.
  for (const [at, change] of diff.changes.entries())
    if (mayHaveOne(change, options)) asked.push({ at, change });
  if (asked.length === 0) return diff;
  const put = new Map<number, Change>();
  await bounded(asked, looksAtOnce, async ({ at, change }) => {
    const checked = await checkDraft(change, options);
    if (checked !== change) put.set(at, checked);
  });
  return withHeld(diff, put);
}

function isPatch({ action, work }: Change): boolean {
  return (action === "update" || action === "adopt") && work?.patch !== undefined;
}

function mayHaveOne(change: Change, { registry, target }: Parameters<typeof checkDrafts>[1]): boolean {
  if (!isPatch(change) && change.action !== "delete") return false;
  // It was looked at, and is ours.
  if (change.action === "update" && change.work?.unfinished !== undefined) return false;
  const kind = registry.movedKind(change.kind);
  const read = draftReader(kind) ?? (isPatch(change) ? undefined : draftWithinReader(kind));
  const urn = change.target?.urn;
  return read !== undefined && urn !== undefined && target.snapshot.has(change.kind, urn);
}

async function checkDraft(
  change: Change,
  { client, registry, target }: Parameters<typeof checkDrafts>[1],
): Promise<Change> {
  const kind = registry.movedKind(change.kind);
  const urn = change.target?.urn;
  const patches = isPatch(change);
  const readDraft = draftReader(kind);
  const readWithin = patches ? undefined : draftWithinReader(kind);
  if (urn === undefined || kind === undefined) return change;
  const found = { urn, name: change.target?.name ?? "", body: target.snapshot.body(kind.name, urn) };
  const within = await readWithin?.(client, found);
  if (within !== undefined) return inTheWay(change, saysDraftWithin(within));
  const draft = await readDraft?.(client, found);
  if (draft === undefined) return change;
  if (isDraftOf(kind, draft, [printOf(found.body, kind.shape)])) return change;
  const reason = `the target object has an open draft of somebody else, which would be ${patches ? "published with ours" : "deleted with it"}`;
  return inTheWay(change, reason, `${reason} (${urn})`);
}

function inTheWay(change: Change, reason: string, summary = reason): Change {
  return instead(change, "blocked", reason, {
    code: "open-draft",
    summary,
    suggestion: "Publish or discard the draft in the web application of the target, and run again.",
  });
}
