import type { Registry } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { keyText } from "../../model/key.ts";
import { lettingGo } from "../checks/lets-go.ts";
import { partsGone, unseenIn } from "../checks/parts-referred.ts";
import type { Target } from "../checks/users.ts";
import type { TargetState } from "../read/target.ts";
import { ReferredSince } from "./referred-since.ts";
import type { Tasks } from "./task.ts";

/**
 * As a diff has it: what is deleted, or loses a part, waits for what lets go of that, or is deleted itself, but where this maps a new
 * part in the place of the one that goes, or where they lead to each other. Who goes, too, and has come to refer to it since, may stay
 * after all, and nothing waits for that.
 */
export function referredSinceDiff({
  changes,
  told,
  tasks,
  registry,
  target: { snapshot },
  now,
}: {
  readonly changes: readonly Change[];
  /** Beside them. */
  readonly told: readonly Diagnostic[];
  /** Without leave nothing is deleted. */
  readonly tasks: Pick<Tasks, "has">;
  readonly registry: Registry;
  readonly target: TargetState;
  readonly now: () => number;
}): ReferredSince {
  const gone = new Map<string, Target>(partsGone(changes, { registry, snapshot }));
  const toldUnseen = new Set(unseenIn({ changes, diagnostics: told }));
  /** By URN of what is deleted, the id of its change: what lies over it goes with it. */
  const deleted = new Map<string, string>();
  const going = new Map<string, string>();
  const waits = new Map<string, ReadonlySet<string>>();
  for (const { id, action, kind, target, dependsOn } of changes) {
    if (action === "delete" && target !== undefined && tasks.has(id)) {
      gone.set(id, { kind, urn: target.urn });
      deleted.set(target.urn, id);
      going.set(keyText(kind, target.urn), id);
    }
    if (gone.has(id)) waits.set(id, new Set(dependsOn));
  }
  return new ReferredSince({
    gone,
    registry,
    snapshot,
    now,
    isToldUnseen: (id) => toldUnseen.has(id),
    endsOf: (users) => {
      const letsGo = lettingGo(changes, users, { registry, snapshot });
      return (user, { urn }, id) => {
        const goes = going.get(keyText(user.kind, user.urn)) ?? deleted.get(user.over ?? "");
        const change = goes ?? letsGo(user, urn)?.id;
        if (change === undefined) return undefined;
        return change === id || waits.get(id)?.has(change) === true ? "before" : "later";
      };
    },
  });
}
