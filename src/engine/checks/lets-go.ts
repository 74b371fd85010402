import type { Change } from "../../model/change.ts";
import { isObject } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { onlyAdds } from "../facets/standing.ts";
import type { User, Users, UsersOptions } from "./users.ts";

/** By a user and the URN that it refers to at the target: the change of this run that has it let go of that. */
export function lettingGo(
  changes: readonly Change[],
  users: Users,
  { registry, snapshot }: Pick<UsersOptions, "registry" | "snapshot">,
): (user: User, urn: string) => Change | undefined {
  const changing = new Map(
    changes.flatMap((change): [string, Change][] =>
      change.work?.patch === undefined ? [] : [[keyText(change.kind, change.target?.urn ?? ""), change]],
    ),
  );
  return (user, urn) => {
    const change = changing.get(keyText(user.kind, user.urn));
    const kind = registry.movedKind(user.kind);
    if (change?.work?.patch === undefined || kind === undefined) return undefined;
    // What a run adds to relations leaves those that are there.
    if (onlyAdds(kind)) return undefined;
    const after = mergePatch(snapshot.body(kind.name, user.urn), change.work.patch);
    return isObject(after) && !users.refers(kind, after, urn) ? change : undefined;
  };
}
