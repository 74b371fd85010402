import type { Registry } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import { keyText } from "../../model/key.ts";
import { strip } from "../../model/shape.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { uuidOf } from "../../model/urn.ts";
import { referenced } from "../../model/walk.ts";
import type { SnapshotReader } from "../../store/index.ts";
import type { DiffInput } from "../diff/input.ts";
import { instead } from "../diff/instead.ts";

/**
 * Nothing is deleted at the target while something there refers to it that stays: what this run changes to let go of
 * it is waited for, and whoever keeps the reference keeps the object. Dashboards are no hindrance: nobody could change
 * them.
 */
export function holdReferred(
  deletes: readonly Change[],
  others: readonly Change[],
  input: DiffInput,
): readonly Change[] {
  if (deletes.length === 0) return deletes;
  const gone = deletes.flatMap(({ kind, target }) =>
    target === undefined ? [] : [{ kind, urn: target.urn }],
  );
  const users = usersOf(gone, input.registry, input.target.snapshot);
  const byTarget = new Map(others.map((change) => [keyText(change.kind, change.target?.urn ?? ""), change]));
  return deletes.map((change) => {
    const waits = new Set(change.dependsOn);
    for (const user of users.get(change.target?.urn ?? "") ?? []) {
      const letsGo = byTarget.get(keyText(user.kind, user.urn));
      if (letsGo?.action !== "update" || letsGo.work?.patch === undefined) return kept(change, user);
      waits.add(letsGo.id);
    }
    return { ...change, dependsOn: [...waits] };
  });
}

export interface User {
  readonly kind: string;
  readonly urn: string;
  readonly name: string;
}

/** Target URN of what is to be deleted to the objects that stay and refer to it, or to a part of it. */
export function usersOf(
  gone: readonly { readonly kind: string; readonly urn: string }[],
  registry: Registry,
  snapshot: SnapshotReader,
): ReadonlyMap<string, readonly User[]> {
  const owners = new Map<string, string>();
  const users = new Map<string, User[]>();
  for (const { kind, urn } of gone) {
    if (!snapshot.has(kind, urn)) continue;
    users.set(urn, []);
    owners.set(uuidOf(urn), urn);
    for (const key of subEntityKeys(snapshot.body(kind, urn))) owners.set(key, urn);
  }
  for (const kind of registry.moved()) {
    if (kind.update === undefined) continue;
    for (const { urn, name, body } of snapshot.stream(kind.name)) {
      if (users.has(urn)) continue;
      const values = referenced(strip(body, kind.shape), ["urn"]).map((value) => owners.get(uuidOf(value)));
      for (const owner of new Set(values))
        if (owner !== undefined) users.get(owner)?.push({ kind: kind.name, urn, name });
    }
  }
  return users;
}

function kept(change: Change, user: User): Change {
  const reason = `${change.reason}, but ${user.kind} "${user.name}" at the target still refers to it`;
  return instead(change, "manual", reason, {
    code: "still-referred",
    summary: `${reason} (${user.urn})`,
    suggestion: "Take the reference out there, or delete both by hand, and run again.",
  });
}
