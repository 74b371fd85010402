import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { keyText } from "../../model/key.ts";
import { blockDependents } from "../diff/block-dependents.ts";
import type { Diff } from "../diff/index.ts";
import { instead } from "../diff/instead.ts";
import { lettingGo } from "./lets-go.ts";
import type { NotSeen } from "./not-seen.ts";
import type { User, Users, UsersOptions } from "./users.ts";
import { findUsers } from "./users.ts";

/**
 * Nothing is deleted at the target while something there refers to it that stays, selected or not: what this run
 * changes to let go of it is waited for, and whoever keeps the reference keeps the object. Where it cannot be known, a
 * person decides. Asks the target only when something is to be deleted.
 */
export async function holdReferred(diff: Diff, options: UsersOptions): Promise<Diff> {
  const gone = diff.changes.flatMap(({ action, kind, target }) =>
    action === "delete" && target !== undefined ? [{ kind, urn: target.urn }] : [],
  );
  if (gone.length === 0) return diff;
  const users = await findUsers(gone, options);
  const letsGo = lettingGo(diff.changes, users, options);
  let changes = diff.changes;
  for (;;) {
    // What is held may itself refer to others that were to be deleted, and so on.
    const deletes = changes.filter(({ action }) => action === "delete");
    const going = new Set(deletes.map(({ kind, target }) => keyOf(kind, target?.urn)));
    const goneWith = new Map(deletes.map(({ id, target }) => [target?.urn ?? "", id]));
    const checked = changes.map((change) =>
      change.action === "delete" ? checkDelete(change, users, { going, goneWith }, letsGo) : change,
    );
    const isHeld = checked.some(({ action }, index) => action !== changes[index]?.action);
    changes = checked;
    if (!isHeld) break;
  }
  return { ...diff, changes: blockDependents(changes), diagnostics: [...diff.diagnostics, lookedAt(users)] };
}

function checkDelete(
  change: Change,
  users: Users,
  {
    going,
    goneWith,
  }: {
    readonly going: ReadonlySet<string>;
    /** By URN of what is deleted, the id of its change: what lies over it goes with it. */
    readonly goneWith: ReadonlyMap<string, string>;
  },
  letsGo: (user: User, urn: string) => Change | undefined,
): Change {
  const urn = change.target?.urn ?? "";
  const waits = new Set(change.dependsOn);
  for (const user of users.of(urn)) {
    if (user.over === urn || going.has(keyOf(user.kind, user.urn))) continue;
    const holder = goneWith.get(user.over ?? "");
    if (holder !== undefined) {
      waits.add(holder);
      continue;
    }
    const first = letsGo(user, urn);
    if (first === undefined) return kept(change, user);
    waits.add(first.id);
  }
  const unseen = users.unknown(change.kind);
  return unseen === undefined ? { ...change, dependsOn: [...waits] } : notKnown(change, unseen);
}

function keyOf(kind: string, urn: string | undefined): string {
  return keyText(kind, urn ?? "");
}

function kept(change: Change, user: User): Change {
  const reason = `${change.reason}, but ${user.kind} "${user.name}" at the target still refers to it`;
  return instead(change, "manual", reason, {
    code: "still-referred",
    summary: `${reason} (${user.urn})`,
    suggestion:
      "Take the reference out there in the web application of the target, or delete both by hand, and run again.",
  });
}

function notKnown(change: Change, { why, act }: NotSeen): Change {
  const reason = `${change.reason}, but whether something at the target refers to it is not known: ${why}`;
  return instead(change, "manual", reason, { code: "users-unknown", suggestion: act });
}

/** What was looked at, and what nobody could look at. */
function lookedAt({ lookedAt: kinds }: Users): Diagnostic {
  return {
    severity: "info",
    code: "looked-for-users",
    summary: `Who refers to what is to be deleted was looked for among ${kinds.join(", ")} at the target`,
    detail:
      "Drafts that no list shows, and kinds that ferry does not move, cannot be looked at. Assignments that term detection made go with their term.",
  };
}
