import type { Misfit } from "../../kinds/kind.ts";
import { fingerprint } from "../../model/canonical.ts";
import type { Difference } from "../../model/difference.ts";
import type { JsonObject } from "../../model/json.ts";
import { pointerOf } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { once } from "../../model/once.ts";
import { ownPrint } from "../../model/own-print.ts";
import { newlyPaired, withKeys } from "../../model/pair-keys.ts";
import { strip } from "../../model/shape.ts";
import type { Translation } from "../../model/translate.ts";
import { withPaired } from "../../model/translate.ts";
import type { DiffInput } from "./input.ts";
import { fieldsLeft, notAskedAt, withKept, withLeft } from "./first-contact.ts";
import type { Kept } from "./kept.ts";
import { withTheirMentions } from "./lost-mentions.ts";
import { notCleared } from "./not-cleared.ts";
import { keptAt, keptUnasked, stillKept } from "./kept.ts";
import type { Node } from "./node.ts";
import { joinedKeys, partTwins } from "./part-twins.ts";
import type { Resolver } from "./resolver.ts";
import { asDone } from "./row-of.ts";
import { differenceOf, emptyAt } from "../facets/content.ts";
import { liesOver } from "../facets/standing.ts";
import { translated } from "../facets/translated.ts";
import { hiddenThere, withHidden } from "./unasked-there.ts";
import { withoutPlace } from "./without-place.ts";

export interface Comparison {
  readonly translation: Translation;
  /** The source in the target's URN space, after policies. */
  readonly tree: JsonObject;
  /** The same with what stays the target's own: what the target will say. */
  readonly wanted: JsonObject;
  readonly sourceFingerprint: string;
  /**
   * The same if what the source cannot be asked for, by its model, were as the target says; and what the target cannot be asked for as it
   * was last brought there.
   */
  readonly withNotAskedFingerprint: string;
  /** What that is, by JSON pointer; not what is left to the target anyhow. */
  readonly unasked: readonly string[];
  /** What the target cannot be asked for, and was brought there, as a part of its body; worked out when it is asked for. */
  readonly hidden: JsonObject | undefined;
  /** The same as the source says it, in its own URNs; worked out when it is asked for. */
  readonly ownFingerprint: string | undefined;
  readonly targetFingerprint: string;
  readonly target: JsonObject;
  /** What the mapping knows of these two; what it knows of another twin says nothing of this one. */
  readonly row: MappingEntry | undefined;
  /** Keys remembered or paired that exist at the target. */
  readonly keys: Readonly<Record<string, string>>;
  /** Keys of parts that were the target's alone so far, and are paired now. */
  readonly added: ReadonlySet<string>;
  /** Fields of which the source says nothing, and which stay the target's own. */
  readonly left: readonly string[];
  /** Of these, what the source has cleared and the target's model does not let be cleared. */
  readonly stuck: readonly Misfit[];
  /** Fields in which the target stays as it is, whatever the source says. */
  readonly kept: Kept;
  /** What the target has no place for, and somebody has changed there: the row is not to take it for brought. */
  readonly theirs: Kept;
  /** Worked out when it is asked for: most objects are equal, and their fingerprints say so. */
  readonly difference: Difference;
}

/** The source body of an object, stripped, and in the target's URN space; `keys` are its sub-entity keys there. */
export function translateNode(
  node: Node,
  input: DiffInput,
  resolver: Resolver,
  keys: Readonly<Record<string, string>>,
  target: JsonObject | undefined,
): { readonly body: JsonObject; readonly translation: Translation; readonly tree: JsonObject } {
  const body = strip(input.source.body(node.kind.name, node.urn), node.kind.shape);
  const translation = translated(node.kind, body, resolver.lookup(keys, node.keys));
  return {
    body,
    translation,
    tree: node.kind.adapt?.(translation.tree, input.plan.policy, target, resolver.types) ?? translation.tree,
  };
}

/** Compares an object with the target object at `target`, key by key and field by field. */
export function compareWith(
  node: Node,
  targetUrn: string,
  input: DiffInput,
  resolver: Resolver,
  /** Where both sides are merged: more fields that are to stay as they are at the target. */
  more?: readonly string[],
): Comparison {
  const { kind, entry, keys: before } = node;
  const present = input.target.snapshot.has(kind.name, targetUrn);
  const listed = present ? strip(input.target.snapshot.body(kind.name, targetUrn), kind.shape) : {};
  const targetOf = (tree: JsonObject): JsonObject => (present ? listed : emptyAt(kind, tree));
  const twins = partTwins(kind, before, targetOf, (known) =>
    translateNode(node, input, resolver, known, listed),
  );
  const { known, paired, keyed: inTheirWords } = twins;
  const { body, translation, tree } = twins.worded;
  const target = targetOf(tree);
  const targetFingerprint = fingerprint(target, kind.shape);
  const row = asDone(
    entry?.target === targetUrn ? entry : inherited(node, targetUrn, input),
    targetFingerprint,
  );
  const own = once(() => ownOf(node, body));
  // What it refers to may be another thing at the target by now: that is no other word of the source.
  const saysTheSame = (): boolean => row?.ownFingerprint !== undefined && row.ownFingerprint === own();
  const isAsLeft = translation.loose.length > 0 && row?.targetFingerprint === targetFingerprint;
  const isUntouched = isAsLeft && saysTheSame();
  const keyed = isUntouched ? withTheirMentions(inTheirWords, target, translation) : inTheirWords;
  const keys = joinedKeys(known, paired);
  // Keys that are remembered but whose source twin is gone are still needed to tell what was removed there.
  const options = {
    shape: kind.shape,
    targetOnly: input.plan.policy.targetOnly,
    keys: joinedKeys(before, keys),
    nameOf: resolver.names.label,
  };
  const sourceFingerprint = fingerprint(keyed, kind.shape);
  const said = withKeys(translation.tree, paired);
  // What is adopted by its name is to be as the source's.
  const isAdopted = node.standing === "candidate";
  const silent = isAdopted ? [] : fieldsLeft(kind, row, input.plan.policy, said, target);
  const stuck = notCleared(node, { row, sourceFingerprint, said }, input, resolver);
  const noPlace = withoutPlace(node, { row, said, target, targetFingerprint }, input, resolver);
  const unplaced = [
    ...noPlace.left,
    ...stuck.flatMap(({ place = [] }) => (place.length === 0 ? [] : [pointerOf(place)])),
  ];
  const askedFor = input.asked?.source.get(kind.name);
  const notAsked = notAskedAt(keyed, kind, askedFor, target);
  // At first contact it is the target's own: nobody has brought it there, and the source has not cleared it when it is asked again.
  const isFirst = row?.sourceFingerprint === undefined && input.plan.policy.targetOnly !== "remove";
  const left = [...new Set([...silent, ...unplaced, ...(isFirst ? notAsked : [])])].sort();
  const unasked = notAsked.filter((pointer) => !left.some((other) => `${pointer}/`.startsWith(`${other}/`)));
  const kept = {
    ...(isAdopted ? {} : stillKept(row, keyed, target, saysTheSame)),
    ...keptUnasked(row, kind, askedFor),
    ...noPlace.kept,
    // Where both sides are merged, what somebody has changed at the target alone stays.
    ...(more === undefined ? {} : { ...noPlace.theirs, ...keptAt(more, keyed) }),
  };
  const whole = withLeft(keyed, unasked, target, kind.shape);
  const wanted = withKept(withLeft(whole, left, target, kind.shape), Object.keys(kept), target);
  const hidden = once(() =>
    row?.sourceFingerprint === undefined || row.sourceFingerprint === sourceFingerprint
      ? undefined
      : hiddenThere(node, { row, target }, input),
  );
  const withNotAskedPrint = once(() => {
    const asBrought = withHidden(whole, hidden(), kind.shape);
    return asBrought === keyed ? sourceFingerprint : fingerprint(asBrought, kind.shape);
  });
  let differs: Difference | undefined;
  return {
    translation: withPaired(translation, paired),
    tree: keyed,
    wanted,
    sourceFingerprint,
    get withNotAskedFingerprint() {
      return withNotAskedPrint();
    },
    unasked,
    get hidden() {
      return hidden();
    },
    get ownFingerprint() {
      // Who says the same in the target's words as when the row was written says the same.
      if (row?.ownFingerprint !== undefined && row.sourceFingerprint === withNotAskedPrint())
        return row.ownFingerprint;
      // Of what it cannot be asked for its own word is not known: empty, it would be just what the source says once that is cleared.
      // What the target cannot be asked for is not brought, and so its own word is none that was.
      return unasked.length === 0 && hidden() === undefined ? own() : undefined;
    },
    targetFingerprint,
    target,
    row,
    keys,
    get added() {
      return new Set(Object.values(newlyPaired(paired, before, row?.keys)));
    },
    left,
    stuck,
    kept,
    theirs: more === undefined ? noPlace.theirs : {},
    get difference() {
      if (sourceFingerprint === targetFingerprint) return same;
      differs ??= differenceOf(kind, wanted, target, options);
      return differs;
    },
  };
}

/**
 * What lies over something that was made anew at the source, or is paired otherwise by now, lies where another one lay: the row of
 * that tells what was brought there. Otherwise words that nobody but this tool has written would be somebody's of whom nothing
 * is known, and what somebody has changed there since would count as never seen.
 */
export function inherited(
  { kind }: Pick<Node, "kind">,
  there: string,
  {
    mapping,
    source,
    target,
  }: Pick<DiffInput, "mapping" | "source"> & { readonly target: Pick<DiffInput["target"], "overlays"> },
): MappingEntry | undefined {
  if (!liesOver(kind)) return undefined;
  const before = mapping.claim(kind.name, there);
  if (before === undefined) return undefined;
  const isThereStill = source.has(kind.name, before) && target.overlays.get(kind.name, before) === there;
  return isThereStill ? undefined : mapping.get(kind.name, before);
}

function ownOf({ kind, plain }: Node, body: JsonObject): string | undefined {
  const mayLackPlaces = kind.misfits !== undefined;
  return plain?.length === 0 && !mayLackPlaces ? undefined : ownPrint(body, kind.shape, mayLackPlaces);
}

/** Equal content: assigned keys, order and what the service owns are no difference. */
const same: Difference = { patch: {}, undo: {}, fields: [] };
