import type { EntityKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { leadsTo } from "../../model/graph.ts";
import { fixedIn } from "../../model/shape.ts";
import { walk } from "../../model/walk.ts";
import { become, packed } from "../../model/packed/change-list.ts";
import type { Plan } from "../../model/plan.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { typesIn } from "../facets/model-types.ts";
import { standsAlone } from "../facets/standing.ts";
import { blockDependents } from "./block-dependents.ts";
import { instead } from "./instead.ts";
import { settingFor } from "./setting.ts";

interface Both {
  readonly registry: Pick<Registry, "moved" | "kindOf">;
  readonly plan: Pick<Plan, "name">;
  readonly source: SnapshotReader;
  readonly target: SnapshotReader;
  readonly mapping: Pick<MappingTable, "twin" | "claim" | "has">;
}

/** What stands where only one may stand, and something new is to stand. */
interface Standing {
  readonly urn: string;
  readonly name: string;
  /** It is deleted by this change. */
  readonly going: Change | undefined;
}

/**
 * Where only one may stand at a time, what is new waits until the one that stands there is deleted. Asked when it is known
 * which deletes are done: what stays keeps its place, and another one, which the service would refuse, is not sent. In a circle (what
 * lets go of the old one refers to the new one) nobody can go first, and it is refused.
 */
export function makeRoom(changes: readonly Change[], both: Both): readonly Change[] {
  const first = new Map<string, Change>();
  const kept = new Map<string, Standing>();
  for (const kind of both.registry.moved())
    if (standsAlone(kind) && kind.room !== undefined)
      for (const [id, standing] of inTheWay(kind, changes, both))
        if (standing.going === undefined) kept.set(id, standing);
        else first.set(id, standing.going);
  const left = kept.size === 0 ? changes : withoutRoom(changes, kept, both);
  return first.size === 0 ? left : inTurn(left, first);
}

/**
 * Without leave to delete what stands there stays, and what is to take its place is not sent: nor is what takes out a part that
 * something refers to which stays, nor what waits for these.
 */
export function withoutLeave<T extends { readonly changes: readonly Change[] }>(
  diff: T,
  allowDelete: boolean,
): T {
  const { changes } = diff;
  const deletes = new Map(
    changes.values().flatMap((change) => (change.action === "delete" ? [[change.id, change] as const] : [])),
  );
  if (allowDelete || deletes.size === 0) return diff;
  const stays = new Map<string, Change>();
  for (const { id, action, dependsOn } of changes) {
    if (action === "delete") continue;
    const old = dependsOn.map((other) => deletes.get(other)).find((other) => other !== undefined);
    if (old !== undefined) stays.set(id, old);
  }
  if (stays.size === 0) return diff;
  const notMade = (change: Change): Change => {
    const old = stays.get(change.id);
    if (old === undefined) return change;
    const stood = `${old.kind} "${old.target?.name ?? ""}" (${old.target?.urn ?? ""})`;
    if (change.action !== "create") {
      const reason = `a part of it goes that ${stood} refers to, which is not deleted without --allow-delete`;
      const suggestion = "Run again with --allow-delete: that one is deleted first.";
      return instead(change, "blocked", reason, { code: "still-referred", suggestion });
    }
    const reason = `only one can stand in its place, and ${stood} is not deleted without --allow-delete`;
    const suggestion = "Run again with --allow-delete: that one is deleted, and this one is made.";
    return instead(change, "blocked", reason, { code: "place-taken", suggestion });
  };
  return { ...diff, changes: blockDependents(become(changes, notMade)) };
}

function withoutRoom(
  changes: readonly Change[],
  kept: ReadonlyMap<string, Standing>,
  { registry, plan, mapping }: Both,
): readonly Change[] {
  const notMade = (change: Change): Change => {
    const there = kept.get(change.id);
    if (there === undefined) return change;
    const { kind, source: { urn = "" } = {} } = change;
    const reason = `only one can stand in its place, and ${kind} "${there.name}" (${there.urn}) does`;
    const isNobodys = mapping.claim(kind, there.urn) === undefined;
    const it = { kind, urn, isMapped: mapping.has(kind, urn) };
    const same = `If it is the same thing: ${settingFor(it, there.urn, plan.name, registry)}. `;
    const suggestion = `${isNobodys ? same : ""}If that one is to go: delete it at the target by hand, and run again.`;
    return instead(change, "blocked", reason, { code: "place-taken", suggestion });
  };
  return blockDependents(become(changes, notMade));
}

function inTurn(changes: readonly Change[], first: Map<string, Change>): readonly Change[] {
  const waits = new Map(changes.map(({ id, dependsOn }) => [id, dependsOn]));
  /** The old ones that do not go before what takes their place is there. */
  const stuck = new Map<string, Change>();
  for (const [id, old] of first) {
    if (leadsTo(old.id, id, waits)) {
      first.delete(id);
      stuck.set(id, old);
      continue;
    }
    // Where the new one cannot be made, since what it needs is refused, the old one stays.
    const needed = (waits.get(id) ?? []).filter((other) => !leadsTo(other, old.id, waits));
    waits.set(old.id, [...new Set([...(waits.get(old.id) ?? []), ...needed])]);
    waits.set(id, [...(waits.get(id) ?? []), old.id]);
  }
  const goes = new Set(Array.from(first.values(), ({ id }) => id));
  return become(changes, (change) => {
    if (goes.has(change.id)) return { ...change, dependsOn: waits.get(change.id) ?? [] };
    const inTheWayStill = stuck.get(change.id);
    if (inTheWayStill !== undefined)
      return {
        ...change,
        reason: `${change.reason}; ${inTheWayStill.kind} "${inTheWayStill.target?.name ?? ""}" stands in its place, and what lets go of that refers to this one: take that reference out at the target by hand`,
      };
    const old = first.get(change.id);
    if (old === undefined) return change;
    // Of one of the same name the reason says already that it takes its place.
    const takes =
      change.work?.beside?.id === old.id
        ? "it is made"
        : `it takes the place of ${old.kind} "${old.target?.name ?? ""}",`;
    const reason = `${change.reason}; ${takes} once that is deleted (--allow-delete)`;
    return { ...change, reason, dependsOn: waits.get(change.id) ?? [] };
  });
}

/** What stands where something new is to stand, by the id of the latter. */
function inTheWay(
  kind: EntityKind,
  changes: readonly Change[],
  { registry, source, target, mapping }: Both,
): ReadonlyMap<string, Standing> {
  const found = new Map<string, Standing>();
  const typeOf = typesIn(registry, target);
  const own = packed(changes.values().filter((change) => change.kind === kind.name));
  /** Twins that this very run takes: no row tells of them yet. */
  const adopted = new Map(
    changes
      .values()
      .flatMap(({ action, source: from, target: to }) =>
        action === "adopt" && from !== undefined && to !== undefined ? [[from.urn, to.urn] as const] : [],
      ),
  );
  const wanting = new Map<string, string[]>();
  for (const { id, action, source: { urn = "" } = {}, work } of own) {
    if (action !== "create" || work?.unfinished !== undefined) continue;
    const body = fixedIn(source.body(kind.name, urn), kind.shape);
    const twin = (value: string): string => adopted.get(value) ?? mapping.twin(value) ?? value;
    const place = kind.room?.(
      walk(body, (form, value) => (form === "urn" ? twin(value) : value)),
      typeOf,
    );
    if (place !== undefined) wanting.set(place, [...(wanting.get(place) ?? []), id]);
  }
  if (wanting.size === 0 || !target.kinds().includes(kind.name)) return found;
  const going = new Map(
    own
      .values()
      .flatMap((change) => (change.action === "delete" ? [[change.target?.urn ?? "", change] as const] : [])),
  );
  for (const { urn, name, body } of target.stream(kind.name))
    for (const id of wanting.get(kind.room?.(body, typeOf) ?? "") ?? [])
      found.set(id, { urn, name, going: going.get(urn) });
  return found;
}
