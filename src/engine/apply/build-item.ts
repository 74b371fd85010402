import { fingerprint } from "../../model/canonical.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { strip } from "../../model/shape.ts";
import { resolveMarkers } from "../../model/translate.ts";
import type { TargetState } from "../read/target.ts";
import { addressOf } from "./address.ts";
import type { Built, Origin, Unbuilt } from "./built.ts";
import { asTheSource, builtBare, builtChange, builtCreate } from "./built.ts";
import type { LiveLookup } from "./live-lookup.ts";
import { only, without } from "../../model/fields.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";
import type { LinkKind, OverlayKind } from "../../kinds/kind.ts";
import { afterChange, beforeChange } from "../facets/content.ts";
import { liesOver, pairedOrigin } from "../facets/standing.ts";

export interface BuildContext {
  readonly live: LiveLookup;
  readonly target: TargetState;
  readonly mapping: MappingTable;
}

/** What a task's step sends for its object; a text when it cannot be built. */
export function buildItem(task: Task, context: BuildContext): Built | Unbuilt {
  switch (currentStep(task).effect) {
    case "creates":
      return buildCreate(task, context);
    case "changes":
      return task.pass === "second" ? buildSecondPass(task, context) : buildUpdate(task, context);
    case "releases":
    case "starts":
      return buildPublish(task, context);
    case "removes":
      return buildDelete(task, context);
  }
}

function buildCreate(task: Task, { live }: BuildContext): Built | Unbuilt {
  const { kind, change } = task;
  const from = origin(task);
  const deferred = change.work?.deferred ?? [];
  const { tree, open } = live.tree(kind, from.source, {}, undefined, deferred);
  if (open.length > 0) return unbuilt(open, live);
  const built = builtCreate(kind, from, tree);
  // Without its deferred fields it is not what the source says yet: the second pass records that.
  return deferred.length > 0 ? built : asTheSource(built, live.own(kind, from.source));
}

function buildSecondPass(task: Task, { live, mapping }: BuildContext): Built | Unbuilt {
  const { kind, change } = task;
  const from = origin(task);
  const { tree, open } = live.tree(kind, from.source, {}, undefined);
  if (open.length > 0) return unbuilt(open, live);
  const deferred = change.work?.deferred ?? [];
  const body = only(tree, deferred);
  const target = mapping.get(kind.name, from.source)?.target ?? "";
  const before = without(tree, deferred);
  const built = builtChange(kind, { ...from, target }, { body, whole: tree, before, expected: tree });
  return asTheSource(built, live.own(kind, from.source));
}

function buildUpdate(task: Task, context: BuildContext): Built | Unbuilt {
  const { live, target, mapping } = context;
  const { kind, change } = task;
  const from = origin(task);
  if (change.target === undefined && liesOver(kind)) return buildOverCreated(task, kind, context);
  const urn = change.target?.urn ?? mapping.get(kind.name, from.source)?.target ?? "";
  const present = target.snapshot.has(kind.name, urn);
  const whole = present ? target.snapshot.body(kind.name, urn) : {};
  const listed = strip(whole, kind.shape);
  const { tree: body, left } = resolveMarkers(change.work?.patch ?? {}, live.target);
  if (left.length > 0) return unbuilt(left, live);
  const { tree } = live.tree(kind, from.source, change.work?.keys ?? {}, listed);
  const before = beforeChange(kind, present ? listed : undefined, tree, body);
  const expected = afterChange(kind, before, body);
  const { undo, left: untouched, kept } = change.work ?? {};
  return builtChange(
    kind,
    { ...from, target: urn },
    { body, whole, before, expected },
    {
      sourceFingerprint: fingerprint(tree, kind.shape),
      ...live.own(kind, from.source),
      ...(untouched === undefined ? {} : { left: untouched }),
      ...(kept === undefined ? {} : { kept }),
      ...(undo === undefined ? {} : { undo }),
    },
  );
}

/** For what lies over something that this run has created. */
function buildOverCreated(task: Task, kind: OverlayKind | LinkKind, { live }: BuildContext): Built | Unbuilt {
  const { change } = task;
  const from = origin(task);
  const { tree, open } = live.tree(kind, from.source, {}, undefined);
  const { tree: body, left } = resolveMarkers(change.work?.patch ?? {}, live.target);
  const lacking = [...new Set([...open, ...left])];
  if (lacking.length > 0) return unbuilt(lacking, live);
  const place = live.laidOver(kind, from.source);
  if (place === undefined)
    return { state: "blocked", reason: "where it lies at the target is not known yet" };
  const before =
    place.before === undefined ? without(tree, Object.keys(body)) : strip(place.before, kind.shape);
  const expected = afterChange(kind, before, body);
  const prints = { sourceFingerprint: fingerprint(tree, kind.shape), ...live.own(kind, from.source) };
  const twin = { ...from, target: place.urn };
  const targetFingerprint = fingerprint(expected, kind.shape);
  if (place.before !== undefined && fingerprint(before, kind.shape) === targetFingerprint) {
    // A patch that changes nothing would open a draft all the same.
    const origin = pairedOrigin(kind, false);
    const known = { name: from.name, target: place.urn, origin, ...prints, targetFingerprint };
    return { state: "done", reason: "it is so already", known };
  }
  return { ...builtChange(kind, twin, { body, whole: tree, before, expected }, prints), isNew: true };
}

function unbuilt(open: readonly string[], live: LiveLookup): Unbuilt {
  const born = open.map((urn) => live.unborn(urn)).find((why) => why !== undefined);
  const reason = `what it refers to is not at the target: ${open.join(", ")}`;
  return born === undefined
    ? { state: "failed", reason }
    : { state: "blocked", reason: `${reason}: ${born}` };
}

function buildPublish(task: Task, { live, target, mapping }: BuildContext): Built {
  const { kind } = task;
  const from = origin(task);
  const entry = mapping.get(kind.name, from.source);
  const urn = entry?.target ?? "";
  // No list showed what this run has created, or what lies over that: it is named as it was sent.
  const whole = target.snapshot.has(kind.name, urn)
    ? target.snapshot.body(kind.name, urn)
    : addressOf(kind, live.tree(kind, from.source, {}, undefined).tree);
  return builtBare(kind, { ...from, target: urn }, whole, entry?.targetFingerprint);
}

function buildDelete(task: Task, { target }: BuildContext): Built {
  const { kind, change } = task;
  const urn = change.target?.urn ?? "";
  const whole = target.snapshot.body(kind.name, urn);
  const undo = strip(whole, kind.shape);
  return builtBare(kind, { ...origin(task), target: urn }, whole, undefined, { undo });
}

function origin({ change }: Task): Origin {
  return { source: change.source?.urn ?? "", name: change.source?.name ?? "" };
}
