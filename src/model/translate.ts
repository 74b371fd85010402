import type { JsonObject } from "./json.ts";
import { uuidOf } from "./urn.ts";
import type { ReferenceForm, Visit } from "./walk.ts";
import { walk } from "./walk.ts";
import { subEntityKeys, temporaryKey } from "./sub-entity.ts";
import { mapTexts } from "./map-texts.ts";

/** What a reference to the source has become. */
export type Resolution =
  | { readonly state: "target"; readonly urn: string }
  /** It will exist when the change of `owner` is done. */
  | { readonly state: "pending"; readonly owner: string }
  /** Nothing at the target stands for it. */
  | { readonly state: "unresolved"; readonly reason: string; readonly suggestion?: string }
  /** The plan says to leave the field out. */
  | { readonly state: "drop"; readonly reason: string };

export type BareResolution =
  | { readonly state: "target"; readonly uuid: string }
  | { readonly state: "pending"; readonly owner: string };

export interface Lookup {
  /** For a URN of the source. */
  urn(urn: string): Resolution;
  /** For the bare UUID of a source object; undefined when nothing is known of it. */
  uuid(uuid: string): BareResolution | undefined;
  /** For a sub-entity of this very object: its key at the target, when it is known. */
  ownKey(sourceKey: string): string | undefined;
  /** Whose a name of a field is that is the UUID of an object, in words; undefined where it is nobody's. */
  named?(uuid: string): string | undefined;
  /** Why an id inside of a text, which stays as it is, leads elsewhere than it should; undefined where it does not. */
  mention?(value: string): string | undefined;
}

export interface Problem {
  readonly form: ReferenceForm | "mention";
  readonly value: string;
  /** In the source body. */
  readonly pointer: string;
  readonly reason: string;
  readonly suggestion?: string;
}

export interface Translation {
  /** In the target's URN space; known sub-entity keys are the target's, new ones stand under `new_` + source key. */
  readonly tree: JsonObject;
  /** Owners (source URNs) of references that are still to be created; they stand in the tree as markers. */
  readonly pending: ReadonlySet<string>;
  /** References that a correct object cannot do without. */
  readonly unresolved: readonly Problem[];
  /** Ids in texts and rich text that nothing is known of; they stay as they are and are reported. */
  readonly loose: readonly Problem[];
  readonly dropped: readonly Problem[];
}

/** A private-use character that no name or text of the service has a reason to hold. */
const markerSign = "\uE000";
/** The same for a bare UUID: only the UUID part of the URN takes its place. */
const bareSign = "\uE001";
const markerExpression = /([\uE000\uE001])(urn:[^:\s"]+:[^:\s"]+:[^:\s"]+:[^:\s"]+:[0-9a-fA-F-]{36})/g;

/** Stands in a tree for a URN that does not exist yet. */
export function marker(sourceUrn: string): string {
  return markerSign + sourceUrn;
}

/** The source URN that a marker stands for. */
export function markedUrn(value: string): string | undefined {
  return value.startsWith(`${markerSign}urn:`) ? value.slice(markerSign.length) : undefined;
}

/**
 * The one field in which the service puts the key that it has assigned in the place of a temporary one (document 2, "Update
 * rules" 3). In any other it would keep the temporary one, as a text that leads nowhere.
 */
export function takesTemporaryKeys(pointer: string): boolean {
  return pointer.endsWith("/joinConfigurationKey");
}

/** Of a part that is named, and that the target has not given its key yet. */
export const notAssigned = {
  reason:
    "it names a part of its own by the bare key, and the target assigns that part its key only when it is there",
  suggestion:
    "Leave this field out at the source, apply, and put it in again: from then on the key at the target is known.",
};

/** Rewrites a stripped source body into the target's URN space. */
export function translate(stripped: JsonObject, lookup: Lookup): Translation {
  const ownKeys = subEntityKeys(stripped);
  const pending = new Set<string>();
  const unresolved: Problem[] = [];
  const loose: Problem[] = [];
  const dropped: Problem[] = [];
  const key = (sourceKey: string): string => lookup.ownKey(sourceKey) ?? temporaryKey(sourceKey);

  const bare = (form: ReferenceForm, value: string, pointer: () => string, reason: string): string => {
    const known = lookup.uuid(value);
    if (known === undefined) loose.push({ form, value, pointer: pointer(), reason });
    if (known?.state !== "pending") return known?.uuid ?? value;
    pending.add(known.owner);
    return bareSign + known.owner;
  };

  const ownKey = (value: string, pointer: () => string): string => {
    const known = lookup.ownKey(value);
    if (known !== undefined) return known;
    if (!takesTemporaryKeys(pointer()))
      unresolved.push({ form: "uuid", value, pointer: pointer(), ...notAssigned });
    // Where it is paired with one at the target, it gets that in the place of the temporary one.
    return temporaryKey(value);
  };

  const visit: Visit = (form, value, pointer) => {
    switch (form) {
      case "key": {
        const whose = lookup.ownKey(value) === undefined ? lookup.named?.(value) : undefined;
        const reason = `as a name of a field it is taken for the key of a part, and it is that of ${whose}`;
        if (whose !== undefined) loose.push({ form, value, pointer: pointer(), reason });
        return key(value);
      }
      case "uuid": {
        if (ownKeys.has(value)) return ownKey(value, pointer);
        return bare(form, value, pointer, "a bare id that belongs to nothing that was exported");
      }
      case "gid":
        return bare(form, value, pointer, "rich text refers to an entity that was not moved");
      case "embedded":
      case "urn": {
        const resolution = lookup.urn(value);
        switch (resolution.state) {
          case "target":
            return resolution.urn;
          case "pending":
            pending.add(resolution.owner);
            return marker(value);
          case "drop":
            dropped.push({ form, value, pointer: pointer(), reason: resolution.reason });
            return form === "urn" ? undefined : value;
          case "unresolved": {
            const { reason, suggestion } = resolution;
            const problem = {
              form,
              value,
              pointer: pointer(),
              reason,
              ...(suggestion === undefined ? {} : { suggestion }),
            };
            (form === "urn" ? unresolved : loose).push(problem);
            return value;
          }
        }
      }
    }
  };
  const mention = (value: string, pointer: () => string): void => {
    const reason = lookup.mention?.(value);
    if (reason !== undefined) loose.push({ form: "mention", value, pointer: pointer(), reason });
  };
  // An empty list or object in the place of what is left out would be a word of its own.
  const tree = walk(stripped, visit, mention, "with what held nothing else");
  return { tree, pending, unresolved, loose, dropped };
}

/** The same with parts that were paired since: what names one of them by its key has its target. */
export function withPaired(translation: Translation, keys: Readonly<Record<string, string>>): Translation {
  const { unresolved } = translation;
  if (unresolved.length === 0) return translation;
  const isOpen = ({ form, value }: Problem): boolean => form !== "uuid" || !Object.hasOwn(keys, value);
  return { ...translation, unresolved: unresolved.filter(isOpen) };
}

/** The source URNs that markers in a tree stand for. */
export function markedIn(tree: JsonObject): readonly string[] {
  return resolveMarkers(tree, () => undefined).left;
}

/** Puts the target's URNs in the place of markers; the source URNs that nothing resolves are returned. */
export function resolveMarkers(
  tree: JsonObject,
  lookup: (sourceUrn: string) => string | undefined,
): { readonly tree: JsonObject; readonly left: readonly string[] } {
  const left: string[] = [];
  const replace = (whole: string, sign: string, sourceUrn: string): string => {
    const urn = lookup(sourceUrn);
    if (urn === undefined) left.push(sourceUrn);
    if (urn === undefined) return whole;
    return sign === bareSign ? uuidOf(urn) : urn;
  };
  const put = (text: string): string =>
    /[\uE000\uE001]/.test(text) ? text.replaceAll(markerExpression, replace) : text;
  return { tree: mapTexts(tree, put, put), left };
}
