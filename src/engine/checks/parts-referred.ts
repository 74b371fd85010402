import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { isObject } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { become } from "../../model/packed/change-list.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { blockDependents } from "../diff/block-dependents.ts";
import type { Diff } from "../diff/index.ts";
import { instead } from "../diff/instead.ts";
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
  const goes = new Set<string>();
  const patches = new Map<string, Change>();
  for (const change of diff.changes) {
    const key = keyText(change.kind, change.target?.urn ?? "");
    if (change.action === "delete") goes.add(key);
    else if (change.work?.patch !== undefined) patches.set(key, change);
  }
  const staysSo = ({ kind, urn }: User, owner: string): boolean => {
    const key = keyText(kind, urn);
    if (goes.has(key)) return false;
    const patch = patches.get(key)?.work?.patch;
    const moved = options.registry.movedKind(kind);
    if (patch === undefined || moved === undefined) return true;
    const after = mergePatch(options.snapshot.body(kind, urn), patch);
    return !isObject(after) || users.refers(moved, after, owner);
  };
  const diagnostics: Diagnostic[] = [];
  const changes = become(diff.changes, (change) => {
    const target = gone.get(change.id);
    if (target === undefined) return change;
    const user = users.of(target.urn).find((one) => staysSo(one, target.urn));
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
