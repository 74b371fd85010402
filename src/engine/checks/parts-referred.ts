import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { leadsTo } from "../../model/graph.ts";
import { keyText } from "../../model/key.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { become } from "../../model/packed/change-list.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { blockDependents } from "../diff/block-dependents.ts";
import type { Diff } from "../diff/index.ts";
import { instead } from "../diff/instead.ts";
import { lettingGo } from "./lets-go.ts";
import type { Target, User, Users, UsersOptions } from "./users.ts";
import { findUsers } from "./users.ts";

/** By the id of a change, the object that loses parts by it, and which. */
type PartsGone = ReadonlyMap<string, Required<Target>>;

/**
 * No part of an object (an input of a rule) is taken out at the target while something there refers to it that stays so, selected or
 * not: what a colleague has made would lead nowhere, and no document says that the service refuses that. As of what is to be deleted,
 * what lets go of it, or is deleted, is waited for, and whoever keeps the reference keeps the object as it is. Asked when it is known
 * which changes are made: what has a draft of somebody else does not let go. Asks the target only when such a part is to go.
 */
export async function holdPartsReferred(diff: Diff, options: UsersOptions): Promise<Diff> {
  const gone = partsGone(diff.changes, options);
  if (gone.size === 0) return diff;
  const users = await findUsers([...gone.values()], options);
  // What is held has others wait, which then do not let go themselves.
  for (let { changes } = diff; ;) {
    const checked = inTurn(changes, gone, users, options);
    const isHeld = checked.some(({ action }, place) => action !== changes[place]?.action);
    if (isHeld) {
      changes = blockDependents(checked);
      continue;
    }
    return {
      ...diff,
      changes: checked,
      diagnostics: [...diff.diagnostics, ...notKnown(checked, gone, users)],
    };
  }
}

export function partsGone(
  changes: readonly Change[],
  { registry, snapshot }: Pick<UsersOptions, "registry" | "snapshot">,
): PartsGone {
  const gone = new Map<string, Required<Target>>();
  for (const { id, kind, target, work } of changes) {
    if (registry.movedKind(kind)?.ownsParts !== true || work?.patch === undefined) continue;
    if (target === undefined || !snapshot.has(kind, target.urn)) continue;
    const before = snapshot.body(kind, target.urn);
    const after = subEntityKeys(mergePatch(before, work.patch));
    const parts = [...subEntityKeys(before)].filter((key) => !after.has(key));
    if (parts.length > 0) gone.set(id, { kind, urn: target.urn, parts });
  }
  return gone;
}

/** Who waits for whom, and what is held; of what is held others may still think that it is done. */
function inTurn(
  changes: readonly Change[],
  gone: PartsGone,
  users: Users,
  options: UsersOptions,
): readonly Change[] {
  const letsGo = lettingGo(changes, users, options);
  const deletes = new Map(
    changes.flatMap((change): [string, Change][] =>
      change.action === "delete" ? [[keyText(change.kind, change.target?.urn ?? ""), change]] : [],
    ),
  );
  const waits = new Map(changes.map(({ id, dependsOn }) => [id, dependsOn]));
  return become(changes, (change) => {
    const target = gone.get(change.id);
    if (target === undefined || change.work?.patch === undefined) return change;
    const first = new Map<string, Change>();
    for (const user of users.of(target.urn)) {
      const deleted = deletes.get(keyText(user.kind, user.urn));
      const other = deleted ?? letsGo(user, target.urn);
      if (other === undefined) return kept(change, user);
      // What comes to refer to a new part in its place cannot go first.
      if (!leadsTo(other.id, change.id, waits)) first.set(other.id, other);
      else if (deleted !== undefined) return kept(change, user);
    }
    if (first.size === 0) return change;
    const dependsOn = [...new Set([...change.dependsOn, ...first.keys()])];
    waits.set(change.id, dependsOn);
    return { ...change, reason: reasonWith(change, [...first.values()]), dependsOn };
  });
}

function reasonWith({ reason }: Change, first: readonly Change[]): string {
  const deleted = first.find(({ action }) => action === "delete");
  return deleted === undefined
    ? reason
    : `${reason}; a part of it goes once ${deleted.kind} "${deleted.target?.name ?? ""}" is deleted (--allow-delete)`;
}

function kept(change: Change, user: User): Change {
  const reason = `${change.reason}, but a part of it goes that ${user.kind} "${user.name}" at the target still refers to`;
  return instead(change, "manual", reason, {
    code: "still-referred",
    summary: `${reason} (${user.urn})`,
    suggestion: "Take the reference out there in the web application of the target, and run again.",
  });
}

/** Ids of changes by which parts go of which the diff tells that nobody could look who refers to them. */
export function unseenIn({ changes, diagnostics }: Pick<Diff, "changes" | "diagnostics">): readonly string[] {
  const told = new Set(
    diagnostics.flatMap(({ code, coordinate }) =>
      code === "users-unknown" && coordinate !== undefined ? [keyText(coordinate.kind, coordinate.urn)] : [],
    ),
  );
  if (told.size === 0) return [];
  return changes.flatMap(({ id, kind, source }) => (told.has(keyText(kind, source?.urn ?? "")) ? [id] : []));
}

function notKnown(changes: readonly Change[], gone: PartsGone, users: Users): readonly Diagnostic[] {
  return changes.flatMap(({ id, kind, source, work }): Diagnostic[] => {
    const why = gone.has(id) && work?.patch !== undefined ? users.unknown(kind)?.why : undefined;
    if (why === undefined) return [];
    return [
      {
        severity: "warning",
        code: "users-unknown",
        coordinate: { kind, urn: source?.urn ?? "", name: source?.name ?? "" },
        summary: `A part of it goes, and whether something at the target refers to that is not known: ${why}`,
        suggestion: "Look who uses it in the web application of the target.",
      },
    ];
  });
}
