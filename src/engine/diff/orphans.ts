import { isSwappedThere } from "./swapped-there.ts";
import type { MovedKind } from "../../kinds/kind.ts";
import type { Change, FieldChange } from "../../model/change.ts";
import { fingerprint } from "../../model/canonical.ts";
import { difference } from "../../model/difference.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Shape } from "../../model/shape.ts";
import type { Key } from "../../model/key.ts";
import { keyText } from "../../model/key.ts";
import { keepsTheirs, type MappingEntry } from "../../model/mapping.ts";
import { strip } from "../../model/shape.ts";
import { urnType } from "../../model/urn.ts";
import { shellWord } from "../../model/shell-word.ts";
import { deletedBefore } from "../delete-order.ts";
import { ListedTypes } from "../read/listed-types.ts";
import { selectsItself } from "../read/selection.ts";
import { heldBack } from "./held.ts";
import type { DiffInput } from "./input.ts";
import type { Stop } from "./node.ts";
import type { Resolver } from "./resolver.ts";
import { isTakenOut } from "./taken-out.ts";
import { holdsTheirs } from "./theirs-within.ts";
import { isNotClear, wasKnownAs } from "../facets/known-before.ts";
import { typesIn } from "../facets/model-types.ts";
import { isSaidOf, mayBeSilent, standsAlone } from "../facets/standing.ts";

/**
 * Objects that were moved once and are gone at the source. Absence counts only where the listing was complete, only
 * for what the plan selects, and only for objects that this tool created or was told to adopt (README, promises 4
 * and 5).
 */
export function orphans(
  input: DiffInput,
  resolver: Pick<Resolver, "listed">,
): {
  readonly changes: readonly Change[];
  readonly forgotten: readonly Key[];
} {
  const changes: Change[] = [];
  const forgotten: Key[] = [];
  const isSpokenFor = spokenFor(input);
  // A plan that selects by name does not speak for the objects that it leaves out.
  const isSelected = selectsItself(input.plan.select);
  const typeOf = typesIn(input.registry, input.target.snapshot);
  for (const kind of input.registry.moved()) {
    const listed = input.source.manifest.kinds[kind.name];
    const { selectedAs } = kind;
    if (listed?.complete !== true || !input.plan.select.kinds.includes(selectedAs)) continue;
    for (const source of input.mapping.entries(kind.name).keys()) {
      const entry = input.source.has(kind.name, source) ? undefined : input.mapping.get(kind.name, source);
      if (entry === undefined || !isSelected({ selectedAs, urn: source, name: entry.name })) continue;
      if (mayBeSilent(kind) && !isSpokenFor(source)) continue;
      const held = heldBack(input, kind.name, source);
      if (held !== undefined) {
        changes.push(heldOrphan(kind.name, source, entry, held));
        continue;
      }
      // What was said of a thing goes when that goes.
      if (isOfOrphan(kind, source, input)) continue;
      if (!standsAlone(kind) || !input.target.snapshot.has(kind.name, entry.target)) {
        if (standsAlone(kind) && isUnseen(entry) && isNowhere(source, entry, input))
          changes.push(ofNothing(kind.name, source, entry, input));
        else forgotten.push({ kind: kind.name, id: source });
        continue;
      }
      const name = input.target.snapshot.name(kind.name, entry.target);
      const body = strip(input.target.snapshot.body(kind.name, entry.target), kind.shape);
      const unclear = isNotClear(kind, body);
      if (unclear !== undefined) {
        changes.push(heldOrphan(kind.name, source, entry, { action: "manual", ...unclear }));
        continue;
      }
      const now = fingerprint(body, kind.shape);
      const applied = entry.sourceFingerprint !== undefined || entry.origin === "created";
      const touched =
        entry.targetFingerprint === now
          ? isSwappedThere(kind, source, { print: now, body }, input.applied)
          : !wasKnownAs(kind, body, entry.targetFingerprint, typeOf) &&
            !isTakenOut(kind, source, { print: entry.targetFingerprint, now }, input, resolver);
      const coordinate = { kind: kind.name, urn: source, name: entry.name };
      const base = {
        id: keyText(kind.name, source),
        kind: kind.name,
        source: { urn: source, name: entry.name },
        target: { urn: entry.target, name },
        fields: [],
        dependsOn: [],
      };
      const added = holdsTheirs(body, entry, input.plan.policy);
      const why = whyItStays(kind, entry, { applied, touched, added });
      if (why !== undefined) {
        const remove = `ferry mappings ${input.plan.name} remove ${shellWord(source)}`;
        // Of a pair that names a wrong source the twin is somebody's, who wants it.
        const suggestion = applied
          ? `Remove it by hand at the target, then: ${remove}`
          : `If the pair is wrong, set the right one, and take this one away: ${remove}. If it is right, remove the object by hand at the target first.`;
        changes.push({
          ...base,
          action: "manual",
          reason: `it is gone at the source, and ${why}`,
          diagnostics: [
            {
              severity: "error",
              code: "orphan",
              coordinate,
              summary: `gone at the source; ${why}`,
              suggestion,
            },
          ],
        });
      } else {
        changes.push({
          ...base,
          action: "delete",
          reason: "it is gone at the source",
          fields: lost(body, kind.shape),
          diagnostics: [],
          work: { targetFingerprint: now },
        });
      }
    }
  }
  return { changes: inReverse(changes, input), forgotten };
}

/** A person named the pair, and no run has ever seen either of the two. */
function isUnseen({ origin, sourceFingerprint, targetFingerprint }: MappingEntry): boolean {
  return origin === "explicit" && sourceFingerprint === undefined && targetFingerprint === undefined;
}

/** A URN does not always tell the kind: a monitor may be a primary one, which has its twin through what it lies over. */
function isNowhere(
  source: string,
  { target }: MappingEntry,
  { registry, ...at }: Pick<DiffInput, "registry" | "source" | "target">,
): boolean {
  const isShown = ({ name }: { readonly name: string }): boolean =>
    at.source.has(name, source) || at.target.snapshot.has(name, target);
  return !at.target.pairs.records.has(target) && ![...registry.moved(), ...registry.given()].some(isShown);
}

/** What was meant by it goes without its twin, and is perhaps made a second time: to forget it would be to say nothing of that. */
function ofNothing(kind: string, source: string, entry: MappingEntry, { plan }: DiffInput): Change {
  const { name, target } = entry;
  const reason = `neither ${plan.source.name} nor ${plan.target.name} shows what the pair names, and no run has ever seen it`;
  return {
    id: keyText(kind, source),
    action: "manual",
    kind,
    source: { urn: source, name },
    target: { urn: target, name },
    reason,
    fields: [],
    dependsOn: [],
    diagnostics: [
      {
        severity: "error",
        code: "pair-of-nothing",
        coordinate: { kind, urn: source, name },
        summary: `${reason}: ${target}`,
        suggestion: `Set the right pair, letter by letter as both sides write the URNs, and take this one away: ferry mappings ${plan.name} remove ${shellWord(source)}`,
      },
    ],
  };
}

/** Undefined where it is as this tool left it, and may go. */
function whyItStays(
  { remove }: Extract<MovedKind, { mode: "entity" }>,
  entry: MappingEntry,
  {
    applied,
    touched,
    added,
  }: { readonly applied: boolean; readonly touched: boolean; readonly added: boolean },
): string | undefined {
  if (applied && touched) return "it was changed at the target since the last apply";
  if (remove === undefined) return "the service offers no way to delete one";
  if (!applied)
    return "the pair was never applied, so nothing shows that the target object is as it should be";
  if (added) return "somebody has added parts to it at the target, which were left to them";
  return keepsTheirs(entry)
    ? "what somebody has changed at the target was to stay there (it was decided, or merged)"
    : undefined;
}

/** Whether it is said of something that is gone at the source as well, and still there at the target. */
function isOfOrphan(kind: MovedKind, urn: string, { registry, mapping, source, target }: DiffInput): boolean {
  return registry.movedAs(urnType(urn) ?? "").some((thing) => {
    if (!isSaidOf(kind, thing.name) || source.has(thing.name, urn)) return false;
    const twin = mapping.get(thing.name, urn)?.target;
    return twin !== undefined && target.snapshot.has(thing.name, twin);
  });
}

/** What would be gone with it, as far as a reviewer wants to read. */
function lost(body: JsonObject, shape: Shape, most = 60): readonly FieldChange[] {
  return difference({}, body, { shape, targetOnly: "remove", keys: {} }).fields.slice(0, most);
}

function heldOrphan(kind: string, source: string, { name, target }: MappingEntry, held: Stop): Change {
  const { action, code, reason, suggestion } = held;
  const summary = `gone at the source; ${reason}`;
  return {
    id: keyText(kind, source),
    action,
    kind,
    source: { urn: source, name },
    target: { urn: target, name },
    reason: `it is gone at the source, and ${reason}`,
    fields: [],
    dependsOn: [],
    diagnostics: [
      {
        severity: "error",
        code,
        coordinate: { kind, urn: source, name },
        summary,
        ...(suggestion === undefined ? {} : { suggestion }),
      },
    ],
  };
}

/** What refers to another deleted object goes first; those in a circle do not wait for each other. */
function inReverse(changes: readonly Change[], input: DiffInput): readonly Change[] {
  const deleted = changes.flatMap(({ action, id, kind, target }) => {
    if (action !== "delete") return [];
    const urn = target?.urn ?? "";
    const { shape } = input.registry.movedKind(kind) ?? {};
    return [{ id, urn, body: input.target.snapshot.body(kind, urn), shape }];
  });
  const waits = new Map(deletedBefore(deleted));
  return changes.map((change) => ({ ...change, dependsOn: waits.get(change.id) ?? [] }));
}

/**
 * Whether the plan lists things of the type that something lies over. One that moves terms says nothing of the stewards
 * of data products, which another plan may have brought.
 */
function spokenFor({ registry, source }: DiffInput): (urn: string) => boolean {
  const listed = new ListedTypes(source);
  return (urn) => {
    const type = urnType(urn) ?? "";
    if (registry.givenOf(type) !== undefined) return true;
    return registry.movedAs(type).some((kind) => listed.has(kind, urn));
  };
}
