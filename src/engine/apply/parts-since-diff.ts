import type { Registry } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import { keyText } from "../../model/key.ts";
import { lettingGo } from "../checks/lets-go.ts";
import { partsGone } from "../checks/parts-referred.ts";
import type { TargetState } from "../read/target.ts";
import { PartsSince } from "./parts-since.ts";

/** As a diff has it: what takes a part out waits for what lets go of that, but where this maps a new one in its place. */
export function partsSinceDiff({
  changes,
  registry,
  target: { snapshot },
  now,
}: {
  readonly changes: readonly Change[];
  readonly registry: Registry;
  readonly target: TargetState;
  readonly now: () => number;
}): PartsSince {
  const gone = partsGone(changes, { registry, snapshot });
  const waits = new Map<string, ReadonlySet<string>>();
  const deleted = new Set<string>();
  for (const { id, action, kind, target, dependsOn } of gone.size === 0 ? [] : changes) {
    if (gone.has(id)) waits.set(id, new Set(dependsOn));
    if (action === "delete" && target !== undefined) deleted.add(keyText(kind, target.urn));
  }
  return new PartsSince({
    gone,
    registry,
    snapshot,
    now,
    endsOf: (users) => {
      const letsGo = lettingGo(changes, users, { registry, snapshot });
      return (user, { urn }, id) => {
        if (deleted.has(keyText(user.kind, user.urn))) return "before";
        const change = letsGo(user, urn);
        if (change === undefined) return undefined;
        return waits.get(id)?.has(change.id) === true ? "before" : "later";
      };
    },
  });
}
