import { leftWithout } from "./dead-references.ts";
import type { Deed } from "./deed.ts";
import { typesIn } from "../facets/model-types.ts";
import { naturalKeyText } from "../facets/natural-key.ts";
import type { EntityKind, MovedKind, TypeOf } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import { isObject } from "../../model/json.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import type { Planned, PlanContext } from "./plan.ts";
import { isPossible } from "./plan.ts";
import { bodyOf } from "./rewrite.ts";
import { leftAsItIs } from "./words.ts";
import { standsAlone } from "../facets/standing.ts";

/** What one object has alone: the same text for the same, and what is said to whoever comes to it second. */
interface Claim {
  readonly text: string;
  readonly reason: string;
  readonly advice: string;
}

/**
 * What the run deleted is not put beside something of the same natural key, nor where something else stands by now and only
 * one can, whoever made that: only what this very rollback takes out of the way, or what stood there beside it and is back, is no
 * reason to leave it. What was to lead to such a one is left then, and what that was to make room for as well.
 */
export function withRoom(
  planned: readonly Planned[],
  deeds: readonly Deed[],
  context: PlanContext,
): readonly Planned[] {
  for (let current = planned; ;) {
    const next = whereRoomIs(current, deeds, context);
    if (next.every((item, place) => isPossible(item) || item === current[place])) return next;
    current = leftWithout(next, context);
  }
}

function whereRoomIs(
  planned: readonly Planned[],
  deeds: readonly Deed[],
  context: PlanContext,
): readonly Planned[] {
  const { mapping, returning } = context;
  const deleted = new Map(
    deeds.flatMap((deed) =>
      deed.what === "deleted" ? [[keyText(deed.kind, deed.source), deed] as const] : [],
    ),
  );
  const moves = new Map(planned.flatMap((item) => addressedBy(item).map((urn) => [urn, item] as const)));
  const standing = new Map<string, ReadonlyMap<string, readonly string[]>>();
  const typeOf = typesIn(context.registry, context.standing.snapshot);
  // What has come back as something else since, its source object was renamed, is in the way like any other.
  const isBack = (kind: EntityKind, urn: string, { text }: Claim): boolean => {
    const deed = deleted.get(keyText(kind.name, mapping.claim(kind.name, urn) ?? ""));
    const body = deed === undefined ? undefined : bodyOf(deed);
    return (
      body !== undefined && claims(kind, returning.rewrite(body), typeOf).some((one) => one.text === text)
    );
  };
  return planned.map((item): Planned => {
    const { deed, kind, reverse } = item;
    if (reverse?.what !== "create" || !standsAlone(kind)) return item;
    const there = standing.get(kind.name) ?? byClaim(kind, context, typeOf);
    standing.set(kind.name, there);
    const after = new Set<string>();
    for (const claim of claims(kind, returning.rewrite(reverse.body), typeOf))
      for (const urn of there.get(claim.text) ?? []) {
        if (isBack(kind, urn, claim)) continue;
        const move = moves.get(urn);
        if (move === undefined || !goesAway(move, kind, claim, { ...context, typeOf }))
          return inItsPlace(deed, kind, urn, claim, move?.change.outcome === "withheld");
        after.add(move.change.id);
      }
    return after.size === 0 ? item : { ...item, reverse: { ...reverse, after: [...after] } };
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
  { text }: Claim,
  { standing, returning, typeOf }: PlanContext & { readonly typeOf: TypeOf },
): boolean {
  const { change, reverse } = move;
  if (reverse?.what !== "patch")
    return change.action === "delete" && change.outcome !== "withheld" && isPossible(move);
  const body = mergePatch(
    standing.snapshot.body(kind.name, reverse.target),
    returning.rewrite(reverse.patch),
  );
  return isObject(body) && !claims(kind, body, typeOf).some((claim) => claim.text === text);
}

function inItsPlace(
  deed: Deed,
  kind: MovedKind,
  urn: string,
  { reason, advice }: Claim,
  isWithheld: boolean,
): Planned {
  const withheldAdvice =
    "The run created that one: with --allow-delete it is deleted, and this one created again.";
  return leftAsItIs(deed, kind, `${reason} (${urn})`, isWithheld ? withheldAdvice : advice);
}

function claims(kind: EntityKind, body: JsonObject, typeOf: TypeOf): readonly Claim[] {
  const key: Claim = {
    text: naturalKeyText(kind, body),
    reason: "something with the same natural key is there already",
    advice: "If it is not the same thing, rename it at the target and run again.",
  };
  const room = kind.room?.(body, typeOf);
  if (room === undefined) return [key];
  return [
    key,
    {
      text: `room ${room}`,
      reason: "only one can stand there, and another one does",
      advice: "If that one is to go, delete it at the target and run again.",
    },
  ];
}

function byClaim(
  kind: EntityKind,
  { standing }: PlanContext,
  typeOf: TypeOf,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { urn, body } of standing.snapshot.stream(kind.name))
    for (const { text } of claims(kind, body, typeOf)) {
      const urns = found.get(text);
      if (urns === undefined) found.set(text, [urn]);
      else urns.push(urn);
    }
  return found;
}
