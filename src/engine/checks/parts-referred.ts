import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { keyText } from "../../model/key.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { become } from "../../model/packed/change-list.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { blockDependents } from "../diff/block-dependents.ts";
import type { Diff } from "../diff/index.ts";
import { instead } from "../diff/instead.ts";
import { lettingGo } from "./lets-go.ts";
import type { Target, User, UsersOptions } from "./users.ts";
import { findUsers } from "./users.ts";

/**
 * No part of an object (an input of a rule) is taken out at the target while something there refers to it that stays so, selected or
 * not: what a colleague has made would lead nowhere, and no document says that the service refuses that. As of what is to be deleted,
 * whoever keeps the reference keeps the object as it is. Asks the target only when such a part is to go.
 */
export async function holdPartsReferred(diff: Diff, options: UsersOptions): Promise<Diff> {
  const gone = new Map(
    diff.changes.flatMap((change): [string, Required<Target>][] => {
      const parts = partsGone(change, options);
      const { id, kind, target } = change;
      return parts.length === 0 || target === undefined ? [] : [[id, { kind, urn: target.urn, parts }]];
    }),
  );
  if (gone.size === 0) return diff;
  const users = await findUsers([...gone.values()], options);
  const letsGo = lettingGo(diff.changes, users, options);
  const going = new Set(
    diff.changes.flatMap(({ action, kind, target }) =>
      action === "delete" && target !== undefined ? [keyText(kind, target.urn)] : [],
    ),
  );
  const diagnostics: Diagnostic[] = [];
  const changes = become(diff.changes, (change) => {
    const target = gone.get(change.id);
    if (target === undefined) return change;
    const user = users
      .of(target.urn)
      .find((one) => !going.has(keyText(one.kind, one.urn)) && letsGo(one, target.urn) === undefined);
    if (user !== undefined) return kept(change, user);
    const why = users.unknown(change.kind);
    if (why !== undefined) diagnostics.push(notKnown(change, why));
    return change;
  });
  return { ...diff, changes: blockDependents(changes), diagnostics: [...diff.diagnostics, ...diagnostics] };
}

function partsGone({ kind, target, work }: Change, { registry, snapshot }: UsersOptions): readonly string[] {
  if (work?.patch === undefined || target === undefined) return [];
  if (registry.movedKind(kind)?.ownsParts !== true || !snapshot.has(kind, target.urn)) return [];
  const before = snapshot.body(kind, target.urn);
  const after = subEntityKeys(mergePatch(before, work.patch));
  return [...subEntityKeys(before)].filter((key) => !after.has(key));
}

function kept(change: Change, user: User): Change {
  const reason = `${change.reason}, but a part of it goes that ${user.kind} "${user.name}" at the target still refers to`;
  return instead(change, "manual", reason, {
    code: "still-referred",
    summary: `${reason} (${user.urn})`,
    suggestion: "Take the reference out there in the web application of the target, and run again.",
  });
}

function notKnown({ kind, source }: Change, why: string): Diagnostic {
  return {
    severity: "warning",
    code: "users-unknown",
    coordinate: { kind, urn: source?.urn ?? "", name: source?.name ?? "" },
    summary: `A part of it goes, and whether something at the target refers to that is not known: ${why}`,
    suggestion: "Look who uses it in the web application of the target.",
  };
}
