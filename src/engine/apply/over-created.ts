import type { LinkKind, OverlayKind } from "../../kinds/kind.ts";
import { fingerprint } from "../../model/canonical.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { without } from "../../model/fields.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Policy } from "../../model/plan.ts";
import { strip } from "../../model/shape.ts";
import { resolveMarkers } from "../../model/translate.ts";
import { fieldsLeft, isClash, takenOver, withLeft } from "../diff/first-contact.ts";
import { afterChange, differenceOf } from "../facets/content.ts";
import { isLocated, pairedOrigin } from "../facets/standing.ts";
import type { BuildContext } from "./build-context.ts";
import type { Built, Origin, Unbuilt } from "./built.ts";
import { builtChange } from "./built.ts";
import type { Task } from "./task.ts";
import { unbuilt } from "./unbuilt.ts";

/** For what lies over something that this run has created. */
export function buildOverCreated(
  task: Task,
  from: Origin,
  kind: OverlayKind | LinkKind,
  { live, policy }: Pick<BuildContext, "live" | "policy">,
): Built | Unbuilt {
  const { tree, said, open } = live.tree(kind, from.source, {}, undefined);
  const { tree: planned, left: unresolved } = resolveMarkers(task.change.work?.patch ?? {}, live.target);
  const lacking = [...new Set([...open, ...unresolved])];
  if (lacking.length > 0) return unbuilt(lacking, live);
  const place = live.laidOver(kind, from.source);
  if (place === undefined)
    return { state: "blocked", reason: "where it lies at the target is not known yet" };
  const before =
    place.before === undefined ? without(tree, Object.keys(planned)) : strip(place.before, kind.shape);
  // One that goes by the URN of what it lies over, where what was born says something of its own.
  const isMet = !isLocated(kind) && place.before !== undefined;
  const met = isMet ? meet(kind, { tree, said, before }, policy) : { body: planned };
  if (met === "clash") return { state: "blocked", reason: clash };
  const { body, left, undo, takenOver: told }: Meeting = met;
  const expected = afterChange(kind, before, body);
  const prints = {
    sourceFingerprint: fingerprint(tree, kind.shape),
    ...live.own(kind, from.source),
    ...(left === undefined || left.length === 0 ? {} : { left }),
  };
  const twin = { ...from, target: place.urn };
  const targetFingerprint = fingerprint(expected, kind.shape);
  // Of what this run has created nothing more may be known than that it is there: where nothing is said of it, it is so already.
  const isKnown = place.before !== undefined || Object.keys(body).length === 0;
  if (isKnown && fingerprint(before, kind.shape) === targetFingerprint) {
    // A patch that changes nothing would open a draft all the same.
    const origin = pairedOrigin(kind, false);
    const known = { name: from.name, target: place.urn, origin, ...prints, targetFingerprint };
    return { state: "done", reason: "it is so already", known };
  }
  const more = { ...prints, ...(undo === undefined ? {} : { undo }) };
  return { ...builtChange(kind, twin, { body, whole: tree, before, expected }, more), takenOver: told };
}

const clash =
  "what was born at the target says something of its own there, and the source says otherwise: the next diff shows both as a conflict";

interface Meeting {
  /** The patch, and the one that takes it back where that is known. */
  readonly body: JsonObject;
  readonly undo?: JsonObject;
  readonly left?: readonly string[];
  readonly takenOver?: Omit<Diagnostic, "coordinate"> | undefined;
}

interface Meeters {
  readonly tree: JsonObject;
  /** The source's body as it was translated, before policies. */
  readonly said: JsonObject;
  readonly before: JsonObject;
}

/**
 * A column may come with words of its own, from the database's comments say: it is met as everything is that was there
 * before us. Of what the source says nothing, that stays; what both say and differs is nobody's to overwrite.
 */
function meet(
  kind: OverlayKind | LinkKind,
  { tree, said, before }: Meeters,
  policy: Policy,
): Meeting | "clash" {
  const left = fieldsLeft(kind, undefined, policy, said, before);
  const wanted = withLeft(tree, left, before, kind.shape);
  const options = { shape: kind.shape, targetOnly: policy.targetOnly, keys: {} };
  const { patch, fields, undo } = differenceOf(kind, wanted, before, options);
  const now = { row: undefined, left };
  if (policy.conflict !== "source-wins" && isClash({ kind, standing: "awaited" }, now, fields, policy))
    return "clash";
  return { body: patch, undo, left, takenOver: takenOver(fields) };
}
