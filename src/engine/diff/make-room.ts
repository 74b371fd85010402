import type { EntityKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { fixedIn } from "../../model/shape.ts";
import { walk } from "../../model/walk.ts";
import { become, packed } from "../../model/packed/change-list.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { typesIn } from "../facets/model-types.ts";
import { standsAlone } from "../facets/standing.ts";

interface Both {
  readonly registry: Pick<Registry, "moved">;
  readonly source: SnapshotReader;
  readonly target: SnapshotReader;
  readonly mapping: Pick<MappingTable, "twin">;
}

/**
 * Where only one may stand at a time, what is new waits until the one that stands there is deleted. Asked when it is known
 * which deletes are done: what stays keeps its place, and the service refuses another one. In a circle (what lets go of the
 * old one refers to the new one) nobody can go first, and it is refused as well.
 */
export function makeRoom(changes: readonly Change[], both: Both): readonly Change[] {
  const first = new Map<string, Change>();
  for (const kind of both.registry.moved())
    if (standsAlone(kind) && kind.room !== undefined)
      for (const [id, change] of inTheWay(kind, changes, both)) first.set(id, change);
  if (first.size === 0) return changes;
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
  const inTurn = (change: Change): Change => {
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
  };
  return become(changes, inTurn);
}

/** What is deleted and stands where something new is to stand, by the id of the latter. */
function inTheWay(
  kind: EntityKind,
  changes: readonly Change[],
  { registry, source, target, mapping }: Both,
): ReadonlyMap<string, Change> {
  const own = packed(changes.values().filter((change) => change.kind === kind.name));
  const typeOf = typesIn(registry, target);
  const going = new Map<string, Change>();
  for (const change of own) {
    if (change.action !== "delete") continue;
    const place = kind.room?.(target.body(kind.name, change.target?.urn ?? ""), typeOf);
    if (place !== undefined) going.set(place, change);
  }
  const found = new Map<string, Change>();
  if (going.size === 0) return found;
  for (const { id, action, source: { urn = "" } = {}, work } of own) {
    if (action !== "create" || work?.unfinished !== undefined) continue;
    const body = fixedIn(source.body(kind.name, urn), kind.shape);
    const there = walk(body, (form, value) => (form === "urn" ? (mapping.twin(value) ?? value) : value));
    const old = going.get(kind.room?.(there, typeOf) ?? "");
    if (old !== undefined) found.set(id, old);
  }
  return found;
}

function leadsTo(from: string, to: string, waits: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set([from]);
  for (const id of seen) {
    if (id === to) return true;
    for (const other of waits.get(id) ?? []) seen.add(other);
  }
  return false;
}
