import type { MovedKind, StepItem } from "../../kinds/kind.ts";
import { fingerprint } from "../../model/canonical.ts";
import type { IntentItem } from "../../model/journal.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isArray, own } from "../../model/json.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { strip } from "../../model/shape.ts";
import { resolveMarkers } from "../../model/translate.ts";
import type { TargetState } from "../read-target.ts";
import type { LiveLookup } from "./live-lookup.ts";
import { without } from "./live-lookup.ts";
import { addressOf } from "./reads.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";

export interface Built {
  readonly item: StepItem;
  readonly intent: IntentItem;
  /** The object at the target after the step and before it, stripped; for steps that change it. */
  readonly expected?: JsonObject;
  readonly before?: JsonObject;
}

export interface BuildContext {
  readonly live: LiveLookup;
  readonly target: TargetState;
  readonly mapping: MappingTable;
}

/** What a task's step sends for its object; a text when it cannot be built. */
export function buildItem(task: Task, context: BuildContext): Built | string {
  switch (currentStep(task).name) {
    case "create":
      return buildCreate(task, context);
    case "patch":
    case "assign":
      return task.pass === "second" ? buildSecondPass(task, context) : buildUpdate(task, context);
    case "publish":
      return buildPublish(task, context);
    case "delete":
      return buildDelete(task, context);
  }
}

function buildCreate(task: Task, { live }: BuildContext): Built | string {
  const { kind, change } = task;
  const { source, name } = origin(task);
  const deferred = change.work?.deferred ?? [];
  const { tree: body, open } = live.tree(kind, source, {}, undefined, deferred);
  if (open.length > 0) return `what it refers to is not at the target: ${open.join(", ")}`;
  const print = fingerprint(body, kind.shape);
  return {
    item: { source, name, body, whole: body },
    // Without its deferred fields it is not what the source says yet: the second pass records that.
    intent: {
      source,
      name,
      fingerprint: print,
      ...(deferred.length > 0 ? {} : { sourceFingerprint: print }),
      body,
    },
    expected: body,
  };
}

function buildSecondPass(task: Task, { live, mapping }: BuildContext): Built | string {
  const { kind, change } = task;
  const { source, name } = origin(task);
  const { tree, open } = live.tree(kind, source, {}, undefined);
  if (open.length > 0) return `what it refers to is not at the target: ${open.join(", ")}`;
  const deferred = change.work?.deferred ?? [];
  const body = Object.fromEntries(Object.entries(tree).filter(([field]) => deferred.includes(field)));
  const target = mapping.get(source)?.target ?? "";
  const print = fingerprint(tree, kind.shape);
  const before = without(tree, deferred);
  return {
    item: { source, name, target, body, whole: tree },
    intent: {
      source,
      name,
      target,
      fingerprint: print,
      before: fingerprint(before, kind.shape),
      sourceFingerprint: print,
      body,
      ...addressed(kind, tree),
    },
    expected: tree,
    before,
  };
}

function buildUpdate(task: Task, { live, target, mapping }: BuildContext): Built | string {
  const { kind, change } = task;
  const { source, name } = origin(task);
  const urn = change.target?.urn ?? mapping.get(source)?.target ?? "";
  const present = target.snapshot.has(kind.name, urn);
  const whole = present ? target.snapshot.body(kind.name, urn) : {};
  const listed = strip(whole, kind.shape);
  const { tree: body, left } = resolveMarkers(change.work?.patch ?? {}, live.target);
  if (left.length > 0) return `what it refers to is not at the target: ${left.join(", ")}`;
  const { tree } = live.tree(kind, source, change.work?.keys ?? {}, listed);
  // What has no relations yet is in no list: it is what it will be, less what is added.
  const before = present || kind.mode !== "link" ? listed : without(tree, Object.keys(body));
  const expected =
    kind.mode === "link" ? linked(before, body) : strip(mergePatch(before, body) as JsonObject, kind.shape);
  return {
    item: { source, name, target: urn, body, whole },
    intent: {
      source,
      name,
      target: urn,
      fingerprint: fingerprint(expected, kind.shape),
      before: fingerprint(before, kind.shape),
      sourceFingerprint: fingerprint(tree, kind.shape),
      body,
      ...addressed(kind, whole),
      ...(change.work?.undo === undefined ? {} : { undo: change.work.undo }),
    },
    expected,
    before,
  };
}

function buildPublish(task: Task, { target, mapping }: BuildContext): Built {
  const { kind } = task;
  const { source, name } = origin(task);
  const entry = mapping.get(source);
  const urn = entry?.target ?? "";
  const whole = target.snapshot.has(kind.name, urn) ? target.snapshot.body(kind.name, urn) : {};
  const print = entry?.targetFingerprint;
  return {
    item: { source, name, target: urn, body: {}, whole },
    intent: {
      source,
      name,
      target: urn,
      ...(print === undefined ? {} : { fingerprint: print }),
      ...addressed(kind, whole),
    },
  };
}

/** What paths need is kept with the intent: the object may be gone from the listing when it is settled. */
function addressed(kind: MovedKind, whole: JsonObject): Pick<IntentItem, "whole"> {
  return kind.addressedBy === undefined ? {} : { whole: addressOf(kind, whole) };
}

function buildDelete(task: Task, { target }: BuildContext): Built {
  const { kind, change } = task;
  const { source, name } = origin(task);
  const urn = change.target?.urn ?? "";
  const whole = target.snapshot.body(kind.name, urn);
  const undo = strip(whole, kind.shape);
  return {
    item: { source, name, target: urn, body: {}, whole },
    intent: { source, name, target: urn, undo, ...addressed(kind, whole) },
  };
}

function origin({ change }: Task): { readonly source: string; readonly name: string } {
  return { source: change.source?.urn ?? "", name: change.source?.name ?? "" };
}

/** Relations are added to those that are there. */
function linked(before: JsonObject, added: JsonObject): JsonObject {
  const fields = Object.entries(added).map(([name, value]): [string, Json] => {
    const there = own(before, name);
    return [name, isArray(there) && isArray(value) ? [...there, ...value] : value];
  });
  return { ...before, ...Object.fromEntries(fields) };
}
