import type { User } from "../checks/referred.ts";
import { usersOf } from "../checks/referred.ts";
import type { Planned, PlanContext } from "./plan.ts";
import { isPossible } from "./plan.ts";
import { leftAsItIs } from "./words.ts";

/**
 * What the run created is not deleted while something at the target refers to it that stays as it is: the reference
 * would lead nowhere. What this rollback changes lets go of it first.
 */
export function withoutReferred(
  planned: readonly Planned[],
  { registry, standing }: PlanContext,
): readonly Planned[] {
  const changed = new Set(
    planned.flatMap((item) =>
      item.reverse?.what === "patch" && isPossible(item) ? [item.reverse.target] : [],
    ),
  );
  // What is left may refer to others that were to be deleted, and so on.
  for (let current = planned; ;) {
    const gone = current.filter(isDelete).map(({ deed }) => ({ kind: deed.kind, urn: deed.target }));
    const users = usersOf(gone, registry, standing.snapshot);
    let kept = false;
    const next = current.map((item): Planned => {
      const user = isDelete(item)
        ? users.get(item.deed.target)?.find(({ urn }) => !changed.has(urn))
        : undefined;
      if (user === undefined) return item;
      kept = true;
      return stillReferred(item, user);
    });
    if (!kept) return next;
    current = next;
  }
}

function isDelete(item: Planned): boolean {
  return item.reverse?.what === "delete" && isPossible(item);
}

function stillReferred({ deed, kind }: Planned, user: User): Planned {
  return leftAsItIs(
    deed,
    kind,
    `${user.kind} "${user.name}" at the target still refers to it (${user.urn})`,
    "Take the reference out there, or delete both by hand, and run again.",
  );
}
