import type { Registry } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import { keyText } from "../../model/key.ts";
import { lettingGo } from "../checks/lets-go.ts";
import { partsGone } from "../checks/parts-referred.ts";
import type { Target } from "../checks/users.ts";
import type { TargetState } from "../read/target.ts";
import { ReferredSince } from "./referred-since.ts";
import type { Tasks } from "./task.ts";

/**
 * As a diff has it: what is deleted, or loses a part, waits for what lets go of that, but where this maps a new part in the place of
 * the one that goes.
 */
export function referredSinceDiff({
  changes,
  tasks,
  registry,
  target: { snapshot },
  now,
}: {
  readonly changes: readonly Change[];
  /** Without leave nothing is deleted. */
  readonly tasks: Pick<Tasks, "has">;
  readonly registry: Registry;
  readonly target: TargetState;
  readonly now: () => number;
}): ReferredSince {
  const gone = new Map<string, Target>(partsGone(changes, { registry, snapshot }));
  /** By URN of what is deleted: what lies over it goes with it. */
  const deleted = new Set<string>();
  const going = new Set<string>();
  const waits = new Map<string, ReadonlySet<string>>();
  for (const { id, action, kind, target, dependsOn } of changes) {
    if (action === "delete" && target !== undefined && tasks.has(id)) {
      gone.set(id, { kind, urn: target.urn });
      deleted.add(target.urn);
      going.add(keyText(kind, target.urn));
    }
    if (gone.has(id)) waits.set(id, new Set(dependsOn));
  }
  return new ReferredSince({
    gone,
    registry,
    snapshot,
    now,
    endsOf: (users) => {
      const letsGo = lettingGo(changes, users, { registry, snapshot });
      return (user, { urn }, id) => {
        if (going.has(keyText(user.kind, user.urn)) || deleted.has(user.over ?? "")) return "before";
        const change = letsGo(user, urn);
        if (change === undefined) return undefined;
        return waits.get(id)?.has(change.id) === true ? "before" : "later";
      };
    },
  });
}
