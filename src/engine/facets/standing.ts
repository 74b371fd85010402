import type { JsonObject } from "../../model/json.ts";
import { strip } from "../../model/shape.ts";
import type { EntityKind, GivenKind, Kind, LinkKind, MovedKind, OverlayKind } from "../../kinds/kind.ts";

/**
 * What the engine concludes from the mode of a kind is said in this folder and nowhere else, as answers to the
 * questions that the stages ask.
 */

/** It is created and deleted, has a natural key of its own, and its absence means something. */
export function standsAlone(kind: Kind | undefined): kind is EntityKind {
  return kind?.mode === "entity";
}

/** Some of its kind have no name, and are known by all that they say. */
export function mayBeNameless(kind: Kind): boolean {
  return standsAlone(kind) && kind.mayBeNameless === true;
}

/** It is no use of what goes, but goes with it: a steward with the term. */
export function goesWith(kind: MovedKind, gone: ReadonlySet<string>): boolean {
  if (kind.mode !== "overlay" || kind.locate !== undefined) return false;
  return kind.refersTo.filter((name) => gone.has(name)).every((name) => kind.over.kinds.includes(name));
}

/** Others refer to parts of it, by their URNs: to the inputs of a rule. */
export function namesItsParts(kind: MovedKind): boolean {
  return standsAlone(kind) && kind.ownsParts === true;
}

/** It comes and goes with something else, and has its twin through that. */
export function liesOver(kind: Kind | undefined): kind is OverlayKind | LinkKind {
  return kind?.mode === "overlay" || kind?.mode === "link";
}

/** It is said of a thing of that kind, under the thing's own URN: a steward. */
export function isSaidOf(kind: MovedKind, thing: string): kind is OverlayKind {
  return kind.mode === "overlay" && kind.locate === undefined && kind.over.kinds.includes(thing);
}

/** It has a URN of its own, which the record of what it lies over tells; the others go by the URN of that. */
export function isLocated(
  kind: Kind | undefined,
): kind is OverlayKind & Required<Pick<OverlayKind, "locate">> {
  return kind?.mode === "overlay" && kind.locate !== undefined;
}

/** Its list shows what says nothing, too. */
export function mayBeSilent(kind: MovedKind): boolean {
  return kind.mode === "overlay" && kind.canBeSilent === true;
}

/** It says nothing, and nothing is to be known of it: a column without a description. */
export function isSilent(kind: MovedKind, body: JsonObject): boolean {
  if (!mayBeSilent(kind)) return false;
  return Object.keys(strip(body, kind.shape)).every((field) => kind.shape.fixed?.includes(field) === true);
}

/** What both sides say of it at first contact is a conflict. */
export function clashes(kind: MovedKind): boolean {
  return kind.mode === "overlay" && kind.clashes === true;
}

/** Relations: what the target has more is nobody's business, and what is there is never changed. */
export function onlyAdds(kind: Kind | undefined): kind is LinkKind {
  return kind?.mode === "link";
}

/** It exists on both sides, is paired and never written. */
export function isGiven(kind: Kind | undefined): kind is GivenKind {
  return kind?.mode === "given";
}

/** The origin of a pair that is not known yet, when it was not created. */
export function pairedOrigin(kind: MovedKind, adopted: boolean): "adopted" | "explicit" | "paired" {
  if (!standsAlone(kind)) return "paired";
  return adopted ? "adopted" : "explicit";
}
