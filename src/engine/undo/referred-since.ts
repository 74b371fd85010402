import { ReferredSince } from "../apply/referred-since.ts";
import type { Target } from "../checks/users.ts";
import { keyText } from "../../model/key.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { deletesIn } from "./parts-referred.ts";
import type { Planned, PlanContext } from "./plan.ts";
import { isDelete } from "./plan.ts";
import { isOfTheRun, letsGo } from "./referred.ts";

/** Between the plan and what it deletes or changes lie a question that a person answers, and all rows that the run had written. */
export function referredSincePlan(
  planned: readonly Planned[],
  parts: ReadonlyMap<string, Required<Target>>,
  context: Pick<PlanContext, "registry" | "standing" | "returning">,
  {
    now,
    isWaitedFor,
  }: { readonly now: () => number; readonly isWaitedFor: (user: string, by: string) => boolean },
): ReferredSince {
  const { registry, standing } = context;
  const going = deletesIn(planned);
  const deeds = new TextSet(planned.values().map(({ deed }) => keyText(deed.kind, deed.target)));
  const deletes = planned
    .filter(isDelete)
    .map(({ change, deed }) => [change.id, { kind: deed.kind, urn: deed.target }] as const);
  const unseen = new Set(
    planned.flatMap(({ change: { id, diagnostics } }) =>
      diagnostics.some(({ code }) => code === "users-unknown") ? [id] : [],
    ),
  );
  return new ReferredSince({
    gone: new Map<string, Target>([...parts, ...deletes]),
    registry,
    snapshot: standing.snapshot,
    now,
    isToldUnseen: (id) => unseen.has(id),
    endsOf:
      (users) =>
      (user, { urn, parts: some }, id) => {
        const key = keyText(user.kind, user.urn);
        // What lies over it, and the run had nothing to do with, goes with it.
        if (some === undefined && user.over === urn && !deeds.has(key)) return "before";
        const change =
          going.get(key) ?? planned.find((item) => letsGo(item, user, urn, users, context))?.change.id;
        if (change !== undefined) return change === id || isWaitedFor(change, id) ? "before" : "later";
        const isOurs = some === undefined && planned.some((item) => isOfTheRun(item, user, urn, context));
        return isOurs ? "before" : undefined;
      },
  });
}
