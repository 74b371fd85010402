import { isGiven } from "../facets/standing.ts";
import { bounded, looksAtOnce } from "../bounded.ts";
import { isAddressable } from "../apply/address.ts";
import { urnType } from "../../model/urn.ts";
import type { ReadClient } from "../../service/index.ts";
import { absentOf, leadsTo } from "./leads-to.ts";
import type { Planned, PlanContext } from "./plan.ts";
import { isPossible } from "./plan.ts";
import { leftAsItIs } from "./words.ts";

/**
 * What would be sent back and leads to something that is gone at the target since: no document says that a service refuses a
 * reference that leads nowhere, so such an object is left, and named. What cannot be asked for is left to the service.
 */
export async function withoutDead(
  planned: readonly Planned[],
  context: PlanContext,
  client: ReadClient,
): Promise<readonly Planned[]> {
  const gone = await goneOf(new Set(planned.flatMap(leadsElsewhere)), context, client);
  return leftWithout(planned, context, gone);
}

/**
 * What is left does not come back, nor do the parts that it had lost: whatever leads to that, or to what is `gone`, is left as well.
 */
export function leftWithout(
  planned: readonly Planned[],
  context: PlanContext,
  gone: ReadonlySet<string> = new Set(),
): readonly Planned[] {
  for (let current = planned; ;) {
    const coming = new Set(current.filter(bringsBack).map(({ deed }) => deed));
    const isDead = (item: Planned, urn: string): boolean => {
      if (gone.has(urn)) return true;
      const [owner] = context.returning.referredBy({ urn }, item.deed);
      return owner !== undefined && !coming.has(owner) && !isBack(urn, context);
    };
    let isOver = true;
    const next = current.map((item): Planned => {
      const dead = leadsElsewhere(item).find((urn) => isDead(item, urn));
      if (dead === undefined) return item;
      isOver = false;
      return leftAsItIs(
        item.deed,
        item.kind,
        `it led to ${dead}, which is gone at the target`,
        "Bring back what it led to, and run again; or take the run's work back by hand in the web application.",
      );
    });
    if (isOver) return current;
    current = next;
  }
}

/** The object, or the parts that a change had taken away; a draft that is published first is planned again after that. */
function bringsBack(item: Planned): boolean {
  return isPossible(item) && item.reverse?.what !== "delete";
}

function leadsElsewhere(item: Planned): readonly string[] {
  return leadsTo(item).filter((urn) => urn !== item.deed.target);
}

/** It was deleted, and stands again under another name, which is the one that is sent. */
function isBack(urn: string, { returning }: PlanContext): boolean {
  return returning.rewrite({ urn })["urn"] !== urn;
}

/** Lists are not isolated from changes: what none shows is asked for by itself. Throws what the client throws. */
async function goneOf(
  urns: ReadonlySet<string>,
  context: PlanContext,
  client: ReadClient,
): Promise<ReadonlySet<string>> {
  const { registry, standing, returning } = context;
  const { snapshot } = standing;
  const listed = snapshot.kinds();
  const open = Array.from(urns).filter(
    (urn) => !listed.some((kind) => snapshot.has(kind, urn)) && returning.referredBy({ urn }).size === 0,
  );
  const byKind = Map.groupBy(open, (urn) => registry.get(registry.kindOf(urnType(urn) ?? "") ?? ""));
  const gone = await bounded([...byKind], looksAtOnce, async ([kind, wanted]): Promise<readonly string[]> => {
    if (isGiven(kind)) return absentOf(kind, wanted, client);
    const moved = kind === undefined ? undefined : registry.movedKind(kind.name);
    if (moved?.one === undefined || !isAddressable(moved, {})) return [];
    const read = await bounded(wanted, looksAtOnce, async (urn) => moved.one?.(client, urn, {}));
    return wanted.filter((_urn, index) => read[index] === undefined);
  });
  return new Set(gone.flat());
}
