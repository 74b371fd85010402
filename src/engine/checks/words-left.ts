import type { MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { printOf } from "../../model/canonical.ts";
import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Key } from "../../model/key.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { strip } from "../../model/shape.ts";
import { urnType } from "../../model/urn.ts";
import type { ReadClient } from "../../service/index.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { saysNothing, withoutAt } from "../diff/first-contact.ts";
import type { Diff } from "../diff/index.ts";
import { mayBeSilent, standsAlone } from "../facets/standing.ts";
import type { TargetState } from "../read/target.ts";

interface Options {
  readonly source: SnapshotReader;
  readonly target: TargetState;
  readonly mapping: MappingTable;
  readonly registry: Registry;
  /** Of the target; asked only where words stay. */
  readonly client: ReadClient;
  readonly names: { readonly source: string; readonly target: string };
}

/** Something that was brought to the target over a thing that the source has no more, or that has another twin by now. */
interface Left extends Key {
  readonly moved: boolean;
}

interface Ours {
  readonly kind: MovedKind;
  readonly source: string;
  readonly entry: MappingEntry;
  readonly moved: boolean;
}

/**
 * What lies over a thing is let go of when that thing is gone at the source: it was dropped there, or imported anew and nobody has said
 * anything of the new one. Which of the two no list tells, and so what was brought to the target stays there: that is said, in
 * the run after which nothing is known of it any more. So it is where the thing has another twin by now, as when two tables swap
 * their names: the row is of that one from then on. What somebody has changed there since is theirs.
 */
export async function wordsLeft(diff: Diff, options: Options): Promise<readonly Diagnostic[]> {
  const taken = new Map<string, ReadonlySet<string>>();
  const gone = diff.forgotten.map((key) => ({ ...key, moved: false }));
  const left = [...gone, ...movedAway(diff, options)].flatMap(
    ({ kind: name, id, moved }): readonly Ours[] => {
      const kind = options.registry.movedKind(name);
      const entry = options.mapping.get(name, id);
      if (kind === undefined || entry === undefined || !mayBeSilent(kind) || !isOurs(kind, entry, options))
        return [];
      const twins = taken.get(name) ?? twinsOf(name, options);
      taken.set(name, twins);
      // What lies there by now has inherited it.
      return twins.has(entry.target) ? [] : [{ kind, source: id, entry, moved }];
    },
  );
  if (left.length === 0) return [];
  const going = await goingWith(diff, left, options);
  return left.filter(({ entry }) => !going.has(entry.target)).map((one) => told(one, options));
}

/** What this run brings elsewhere than to where it lay. */
function movedAway({ changes }: Diff, { mapping, registry }: Options): readonly Left[] {
  return changes.flatMap(({ kind: name, action, source, target }): readonly Left[] => {
    const kind = registry.movedKind(name);
    if (kind === undefined || source === undefined || !mayBeSilent(kind)) return [];
    if (action !== "update" && action !== "adopt" && action !== "unchanged") return [];
    const before = mapping.targetOf(name, source.urn);
    return before === undefined || before === target?.urn
      ? []
      : [{ kind: name, id: source.urn, moved: true }];
  });
}

/** It says something that is not the target's own, and says it as it was left there. */
function isOurs(
  kind: MovedKind,
  { target: urn, targetFingerprint, left = [], kept = {} }: MappingEntry,
  { target }: Options,
): boolean {
  if (!target.snapshot.has(kind.name, urn)) return false;
  const body = target.snapshot.body(kind.name, urn);
  if (printOf(body, kind.shape) !== targetFingerprint) return false;
  const ours = withoutAt(strip(body, kind.shape), [...left, ...Object.keys(kept)]);
  return Object.entries(ours).some(
    ([field, value]) => kind.shape.fixed?.includes(field) !== true && !saysNothing(value),
  );
}

function twinsOf(kind: string, { source, target }: Options): ReadonlySet<string> {
  const twins = new Set<string>();
  if (source.kinds().includes(kind))
    for (const urn of source.urns(kind)) twins.add(target.overlays.get(kind, urn) ?? "");
  return twins;
}

/** What goes with something that is deleted, or comes anew with its change: the columns of an SQL item. */
async function goingWith(
  diff: Diff,
  left: readonly Ours[],
  { registry, client }: Options,
): Promise<ReadonlySet<string>> {
  const changing = new Set(
    diff.changes.flatMap((change) => (takesAlong(change, registry) ? [change.target?.urn ?? ""] : [])),
  );
  const going = new Set(left.flatMap(({ entry }) => (changing.has(entry.target) ? [entry.target] : [])));
  if (changing.size === 0) return going;
  const byKind = Map.groupBy(left, ({ entry }) => registry.givenOf(urnType(entry.target) ?? ""));
  for (const [given, some] of byKind) {
    if (given?.partOf === undefined) continue;
    const found = await given.read(client, new Set(some.map(({ entry }) => entry.target)), () => new Set());
    for (const record of "notKnown" in found ? [] : found)
      if (changing.has(given.partOf(record) ?? "")) going.add(record.urn);
  }
  return going;
}

function takesAlong({ action, kind }: Change, registry: Registry): boolean {
  const moved = registry.movedKind(kind);
  return action === "delete" || (action === "update" && standsAlone(moved) && moved.births !== undefined);
}

function told({ kind, source, entry, moved }: Ours, { names }: Options): Diagnostic {
  const why = moved
    ? "what it lies over has another twin by now"
    : `at ${names.source} it is gone, or was imported anew and says nothing`;
  const ofAll = moved
    ? "what it lies over has other twins by now"
    : `at ${names.source} they are gone, or were imported anew and say nothing`;
  const suggestion = `Where nobody at ${names.target} wants it, clear it by hand in the web application.`;
  return {
    severity: "warning",
    code: "words-left",
    coordinate: { kind: kind.name, urn: source, name: entry.name },
    summary: `what was brought to ${entry.target} stays there: ${why}`,
    suggestion,
    cause: {
      key: `words-left ${kind.name}${moved ? " moved" : ""}`,
      summary: `what was brought over things of ${names.target} (${kind.name}) stays there: ${ofAll}`,
      suggestion,
    },
    brief: `"${entry.name}" (${entry.target})`,
  };
}
