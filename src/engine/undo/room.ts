import type { Deed } from "./deeds.ts";
import { naturalKeyText } from "../facets/natural-key.ts";
import type { EntityKind, MovedKind } from "../../kinds/kind.ts";
import { keyText } from "../../model/key.ts";
import { isObject } from "../../model/json.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import type { Planned, PlanContext } from "./plan.ts";
import { isPossible } from "./plan.ts";
import { leftAsItIs } from "./words.ts";
import { standsAlone } from "../facets/standing.ts";

/**
 * What the run deleted is not put beside something of the same natural key, whoever made that: only what this very
 * rollback takes out of the way, or has brought back itself, is no reason to leave it.
 */
export function withRoom(
  planned: readonly Planned[],
  deeds: readonly Deed[],
  context: PlanContext,
): readonly Planned[] {
  const { mapping, returning } = context;
  const brought = new Set(
    deeds.flatMap(({ what, kind, source }) => (what === "deleted" ? [keyText(kind, source)] : [])),
  );
  const moves = new Map(planned.flatMap((item) => addressedBy(item).map((urn) => [urn, item] as const)));
  const standing = new Map<string, ReadonlyMap<string, readonly string[]>>();
  return planned.map((item): Planned => {
    const { deed, kind, reverse } = item;
    if (reverse?.what !== "create" || !standsAlone(kind)) return item;
    const there = standing.get(kind.name) ?? byNaturalKey(kind, context);
    standing.set(kind.name, there);
    const key = naturalKeyText(kind, returning.rewrite(reverse.body));
    const after: string[] = [];
    for (const urn of there.get(key) ?? []) {
      if (brought.has(keyText(kind.name, mapping.claim(kind.name, urn) ?? ""))) continue;
      const move = moves.get(urn);
      if (move === undefined || !goesAway(move, kind, key, context))
        return inItsPlace(deed, kind, urn, move?.change.outcome === "withheld");
      after.push(move.change.id);
    }
    return after.length === 0 ? item : { ...item, reverse: { ...reverse, after } };
  });
}

/** What stands at the target and is changed or deleted. */
function addressedBy({ deed, change, reverse }: Planned): readonly string[] {
  if (reverse?.what === "patch") return [reverse.target];
  return change.action === "delete" ? [deed.target] : [];
}

/** Whether it is deleted, or gets another name. */
function goesAway(
  move: Planned,
  kind: EntityKind,
  key: string,
  { standing, returning }: PlanContext,
): boolean {
  const { change, reverse } = move;
  if (reverse?.what !== "patch")
    return change.action === "delete" && change.outcome !== "withheld" && isPossible(move);
  const body = mergePatch(
    standing.snapshot.body(kind.name, reverse.target),
    returning.rewrite(reverse.patch),
  );
  return isObject(body) && naturalKeyText(kind, body) !== key;
}

function inItsPlace(deed: Deed, kind: MovedKind, urn: string, isWithheld: boolean): Planned {
  const reason = `something with the same natural key is there already (${urn})`;
  const advice = isWithheld
    ? "The run created that one: with --allow-delete it is deleted, and this one created again."
    : "If it is not the same thing, rename it at the target and run again.";
  return leftAsItIs(deed, kind, reason, advice);
}

function byNaturalKey(kind: EntityKind, { standing }: PlanContext): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { urn, body } of standing.snapshot.stream(kind.name)) {
    const key = naturalKeyText(kind, body);
    const urns = found.get(key);
    if (urns === undefined) found.set(key, [urn]);
    else urns.push(urn);
  }
  return found;
}
