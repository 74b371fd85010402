import { fingerprint } from "../../model/canonical.ts";
import { newlyPaired } from "../../model/pair-keys.ts";
import { strip } from "../../model/shape.ts";
import { resolveMarkers } from "../../model/translate.ts";
import { addressOf } from "./address.ts";
import type { BuildContext } from "./build-context.ts";
import type { Built, Origin, Unbuilt } from "./built.ts";
import { asTheSource, builtBare, builtChange, builtCreate } from "./built.ts";
import { only, without } from "../../model/fields.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";
import { buildOverCreated } from "./over-created.ts";
import { unbuilt } from "./unbuilt.ts";
import { afterChange, beforeChange } from "../facets/content.ts";
import { withLeft } from "../diff/first-contact.ts";
import { withHidden } from "../diff/unasked-there.ts";
import { liesOver } from "../facets/standing.ts";
import { isToPublish } from "../facets/steps.ts";

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
  if (change.target === undefined && liesOver(kind)) return buildOverCreated(task, from, kind, context);
  const urn = change.target?.urn ?? mapping.get(kind.name, from.source)?.target ?? "";
  const present = target.snapshot.has(kind.name, urn);
  const whole = present ? target.snapshot.body(kind.name, urn) : {};
  const listed = strip(whole, kind.shape);
  const { tree: body, left } = resolveMarkers(change.work?.patch ?? {}, live.target);
  if (left.length > 0) return unbuilt(left, live);
  const { tree } = live.tree(kind, from.source, change.work?.keys ?? {}, listed);
  const before = beforeChange(kind, present ? listed : undefined, tree, body);
  const expected = afterChange(kind, before, body);
  const { undo, left: untouched, kept, keys = {}, unasked = [], hidden, ownFingerprint } = change.work ?? {};
  const row = mapping.get(kind.name, from.source);
  // At first contact all of them are met, and nobody is to be asked about any of them later.
  const paired = row?.sourceFingerprint === undefined ? {} : newlyPaired(keys, row.keys);
  // What the source cannot be asked for is not empty: its word of that is what was brought, and what it says itself is not known.
  // Nor is what the target cannot be asked for brought.
  const said = withHidden(withLeft(tree, unasked, listed, kind.shape), hidden, kind.shape);
  const own = ownFingerprint === undefined ? {} : { ownFingerprint };
  return builtChange(
    kind,
    { ...from, target: urn },
    { body, whole, before, expected, opensDraft: isToPublish(task.steps) },
    {
      sourceFingerprint: fingerprint(said, kind.shape),
      ...(unasked.length === 0 && hidden === undefined ? live.own(kind, from.source) : own),
      ...(untouched === undefined ? {} : { left: untouched }),
      ...(kept === undefined ? {} : { kept }),
      ...(Object.keys(paired).length === 0 ? {} : { paired }),
      ...(undo === undefined ? {} : { undo }),
    },
  );
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
  return builtBare(kind, { ...from, target: urn }, whole, entry?.targetFingerprint, { over: entry?.over });
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
